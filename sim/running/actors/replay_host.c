/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* replay_host: an ordinary SimGrid actor on each host that a schedule uses, which does what the schedule gives its
   host, in that order (doc/model.md, Replay). A transfer has an actor of its own, which lets the two hosts know
   when the last byte has arrived. What takes no time, and so has no place in the order of a host, is done by
   whoever makes it possible.

   Actors never look into the future: they block until something may have changed, look at the state, and block again.
   Dates are written into the result where things happen; nothing is derived afterwards. */
#include "actors/actors_replay.h"
#include "base/instant.h"

#include <math.h>

static struct span *span_of_end(struct replay_run *r, edge_id e, enum direction dir)
{
    struct replayed_edge *x = &r->out->edges[e];
    return dir == DIR_SEND ? &x->send : &x->recv;
}

static void leave(struct replay_run *r, edge_id e);

/* ---- tasks ---- */

/* The data of an edge are at its destination: with the last of its edges a task is ready. */
static void data_there(struct replay_run *r, edge_id e)
{
    task_id t = r->plan->dag->edges[e].dst;
    if (--r->tasks[t].n_missing == 0)
        replay_task_ready(r, t);
}

static void task_done(struct replay_run *r, task_id t)
{
    const struct dag *g = r->plan->dag;
    r->out->tasks[t].finish_s = replay_date_s();
    r->tasks[t].is_done = true;
    r->n_done++;
    /* A local edge has its data at once. A remote one leaves through its send, which either has a place in the host's
       order, or takes no time and is done here. */
    for (int i = g->out_start[t]; i < g->out_start[t + 1]; i++) {
        edge_id e = g->out[i];
        if (!r->plan->schedule->edges[e].is_remote)
            data_there(r, e);
        else if (!step_has_place(r->plan, step_of_send(r->plan, e)))
            replay_pass_end(r, e, DIR_SEND);
    }
    /* A task without a place may be what the next send of its host waits for. */
    replay_wake_host(r, step_host(r->plan, t));
}

static void compute(struct replay_run *r, task_id t)
{
    double work_flop = r->plan->amounts.flop[t];
    r->out->tasks[t].start_s = replay_date_s();
    if (work_flop > 0) {
        /* Asked before the start: an execution cannot wait until the host has its speed back. */
        replay_refuse_standing(r, t);
        if (r->is_over)
            return;
        sg_actor_execute(work_flop);
    }
    task_done(r, t);
}

/* One that is lost in the dates of the schedule has no place in the order of its host, but work all the same. */
static void compute_apart(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    struct replay_task *t = sg_actor_self_get_data();
    sg_actor_on_exit(replay_task_failed, t);
    compute(t->run, task_of(t));
}

/* Tasks without a place whose data are there. One may follow the other, so they are not run by each other, which would
   recurse as deep as the graph; the queue is worked off by the first call. */
static void run_ready(struct replay_run *r)
{
    if (r->is_running_ready)
        return;
    r->is_running_ready = true;
    while (r->n_ready_run < r->n_ready && !r->is_over) {
        task_id t = r->ready[r->n_ready_run++];
        host_id h = step_host(r->plan, t);
        /* An actor cannot be started on a host that is down. */
        if (!sg_host_is_on(r->hosts[h].host))
            replay_fail(r, t);
        else if (r->plan->amounts.flop[t] > 0)
            replay_spawn(r, "compute", h, compute_apart, &r->tasks[t]);
        else
            compute(r, t);
    }
    r->is_running_ready = false;
}

void replay_task_ready(struct replay_run *r, task_id t)
{
    if (step_has_place(r->plan, t)) {
        replay_wake_host(r, step_host(r->plan, t));
        return;
    }
    r->ready[r->n_ready++] = t;
    run_ready(r);
}

/* ---- transfers ---- */

/* Last, after the dates are set, whoever may go on is woken: the receiver's host, the sender's if it holds its
   processor until then, and under a rendezvous its call. */
void replay_arrive(struct replay_run *r, edge_id e)
{
    r->out->edges[e].transfer.finish_s = replay_date_s();
    r->edges[e].has_arrived = true;
    if (step_has_place(r->plan, step_of_recv(r->plan, e)))
        replay_wake_host(r, edge_host(r->plan, e, DIR_RECV));
    else
        replay_pass_end(r, e, DIR_RECV);
    if (r->plan->is_active)
        replay_wake_host(r, edge_host(r->plan, e, DIR_SEND));
    if (r->plan->is_rendezvous)
        replay_meet_arrived(r, e);
}

