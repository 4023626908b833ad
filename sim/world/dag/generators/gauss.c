/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Gaussian elimination of an m x m matrix by columns [Cosnard 1988]. Step k (from 1) computes the multipliers of column
   k (pivot_k, m - k divisions). With them it updates each column j > k below row k (update_k_j, m - k multiplications
   and as many subtractions). Every edge carries the m - k numbers that its source has computed:

       pivot_k -> update_k_j -> update_k+1_j, for all j > k;   update_k_k+1 -> pivot_k+1

   (m^2 + m - 2) / 2 tasks, m^2 - m - 1 edges, 2 (m - 1) deep. */
#include "dag/generators/build.h"

enum { MOST_COLUMNS = 4471 }; /* the graph of this many columns has at most BUILD_MAX_TASKS tasks */

static const struct param params[] = {
    {"size", PARAM_INTEGER, "", "5", 2, MOST_COLUMNS, NULL, "rows and columns of the matrix"},
    BUILD_COST_PARAMS("0"),
};

/* The number of pivot_k, which update_k_k+1 to update_k_m follow. Step k has m - k + 1 tasks. */
static task_id pivot(int m, int k)
{
    return (k - 1) * (m + 1) - k * (k - 1) / 2;
}

static task_id update(int m, int k, int j)
{
    return pivot(m, k) + j - k;
}

static enum err_code generate(const struct param_set *ps, struct random_stream *random, struct dag *out, struct err *e)
{
    (void)e;
    int m = (int)param_integer(ps, "size");
    for (int k = 1; k < m; k++) {
        build_task(out, m - k, "pivot_%d", k);
        for (int j = k + 1; j <= m; j++)
            build_task(out, 2 * (m - k), "update_%d_%d", k, j);
    }
    /* After all tasks, because an edge needs both of its ends, and an update of step k leads to a task of step k +
       1. */
    for (int k = 1; k < m; k++)
        for (int j = k + 1; j <= m; j++) {
            build_edge(out, pivot(m, k), update(m, k, j), m - k);
            if (k + 1 < m)
                build_edge(out, update(m, k, j), j == k + 1 ? pivot(m, k + 1) : update(m, k + 1, j), m - k);
        }
    build_costs(out, ps, random);
    return ERR_NONE;
}

extern const struct dag_generator dag_generator_gauss;
const struct dag_generator dag_generator_gauss = {
    .name = "gauss",
    .summary = "Gaussian elimination, m columns: (m^2 + m - 2) / 2 tasks, pivot_STEP, update_STEP_COLUMN",
    .source = "[Cosnard 1988]; [Topcuoglu 2002] 5.3.1",
    .params = params,
    .generate = generate,
};
