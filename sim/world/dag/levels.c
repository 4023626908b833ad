/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* One pass over the tasks in their topological order, forwards or backwards, so each level is ready when it is
   needed. */
#include "dag/levels.h"

#include "base/mem.h"

#include <stdlib.h>

void dag_bottom_levels(const struct dag *g, const double *task_cost, const double *edge_cost, double *out)
{
    for (int k = g->n_tasks - 1; k >= 0; k--) {
        task_id t = g->order[k];
        /* Costs are not negative, so 0 is right for a task without successors. */
        double below = 0;
        for (int i = g->out_start[t]; i < g->out_start[t + 1]; i++) {
            edge_id e = g->out[i];
            double length = (edge_cost ? edge_cost[e] : 0) + out[g->edges[e].dst];
            below = length > below ? length : below;
        }
        out[t] = task_cost[t] + below;
    }
}

void dag_top_levels(const struct dag *g, const double *task_cost, const double *edge_cost, double *out)
{
    for (int k = 0; k < g->n_tasks; k++) {
        task_id t = g->order[k];
        out[t] = 0;
        for (int i = g->in_start[t]; i < g->in_start[t + 1]; i++) {
            edge_id e = g->in[i];
            task_id src = g->edges[e].src;
            double length = out[src] + task_cost[src] + (edge_cost ? edge_cost[e] : 0);
            out[t] = length > out[t] ? length : out[t];
        }
    }
}

struct dag_shape dag_shape(const struct dag *g)
{
    struct dag_shape shape = {.least_width = g->n_tasks};
    /* Counted from 1: a task without predecessors has depth 1. The number of tasks at each depth is their width. */
    int *depth = mem_zalloc((size_t)g->n_tasks, sizeof *depth);
    int *width = mem_zalloc((size_t)g->n_tasks + 1, sizeof *width);
    for (int k = 0; k < g->n_tasks; k++) {
        task_id t = g->order[k];
        for (int i = g->in_start[t]; i < g->in_start[t + 1]; i++) {
            int before = depth[g->edges[g->in[i]].src];
            depth[t] = before > depth[t] ? before : depth[t];
        }
        int n = ++width[++depth[t]];
        shape.width = n > shape.width ? n : shape.width;
        shape.depth = depth[t] > shape.depth ? depth[t] : shape.depth;
        shape.n_sources += g->in_start[t] == g->in_start[t + 1];
        shape.n_sinks += g->out_start[t] == g->out_start[t + 1];
    }
    /* Every depth up to the greatest has a task, so the least width is at least 1. */
    for (int d = 1; d <= shape.depth; d++)
        shape.least_width = width[d] < shape.least_width ? width[d] : shape.least_width;
    free(width);
    free(depth);
    return shape;
}
