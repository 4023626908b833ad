/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Messages that need both ends (doc/model.md, Replay, Rendezvous). A send or receive is a call of its host's actor: it
   asks for leave to begin its own work, does it by sleeping, and stays as long as transfers keep it. What can end and
   what is reached at a date the actors do by themselves; when no actor can go on, all transfers that can start do so,
   and if there are none, all calls that can begin their work. That is the order of doc/model.md, so it does not matter
   which actor SimGrid wakes first. Transfers that stand still (progress=polls) are not for SimGrid's activities.

   A message is offered when its send is over, wanted while its destination is in the receive for it. Both
   together start its transfer. */
#include "actors/actors_replay.h"
#include "base/instant.h"

#include <math.h>

/* Under progress=calls a source does not leave its call before its own transfers have ended. */
static bool is_kept(const struct replay_host *h)
{
    return h->run->plan->progress == REPLAY_CALLS && h->n_moving > 0;
}

/* Whether it is in a call; the end of its list is one, so that what it has offered can still move. */
static bool is_in_call(const struct replay_host *h)
{
    return h->at < 0 || (h->is_acting && step_kind(h->run->plan, h->at) != STEP_TASK);
}

static bool is_wanted(const struct replay_run *r, edge_id e) /* in the receive for this message, not for another one */
{
    const struct replay_host *to = &r->hosts[edge_host(r->plan, e, DIR_RECV)];
    return to->is_acting && to->at == step_of_recv(r->plan, e);
}

/* Of a receive: when its work may begin as far as its message is concerned; INFINITY: the last byte is not there. An
   eager message has its i_r, which is waited for before the work (o_r) can begin; for others it is 0. */
static double data_s(const struct replay_host *h, edge_id e)
{
    const struct replay_run *r = h->run;
    if (!r->edges[e].has_arrived)
        return INFINITY;
    return r->out->edges[e].recv.start_s + r->plan->passages[e].involvement_s[DIR_RECV];
}

static bool has_data(const struct replay_host *h)
{
    const struct replay_plan *p = h->run->plan;
    edge_id e = step_edge(p, h->at);
    return step_kind(p, h->at) == STEP_SEND || instant_has_come(data_s(h, e), replay_date_s());
}

/* A receive without o_r ends with its last byte, without leave: it has no work that would have to wait
   for the transfers of this date. Not at the date at which it was reached: what begins there goes through
   the order of doc/model.md. */
static bool ends_with_data(const struct replay_host *h)
{
    const struct replay_run *r = h->run;
    edge_id e = step_edge(r->plan, h->at);
    return step_kind(r->plan, h->at) == STEP_RECV && r->plan->passages[e].overhead_s[DIR_RECV] <= 0 &&
           !instant_has_come(replay_date_s(), r->out->edges[e].recv.start_s) && has_data(h) && !is_kept(h);
}

/* Wakes for three reasons: leave, the last byte, or the date at which an eager message's work is due. A date that has
   come leaves only the other two to wait for; else the actor would not sleep at all. */
static void wait_for_work(struct replay_host *me)
{
    edge_id e = step_edge(me->run->plan, me->at);
    me->wants_to_work = true;
    while (!me->may_work && !ends_with_data(me)) {
        bool is_receive = step_kind(me->run->plan, me->at) == STEP_RECV;
        double until_s = is_receive ? data_s(me, e) : INFINITY;
        sleeper_wait(&me->sleeper, instant_has_come(until_s, replay_date_s()) ? INFINITY : until_s);
    }
    me->wants_to_work = me->may_work = false;
}

/* In the actor of its host. */
void replay_meet_call(struct replay_host *me, struct span *span)
{
    struct replay_run *r = me->run;
    edge_id e = step_edge(r->plan, me->at);
    const struct passage *x = &r->plan->passages[e];
    bool is_send = step_kind(r->plan, me->at) == STEP_SEND, is_eager = edge_is_eager(r->plan, e);
    /* The call begins when it is reached, its work perhaps later: the processor is held all the while. */
    span->start_s = replay_date_s();
    wait_for_work(me);
    double work_s = replay_date_s(), overhead_s = x->overhead_s[is_send ? DIR_SEND : DIR_RECV];
    if (overhead_s > 0)
        sg_actor_sleep_until(work_s + overhead_s);
    /* An eager message leaves after o_s like any send, and i_s, if any, follows. */
    if (is_send && is_eager) {
        r->leaving[r->n_leaving++] = e;
        if (x->involvement_s[DIR_SEND] > 0)
            sg_actor_sleep_until(work_s + passage_s(r->plan, e, DIR_SEND));
    }
    /* A transfer of its own may have started during the work and then keeps the call. */
    while (is_kept(me))
        sleeper_wait(&me->sleeper, INFINITY);
    span->finish_s = replay_date_s();
    /* From here on it may start, in another call of this host or, under progress=hardware, at any time. */
    r->edges[e].is_offered = is_send && !is_eager;
    if (r->edges[e].is_offered)
        r->offered[r->n_offered++] = e;
}

/* The message is no longer of its source's transfers under way. */
void replay_meet_arrived(struct replay_run *r, edge_id e)
{
    struct replay_host *from = &r->hosts[edge_host(r->plan, e, DIR_SEND)];
    if (edge_is_eager(r->plan, e))
        return;
    from->n_moving--;
    replay_wake_host(r, from->id);
}

/* ---- when no actor can go on ---- */

/* The source must be in a call, except where hardware moves the data. */
static bool can_start(const struct replay_run *r, edge_id e)
{
    const struct replay_host *from = &r->hosts[edge_host(r->plan, e, DIR_SEND)];
    return is_wanted(r, e) && (r->plan->progress == REPLAY_HARDWARE || is_in_call(from));
}

bool replay_meet_start(struct replay_run *r)
{
    bool any = false;
    for (int i = 0; i < r->n_offered;) {
        edge_id e = r->offered[i];
        if (!can_start(r, e)) {
            i++;
            continue;
        }
        any = true;
        /* The last one takes the place; the loop looks at this place again. The order does not
           matter: all that can start do. */
        r->offered[i] = r->offered[--r->n_offered];
        r->hosts[edge_host(r->plan, e, DIR_SEND)].n_moving++;
        r->leaving[r->n_leaving++] = e;
    }
    return any;
}

bool replay_meet_work(struct replay_run *r)
{
    bool any = false;
    for (size_t i = 0; i < r->plan->machine->n_hosts; i++) {
        struct replay_host *h = &r->hosts[i];
        /* Leave was given already, or work must wait: for transfers that keep the call, or for the last byte. */
        if (!h->wants_to_work || h->may_work || is_kept(h) || !has_data(h))
            continue;
        h->may_work = true;
        any = replay_wake_host(r, h->id) || any;
    }
    return any;
}
