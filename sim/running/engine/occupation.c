/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Overhead and involvement ([S] 8.2): a message occupies its sender's processor, its links and its receiver's
   processor.

       sender     |-o_s-|---i_s---|
       links            |=====================|          starts after o_s; at the rates SimGrid gives it
       receiver                     |---i_r---|-o_r-|    starts when what remains takes i_r at the present rate

   A processor is occupied by one message at a time, in the order in which they ask for it (doc/model.md, World), and
   computes nothing meanwhile. A receive whose data become slower before it has the processor leaves the queue, and
   asks again when what remains takes i_r. One that gets its processor late still takes i_r + o_r, and ends no
   earlier than o_r after the last byte. What takes no time never asks for a processor ([S]: length 0 is not booked). */
#include "base/instant.h"
#include "base/mem.h"
#include "engine/engine_state.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

static double duration_s(const struct engine_comm *c, enum direction dir)
{
    return c->overhead_s[dir] + c->involvement_s[dir];
}

static void set_timer(struct engine *engine, double date_s, enum timer_kind kind, struct engine_comm *c)
{
    engine_set_timer(engine, (struct timer){.date_s = date_s, .kind = kind, .comm = c});
}

/* Granting starts transfers, which only the instant itself may do, hence a timer of this date. */
static void set_grant(struct engine *engine, host_id h)
{
    engine_set_timer(engine, (struct timer){.date_s = engine->now_s, .kind = TIMER_GRANT, .host = h});
}

/* The queue is a list through the messages: each waits for one processor at a time, so one `next` is enough, and
   nothing is allocated. Nobody is granted here: others may still ask or leave in this instant. */
static void ask(struct engine *engine, struct engine_comm *c, enum direction dir)
{
    struct host_state *s = &engine->hosts[c->hosts[dir]];
    c->next = NULL;
    if (s->last_waiting != NULL)
        s->last_waiting->next = c;
    else
        s->first_waiting = c;
    s->last_waiting = c;
    set_grant(engine, c->hosts[dir]);
}

static void release(struct engine *engine, struct engine_comm *c, enum direction dir)
{
    struct host_state *s = &engine->hosts[c->hosts[dir]];
    assert(s->occupier == c);
    s->occupier = NULL;
    engine_touch(engine, c->hosts[dir]);
    set_grant(engine, c->hosts[dir]);
}

/* The transfer starts after o_s and the processor is free after o_s + i_s, whether the transfer is faster or slower
   than i_s: involvement is C times the time on the link alone (doc/model.md, World), whoever else uses it. */
static void begin_send(struct engine *engine, struct engine_comm *c)
{
    if (c->overhead_s[DIR_SEND] > 0)
        set_timer(engine, engine->now_s + c->overhead_s[DIR_SEND], TIMER_OVERHEAD_OVER, c);
    else
        engine_start_flow(engine, c);
    set_timer(engine, engine->now_s + duration_s(c, DIR_SEND), TIMER_SEND_OVER, c);
}

/* The end of a receive is known once it has its processor and its last byte has arrived. */
static void set_receive_end(struct engine *engine, struct engine_comm *c)
{
    if (isnan(c->arrived_s) || isnan(c->recv_start_s))
        return;
    /* first term: a receive that waited for its processor; second: one whose data became slower after it had begun */
    double end_s = fmax(c->recv_start_s + duration_s(c, DIR_RECV), c->arrived_s + c->overhead_s[DIR_RECV]);
    set_timer(engine, end_s, TIMER_RECV_OVER, c);
}

/* `rates_are_known`: the network has been solved with all that starts in this instant. Until then nobody can tell
   whether a receive that begins before its last byte is still due. */
static void grant(struct engine *engine, host_id h, bool rates_are_known)
{
    struct host_state *s = &engine->hosts[h];
    struct engine_comm *c = s->first_waiting;
    if (s->occupier != NULL || c == NULL)
        return;
    if (c->stage == COMM_FLOWING && !rates_are_known) {
        MEM_GROW(engine->late_grants, engine->n_late_grants, engine->late_grants_capacity);
        engine->late_grants[engine->n_late_grants++] = h;
        return;
    }
    s->first_waiting = c->next;
    if (c->next == NULL)
        s->last_waiting = NULL;
    s->occupier = c;
    engine_touch(engine, h);
    if (c->stage == COMM_WAITS_TO_SEND) {
        begin_send(engine, c);
    } else {
        c->recv_start_s = engine->now_s;
        set_receive_end(engine, c);
    }
}

/* Once for each message: bytes, hosts and route do not change while it is under way. */
static void find_durations(struct engine *engine, struct engine_comm *c)
{
    const struct machine *m = &engine->machine;
    struct route route = {0};
    enum err_code code = machine_route(m, c->hosts[DIR_SEND], c->hosts[DIR_RECV], &route, NULL);
    assert(code == ERR_NONE); /* asked before the run */
    (void)code;               /* unused without assertions */
    for (enum direction dir = DIR_SEND; dir < N_DIRECTIONS; dir++) {
        link_id link = machine_end_link(route.links, route.n_links, dir);
        struct cost_end end =
            cost_end(engine->world->charges, m, c->hosts[DIR_SEND], c->hosts[DIR_RECV], dir, link, c->bytes);
        c->overhead_s[dir] = end.overhead_s;
        c->involvement_s[dir] = end.involvement_s;
    }
    free(route.links);
}

