/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* replay_host: an ordinary SimGrid actor on each host that a schedule uses, which does what the schedule gives its host, in
   that order (doc/model.md, Replay). A transfer has an actor of its own, which lets the two hosts know when the last byte has
   arrived. What takes no time, and so has no place in the order of a host, is done by whoever makes it possible. */
#include "actors/actors_replay.h"
#include "base/instant.h"

#include <math.h>

static const struct dag *graph(void)
{
    return replay_now.script->dag;
}

static struct span *span_of_end(edge_id e, enum direction dir)
{
    struct replayed_edge *x = &replay_now.out->edges[e];
    return dir == DIR_SEND ? &x->send : &x->recv;
}

static void leave(edge_id e);

/* ---- tasks ---- */

static void data_there(edge_id e)
{
    task_id t = graph()->edges[e].dst;
    replay_now.edges[e].is_received = true;
    if (--replay_now.n_missing[t] == 0)
        replay_task_ready(t);
}

static void task_done(task_id t)
{
    const struct dag *g = graph();
    replay_now.out->tasks[t].finish_s = replay_date_s();
    replay_now.is_done[t] = true;
    replay_now.n_done++;
    for (int i = g->out_start[t]; i < g->out_start[t + 1]; i++) {
        edge_id e = g->out[i];
        if (!replay_now.script->schedule->edges[e].is_remote) {
            data_there(e);
        } else if (!replay_now.script->edges[e].has_act[DIR_SEND]) {
            replay_pass_end(e, DIR_SEND);
        }
    }
    replay_wake_host(replay_now.script->schedule->tasks[t].host);
}

static double work_flop(task_id t)
{
    return replay_now.script->amounts.flop[t];
}

static void compute(task_id t)
{
    replay_now.out->tasks[t].start_s = replay_date_s();
    if (work_flop(t) > 0) {
        replay_refuse_standing(replay_now.script->schedule->tasks[t].host, t);
        if (replay_now.is_over)
            return;
        sg_actor_execute(work_flop(t));
    }
    task_done(t);
}

/* One that is lost in the dates of the schedule has no place in the order of its host, but work all the same. */
static void compute_apart(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    int *t = sg_actor_self_get_data();
    sg_actor_on_exit(replay_task_failed, t);
    compute((int)(t - replay_now.n_missing));
}

/* Tasks without a place whose data are there. One may follow the other, so they are not run by each other. */
static void run_ready(void)
{
    if (replay_now.is_running_ready)
        return;
    replay_now.is_running_ready = true;
    while (replay_now.n_ready_run < replay_now.n_ready && !replay_now.is_over) {
        task_id t = replay_now.ready[replay_now.n_ready_run++];
        host_id h = replay_now.script->schedule->tasks[t].host;
        if (!sg_host_is_on(replay_now.hosts[h].host))
            replay_fail((struct act){ACT_COMPUTE, t});
        else if (work_flop(t) > 0)
            replay_spawn("compute", h, compute_apart, &replay_now.n_missing[t]);
        else
            compute(t);
    }
    replay_now.is_running_ready = false;
}

void replay_task_ready(task_id t)
{
    if (replay_now.script->has_act[t]) {
        replay_wake_host(replay_now.script->schedule->tasks[t].host);
        return;
    }
    replay_now.ready[replay_now.n_ready++] = t;
    run_ready();
}

/* ---- transfers ---- */

void replay_arrive(edge_id e)
{
    struct replay_edge *x = &replay_now.edges[e];
    replay_now.out->edges[e].transfer.finish_s = replay_date_s();
    x->has_arrived = true;
    if (replay_now.script->edges[e].has_act[DIR_RECV])
        replay_wake_host(replay_end_of(e, DIR_RECV));
    else
        replay_pass_end(e, DIR_RECV);
    if (replay_now.script->is_active)
        replay_wake_host(replay_end_of(e, DIR_SEND));
}

