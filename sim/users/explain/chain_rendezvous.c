/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The critical chain where messages need both ends (engine/replay_rendezvous.c), as large messages of MPI do ([White
   1999]). A call lasts until its own work is done, and until the transfers are that it has let go. A transfer begins
   when the last of three is there: its send is over, its destination is in the receive, its source is in a call. Of the
   last two, what the host computed meanwhile is `other_end`: the message waited for it. */
#include "explain/critical_chain.h"

#include <math.h>

static struct span call_of(const struct chain *c, step_id s)
{
    const struct replayed_edge *x = dates_of(c, step_edge(c->plan, s));
    return step_kind(c->plan, s) == STEP_SEND ? x->send : x->recv;
}

/* A transfer from a host that ended at this date, and kept it in its call; -1: none. */
static edge_id kept_by(const struct chain *c, host_id h, double date_s)
{
    const struct lists *edges = &c->x->of_host;
    /* Only with progress=calls does a transfer keep its source in a call; with hardware and polls none does. */
    for (size_t i = edges->start[h]; i < edges->start[h + 1] && c->plan->progress == REPLAY_CALLS; i++) {
        edge_id e = edges->list[i];
        if (edge_host(c->plan, e, DIR_SEND) == h && !edge_is_eager(c->plan, e) &&
            chain_is_same_date(dates_of(c, e)->transfer.finish_s, date_s))
            return e;
    }
    return -1;
}

static struct place end_of_transfer(const struct chain *c, edge_id e)
{
    return (struct place){c->plan->first_hop[e], FROM_END};
}

/* What let the work of a call begin at this date. */
static struct place before_work(struct chain *c, step_id s)
{
    const struct replay_plan *p = c->plan;
    edge_id e = step_edge(p, s), kept = kept_by(c, step_host(p, s), c->at_s);
    const struct replayed_edge *x = dates_of(c, e);
    double start_s = call_of(c, s).start_s, involvement_s = p->passages[e].involvement_s[DIR_RECV];
    bool is_receive = step_kind(p, s) == STEP_RECV;
    /* In this order: the data of the receive itself count before a transfer that happened to end at the same date. */
    if (is_receive && chain_is_same_date(c->at_s, x->transfer.finish_s) && chain_is_later(c->at_s, start_s))
        return end_of_transfer(c, e);
    if (kept >= 0 && chain_is_later(c->at_s, start_s))
        return end_of_transfer(c, kept);
    if (is_receive && involvement_s > 0)
        chain_add_plain(c, start_s, CAUSE_INVOLVEMENT_RECEIVE, step_host(p, s), (struct explain_item){-1, e});
    chain_continue_at(c, start_s, (struct explain_item){-1, e});
    return (struct place){s, FROM_START};
}

struct place chain_of_call(struct chain *c, step_id s)
{
    const struct replay_plan *p = c->plan;
    edge_id e = step_edge(p, s);
    host_id h = step_host(p, s);
    const struct explain_item item = {-1, e};
    const struct passage *x = &p->passages[e];
    double finish_s = call_of(c, s).finish_s, start_s = call_of(c, s).start_s,
           data_s = dates_of(c, e)->transfer.finish_s;
    bool is_send = step_kind(p, s) == STEP_SEND;
    double work_s = is_send ? passage_s(p, e, DIR_SEND) : x->overhead_s[DIR_RECV], from_s = finish_s - work_s;
    edge_id kept = kept_by(c, h, finish_s);
    double reached_s = is_send ? start_s : fmax(start_s + x->involvement_s[DIR_RECV], data_s);
    /* A call may end by its own work and by a transfer that it let go, at one date. The own work counts if it fills the
       time since something ended that it waited for. */
    bool is_own_work = chain_is_same_date(from_s, reached_s) || kept_by(c, h, from_s) >= 0;
    if (kept >= 0 && !is_own_work)
        return end_of_transfer(c, kept);
    if (is_send)
        chain_add_plain(c, from_s + x->overhead_s[DIR_SEND], CAUSE_INVOLVEMENT_SEND, h, item);
    chain_add_plain(c, from_s, is_send ? CAUSE_OVERHEAD_SEND : CAUSE_OVERHEAD_RECEIVE, h, item);
    /* The work may have been empty: the date moves all the same. */
    c->at_s = fmin(c->at_s, fmax(0, from_s));
    return before_work(c, s);
}