void occupation_start(struct engine *engine, struct engine_comm *c)
{
    find_durations(engine, c);
    if (duration_s(c, DIR_SEND) > 0)
        ask(engine, c, DIR_SEND);
    else
        engine_start_flow(engine, c);
}

static void ask_to_receive(struct engine *engine, struct engine_comm *c)
{
    if (!c->has_asked_to_receive) {
        c->has_asked_to_receive = true;
        ask(engine, c, DIR_RECV);
    }
}

/* O(waiting): it is rare that data become slower or fail while they wait. Does nothing if it is not in the queue. */
static void leave_queue(struct host_state *s, const struct engine_comm *c)
{
    struct engine_comm *before = NULL;
    for (struct engine_comm *at = s->first_waiting; at != NULL; before = at, at = at->next) {
        if (at != c)
            continue;
        if (before != NULL)
            before->next = c->next;
        else
            s->first_waiting = c->next;
        if (s->last_waiting == c)
            s->last_waiting = before;
        return;
    }
}

/* When i_r of time is left at the present rate, the receive is due. A new rate makes every earlier timer stale; timers
   stay in their heap until their date, so the one that counts is known by its number. */
void occupation_rate_changed(struct engine *engine, struct engine_comm *c)
{
    double rate = c->rate_bytes_per_s, now_s = engine->now_s;
    c->recv_timer = 0;
    /* it has its processor already, or needs it only for o_r, after the last byte (occupation_arrived) */
    if (!isnan(c->recv_start_s) || c->involvement_s[DIR_RECV] == 0)
        return;
    double remaining_s = rate > 0 ? bridge->comm_remaining_bytes(c->bridge) / rate : INFINITY;
    double date_s = now_s + fmax(0, remaining_s - c->involvement_s[DIR_RECV]);
    /* still due: it must not lose its place in the queue */
    if (c->has_asked_to_receive && instant_has_come(date_s, now_s))
        return;
    if (c->has_asked_to_receive)
        leave_queue(&engine->hosts[c->hosts[DIR_RECV]], c);
    c->has_asked_to_receive = false;
    /* it stands still; the next rate, or the arrival, asks */
    if (isinf(date_s))
        return;
    c->recv_timer = engine_set_timer(engine, (struct timer){.date_s = date_s, .kind = TIMER_RECV_DUE, .comm = c});
}

void occupation_arrived(struct engine *engine, struct engine_comm *c)
{
    c->stage = COMM_ARRIVED;
    c->arrived_s = engine->now_s;
    if (duration_s(c, DIR_RECV) == 0) {
        engine_end_comm(engine, c, ENGINE_DONE);
        return;
    }
    ask_to_receive(engine, c);
    set_receive_end(engine, c);
}

/* It may hold a processor at either end, wait for one, or neither. */
void occupation_failed(struct engine *engine, struct engine_comm *c)
{
    for (enum direction dir = DIR_SEND; dir < N_DIRECTIONS; dir++) {
        struct host_state *s = &engine->hosts[c->hosts[dir]];
        if (s->occupier == c)
            release(engine, c, dir);
        else
            leave_queue(s, c);
    }
    engine_end_comm(engine, c, ENGINE_FAILED);
}

static void on_comm_timer(struct engine *engine, const struct timer *t)
{
    struct engine_comm *c = t->comm;
    switch (t->kind) {
    case TIMER_OVERHEAD_OVER:
        engine_start_flow(engine, c);
        break;
    case TIMER_RECV_DUE:
        if (t->number == c->recv_timer)
            ask_to_receive(engine, c);
        break;
    case TIMER_RECV_OVER:
        release(engine, c, DIR_RECV);
        engine_end_comm(engine, c, ENGINE_DONE);
        break;
    case TIMER_CLIENT:
    case TIMER_GRANT:
    case TIMER_SEND_OVER:
        break;
    }
}

bool occupation_grant_late(struct engine *engine)
{
    bool any = engine->n_late_grants > 0;
    for (size_t i = 0; i < engine->n_late_grants; i++)
        grant(engine, engine->late_grants[i], true);
    engine->n_late_grants = 0;
    return any;
}

void occupation_timer(struct engine *engine, const struct timer *t)
{
    if (t->kind == TIMER_GRANT) {
        grant(engine, t->host, false);
        return;
    }
    struct engine_comm *c = t->comm;
    c->n_timers--;
    /* a sender may be involved for as long as the transfer lasts, and be released after the message is over */
    if (t->kind == TIMER_SEND_OVER && engine->hosts[c->hosts[DIR_SEND]].occupier == c)
        release(engine, c, DIR_SEND);
    if (c->stage == COMM_OVER)
        engine_free_comm(c);
    else
        on_comm_timer(engine, t);
}
