/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tiled LU factorisation of t x t tiles without pivoting [Buttari 2009]. Step k (from 0), with the flop of each kernel
   on tiles of b x b in units of b^3 / 3:

       getrf_k       A[k][k]                                        2
       trsmu_k_j     A[k][j] with A[k][k], j > k: the row of U      3
       trsml_k_i     A[i][k] with A[k][k], i > k: the column of L   3
       gemm_k_i_j    A[i][j] with A[i][k] and A[k][j], i, j > k     6

   Each edge carries one tile, and all tiles have the same size: t (t + 1) (2t + 1) / 6 tasks,
   t (t - 1) (2t + 1) / 2 edges, 3 t - 2 deep. */
#include "dag/generators/build.h"

#include "base/mem.h"

#include <stdlib.h>

enum { MOST_TILES = 310 }; /* the graph of this many tiles has at most BUILD_MAX_TASKS tasks */

static const struct param params[] = {
    {"tiles", PARAM_INTEGER, "", "5", 1, MOST_TILES, NULL, "rows and columns of tiles"},
    BUILD_COST_PARAMS("0"),
};

/* Step k has (t - k)^2 tasks: getrf, row, column, and the rest row by row. */
struct step {
    struct dag *dag;
    int t, k;
    task_id first;
};

/* The task of a step that overwrites A[i][j], i, j >= k. */
static task_id writer(const struct step *s, int i, int j)
{
    int rest = s->t - s->k - 1;
    if (i == s->k)
        return s->first + (j - s->k);
    if (j == s->k)
        return s->first + rest + (i - s->k);
    return s->first + 1 + 2 * rest + (i - s->k - 1) * rest + (j - s->k - 1);
}

static void add_tasks(const struct step *s)
{
    int k = s->k;
    build_task(s->dag, 2, "getrf_%d", k);
    for (int j = k + 1; j < s->t; j++)
        build_task(s->dag, 3, "trsmu_%d_%d", k, j);
    for (int i = k + 1; i < s->t; i++)
        build_task(s->dag, 3, "trsml_%d_%d", k, i);
    for (int i = k + 1; i < s->t; i++)
        for (int j = k + 1; j < s->t; j++)
            build_task(s->dag, 6, "gemm_%d_%d_%d", k, i, j);
}

static void add_edges(const struct step *s, const struct step *before)
{
    /* The kernel that wrote each remaining tile in the step before, whichever of the four it was. */
    int k = s->k;
    for (int i = k; before != NULL && i < s->t; i++)
        for (int j = k; j < s->t; j++)
            build_edge(s->dag, writer(before, i, j), writer(s, i, j), 1);
    for (int i = k + 1; i < s->t; i++) {
        build_edge(s->dag, s->first, writer(s, k, i), 1);
        build_edge(s->dag, s->first, writer(s, i, k), 1);
        for (int j = k + 1; j < s->t; j++) {
            build_edge(s->dag, writer(s, i, k), writer(s, i, j), 1);
            build_edge(s->dag, writer(s, k, j), writer(s, i, j), 1);
        }
    }
}

static enum err_code generate(const struct param_set *ps, struct random_stream *random, struct dag *out, struct err *e)
{
    (void)e;
    int t = (int)param_integer(ps, "tiles");
    struct step before = {0};
    for (int k = 0; k < t; k++) {
        struct step s = {out, t, k, out->n_tasks};
        add_tasks(&s);
        add_edges(&s, k > 0 ? &before : NULL);
        before = s;
    }
    build_costs(out, ps, random);
    return ERR_NONE;
}

extern const struct dag_generator dag_generator_lu;
const struct dag_generator dag_generator_lu = {
    .name = "lu",
    .summary = "LU factorisation of t x t tiles: t (t + 1) (2t + 1) / 6 tasks, getrf_STEP, trsmu_STEP_COLUMN, "
               "trsml_STEP_ROW, gemm_STEP_ROW_COLUMN",
    .source = "[Buttari 2009], without pivoting",
    .params = params,
    .generate = generate,
};
