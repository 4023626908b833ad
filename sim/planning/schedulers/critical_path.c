/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Paths by mean costs. Lengths are compared as in base/choose.h, so that which of two equally long paths is the
   critical one does not depend on rounding. */
#include "schedulers/critical_path.h"

#include "base/mem.h"
#include "dag/levels.h"
#include "schedulers/core.h"

#include <stdlib.h>

double *critical_path_lengths(const struct problem *p, const char *edges)
{
    size_t n = (size_t)p->dag->n_tasks;
    double *task_s, *edge_s, *top_s = mem_alloc(n * sizeof *top_s), *out = mem_alloc(n * sizeof *out);
    core_rank_costs(p, "mean", edges, &task_s, &edge_s);
    dag_top_levels(p->dag, task_s, edge_s, top_s);
    dag_bottom_levels(p->dag, task_s, edge_s, out);
    for (size_t t = 0; t < n; t++)
        out[t] += top_s[t];
    free(top_s);
    free(edge_s);
    free(task_s);
    return out;
}

task_id critical_path_first(const struct dag *g, const double *length_s)
{
    struct best best = BEST_NONE;
    for (task_id t = 0; t < g->n_tasks; t++)
        if (g->in_start[t] == g->in_start[t + 1])
            best_offer(&best, -length_s[t], t, 0);
    return best.task;
}

task_id critical_path_next(const struct dag *g, const double *length_s, task_id t)
{
    struct best best = BEST_NONE;
    for (int i = g->out_start[t]; i < g->out_start[t + 1]; i++) {
        task_id s = g->edges[g->out[i]].dst;
        /* edges may come in any order: among equals the task that is first in the file, hence the second value */
        best_offer_by(&best, -length_s[s], s, s, 0);
    }
    return best.task;
}
