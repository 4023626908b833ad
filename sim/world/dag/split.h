/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What edges cost at least if the tasks of a graph are divided into groups: for lower bounds, where a group is a
   host. */
#ifndef IASIM_DAG_SPLIT_H
#define IASIM_DAG_SPLIT_H

#include "dag/dag.h"

/* The edges by falling cost, equal ones in the order of the graph. Fresh memory. */
edge_id *dag_edges_by_falling_cost(const struct dag *g, const double *edge_cost);

/* Tasks that stay together. */
struct dag_parts {
    task_id *parent; /* [task]: towards the root of its part; NULL before dag_parts_begin */
    int n;           /* parts */
};
void dag_parts_begin(struct dag_parts *p, int n_tasks); /* each task by itself; dag_parts_clear frees */
void dag_parts_clear(struct dag_parts *p);
task_id dag_parts_root(struct dag_parts *p, task_id t);
void dag_parts_join(struct dag_parts *p, task_id a, task_id b);

/* sum[k], for each number of groups k from 1 to the number of parts: at least so much is the sum of the costs of all
   edges between two groups, whichever way the parts are divided into k groups, none of them empty. `falling` are the
   edges by falling cost; no cost is negative. `sum` has n_tasks + 1 entries; the first is 0. Time: edges, times the
   logarithm of their number. */
void dag_split_costs(const struct dag *g, const double *edge_cost, const edge_id *falling, struct dag_parts *parts,
                     double *sum);

#endif
