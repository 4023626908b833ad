/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The disjunctive graph of optimal_orders.c: items, arcs between them, and pairs of items that occupy the same
   resource. */
#ifndef IASIM_SCHEDULERS_OPTIMAL_ORDERS_H
#define IASIM_SCHEDULERS_OPTIMAL_ORDERS_H

#include "schedulers/optimal.h"

/* Dates that are equal but for rounding: a share of the deadline. */
#define ORDERS_TOLERANCE 1e-13

struct arc {
    int from, to, next_out, next_in; /* -1: last */
    double lag_s;
};

struct use {
    int item;
    double before_s, busy_s; /* before its start, and from then on */
};

struct pair {
    int a, b;        /* items on the same resource */
    double a_s, b_s; /* from the start of each to the earliest start of the other behind it */
    bool is_decided;
    bool is_easy; /* of two that overlap, the earlier comes first, and nothing else need be tried */
};

enum change_kind { OF_HEAD, OF_TAIL, OF_PAIR, OF_ARC };

struct change { /* of a head, a tail, or a pair (item: its number) */
    enum change_kind kind;
    int item;
    double was_s;
};

struct decision {
    int pair;
    bool is_second; /* the second way */
    bool a_was_first;
    size_t n_changes;
};

struct seen { /* a use, forwards or backwards */
    int item;
    double head_s, busy_s, end_s, raised_s, done_s; /* end_s: of its time; done_s: of it and those behind, in the set */
    double to_start_s;                              /* from the head to the start of its item, backwards its tail */
};

struct orders {
    struct hunt *hunt;
    const struct levels *levels;
    int n_items, most_items;
    double *head_s, *tail_s;
    int *first_out, *first_in;                  /* [item]: arcs */
    int *edge_item;                             /* [edge]: its first item; -1: it has none */
    int *item_edge;                             /* [item]: of a step of a message; tasks are the first items */
    uint64_t leaves_last, sources_only, silent; /* hosts: optimal_rules.c */
    bool some_alike;                            /* some two tasks take the same time on a host */
    struct arc *arcs;
    struct use *uses; /* of all resources, in the order in which they are found */
    int *use_resource;
    struct use *on; /* grouped by resource */
    size_t *start;  /* [resource] */
    struct pair *pairs;
    struct change *changes;
    struct decision *decisions;
    struct seen *seen;
    int *waiting;
    size_t n_arcs, arcs_capacity, n_uses, n_pairs, pairs_capacity, n_changes, changes_capacity, n_decisions,
        decisions_capacity, n_resources;
};

/* How long the schedule becomes at least if the pair is decided so. */
static inline double pair_a_first_s(const struct orders *o, const struct pair *x)
{
    return o->head_s[x->a] + x->a_s + o->tail_s[x->b];
}
static inline double pair_b_first_s(const struct orders *o, const struct pair *x)
{
    return o->head_s[x->b] + x->b_s + o->tail_s[x->a];
}

void orders_add_arc(struct orders *o, int from, int to, double lag_s);

/* Decides a pair, with all that follows for heads and tails. False: then no schedule ends by the deadline. */
bool orders_decide(struct orders *o, int number, bool a_is_first);
/* Decides all pairs of which only one way fits, and raises heads and tails by edge finding, until nothing changes.
   False: as above. */
bool orders_settle(struct orders *o);
/* Takes back all changes but the first n_changes. */
void orders_undo(struct orders *o, size_t n_changes);

/* optimal_rules.c: which shape the hosts have by the tasks that may be there; and which of two items on one resource
   may be taken as the first without loss, -1: not known. */
void orders_find_shapes(struct orders *o);
int orders_first(const struct orders *o, int a, int b);
/* Whether two items on the processor of host h need not be tried both ways: where they overlap when all others are
   decided, the earlier comes first. */
bool orders_are_easy(const struct orders *o, int a, int b, int h);
/* Whether any two tasks take the same time on a host. */
bool orders_have_alike(const struct facts *f);

#endif
