/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tiled Cholesky factorisation [Buttari 2009]: A = L L^T of t x t tiles, of which the lower ones are stored. Step k
   (from 0), with the flop of each kernel on tiles of b x b in units of b^3 / 3:

       potrf_k      A[k][k]                                        1
       trsm_k_i     A[i][k] with A[k][k], i > k                    3
       syrk_k_i     A[i][i] with A[i][k], i > k                    3
       gemm_k_i_j   A[i][j] with A[i][k] and A[j][k], i > j > k    6

   Each edge carries one tile, and all tiles have the same size: t (t + 1) (t + 2) / 6 tasks,
   (t - 1) t (t + 1) / 2 edges, 3 t - 2 deep. */
#include "dag/generators/build.h"

#include "base/mem.h"

#include <stdlib.h>

enum { MOST_TILES = 390 }; /* the graph of this many tiles has at most BUILD_MAX_TASKS tasks */

static const struct param params[] = {
    {"tiles", PARAM_INTEGER, "", "5", 1, MOST_TILES, NULL, "rows and columns of tiles"},
    BUILD_COST_PARAMS("0"),
};

/* The task that wrote each tile last. Steps are built in order, so no more history is needed. */
struct tiles {
    struct dag *dag;
    int n;
    task_id *writer; /* [i * n + j]; -1: not yet written */
};

static task_id *tile(struct tiles *a, int i, int j)
{
    return &a->writer[i * a->n + j];
}

static void read_tile(struct tiles *a, int i, int j, task_id reader)
{
    /* A tile that no kernel has written is part of the input matrix, and nobody is waited for. */
    if (*tile(a, i, j) >= 0)
        build_edge(a->dag, *tile(a, i, j), reader, 1);
}

/* A kernel also reads the tile that it overwrites. */
static void overwrite_tile(struct tiles *a, int i, int j, task_id t)
{
    read_tile(a, i, j, t);
    *tile(a, i, j) = t;
}

static void update_row(struct tiles *a, int k, int i)
{
    for (int j = k + 1; j < i; j++) {
        task_id gemm = build_task(a->dag, 6, "gemm_%d_%d_%d", k, i, j);
        read_tile(a, i, k, gemm);
        read_tile(a, j, k, gemm);
        overwrite_tile(a, i, j, gemm);
    }
    task_id syrk = build_task(a->dag, 3, "syrk_%d_%d", k, i);
    read_tile(a, i, k, syrk);
    overwrite_tile(a, i, i, syrk);
}

static enum err_code generate(const struct param_set *ps, struct random_stream *random, struct dag *out, struct err *e)
{
    (void)e;
    int n = (int)param_integer(ps, "tiles");
    struct tiles a = {out, n, mem_alloc((size_t)n * (size_t)n * sizeof a.writer[0])};
    for (int i = 0; i < n * n; i++)
        a.writer[i] = -1;
    for (int k = 0; k < n; k++) {
        overwrite_tile(&a, k, k, build_task(out, 1, "potrf_%d", k));
        for (int i = k + 1; i < n; i++) {
            task_id trsm = build_task(out, 3, "trsm_%d_%d", k, i);
            read_tile(&a, k, k, trsm);
            overwrite_tile(&a, i, k, trsm);
        }
        for (int i = k + 1; i < n; i++)
            update_row(&a, k, i);
    }
    build_costs(out, ps, random);
    free(a.writer);
    return ERR_NONE;
}

extern const struct dag_generator dag_generator_cholesky;
const struct dag_generator dag_generator_cholesky = {
    .name = "cholesky",
    .summary = "Cholesky factorisation of t x t tiles: t (t + 1) (t + 2) / 6 tasks, potrf_STEP, trsm_STEP_ROW, "
               "syrk_STEP_ROW, gemm_STEP_ROW_COLUMN",
    .source = "[Buttari 2009]",
    .params = params,
    .generate = generate,
};
