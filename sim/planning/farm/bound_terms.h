/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The input of the methods of bound.c: the tree's beliefs about one kind of task, in tasks/s. With the paper's symbols
   ([K] 3.2), the compute rate left to node n is C - IR_r Z C T(n) - sum over children IR_s(i) Z C T(i). */
#ifndef IASIM_FARM_BOUND_TERMS_H
#define IASIM_FARM_BOUND_TERMS_H

#include "farm/bound.h"

#include <stdbool.h>

struct bound_terms {
    double compute;    /* C of this node */
    double recv_loss;  /* IR_r Z C: what one received task/s takes from the compute rate here; 0 at the root */
    double send_loss;  /* IR_s Z C of the parent: what one task/s sent here takes there; 0 at the root */
    double recv_limit; /* B_r = MR / Z; INFINITY at the root. Physical: no more than the parent's send limit */
    double recv_drop;  /* beta: B_r falls by that much for each task/s that this node sends */
    double send_limit; /* B_s, multi-port only; INFINITY without a limit */
    double floor;      /* physical: the part of the processor that transfers never take */
    double constant;   /* physical: transfers cost what they ask for above this minus 1 of the processor; else 1 */
    bool pruned;       /* IR_s Z C >= 1: computing is better for the parent than sending here, unless it stands */
    bool can_stand;    /* physical: transfers can ask for more of this processor than they can be charged for */
};

struct bound_problem {
    const struct tree *tree;
    enum bound_ports ports;
    enum bound_method method;
    bool asks;              /* requests take time */
    double most_link_ratio; /* no link from a parent is used for a larger part of the time; 1 for a bound. Below 1: */
    double most_slots;      /* transfers hold no more of a node's slots than that, the root's aside */
    struct bound_terms *terms; /* one for each node */
    node_id *order;            /* every node after its parent */
};

/* Errors: ERR_INPUT for sizes that do not fit the machine at all. Clear it also after an error. */
enum err_code bound_problem_init(struct bound_problem *p, const struct tree *t, const struct farm_app *app,
                                 enum bound_ports ports, enum bound_method method, struct err *e);
void bound_problem_clear(struct bound_problem *p);

/* Each method fills total, computed and stopped_by of every node of `out`; the other fields are already set. bound_best
   serves BOUND_LP and BOUND_PHYSICAL. Errors: ERR_INTERNAL if rounding errors kept it from the optimum. */
void bound_greedy(const struct bound_problem *p, struct bound *out);
enum err_code bound_best(const struct bound_problem *p, struct bound *out, struct err *e);

/* Whether child i gets nothing because IR_s Z C >= 1. For the physical bound the totals of `out` must be known, because
   a processor that stands may still send to the child. */
bool bound_is_pruned(const struct bound_problem *p, const struct bound *out, node_id i);

/* Adds a sentence to the warning. */
void bound_warn(struct bound *b, const char *text);

#endif
