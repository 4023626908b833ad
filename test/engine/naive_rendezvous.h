/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A second opinion on messages that need both ends (doc/model.md, Replay, rendezvous), on the programs and the physics
   of naive_replay.h and naive_fluid.h, with fluid links. Everything is looked at in every step.

   Sends, receives and the end of the list are calls; computing is not. A call is entered when it is reached, does its
   own work (a send: o_s, with i_s if its message is eager; a receive: o_r after the last byte) and is left. Where the
   definition gives no order for what happens at one date, this is it:
   1. what can end ends: transfers, tasks, calls; a receive without o_r ends with its last byte;
   2. what is next on a processor begins: calls are entered, tasks start;
   3. transfers start;
   4. calls begin their own work, all that can at once;
   each only where nothing of an earlier line is left to do. A message is offered when its send is left. Where `polls`
   lets a transfer stand still, its latency stands still, too. */
#ifndef IASIM_TEST_ENGINE_NAIVE_RENDEZVOUS_H
#define IASIM_TEST_ENGINE_NAIVE_RENDEZVOUS_H

#include "naive_replay.h"

enum naive_progress { NAIVE_HARDWARE, NAIVE_CALLS, NAIVE_POLLS };

struct naive_choice {
    enum naive_progress progress;
    double eager_bytes;
};

struct rendezvous {
    struct naive v; /* its edges' leaves_s is of eager messages only */
    struct naive_choice choice;
    double *work_s;   /* [host] when its call has begun its own work; NAN: not yet, or it is in no call */
    bool *is_offered; /* [edge] */
};

/* ---- what is where ---- */

/* What the processor is at, begun or not; NULL: the end of its list. */
static inline struct naive_item *rendezvous_item(const struct rendezvous *r, host_id h)
{
    const struct naive_program *p = &r->v.programs[h];
    return p->at < p->n ? &p->items[p->at] : NULL;
}

static inline bool rendezvous_is_in_call(const struct rendezvous *r, host_id h)
{
    const struct naive_item *x = rendezvous_item(r, h);
    return x == NULL || (x->kind != NAIVE_TASK && !isnan(x->begun_s));
}

static inline bool rendezvous_is_eager(const struct rendezvous *r, edge_id e)
{
    return r->v.g->edges[e].size_bytes <= r->choice.eager_bytes;
}

/* Whether the destination is in the receive call for it. */
static inline bool rendezvous_is_wanted(const struct rendezvous *r, edge_id e)
{
    const struct naive_item *x = rendezvous_item(r, naive_host(&r->v, e, DIR_RECV));
    return x != NULL && x->kind == NAIVE_RECV && x->id == e && !isnan(x->begun_s);
}

/* Whether a transfer keeps the processor, which is its source, in its call. */
static inline bool rendezvous_is_kept(const struct rendezvous *r, host_id h)
{
    for (edge_id e = 0; e < r->v.g->n_edges && r->choice.progress == NAIVE_CALLS; e++)
        if (r->v.plan->edges[e].is_remote && !rendezvous_is_eager(r, e) && naive_host(&r->v, e, DIR_SEND) == h &&
            r->v.edges[e].has_left && isnan(r->v.edges[e].arrived_s))
            return true;
    return false;
}

static inline double rendezvous_work_takes_s(const struct rendezvous *r, const struct naive_item *x)
{
    const struct naive_edge *edge = &r->v.edges[x->id];
    if (x->kind == NAIVE_RECV)
        return edge->o[DIR_RECV];
    return edge->o[DIR_SEND] + (rendezvous_is_eager(r, x->id) ? edge->i[DIR_SEND] : 0);
}

/* When o_r may begin, as far as the message is concerned; INFINITY: its last byte is not there. */
static inline double rendezvous_data_s(const struct rendezvous *r, const struct naive_item *x)
{
    const struct naive_edge *edge = &r->v.edges[x->id];
    if (isnan(edge->arrived_s))
        return INFINITY;
    return rendezvous_is_eager(r, x->id) ? fmax(x->begun_s + edge->i[DIR_RECV], edge->arrived_s) : edge->arrived_s;
}

