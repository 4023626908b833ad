/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Lengths of paths in a task graph ([S] 4.4), for given costs of tasks and edges. All arrays have one entry for each
   task, or for each edge. Time: linear in tasks and edges. */
#ifndef IASIM_DAG_LEVELS_H
#define IASIM_DAG_LEVELS_H

#include "base/api.h"
#include "dag/dag.h"

/* out[n]: the cost of n plus the costliest path below it, including edges. edge_cost NULL: edges cost nothing
   (computation bottom level). */
IASIM_API void dag_bottom_levels(const struct dag *g, const double *task_cost, const double *edge_cost, double *out);
/* out[n]: the cost of the costliest path that leads to n, without n itself. */
IASIM_API void dag_top_levels(const struct dag *g, const double *task_cost, const double *edge_cost, double *out);

/* The shape of a graph: depth is the number of tasks on the longest path, width the largest number of tasks at one
   depth, least_width the smallest. */
struct dag_shape {
    int depth, width, least_width;
    int n_sources, n_sinks;
};
IASIM_API struct dag_shape dag_shape(const struct dag *g);

#endif
