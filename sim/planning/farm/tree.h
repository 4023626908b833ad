/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The tree of a task farm: which host feeds which, and what the scheduler believes about them ([K] 3). A deployment
   file gives the tree and some beliefs; tree_bind reads the others off the machine. */
#ifndef IASIM_FARM_TREE_H
#define IASIM_FARM_TREE_H

#include "base/api.h"
#include "base/err.h"
#include "machine/machine.h"

#include <stdbool.h>
#include <stddef.h>

typedef int node_id; /* index in the deployment; -1: no node */

#define TREE_LIMIT_OF_PLATFORM (-1.0)

struct tree_node {
    char *host_name;
    host_id host;      /* after tree_bind */
    char *parent_name; /* as the deployment gives it; NULL for the root */
    node_id parent;
    node_id *children; /* in deployment order */
    int n_children;
    int line; /* of its <actor> in the deployment; 0: not from a file */
    /* Beliefs. NAN until known; all known after tree_bind. */
    double compute_rate_flop_per_s;  /* C * W of [K]: its compute rate while it does not communicate */
    double max_transfer_bytes_per_s; /* MR: from its parent. The root has none: NAN */
    double ir_send_s_per_byte;       /* IR_s(i): at the parent, when it only sends, to this node. The root: NAN */
    double ir_recv_s_per_byte;       /* IR_r: here, when it only receives, from the parent. The root: 0 */
    double send_limit_bytes_per_s;   /* all sends of this node together; INFINITY when not given;
                                        TREE_LIMIT_OF_PLATFORM until tree_bind, where the platform has it */
    double receive_drop_ratio;       /* beta of [K] 3.2.1, footnote 3: how much MR falls for each byte/s that this node
                                        sends; 0 when not given */
    /* Facts of the machine, from tree_bind. */
    double route_bytes_per_s;         /* bottleneck of the route from the parent. The root: NAN */
    double ir_floor_ratio;            /* communication never takes more than 1 minus this of the processor */
    double ir_send_relief_s_per_byte; /* IR_s(i) is lower by this much while the parent also receives */
    double ir_recv_relief_s_per_byte; /* IR_r is lower by this much while this node also sends */
    double ir_free_ratio;             /* of the processor, taken by transfers for nothing: a constant above 1 */
    double ir_free_duplex_ratio;      /* the same while this node both sends and receives */
    bool ir_is_curved;                /* tasks from the parent cost it or this node other than the line says */
    bool ir_of_requests_is_curved;    /* the same of requests to the parent */
};

struct tree {
    char *source;            /* the deployment file */
    struct tree_node *nodes; /* in deployment order */
    int n_nodes;
    node_id root;
};

void tree_clear(struct tree *t);

/* Reads a SimGrid deployment (version 4.x). Errors, with line: ERR_IO, ERR_PARSE, ERR_INPUT (no root or two, a
   cycle, an unknown parent, a host twice, a function that is not farm_node, an unknown or bad property). */
enum err_code deployment_read(const char *path, struct tree *out, struct err *e);
enum err_code deployment_parse(const char *bytes, size_t n, const char *path, struct tree *out, struct err *e);

/* Finds the hosts and fills in absent beliefs: host speed, the route's bottleneck, the platform's interference
   rates of one way (never those of both ways at once). An absent send limit is infinite, an absent receive drop is 0;
   a send limit of the platform is the least bandwidth of the links that the routes to all children share, infinite if
   they share none.
   Errors: ERR_INPUT for an unknown host, no route from a parent to its child. */
enum err_code tree_bind(struct tree *t, const struct machine *m, struct err *e);

/* A sentence for the user, in fresh memory, when rates that the deployment gives differ from the machine's by more than
   a factor of two: a compute rate, a transfer rate, or a send limit that is below the fastest route to a child or above
   all these routes together. NULL: no such belief. `t` is bound. */
char *tree_far_beliefs(const struct tree *t, const struct machine *m);

/* Whether it is better to compute a task at the parent than to send it to node i: IR_s(i) Z C >= 1 ([K] 3.2.1). */
IASIM_API bool tree_is_pruned(const struct tree *t, node_id i, double task_bytes, double task_flop);

#endif