/* ---- the start of a transfer ---- */

/* The call of the source that let it go, which was reached at this date; -1: the end of the list. *last is the last
   step looked at: at the end of the list, the last one of the processor. */
static step_id call_reached_at(const struct chain *c, edge_id e, double date_s, step_id *last)
{
    const struct replay_plan *p = c->plan;
    step_id s = step_of_send(p, e);
    for (*last = s; (s = p->after[s]) >= 0; *last = s)
        if (step_kind(p, s) != STEP_TASK && chain_is_same_date(call_of(c, s).start_s, date_s))
            return s;
    return -1;
}

/* Marks the time from since_s on, when the message was ready but for host h: what h computes then is `other_end`. */
static struct place wait_for(struct chain *c, edge_id e, host_id h, double since_s, struct place at)
{
    if (chain_is_later(c->at_s, since_s))
        c->next = (struct waiting){.item = {-1, e}, .since_s = since_s, .is_for_end = true, .host = h};
    return at;
}

struct place chain_of_departure(struct chain *c, edge_id e)
{
    const struct replay_plan *p = c->plan;
    const struct replayed_edge *x = dates_of(c, e);
    step_id send = step_of_send(p, e), receive = step_of_recv(p, e), last;
    host_id from = edge_host(p, e, DIR_SEND), to = edge_host(p, e, DIR_RECV);
    /* Leaves when its send's overhead is over, whatever its destination does. */
    if (edge_is_eager(p, e)) {
        chain_add_plain(c, x->transfer.start_s - p->passages[e].overhead_s[DIR_SEND], CAUSE_OVERHEAD_SEND, from,
                        (struct explain_item){-1, e});
        return before_work(c, send);
    }
    if (chain_is_same_date(c->at_s, x->send.finish_s))
        return (struct place){send, FROM_END};
    if (chain_is_same_date(c->at_s, x->recv.start_s))
        return wait_for(c, e, to, x->send.finish_s, (struct place){receive, FROM_START});
    /* Neither the send's end nor the receive's start: the source came late to its next call. */
    step_id call = call_reached_at(c, e, c->at_s, &last);
    double ready_s = fmax(x->send.finish_s, x->recv.start_s);
    return wait_for(c, e, from, ready_s, call >= 0 ? (struct place){call, FROM_START} : (struct place){last, FROM_END});
}

/* ---- transfers that stand still ---- */

/* The last task of the source that ends by now, and after the transfer has begun; -1: none. */
static task_id task_before(const struct chain *c, edge_id e)
{
    const struct replay_plan *p = c->plan;
    double start_s = dates_of(c, e)->transfer.start_s;
    task_id found = -1;
    for (step_id s = step_of_send(p, e); s >= 0; s = p->after[s]) {
        if (step_kind(p, s) != STEP_TASK)
            continue;
        struct span at = c->x->result->tasks[s];
        if (at.start_s < c->at_s && at.finish_s > start_s && at.finish_s > at.start_s)
            found = s;
    }
    return found;
}

void chain_of_polled(struct chain *c, edge_id e, double flows_s)
{
    const struct explain_item item = {-1, e};
    /* With progress=polls a transfer stands still while its source computes. Backwards, task by task: data flow after
       the task, then the task, for which the message waited. */
    const struct waiting before = c->waits,
                         stands = {.item = item, .is_for_end = true, .host = edge_host(c->plan, e, DIR_SEND)};
    for (task_id t; (t = task_before(c, e)) >= 0; c->waits = before) {
        struct span at = c->x->result->tasks[t];
        double until_s = fmin(at.finish_s, c->at_s);
        chain_add_work(c, fmin(c->at_s, fmax(until_s, flows_s)), shares_of_transfer, e, item);
        chain_add_plain(c, until_s, CAUSE_LATENCY, -1, item);
        c->waits = stands;
        chain_add_work(c, at.start_s, shares_of_task, t, (struct explain_item){t, -1});
        c->at_s = fmin(c->at_s, at.start_s);
    }
}