/* An actor for each transfer. */
static void carry(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    struct replay_edge *x = sg_actor_self_get_data();
    struct replay_run *r = x->run;
    edge_id e = edge_of(x);
    const struct replay_host *from = &r->hosts[edge_host(r->plan, e, DIR_SEND)];
    const struct replay_host *to = &r->hosts[edge_host(r->plan, e, DIR_RECV)];
    sg_actor_on_exit(replay_transfer_failed, x);
    /* One-sided: neither host takes part, because the schedule's sends and receives are steps of their own. */
    x->flow = one_sided_start(from->host, to->host, r->plan->amounts.bytes[e]);
    replay_under_way(r, e);
    if (x->flow.comm == NULL || sg_comm_wait(x->flow.comm) != SG_OK) {
        replay_fail_transfer(r, e);
        return;
    }
    replay_not_under_way(r, e);
    replay_arrive(r, e);
}

/* Transfers begin together, once all that ends in this instant has ended: a processor that they stop must not miss
   the end of what it computes by the last bit of a date. */
static void leave(struct replay_run *r, edge_id e)
{
    r->leaving[r->n_leaving++] = e;
}

/* The time until its transfer starts. The port is taken from now on, and a world with a time under way already knows
   when the last byte comes. */
static double begin_send(struct replay_run *r, edge_id e)
{
    const struct passage *x = &r->plan->passages[e];
    double now_s = replay_date_s(), leave_s = fmax(0, passage_leave_s(r->plan, e));
    span_of_end(r, e, DIR_SEND)->start_s = now_s;
    replay_take_port(r, step_of_send(r->plan, e), now_s + x->port_s[DIR_SEND]);
    if (r->plan->has_transit)
        replay_set_due(r, e, now_s + leave_s + fmax(0, x->transit_s));
    return leave_s;
}

void replay_pass_end(struct replay_run *r, edge_id e, enum direction dir)
{
    const struct replay_edge *x = &r->edges[e];
    double now_s = replay_date_s();
    /* Called for two reasons, data or port, in any order: the second one finds both. */
    bool has_data = dir == DIR_SEND ? r->tasks[r->plan->dag->edges[e].src].is_done : x->has_arrived;
    if (!has_data || !x->has_port[dir])
        return;
    *span_of_end(r, e, dir) = (struct span){now_s, now_s};
    if (dir == DIR_SEND) {
        begin_send(r, e);
        leave(r, e);
    } else {
        replay_take_port(r, step_of_recv(r->plan, e), now_s + r->plan->passages[e].port_s[DIR_RECV]);
        data_there(r, e);
    }
}

/* Between two hosts at one place there is nothing to pass, and SimGrid has no transfer. */
static bool is_at_one_place(const struct replay_run *r, edge_id e)
{
    size_t n;
    links_of(r, e, &n); /* no links and no latency */
    return n == 0 && r->given->route_latency_s(r->plan, e) <= 0;
}

void replay_start_transfer(struct replay_run *r, edge_id e)
{
    host_id from = edge_host(r->plan, e, DIR_SEND), to = edge_host(r->plan, e, DIR_RECV);
    if (!sg_host_is_on(r->hosts[from].host) || !sg_host_is_on(r->hosts[to].host)) {
        replay_fail_transfer(r, e);
    } else if (r->plan->is_exclusive) {
        replay_links_carry(r, e);
    } else {
        r->out->edges[e].transfer.start_s = replay_date_s();
        if (is_at_one_place(r, e))
            replay_arrive(r, e);
        else
            replay_spawn(r, "carry", from, carry, &r->edges[e]);
    }
}

/* ---- steps ---- */

/* What rates took of a processor while a step held it has been taken already: the books know it from the step. Called
   before and after the step, it subtracts the layer's charges of the step; take_results adds all charges. */
static void note_charge(const struct replay_host *me, int sign)
{
    struct replay_run *r = me->run;
    if (r->plan->is_held)
        r->out->hosts[me->id].stolen_s += sign * r->given->host_use(me->id).charged_s;
}

static void send(struct replay_host *me, edge_id e)
{
    struct replay_run *r = me->run;
    struct span *span = span_of_end(r, e, DIR_SEND);
    if (r->plan->is_rendezvous) {
        replay_meet_call(me, span);
        return;
    }
    double leave_s = begin_send(r, e);
    if (leave_s > 0)
        sg_actor_sleep_for(leave_s);
    leave(r, e);
    /* Active waiting: the processor is held until the last byte has arrived ([S] 8.4.3). */
    while (r->plan->is_active && !r->edges[e].has_arrived)
        sleeper_wait(&me->sleeper, INFINITY);
    /* If that date has passed, it returns at once: the send ends at the later of the two. */
    sg_actor_sleep_until(span->start_s + passage_s(r->plan, e, DIR_SEND));
    span->finish_s = replay_date_s();
}