/* ---- what happens at one date: each says whether anything has ---- */

static inline bool rendezvous_begin_work(struct rendezvous *r, host_id h)
{
    const struct naive_item *x = rendezvous_item(r, h);
    if (x == NULL || !rendezvous_is_in_call(r, h) || !isnan(r->work_s[h]) || rendezvous_is_kept(r, h))
        return false;
    if (x->kind == NAIVE_RECV && !naive_has_come(&r->v, rendezvous_data_s(r, x)))
        return false;
    r->work_s[h] = r->v.fluid.now_s;
    if (x->kind == NAIVE_SEND && rendezvous_is_eager(r, x->id))
        r->v.edges[x->id].leaves_s = r->work_s[h] + r->v.edges[x->id].o[DIR_SEND];
    return true;
}

static inline bool rendezvous_leave_call(struct rendezvous *r, host_id h)
{
    struct naive_item *x = rendezvous_item(r, h);
    if (x == NULL || !rendezvous_is_in_call(r, h))
        return false;
    if (x->kind == NAIVE_RECV && r->v.edges[x->id].o[DIR_RECV] <= 0 && x->begun_s < r->v.fluid.now_s)
        rendezvous_begin_work(r, h);
    if (isnan(r->work_s[h]) || !naive_has_come(&r->v, r->work_s[h] + rendezvous_work_takes_s(r, x)) ||
        rendezvous_is_kept(r, h))
        return false;
    struct span held = {x->begun_s, r->v.fluid.now_s};
    *(x->kind == NAIVE_SEND ? &r->v.out.edges[x->id].send : &r->v.out.edges[x->id].recv) = held;
    r->is_offered[x->id] = r->is_offered[x->id] || (x->kind == NAIVE_SEND && !rendezvous_is_eager(r, x->id));
    r->work_s[h] = NAN;
    r->v.programs[h].at++;
    return true;
}

static inline bool rendezvous_leave_task(struct rendezvous *r, host_id h)
{
    struct naive_item *x = rendezvous_item(r, h);
    if (x == NULL || x->kind != NAIVE_TASK || !r->v.task_is_done[x->id])
        return false;
    r->v.programs[h].at++;
    return true;
}

static inline bool rendezvous_end(struct rendezvous *r)
{
    bool any = naive_take_ended(&r->v);
    for (host_id h = 0; h < (host_id)r->v.m->n_hosts; h++) {
        any = rendezvous_leave_task(r, h) || any;
        any = rendezvous_leave_call(r, h) || any;
    }
    return any;
}

static inline bool rendezvous_begin(struct rendezvous *r)
{
    bool any = false;
    for (host_id h = 0; h < (host_id)r->v.m->n_hosts; h++) {
        struct naive_item *x = rendezvous_item(r, h);
        if (x == NULL || !isnan(x->begun_s) || (x->kind == NAIVE_TASK && !naive_begin_task(&r->v, x->id)) ||
            (x->kind == NAIVE_SEND && !r->v.task_is_done[r->v.g->edges[x->id].src]))
            continue;
        x->begun_s = r->v.fluid.now_s;
        any = true;
    }
    for (task_id t = 0; t < r->v.g->n_tasks; t++)
        if (r->v.g->tasks[t].work_flop <= 0 && isnan(r->v.out.tasks[t].start_s))
            any = naive_begin_task(&r->v, t) || any;
    return any;
}

static inline bool rendezvous_start_transfer(struct rendezvous *r, edge_id e)
{
    size_t n;
    const link_id *links = schedule_route(r->v.plan, e, &n);
    bool has_source = r->choice.progress == NAIVE_HARDWARE || rendezvous_is_in_call(r, naive_host(&r->v, e, DIR_SEND));
    if (!r->is_offered[e] || r->v.edges[e].has_left || !rendezvous_is_wanted(r, e) || !has_source)
        return false;
    r->v.edges[e].has_left = true;
    r->v.out.edges[e].transfer.start_s = r->v.fluid.now_s;
    naive_flow(&r->v, e, links, n, e);
    return true;
}

