/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The best that one node of a tree can do, once the best of each of its children is known. doc/model.md, Bounds, has
   the argument. */
#ifndef IASIM_FARM_NODE_BEST_H
#define IASIM_FARM_NODE_BEST_H

#include "farm/bound_terms.h"

struct node_best {
    double total_tasks_per_s, computed_tasks_per_s; /* T(n), S(n) */
    double used_ratio;                              /* of its processor: by computing, transfers and standing */
    double standing_ratio;                          /* of the time: y(n) */
    double missing_ratio; /* T(n) is below the optimum by at most this part of it, beside what its terms round off */
};

struct node_solver;

struct node_solver *node_solver_create(const struct bound_problem *p); /* `p` must stay */
void node_solver_free(struct node_solver *s);

/* The largest T(n) of node n. Of each of its children, by node: `most_tasks_per_s` is the largest T(i), which is read;
   `sent_tasks_per_s` is what it is given, which is written. */
struct node_best node_solver_find(struct node_solver *s, node_id n, const double *most_tasks_per_s,
                                  double *sent_tasks_per_s);
/* The same if nothing is sent. */
struct node_best node_solver_find_alone(struct node_solver *s, node_id n);

#endif
