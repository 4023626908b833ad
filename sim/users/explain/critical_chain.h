/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What critical_chain.c and chain_rendezvous.c ask of each other. Not installed. */
#ifndef IASIM_EXPLAIN_CRITICAL_CHAIN_H
#define IASIM_EXPLAIN_CRITICAL_CHAIN_H

#include "explain/explain_state.h"

struct waiting { /* an item behind another one whose data it does not need; or, of a rendezvous, for its other end */
    struct explain_item item;
    double since_s; /* INFINITY: none waits */
    bool is_for_end;
    host_id host; /* where that end is */
};

struct chain {
    struct explainer *x;
    const struct replay_plan *plan;
    double at_s;                /* everything later is explained */
    struct waiting waits, next; /* behind the item that is walked past now, and behind the next one */
    bool only_walks;            /* no segments are wanted */
};

enum part { /* of a step: where the walk goes on, backwards */
            FROM_END,
            FROM_DEPARTURE, /* of a send: the transfer has begun */
            FROM_START,
            NOWHERE
};

struct place {
    step_id step;
    enum part part;
};

static inline const struct replayed_edge *dates_of(const struct chain *c, edge_id e)
{
    return &c->x->result->edges[e];
}

/* Dates of one instant are the same; what is later is in a later one. */
bool chain_is_same_date(double a_s, double b_s);
bool chain_is_later(double a_s, double b_s);

/* From c->at_s back to from_s: a segment; one without a link; a hole, if there is one; the shares of some work. */
typedef void find_shares(struct explainer *x, int id, struct span at, struct shares *out);
void chain_add(struct chain *c, double from_s, struct explain_segment segment);
void chain_add_plain(struct chain *c, double from_s, enum explain_cause cause, host_id h, struct explain_item item);
void chain_continue_at(struct chain *c, double date_s, struct explain_item item);
void chain_add_work(struct chain *c, double from_s, find_shares *find, int id, struct explain_item item);

/* What is before the start of a task or a send; the item before a step on its processor. */
struct place chain_before_start(struct chain *c, step_id s);
struct place chain_behind_other(struct chain *c, step_id s, step_id before, double ready_s);

/* chain_rendezvous.c: back from the end of a send or receive; from when the data of an edge leave; and over the last
   part of a transfer that is polled, until only what does not stand still is left of it. */
struct place chain_of_call(struct chain *c, step_id s);
struct place chain_of_departure(struct chain *c, edge_id e);
void chain_of_polled(struct chain *c, edge_id e, double flows_s);

#endif