static inline bool rendezvous_transfer(struct rendezvous *r)
{
    bool any = false;
    for (edge_id e = 0; e < r->v.g->n_edges; e++)
        any = naive_leave(&r->v, e) || rendezvous_start_transfer(r, e) || any;
    return any;
}

static inline bool rendezvous_work(struct rendezvous *r)
{
    bool any = false;
    for (host_id h = 0; h < (host_id)r->v.m->n_hosts; h++)
        any = rendezvous_begin_work(r, h) || any;
    return any;
}

/* ---- time ---- */

/* Under `polls` a transfer moves only while its source is in a call. */
static inline void rendezvous_solve(struct rendezvous *r)
{
    for (int i = 0; i < r->v.fluid.n_items && r->choice.progress == NAIVE_POLLS; i++) {
        struct fluid_item *x = &r->v.fluid.items[i];
        x->stands_still =
            x->kind == FLUID_FLOW && !rendezvous_is_eager(r, x->tag) && !rendezvous_is_in_call(r, x->host);
    }
    fluid_solve(&r->v.fluid);
}

/* The earlier of both, if the date is to come. */
static inline double rendezvous_sooner_s(const struct rendezvous *r, double date_s, double next_s)
{
    return isnan(date_s) || naive_has_come(&r->v, date_s) ? next_s : fmin(date_s, next_s);
}

static inline double rendezvous_next_s(const struct rendezvous *r)
{
    double next_s = r->v.fluid.now_s + fluid_next_s(&r->v.fluid);
    for (host_id h = 0; h < (host_id)r->v.m->n_hosts; h++) {
        const struct naive_item *x = rendezvous_item(r, h);
        if (x == NULL || !rendezvous_is_in_call(r, h))
            continue;
        next_s = rendezvous_sooner_s(r, r->work_s[h] + rendezvous_work_takes_s(r, x), next_s);
        if (x->kind == NAIVE_RECV)
            next_s = rendezvous_sooner_s(r, rendezvous_data_s(r, x), next_s);
    }
    for (edge_id e = 0; e < r->v.g->n_edges; e++)
        next_s = rendezvous_sooner_s(r, r->v.edges[e].leaves_s, next_s);
    return next_s;
}

static inline void rendezvous_instant(struct rendezvous *r)
{
    while (rendezvous_end(r) || rendezvous_begin(r) || rendezvous_transfer(r) || rendezvous_work(r))
        ;
    rendezvous_solve(r);
}

/* ---- a run ---- */

static inline void rendezvous_prepare(struct rendezvous *r, const struct schedule *s, const struct world_model *world,
                                      struct naive_choice choice)
{
    *r = (struct rendezvous){.choice = choice};
    naive_prepare(&r->v, s, world, REPLAY_FLUID, REPLAY_ACTIVE);
    r->work_s = malloc(r->v.m->n_hosts * sizeof *r->work_s);
    r->is_offered = calloc((size_t)r->v.g->n_edges + 1, sizeof *r->is_offered);
    for (size_t h = 0; h < r->v.m->n_hosts; h++)
        r->work_s[h] = NAN;
}

/* As naive_replay. It ends with the last task: of what comes later, only the beginning is known. */
static inline bool rendezvous_run(struct rendezvous *r)
{
    for (rendezvous_instant(r); r->v.n_done < r->v.g->n_tasks; rendezvous_instant(r)) {
        double next_s = rendezvous_next_s(r);
        if (isinf(next_s))
            return false;
        naive_account(&r->v, next_s - r->v.fluid.now_s);
        fluid_advance(&r->v.fluid, next_s - r->v.fluid.now_s);
        r->v.fluid.now_s = next_s;
    }
    return true;
}

static inline void rendezvous_clear(struct rendezvous *r)
{
    naive_clear(&r->v);
    free(r->work_s);
    free(r->is_offered);
}

#endif
