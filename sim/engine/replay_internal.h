/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What replay.c, replay_order.c, replay_timers.c and hops.c share. Not installed.

   A replay consists of steps, numbered in this order: a task; what the origin's processor does for an edge (send); what
   the destination's does (recv); what links do (hop). A remote edge has one hop in `fluid`, its transfer, and in
   `exclusive` one for each link of its route, or a single one when it occupies none or the world has a transit of its own.

       task origin -> send -> hop -> .. -> hop -> recv -> task destination        (a local edge: task -> task)

   The steps that a processor or a link has to take one after the other are chained: `before`, `after`. A step begins
   when everything before it, in both senses, is done; a hop when it is released (hops.c), a receive when it is due. */
#ifndef IASIM_ENGINE_REPLAY_INTERNAL_H
#define IASIM_ENGINE_REPLAY_INTERNAL_H

#include "base/heap.h"
#include "engine/replay.h"

typedef int step_id; /* -1: none */

enum step_kind { STEP_TASK, STEP_SEND, STEP_RECV, STEP_HOP };

struct passage { /* what the world asks of the processors for a remote edge */
    double overhead_s[N_DIRECTIONS], involvement_s[N_DIRECTIONS], port_s[N_DIRECTIONS];
    double transit_s; /* where the world has a time of its own for being under way */
};

struct replay_plan { /* does not change while it is carried out */
    const struct schedule *schedule;
    const struct dag *dag;
    const struct machine *machine;
    bool is_exclusive;                 /* transfers are our own (hops.c) */
    bool has_transit;                  /* so are they, without links: the world says how long data are under way */
    struct passage *passages;          /* [edge] */
    step_id *first_hop;                /* [edge]; [n_edges] is n_steps */
    edge_id *edge_of_hop;              /* [hop - first_hop[0]] */
    step_id *before, *after;           /* [step] */
    step_id *port_before, *port_after; /* [step]: of a send or receive, on the port of its host; NULL: no ports here */
    int n_steps;
};

/* Errors: ERR_INPUT when the order waits for itself (the circle is named). */
enum err_code replay_plan_init(struct replay_plan *p, const struct schedule *s, const struct replay_options *options,
                               struct err *e);
void replay_plan_clear(struct replay_plan *p);
/* How many steps each waits for. */
int replay_plan_n_before(const struct replay_plan *p, step_id s);

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
static inline double passage_s(const struct replay_plan *p, edge_id e, enum direction dir)
{
    return p->passages[e].overhead_s[dir] + p->passages[e].involvement_s[dir];
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

/* replay_timers.c: at most one date for each step, the next one first. */
struct replay_timers {
    struct heap dates;
    int *place; /* [step]: in dates; -1: none */
};
void replay_timers_init(struct replay_timers *t, int n_steps);
void replay_timers_clear(struct replay_timers *t);
void replay_timers_set(struct replay_timers *t, step_id s, double date_s); /* INFINITY: none */
double replay_timers_next_s(const struct replay_timers *t);                /* INFINITY: there is none */
bool replay_timers_are_due(const struct replay_timers *t, double now_s);   /* in this instant */
/* Takes out one that is due, by date, then by step. */
bool replay_timers_take(struct replay_timers *t, double now_s, step_id *out);

struct replay {
    struct replay_plan plan;
    struct engine *engine;
    const struct world_model *world;
    struct replay_timers timers;
    int *pending;   /* [step]: steps it still waits for; the engine's tags point here */
    step_id *ready; /* each comes in once, by the order of becoming ready */
    int n_ready, n_begun;
    unsigned char *progress;    /* [edge]: of its receive */
    struct engine_comm **comms; /* [edge], in `fluid` */
    step_id *occupier;          /* [host]: the send or receive that it is busy with */
    struct hops *hops;          /* in `exclusive` */
    struct replay_result *out;
    int n_tasks_done;
    double wake_s; /* the next call that the engine has been asked for; INFINITY: none */
    struct err failure;
};

void replay_satisfy(struct replay *r, step_id s);                         /* one less to wait for */
void replay_recv_due_at(struct replay *r, edge_id e, double last_byte_s); /* as things look now */
void replay_arrived(struct replay *r, edge_id e);
void replay_fail(struct replay *r, step_id s);
const char *replay_edge_name(const struct replay_plan *p, edge_id e, char out[256]); /* "A -> B" */

/* hops.c: transfers that have links for themselves. */
struct hops *hops_create(const struct replay_plan *p);
void hops_free(struct hops *x);
void hops_begin(struct replay *r, step_id hop);
void hops_timer(struct replay *r, step_id hop);
bool hops_grant(struct replay *r); /* links to those who came first; whether any was */
void hops_host_down(struct replay *r, host_id h);
void hops_link_changed(struct replay *r, link_id l);
void hops_retime(struct replay *r); /* after changes of links */
bool hops_are_in_progress(const struct hops *x);
edge_id hops_find_stopped(const struct replay *r, link_id *link); /* one that stands still; -1: none */

#endif
