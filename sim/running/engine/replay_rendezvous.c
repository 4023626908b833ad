/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Messages that need both ends (doc/model.md, Replay, Rendezvous): [S] 8.4.3 suspects behind its errors what
   [White 1999] measured: large messages wait for each other, and libraries move data only while the program is in
   a call. Sends, receives and the end of a processor's list are calls:

       source        | task  |o_s|      task      |     o_s     | task |      the send of another message
       transfer                                   |======|                    progress=calls: begins with that call,
       destination      task |...................... receive ....|o_r|        and holds the source until it is over

   A message is offered when its send is left, wanted while its destination is in the receive for it. Both together: it
   has met its destination. A receive without o_r ends with its last byte.

   What happens at one date does not depend on the order of hosts. It has four parts: what can end ends; what comes next
   on a processor begins, so calls are reached; all transfers that can start do so; calls begin their own work, all that
   can. Each only where nothing of an earlier part is left to do. With progress=polls a transfer moves, or stands still,
   as its source is when all of that is over.

   No order of calls can stop here that does not stop where waiting is passive, and replay_circles.c looks for those. A
   processor never waits for good in a send: transfers that have begun end by themselves (calls), or are not waited for.
   So it waits in a receive, or at the end of its list; both are calls, in which all it has offered moves. The message
   that it wants is thus not yet offered: its source waits in a receive, too, for an earlier step of its own list; and
   so on, which is a circle of steps before each other in lists and in the graph. */
#include "base/instant.h"
#include "base/mem.h"
#include "engine/replay_state.h"

#include <math.h>
#include <stdlib.h>

enum stage { IN_NO_CALL, BEFORE_WORK, AT_WORK, AFTER_WORK };

struct call { /* of a host */
    enum stage stage;
    step_id step; /* a send or receive; -1: the end of its list, for good */
    double reached_s, work_end_s;
    int n_moving;  /* its messages under way */
    edge_id first; /* of those that have met their destination: not under way, or (polls) not there yet */
    bool is_noted, is_unsettled;
};

struct rendezvous {
    struct call *calls;       /* [host] */
    edge_id *next, *previous; /* [edge]: of what one host has in its list */
    bool *is_offered;         /* [edge] */
    host_id *noted;           /* hosts of which something may have to happen in this instant */
    host_id *unsettled;       /* hosts whose transfers may have to move, or to stand still */
    edge_id *leaving;         /* eager ones that leave in this instant */
    size_t n_noted, n_unsettled, n_leaving;
    int n_instantaneous; /* transfers under way that take no time: they end before anything else starts */
};

struct rendezvous *rendezvous_create(const struct replay_plan *p)
{
    size_t n_hosts = p->machine->n_hosts, n_edges = (size_t)p->dag->n_edges + 1;
    struct rendezvous *x = mem_zalloc(1, sizeof *x);
    x->calls = mem_zalloc(n_hosts, sizeof *x->calls);
    x->next = mem_alloc(n_edges * sizeof *x->next);
    x->previous = mem_alloc(n_edges * sizeof *x->previous);
    x->is_offered = mem_zalloc(n_edges, sizeof *x->is_offered);
    x->noted = mem_alloc(n_hosts * sizeof *x->noted);
    x->unsettled = mem_alloc(n_hosts * sizeof *x->unsettled);
    x->leaving = mem_alloc(n_edges * sizeof *x->leaving);
    for (size_t h = 0; h < n_hosts; h++)
        x->calls[h].first = -1;
    return x;
}

void rendezvous_free(struct rendezvous *x)
{
    if (x == NULL)
        return;
    free(x->calls);
    free(x->next);
    free(x->previous);
    free(x->is_offered);
    free(x->noted);
    free(x->unsettled);
    free(x->leaving);
    free(x);
}

/* Lists with a mark at each host: an instant costs what happens in it, not the number of hosts. */
static void note(struct rendezvous *x, host_id h)
{
    struct call *c = &x->calls[h];
    if (!c->is_noted)
        x->noted[x->n_noted++] = h;
    if (!c->is_unsettled)
        x->unsettled[x->n_unsettled++] = h;
    c->is_noted = c->is_unsettled = true;
}

/* ---- transfers ---- */

/* Messages of a host in a list linked both ways: with progress=polls any of them may arrive next. */
static void add(struct rendezvous *x, struct call *c, edge_id e)
{
    x->previous[e] = -1;
    x->next[e] = c->first;
    if (c->first >= 0)
        x->previous[c->first] = e;
    c->first = e;
}

static void drop(struct rendezvous *x, struct call *c, edge_id e)
{
    if (x->previous[e] >= 0)
        x->next[x->previous[e]] = x->next[e];
    else
        c->first = x->next[e];
    if (x->next[e] >= 0)
        x->previous[x->next[e]] = x->previous[e];
}