/* An actor for each transfer. */
static void carry(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    struct replay_edge *x = sg_actor_self_get_data();
    edge_id e = (edge_id)(x - replay_now.edges);
    const struct replay_host *from = &replay_now.hosts[replay_end_of(e, DIR_SEND)];
    const struct replay_host *to = &replay_now.hosts[replay_end_of(e, DIR_RECV)];
    sg_actor_on_exit(replay_transfer_failed, x);
    x->flow = one_sided_start(from->host, to->host, replay_now.script->amounts.bytes[e]);
    replay_under_way(e);
    if (x->flow.comm == NULL || sg_comm_wait(x->flow.comm) != SG_OK) {
        replay_fail_transfer(e);
        return;
    }
    replay_not_under_way(e);
    replay_arrive(e);
}

/* Transfers begin together, once all that ends in this instant has ended: a processor that they stop must not miss the end of
   what it computes by the last bit of a date. */
static void leave(edge_id e)
{
    replay_now.edges[e].has_left = true;
    replay_now.leaving[replay_now.n_leaving++] = e;
}

/* The time until its transfer starts. Data may come before the overhead is over: a negative time under way. */
static double begin_send(edge_id e)
{
    const struct script_edge *x = &replay_now.script->edges[e];
    double now_s = replay_date_s(), leave_s = fmax(0, x->overhead_s[DIR_SEND] + fmin(0, x->transit_s));
    span_of_end(e, DIR_SEND)->start_s = now_s;
    replay_take_port(e, DIR_SEND, now_s + x->port_s[DIR_SEND]);
    if (replay_now.script->has_transit)
        replay_set_due(e, now_s + leave_s + fmax(0, x->transit_s));
    return leave_s;
}

void replay_pass_end(edge_id e, enum direction dir)
{
    const struct replay_edge *x = &replay_now.edges[e];
    double now_s = replay_date_s();
    bool has_data = dir == DIR_SEND ? replay_now.is_done[graph()->edges[e].src] : x->has_arrived;
    if (!has_data || !x->has_port[dir])
        return;
    *span_of_end(e, dir) = (struct span){now_s, now_s};
    if (dir == DIR_SEND) {
        begin_send(e);
        leave(e);
    } else {
        replay_take_port(e, DIR_RECV, now_s + replay_now.script->edges[e].port_s[DIR_RECV]);
        data_there(e);
    }
}

void replay_start_transfer(edge_id e)
{
    const struct script_edge *x = &replay_now.script->edges[e];
    host_id from = replay_end_of(e, DIR_SEND), to = replay_end_of(e, DIR_RECV);
    if (!sg_host_is_on(replay_now.hosts[from].host) || !sg_host_is_on(replay_now.hosts[to].host)) {
        replay_fail_transfer(e);
    } else if (replay_now.script->is_exclusive) {
        replay_links_carry(e);
    } else {
        replay_now.out->edges[e].transfer.start_s = replay_date_s();
        if (x->is_near)
            replay_arrive(e);
        else
            replay_spawn("carry", from, carry, &replay_now.edges[e]);
    }
}

/* ---- acts ---- */

/* What rates took of a processor while an act held it has been taken already: the books know it from the act. */
static void note_charge(const struct replay_host *me, int sign)
{
    if (replay_now.script->is_active)
        replay_now.out->hosts[me->id].stolen_s += sign * replay_now.given->host_use(me->id).charged_s;
}

static void send(struct replay_host *me, edge_id e)
{
    const struct script_edge *x = &replay_now.script->edges[e];
    struct span *span = span_of_end(e, DIR_SEND);
    double leave_s = begin_send(e);
    if (leave_s > 0)
        sg_actor_sleep_for(leave_s);
    leave(e);
    while (replay_now.script->is_active && !replay_now.edges[e].has_arrived)
        sleeper_wait(&me->sleeper, INFINITY);
    sg_actor_sleep_until(span->start_s + x->overhead_s[DIR_SEND] + x->involvement_s[DIR_SEND]);
    span->finish_s = replay_date_s();
}

