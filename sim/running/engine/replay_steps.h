/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A replay consists of steps, numbered in this order: a task; what the origin's processor does for an edge (send);
   what the destination's does (recv); what links do (hop). A remote edge has one hop in `fluid`, its transfer, and
   in `exclusive` one for each link of its route, or a single one when it occupies none or the world has a transit of
   its own.

       task origin -> send -> hop -> .. -> hop -> recv -> task destination        (a local edge: task -> task)

   The steps that a processor or a link has to take one after the other are chained: `before`, `after`. A step begins
   when everything before it, in both senses, is done; a hop when it is released (hops.c), or (replay_rendezvous.c) when
   both of its ends are ready; a receive when it is due, or, if waiting holds the processor, when it is reached. */
#ifndef IASIM_ENGINE_REPLAY_STEPS_H
#define IASIM_ENGINE_REPLAY_STEPS_H

#include "engine/amounts.h"
#include "engine/replay.h"

typedef int step_id; /* -1: none */

enum step_kind { STEP_TASK, STEP_SEND, STEP_RECV, STEP_HOP };

struct passage { /* what the world asks of the processors for a remote edge */
    double overhead_s[N_DIRECTIONS], involvement_s[N_DIRECTIONS];
    double port_s[N_DIRECTIONS],
        port_before_s[N_DIRECTIONS]; /* from the start of a send or receive on, and before it */
    double transit_s;                /* where the world has a time of its own for being under way */
};

struct replay_plan { /* does not change while it is carried out */
    const struct schedule *schedule;
    const struct dag *dag;
    const struct machine *machine;
    struct amounts amounts;
    bool is_program;                   /* every task, send and receive is on the chain of its processor */
    bool is_exclusive;                 /* transfers are our own (hops.c) */
    bool is_active;                    /* a send is not done before its data have arrived */
    bool is_rendezvous;                /* a large message moves when both ends are ready */
    bool is_held;                      /* either: whoever waits holds the processor, so every message has a place */
    enum replay_progress progress;     /* of a rendezvous */
    double eager_bytes;                /* a message of at most so many goes without one */
    bool has_transit;                  /* so are they, without links: the world says how long data are under way */
    struct passage *passages;          /* [edge] */
    step_id *first_hop;                /* [edge]; [n_edges] is n_steps */
    edge_id *edge_of_hop;              /* [hop - first_hop[0]] */
    step_id *first;                    /* [host]: what its processor takes first; -1: nothing has a place there */
    step_id *before, *after;           /* [step] */
    step_id *port_before, *port_after; /* [step]: of a send or receive, on the port of its host; NULL: no ports here */
    int n_steps;
};

/* Errors: ERR_INPUT when the order waits for itself (the circle is named), for noise of an unknown host, and for a
   rendezvous on exclusive links or in a world that has none. */
enum err_code replay_plan_init(struct replay_plan *p, const struct schedule *s, const struct replay_options *options,
                               struct err *e);
void replay_plan_clear(struct replay_plan *p);
/* replay_circles.c: the part of replay_plan_init that finds such a circle. */
enum err_code replay_plan_check_circles(const struct replay_plan *p, const char *path, struct err *e);
/* How many steps each waits for. */
int replay_plan_n_before(const struct replay_plan *p, step_id s);

/* Of the route between its hosts, when nothing has changed. */
double replay_route_latency_s(const struct replay_plan *p, edge_id e);

/* replay_outcome.c. All dates NAN, all times 0. And, once all dates are there, the makespan, and what every host did:
   its busy_s, and in stolen_s what rates took of it, are there already. */
void replay_result_init(struct replay_result *x, const struct replay_plan *p);
void replay_result_end(struct replay_result *x, const struct replay_plan *p);

const char *replay_edge_name(const struct replay_plan *p, edge_id e, char out[256]); /* "A -> B" */

static inline step_id step_of_send(const struct replay_plan *p, edge_id e)
{
    return p->dag->n_tasks + e;
}
static inline step_id step_of_recv(const struct replay_plan *p, edge_id e)
{
    return p->dag->n_tasks + p->dag->n_edges + e;
}
static inline enum step_kind step_kind(const struct replay_plan *p, step_id s)
{
    if (s >= p->first_hop[0])
        return STEP_HOP;
    if (s >= step_of_recv(p, 0))
        return STEP_RECV;
    return s >= step_of_send(p, 0) ? STEP_SEND : STEP_TASK;
}
static inline edge_id step_edge(const struct replay_plan *p, step_id s) /* of all but tasks */
{
    if (s >= p->first_hop[0])
        return p->edge_of_hop[s - p->first_hop[0]];
    return s >= step_of_recv(p, 0) ? s - step_of_recv(p, 0) : s - step_of_send(p, 0);
}
static inline step_id step_before_on_port(const struct replay_plan *p, step_id s)
{
    return p->port_before != NULL ? p->port_before[s] : -1;
}
static inline step_id step_after_on_port(const struct replay_plan *p, step_id s)
{
    return p->port_after != NULL ? p->port_after[s] : -1;
}
static inline host_id edge_host(const struct replay_plan *p, edge_id e, enum direction dir)
{
    const struct edge *edge = &p->dag->edges[e];
    return p->schedule->tasks[dir == DIR_SEND ? edge->src : edge->dst].host;
}
static inline host_id step_host(const struct replay_plan *p, step_id s) /* of all but hops */
{
    if (step_kind(p, s) == STEP_TASK)
        return p->schedule->tasks[s].host;
    return edge_host(p, step_edge(p, s), step_kind(p, s) == STEP_SEND ? DIR_SEND : DIR_RECV);
}
/* Whether a task, send or receive is in the order of its processor; else it happens when its data are there. */
static inline bool step_has_place(const struct replay_plan *p, step_id s)
{
    return p->before[s] >= 0 || p->first[step_host(p, s)] == s;
}
static inline double passage_s(const struct replay_plan *p, edge_id e, enum direction dir)
{
    return p->passages[e].overhead_s[dir] + p->passages[e].involvement_s[dir];
}

/* Whether a send or a receive takes the processor at all, in this world. */
static inline bool takes_processor(const struct replay_plan *p, edge_id e, enum direction dir)
{
    return p->is_held || passage_s(p, e, dir) > 0;
}
/* Whether a message goes without a rendezvous, where there are some. */
static inline bool edge_is_eager(const struct replay_plan *p, edge_id e)
{
    return p->amounts.bytes[e] <= p->eager_bytes;
}
/* How long before its start a send or receive takes its port. */
static inline double port_before_s(const struct replay_plan *p, step_id s)
{
    return p->passages[step_edge(p, s)].port_before_s[step_kind(p, s) == STEP_SEND ? DIR_SEND : DIR_RECV];
}
/* From the start of a send to the start of its hop. Data may come before the overhead is over: a negative transit. */
static inline double passage_leave_s(const struct replay_plan *p, edge_id e)
{
    double overhead_s = p->passages[e].overhead_s[DIR_SEND], transit_s = p->passages[e].transit_s;
    return transit_s < 0 ? overhead_s + transit_s : overhead_s;
}
/* Whether the hops of an edge are links of its route. */
static inline bool edge_has_links(const struct replay_plan *p, edge_id e)
{
    size_t n;
    schedule_route(p->schedule, e, &n);
    return p->is_exclusive && !p->has_transit && n > 0 && p->dag->edges[e].size_bytes > 0;
}

#endif
