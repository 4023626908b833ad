/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Steady-state bounds on the throughput of a task farm ([K] 3.2), from the beliefs of the tree (doc/model.md, Bounds).
   If the beliefs are true and interference is linear in the rates (no curves), no run in the world `interference`
   exceeds the physical bound. A run may exceed the paper's two bounds, which assume that transfers never ask for more
   than a whole processor. */
#ifndef IASIM_FARM_BOUND_H
#define IASIM_FARM_BOUND_H

#include "base/err.h"
#include "farm/app.h"
#include "farm/tree.h"

#include <stdbool.h>

enum bound_ports { BOUND_MULTI, BOUND_SINGLE };

enum bound_method {
    BOUND_GREEDY,   /* the paper's algorithm */
    BOUND_LP,       /* the best under the paper's constraints */
    BOUND_PHYSICAL, /* the best that the world allows: transfers also pass while the processor stands still */
    N_BOUND_METHODS
};

/* What limits a node. For the greedy method: the paper's constraint that stopped it from giving more to its
   children. */
#define BOUND_STOP_LIST(X)                                                                                             \
    X(BOUND_STOP_NONE, "none")                   /* a leaf that computes all it can, or all children are saturated */  \
    X(BOUND_STOP_SEND_LIMIT, "send_limit")       /* constraint 1: sum T(i) <= B_s, or sum T(i)/B_r(i) <= 1 */          \
    X(BOUND_STOP_RECEIVE_LIMIT, "receive_limit") /* constraint 2: T(n) <= B_r - beta sum T(i) */                       \
    X(BOUND_STOP_COMPUTE, "compute")             /* constraint 3: S(n) >= 0 */

enum bound_stop {
#define X(id, name) id,
    BOUND_STOP_LIST(X)
#undef X
};
const char *bound_stop_name(enum bound_stop stop);

const char *bound_method_name(enum bound_method method);          /* "greedy", "lp", "physical" */
bool bound_method_find(const char *name, enum bound_method *out); /* false: unknown name */

struct bound_node {
    double total_tasks_per_s;    /* T(n): computed in its subtree */
    double computed_tasks_per_s; /* S(n): computed here */
    double charged_ratio;        /* of its processor, by interference of its transfers: at most what S(n) leaves */
    enum bound_stop stopped_by;
    node_id *pruned; /* children that get nothing because IR_s Z C >= 1 */
    int n_pruned;
};

struct bound {
    enum bound_ports ports;
    enum bound_method method;
    double throughput_tasks_per_s;
    char *warning;            /* NULL: no warning */
    bool ignores_curves;      /* of interference, so that it does not hold; the warning says so */
    struct bound_node *nodes; /* one for each node of the tree */
    int n_nodes;
};

/* `t` is bound; task_bytes > 0, task_flop > 0. Errors: ERR_INPUT for sizes that are not positive and finite,
   ERR_INTERNAL if rounding errors kept it from the optimum. */
enum err_code bound_compute(const struct tree *t, double task_bytes, double task_flop, enum bound_ports ports,
                            enum bound_method method, struct bound *out, struct err *e);
/* The same for an application, of which the sizes count. bound_compute's requests take no time. */
enum err_code bound_compute_of(const struct tree *t, const struct farm_app *app, enum bound_ports ports,
                               enum bound_method method, struct bound *out, struct err *e);
/* What is easier to follow than a solution of the physical bound, and brings nearly as much. With one port it is that
   solution. With many, no link is busy, and no node's slots are held by transfers, for a larger part of the time than
   need be. Errors: those of bound_compute_of. */
enum err_code bound_plan(const struct tree *t, const struct farm_app *app, enum bound_ports ports, struct bound *out,
                         struct err *e);
void bound_clear(struct bound *b);

/* Adds to the warning of a physical bound if runs whose requests take time may exceed it. */
void bound_check_requests(struct bound *b, const struct tree *t);

/* The constraints contain a node's links to its children and its send limit, but not links that several routes share.
   If a node without a send limit would send more through such a link than it carries, this adds to the warning
   (multi-port only: one port never sends two tasks at a time). Errors: those of machine_route. */
enum err_code bound_check_links(struct bound *b, const struct tree *t, const struct machine *m, double task_bytes,
                                struct err *e);

#endif