static bool has_started(const struct replay *r, edge_id e)
{
    return r->pending[r->plan.first_hop[e]] == 0;
}

/* All transfers of a host that can; whether there were any. */
static bool start_all(struct replay *r, host_id h)
{
    struct rendezvous *x = r->rendezvous;
    struct call *c = &x->calls[h];
    bool any = false;
    /* software moves data, and the program is not in it */
    if (c->stage == IN_NO_CALL && r->plan.progress != REPLAY_HARDWARE)
        return false;
    for (edge_id e = c->first, next; e >= 0; e = next) {
        next = x->next[e];
        if (has_started(r, e))
            continue;
        any = true;
        c->n_moving++;
        replay_satisfy(r, r->plan.first_hop[e]);
        /* with polls it stays in the list while it moves, because it has to stand still with its source */
        if (r->plan.progress != REPLAY_POLLS)
            drop(x, c, e);
    }
    return any;
}

static bool is_wanted(const struct replay *r, edge_id e)
{
    const struct call *c = &r->rendezvous->calls[edge_host(&r->plan, e, DIR_RECV)];
    return c->stage != IN_NO_CALL && c->step == step_of_recv(&r->plan, e);
}

static void meet_if_ready(struct replay *r, edge_id e)
{
    host_id h = edge_host(&r->plan, e, DIR_SEND);
    if (!r->rendezvous->is_offered[e] || !is_wanted(r, e))
        return;
    add(r->rendezvous, &r->rendezvous->calls[h], e);
    note(r->rendezvous, h);
}

/* An eager message without bytes and latency ends at the date at which it starts, but its end is reported only after
   `decide` has returned. */
static bool is_instantaneous(const struct replay *r, edge_id e)
{
    return r->plan.amounts.bytes[e] <= 0 && replay_route_latency_s(&r->plan, e) <= 0;
}

static bool start_eager(struct replay *r)
{
    struct rendezvous *x = r->rendezvous;
    bool any = x->n_leaving > 0;
    for (size_t i = 0; i < x->n_leaving; i++) {
        x->n_instantaneous += is_instantaneous(r, x->leaving[i]);
        replay_satisfy(r, r->plan.first_hop[x->leaving[i]]);
    }
    x->n_leaving = 0;
    return any;
}

void rendezvous_arrived(struct replay *r, edge_id e)
{
    struct rendezvous *x = r->rendezvous;
    host_id from = edge_host(&r->plan, e, DIR_SEND);
    struct call *c = &x->calls[from];
    if (edge_is_eager(&r->plan, e)) {
        x->n_instantaneous -= is_instantaneous(r, e);
    } else {
        c->n_moving--;
        if (r->plan.progress == REPLAY_POLLS)
            drop(x, c, e);
        note(x, from);
    }
    note(x, edge_host(&r->plan, e, DIR_RECV));
}

/* ---- calls ---- */

static void enter(struct replay *r, host_id h, step_id s, enum stage stage)
{
    struct call *c = &r->rendezvous->calls[h];
    c->stage = stage;
    c->step = s;
    c->reached_s = engine_now_s(r->engine);
    note(r->rendezvous, h);
}

void rendezvous_enter(struct replay *r, step_id s)
{
    enter(r, step_host(&r->plan, s), s, BEFORE_WORK);
    if (step_kind(&r->plan, s) == STEP_RECV)
        meet_if_ready(r, step_edge(&r->plan, s));
}

void rendezvous_end_list(struct replay *r, host_id h)
{
    enter(r, h, -1, AFTER_WORK);
}

/* With progress=calls the call that moves data lasts until they are through, also where they are another message's. */
static bool is_held_by_transfers(const struct replay *r, const struct call *c)
{
    return r->plan.progress == REPLAY_CALLS && c->n_moving > 0;
}

/* A receive cannot begin its work before the last byte is there, nor, of an eager message, before i_r is over. */
static bool has_data(struct replay *r, const struct call *c, double now_s)
{
    edge_id e = step_edge(&r->plan, c->step);
    double involved_s = c->reached_s + r->plan.passages[e].involvement_s[DIR_RECV];
    if (step_kind(&r->plan, c->step) == STEP_SEND)
        return true;
    if (isnan(r->out->edges[e].transfer.finish_s))
        return false;
    if (!instant_has_come(involved_s, now_s))
        step_timers_set(&r->timers, c->step, involved_s);
    return instant_has_come(involved_s, now_s);
}

/* What the processor itself does in a call: a send its overhead and, of an eager message, its involvement; a receive
   its overhead, as its involvement lies before the last byte (has_data). */
