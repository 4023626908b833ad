/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What critical_chain.c and explain_shares.c ask of each other. Not installed. */
#ifndef IASIM_EXPLAIN_EXPLAIN_STATE_H
#define IASIM_EXPLAIN_EXPLAIN_STATE_H

#include "explain/explain.h"

struct lists { /* the members of group g are list[start[g]] to list[start[g + 1] - 1] */
    int *list;
    size_t *start;
    struct span *at; /* [member]: when data flow, beside the list because it is searched for those of an interval */
};

struct explainer {
    const struct replay_record *record;
    const struct replay_plan *plan;
    const struct replay_result *result;
    const struct world_model *world;
    const double *alone_bytes_per_s;
    struct lists of_host; /* remote edges that leave or enter each host */
    struct lists of_link; /* remote edges over each link; hops in `exclusive` */
    struct explanation *out;
};

void explainer_init(struct explainer *x);
void explainer_clear(struct explainer *x);

struct share { /* a part of an interval, and to which cause it goes */
    enum explain_cause cause;
    double length_s;
    host_id host;
    link_id link;
    size_t first_with, n_with; /* in out->with */
};

struct shares {
    struct share *list;
    size_t n, capacity;
};

void shares_clear(struct shares *s);

/* What became of an interval within a task; within the transfer of an edge (`fluid`), from the end of its latency on;
   and within a hop (`exclusive`). */
void shares_of_task(struct explainer *x, task_id t, struct span at, struct shares *out);
void shares_of_transfer(struct explainer *x, edge_id e, struct span at, struct shares *out);
void shares_of_hop(struct explainer *x, step_id hop, struct span at, struct shares *out);

/* When the data of a transfer begin to flow: its latency is over; INFINITY: never. */
double shares_flows_from_s(const struct explainer *x, edge_id e);

link_id explain_link_of_hop(const struct replay_plan *p, step_id hop);  /* in `exclusive`, of an edge that has links */
link_id explain_narrowest_link(const struct replay_plan *p, edge_id e); /* -1: the route has no links */
void explain_with(struct explanation *x, struct explain_item item);

#endif