static void receive(struct replay_host *me, edge_id e)
{
    struct replay_run *r = me->run;
    const struct passage *x = &r->plan->passages[e];
    struct span *span = span_of_end(r, e, DIR_RECV);
    step_id s = step_of_recv(r->plan, e);
    if (r->plan->is_rendezvous) {
        replay_meet_call(me, span);
        data_there(r, e);
        return;
    }
    span->start_s = replay_date_s();
    /* A receive that waits actively takes its port later, when its data come. */
    if (!r->plan->is_active)
        replay_take_port(r, s, span->start_s + x->port_s[DIR_RECV]);
    while (!r->edges[e].has_arrived)
        sleeper_wait(&me->sleeper, INFINITY);
    double arrival_s = r->out->edges[e].transfer.finish_s;
    if (r->plan->is_active) /* from when a receive that does not wait would begin */
        replay_take_port(r, s, fmax(span->start_s, arrival_s - x->involvement_s[DIR_RECV]) + x->port_s[DIR_RECV]);
    /* The receive lasts i_r + o_r, and ends no earlier than o_r after the last byte. */
    sg_actor_sleep_until(fmax(span->start_s + passage_s(r->plan, e, DIR_RECV), arrival_s + x->overhead_s[DIR_RECV]));
    span->finish_s = replay_date_s();
    data_there(r, e);
}

bool replay_waits_to_receive(const struct replay_host *h, edge_id e)
{
    return !h->is_acting && h->at == step_of_recv(h->run->plan, e);
}

/* By the rate of the present moment; a rate that falls later does not interrupt a receive that has begun. */
bool replay_is_due(const struct replay_run *r, edge_id e)
{
    return instant_has_come(r->edges[e].due_s, replay_date_s());
}

/* Whether its next step can begin: its data, and for messages the port. A receive needs the last byte, unless it may
   begin before (`may_receive`), or waiting is part of it (is_held). */
bool replay_may_act(const struct replay_host *h)
{
    const struct replay_run *r = h->run;
    if (step_kind(r->plan, h->at) == STEP_TASK)
        return r->tasks[h->at].n_missing == 0;
    edge_id e = step_edge(r->plan, h->at);
    const struct replay_edge *x = &r->edges[e];
    if (step_kind(r->plan, h->at) == STEP_SEND)
        return r->tasks[r->plan->dag->edges[e].src].is_done && x->has_port[DIR_SEND];
    return x->has_port[DIR_RECV] && (r->plan->is_held || x->has_arrived || h->may_receive);
}

/* Asked for at the end of the instant, when all rates are known (let_receive). */
static void ask_to_receive(struct replay_host *me)
{
    if (!me->asks)
        me->run->asking[me->run->n_asking++] = me->id;
    me->asks = true;
}

/* Wakes at the date at which the receive would be due. Who has asked waits for the answer alone: its date has come. */
static void wait_for_turn(struct replay_host *me)
{
    const struct replay_run *r = me->run;
    edge_id e = step_kind(r->plan, me->at) == STEP_RECV ? step_edge(r->plan, me->at) : -1;
    while (!replay_may_act(me)) {
        bool may_be_due = e >= 0 && r->edges[e].has_port[DIR_RECV];
        if (may_be_due && replay_is_due(r, e))
            ask_to_receive(me);
        sleeper_wait(&me->sleeper, may_be_due && !me->asks ? r->edges[e].due_s : INFINITY);
    }
    me->may_receive = false;
}

static void act(struct replay_host *me)
{
    const struct replay_plan *p = me->run->plan;
    enum step_kind kind = step_kind(p, me->at);
    if (kind == STEP_TASK) {
        compute(me->run, me->at);
        return;
    }
    note_charge(me, 1);
    if (kind == STEP_SEND)
        send(me, step_edge(p, me->at));
    else
        receive(me, step_edge(p, me->at));
    note_charge(me, -1);
}

/* A host that goes down while it waits takes part again when it is back: SimGrid starts the actor anew, with the same
   data, so `at` is still what comes next. One that goes down while it acts is a failure (replay_host_failed). */
void replay_host(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    struct replay_host *me = sg_host_get_data(sg_actor_get_host(sg_actor_self()));
    me->sleeper.is_waiting = false; /* SimGrid may have started it anew */
    sg_actor_on_exit(replay_host_failed, me);
    if (!me->run->has_begun)
        replay_begin(me->run);
    for (; me->at >= 0 && !me->run->is_over; me->at = me->run->plan->after[me->at]) {
        wait_for_turn(me);
        me->is_acting = true;
        act(me);
        me->is_acting = false;
    }
}