static void work(struct replay *r, struct call *c, double now_s)
{
    const struct replay_plan *p = &r->plan;
    edge_id e = step_edge(p, c->step);
    bool is_send = step_kind(p, c->step) == STEP_SEND;
    double overhead_s = p->passages[e].overhead_s[is_send ? DIR_SEND : DIR_RECV];
    c->stage = AT_WORK;
    c->work_end_s = now_s + (is_send ? passage_s(p, e, DIR_SEND) : overhead_s);
    if (!instant_has_come(c->work_end_s, now_s))
        step_timers_set(&r->timers, c->step, c->work_end_s);
    if (is_send && edge_is_eager(p, e) && overhead_s > 0)
        step_timers_set(&r->timers, p->first_hop[e], now_s + overhead_s);
    else if (is_send && edge_is_eager(p, e))
        r->rendezvous->leaving[r->rendezvous->n_leaving++] = e;
}

/* What a receive without o_r has to do is done with its last byte, not after what starts at that date. */
static void end_work(struct replay *r, struct call *c, double now_s)
{
    bool ends_with_data = c->stage == BEFORE_WORK && step_kind(&r->plan, c->step) == STEP_RECV &&
                          r->plan.passages[step_edge(&r->plan, c->step)].overhead_s[DIR_RECV] <= 0 &&
                          !instant_has_come(now_s, c->reached_s);
    if (ends_with_data && !is_held_by_transfers(r, c) && has_data(r, c, now_s))
        work(r, c, now_s);
    if (c->stage == AT_WORK && instant_has_come(c->work_end_s, now_s))
        c->stage = AFTER_WORK;
}

/* A large message is offered only now, so it never moves during its own send. */
static bool end(struct replay *r, host_id h, double now_s)
{
    struct call *c = &r->rendezvous->calls[h];
    step_id s = c->step;
    if (c->stage == IN_NO_CALL || s < 0)
        return false;
    end_work(r, c, now_s);
    if (c->stage != AFTER_WORK || is_held_by_transfers(r, c))
        return false;
    c->stage = IN_NO_CALL;
    note(r->rendezvous, h);
    replay_end_message(r, s);
    if (step_kind(&r->plan, s) == STEP_SEND && !edge_is_eager(&r->plan, step_edge(&r->plan, s))) {
        r->rendezvous->is_offered[step_edge(&r->plan, s)] = true;
        meet_if_ready(r, step_edge(&r->plan, s));
    }
    return true;
}

static bool begin_work(struct replay *r, host_id h, double now_s)
{
    struct call *c = &r->rendezvous->calls[h];
    if (c->stage != BEFORE_WORK || is_held_by_transfers(r, c) || !has_data(r, c, now_s))
        return false;
    work(r, c, now_s);
    return true;
}

void rendezvous_timer(struct replay *r, step_id s)
{
    struct rendezvous *x = r->rendezvous;
    if (step_kind(&r->plan, s) == STEP_HOP)
        x->leaving[x->n_leaving++] = step_edge(&r->plan, s);
    else
        note(x, step_host(&r->plan, s));
}

/* Hosts that are noted meanwhile are looked at, too. The four parts of a date, of which replay.c does the second: it
   begins the steps that ends have made ready. */
bool rendezvous_go_on(struct replay *r, double now_s)
{
    struct rendezvous *x = r->rendezvous;
    bool any = false;
    for (size_t i = 0; i < x->n_noted; i++)
        any = end(r, x->noted[i], now_s) || any;
    if (any || x->n_instantaneous > 0)
        return any;
    any = start_eager(r);
    for (size_t i = 0; i < x->n_noted; i++)
        any = start_all(r, x->noted[i]) || any;
    if (any)
        return true;
    size_t n = x->n_noted, n_left = 0;
    for (size_t i = 0; i < n; i++) {
        host_id h = x->noted[i];
        bool works = begin_work(r, h, now_s);
        any = any || works;
        x->calls[h].is_noted = works; /* it may be done at once */
        if (works)
            x->noted[n_left++] = h;
    }
    x->n_noted = n_left;
    return any;
}

/* Not before zero-byte messages are through: their ends may let a host reach a call in this very instant. */
void rendezvous_settle(struct replay *r)
{
    struct rendezvous *x = r->rendezvous;
    for (; x->n_unsettled > 0 && x->n_instantaneous == 0; x->n_unsettled--) {
        struct call *c = &x->calls[x->unsettled[x->n_unsettled - 1]];
        c->is_unsettled = false;
        for (edge_id e = c->first; e >= 0; e = x->next[e])
            if (r->comms[e] != NULL)
                engine_comm_hold(r->engine, r->comms[e], c->stage == IN_NO_CALL);
    }
}