static void receive(struct replay_host *me, edge_id e)
{
    const struct script_edge *x = &replay_now.script->edges[e];
    struct span *span = span_of_end(e, DIR_RECV);
    span->start_s = replay_date_s();
    if (!replay_now.script->is_active)
        replay_take_port(e, DIR_RECV, span->start_s + x->port_s[DIR_RECV]);
    while (!replay_now.edges[e].has_arrived)
        sleeper_wait(&me->sleeper, INFINITY);
    double arrival_s = replay_now.out->edges[e].transfer.finish_s;
    if (replay_now.script->is_active) /* from when a receive that does not wait would begin */
        replay_take_port(e, DIR_RECV,
                         fmax(span->start_s, arrival_s - x->involvement_s[DIR_RECV]) + x->port_s[DIR_RECV]);
    sg_actor_sleep_until(fmax(span->start_s + x->overhead_s[DIR_RECV] + x->involvement_s[DIR_RECV],
                              arrival_s + x->overhead_s[DIR_RECV]));
    span->finish_s = replay_date_s();
    data_there(e);
}

bool replay_waits_to_receive(const struct replay_host *h, edge_id e)
{
    const struct act *act = &replay_now.script->acts[h->at];
    return h->at < h->end && !h->is_acting && act->kind == ACT_RECEIVE && act->id == e;
}

bool replay_is_due(edge_id e)
{
    return instant_has_come(replay_now.edges[e].due_s, replay_date_s());
}

bool replay_may_act(const struct replay_host *h)
{
    struct act act = replay_now.script->acts[h->at];
    switch (act.kind) {
    case ACT_COMPUTE:
        return replay_now.n_missing[act.id] == 0;
    case ACT_SEND:
        return replay_now.is_done[graph()->edges[act.id].src] && replay_now.edges[act.id].has_port[DIR_SEND];
    case ACT_RECEIVE:
        return replay_now.edges[act.id].has_port[DIR_RECV] &&
               (replay_now.script->is_active || replay_now.edges[act.id].has_arrived || h->may_receive);
    }
    return false;
}

static void ask_to_receive(struct replay_host *me)
{
    if (!me->asks)
        replay_now.asking[replay_now.n_asking++] = me->id;
    me->asks = true;
}

static void wait_for_turn(struct replay_host *me)
{
    struct act act = replay_now.script->acts[me->at];
    while (!replay_may_act(me)) {
        bool may_be_due = act.kind == ACT_RECEIVE && replay_now.edges[act.id].has_port[DIR_RECV];
        if (may_be_due && replay_is_due(act.id))
            ask_to_receive(me);
        sleeper_wait(&me->sleeper, may_be_due && !me->asks ? replay_now.edges[act.id].due_s : INFINITY);
    }
    me->may_receive = false;
}

/* A host that goes down while it waits takes part again when it is back: SimGrid starts the actor anew. */
void replay_host(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    struct replay_host *me = sg_host_get_data(sg_actor_get_host(sg_actor_self()));
    me->sleeper.is_waiting = false; /* SimGrid may have started it anew */
    sg_actor_on_exit(replay_host_failed, me);
    if (!replay_now.has_begun)
        replay_begin();
    for (; me->at < me->end && !replay_now.is_over; me->at++) {
        struct act act = replay_now.script->acts[me->at];
        wait_for_turn(me);
        me->is_acting = true;
        note_charge(me, act.kind == ACT_COMPUTE ? 0 : 1);
        if (act.kind == ACT_COMPUTE)
            compute(act.id);
        else if (act.kind == ACT_SEND)
            send(me, act.id);
        else
            receive(me, act.id);
        note_charge(me, act.kind == ACT_COMPUTE ? 0 : -1);
        me->is_acting = false;
    }
}
