/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The critical chain, walked backwards: from the end of an item to its start, and on to what let it start.

       task  <-  receive  <-  hop <- .. <- hop  <-  send  <-  task          what brought its data
       item  <-  item before it on its processor, port or link              what had to be done before it

   Invariant: everything from c->at_s to the makespan is explained by segments without holes. Each step of the walk
   moves c->at_s back, or moves to another item that ended at that date. What let an item begin is not recorded; it is
   found by comparing dates, so dates that are equal but for rounding must count as equal (chain_is_same_date). Where
   nothing explains a date, the hole becomes a segment `unexplained`. */
#include "explain/critical_chain.h"
#include "base/mem.h"

#include <math.h>
#include <stdlib.h>

/* Dates of one instant may differ by 1e-12 of the later one (base/instant.h), and sums of them by a little more. */
static const double instant_ratio = 1e-11;

static const struct waiting none_waits = {.item = {-1, -1}, .since_s = INFINITY};

bool chain_is_same_date(double a_s, double b_s)
{
    /* NAN and infinite dates (an edge without a transfer, no port) are never the same as another one. */
    return isfinite(a_s - b_s) && fabs(a_s - b_s) <= instant_ratio * fmax(fabs(a_s), fabs(b_s));
}

bool chain_is_later(double a_s, double b_s)
{
    return a_s > b_s && !chain_is_same_date(a_s, b_s);
}

/* Send, hops and receive of an edge are one item. */
static struct explain_item item_of(const struct replay_plan *p, step_id s)
{
    return step_kind(p, s) == STEP_TASK ? (struct explain_item){s, -1} : (struct explain_item){-1, step_edge(p, s)};
}

/* ---- segments, the last one first ---- */

/* A segment that would be empty, or lies in what is explained already, is left out. A cost that begins before date 0
   only by rounding begins at 0. */
void chain_add(struct chain *c, double from_s, struct explain_segment segment)
{
    struct explanation *out = c->x->out;
    segment.from_s = fmax(0, from_s);
    segment.to_s = c->at_s;
    if (!(segment.from_s < segment.to_s))
        return;
    c->at_s = segment.from_s;
    /* explain_before wants the order alone, from every step. */
    if (c->only_walks)
        return;
    MEM_GROW(out->segments, out->n, out->capacity);
    out->segments[out->n++] = segment;
}

void chain_add_plain(struct chain *c, double from_s, enum explain_cause cause, host_id h, struct explain_item item)
{
    chain_add(c, from_s, (struct explain_segment){.cause = cause, .host = h, .link = -1, .item = item});
}

/* The next item of the chain ended at this date: a hole is shown as one. */
void chain_continue_at(struct chain *c, double date_s, struct explain_item item)
{
    if (chain_is_later(c->at_s, date_s))
        chain_add_plain(c, date_s, CAUSE_UNEXPLAINED, -1, item);
}

/* Turns the shares of an item's time into segments, the last share first. They are scaled so that they fill the time
   from from_s to c->at_s exactly; what rounding loses is the first one's. Of an item behind which another one waits,
   work that is of use only to itself is `waiting` of the other; of a host that a message waits for (a rendezvous), its
   computing is `other_end`. */
static void add_shares(struct chain *c, double from_s, struct explain_item item, const struct shares *shares,
                       bool waits)
{
    double left_s = 0;
    for (size_t i = 0; i < shares->n; i++)
        left_s += shares->list[i].length_s;
    double scale = left_s > 0 ? (c->at_s - from_s) / left_s : 0;
    for (size_t i = shares->n; i-- > 0;) {
        const struct share *s = &shares->list[i];
        struct explain_segment segment = {.cause = s->cause, .host = s->host, .link = s->link, .item = item};
        segment.first_with = s->first_with;
        segment.n_with = s->n_with;
        bool is_for_end = waits && c->waits.is_for_end;
        if (is_for_end ? s->cause == CAUSE_COMPUTING && s->host == c->waits.host
                       : waits && (s->cause == CAUSE_COMPUTING || s->cause == CAUSE_TRANSFER)) {
            segment.cause = is_for_end ? CAUSE_OTHER_END : CAUSE_WAITING;
            segment.item = c->waits.item;
            /* Behind which item it waits. */
            segment.first_with = c->x->out->n_with;
            segment.n_with = 1;
            explain_with(c->x->out, item);
        }
        chain_add(c, i == 0 ? from_s : c->at_s - s->length_s * scale, segment);
    }
}

/* The time from from_s to c->at_s, split where the waiting of the next item begins: before that the item was on its
   own, afterwards the other one stood ready. The later part is added first. */
void chain_add_work(struct chain *c, double from_s, find_shares *find, int id, struct explain_item item)
{
    double split_s = fmin(fmax(from_s, c->waits.since_s), c->at_s);
    const double ends[][2] = {{split_s, c->at_s}, {from_s, split_s}};
    for (int part = 0; part < 2; part++) {
        struct shares shares = {0};
        if (ends[part][1] <= ends[part][0] || c->only_walks)
            continue;
        find(c->x, id, (struct span){ends[part][0], ends[part][1]}, &shares);
        add_shares(c, ends[part][0], item, &shares, part == 0);
        shares_clear(&shares);
    }
    /* The date must move all the same: the next step of the walk compares with it. */
    if (c->only_walks)
        c->at_s = fmin(c->at_s, fmax(0, from_s));
}

/* ---- what let a step begin ---- */

static const struct place nowhere = {-1, NOWHERE};

static double finish_of(const struct chain *c, step_id s)
{
    const struct replay_plan *p = c->plan;
    struct span flows;
    switch (step_kind(p, s)) {
    case STEP_TASK:
        return c->x->result->tasks[s].finish_s;
    case STEP_SEND:
        return dates_of(c, step_edge(p, s))->send.finish_s;
    case STEP_RECV:
        return dates_of(c, step_edge(p, s))->recv.finish_s;
    /* A hop without data has no changes of rate, so no date in the record: its transfer's end stands for it. */
    case STEP_HOP:
        flows = replay_record_span(c->x->record, s);
        return isfinite(flows.finish_s) ? flows.finish_s : dates_of(c, step_edge(p, s))->transfer.finish_s;
    }
    return NAN;
}

static double hop_start_s(const struct chain *c, step_id s)
{
    return replay_record_span(c->x->record, s).start_s;
}

static double start_of(const struct chain *c, step_id s)
{
    const struct replay_plan *p = c->plan;
    if (step_kind(p, s) == STEP_TASK)
        return c->x->result->tasks[s].start_s;
    const struct replayed_edge *x = dates_of(c, step_edge(p, s));
    return step_kind(p, s) == STEP_SEND ? x->send.start_s : x->recv.start_s;
}

/* When the data of a step were there, and what brought them; -1 and 0: it needs none. The data of a task come by
   several edges: the last one decides, of equal ones the first in the graph. */
static double data_of(const struct chain *c, step_id s, step_id *from)
{
    const struct replay_plan *p = c->plan;
    double date_s = 0;
    *from = -1;
    /* A send needs its origin alone. Receives do not come here: before_receive knows when they are due. */
    if (step_kind(p, s) == STEP_SEND) {
        *from = p->dag->edges[step_edge(p, s)].src;
        return finish_of(c, *from);
    }
    for (int i = p->dag->in_start[s]; i < p->dag->in_start[s + 1]; i++) {
        edge_id e = p->dag->in[i];
        step_id before = p->schedule->edges[e].is_remote ? step_of_recv(p, e) : p->dag->edges[e].src;
        if (*from < 0 || finish_of(c, before) > date_s) {
            *from = before;
            date_s = finish_of(c, before);
        }
    }
    return date_s;
}

static enum direction direction_of(const struct replay_plan *p, step_id s)
{
    return step_kind(p, s) == STEP_SEND ? DIR_SEND : DIR_RECV;
}

static step_id last_hop(const struct replay_plan *p, edge_id e)
{
    return p->first_hop[e + 1] - 1;
}

/* The item before it on its processor. `ready_s`: when this one could have begun. */
struct place chain_behind_other(struct chain *c, step_id s, step_id before, double ready_s)
{
    chain_continue_at(c, finish_of(c, before), item_of(c->plan, s));
    c->next = (struct waiting){.item = item_of(c->plan, s), .since_s = ready_s};
    return (struct place){before, FROM_END};
}

/* From when a message takes its port ([S] 8.1.3, LogP's gap): from its start, but while waiting is active, a receive
   not before its data come, less the involvement that ends with them. */
static double port_taken_s(const struct chain *c, step_id s)
{
    const struct replay_plan *p = c->plan;
    edge_id e = step_edge(p, s);
    if (!p->is_active || step_kind(p, s) != STEP_RECV)
        return start_of(c, s);
    return fmax(start_of(c, s), dates_of(c, e)->transfer.finish_s - p->passages[e].involvement_s[DIR_RECV]);
}

/* The port was taken by a message before it. */
static struct place behind_port(struct chain *c, step_id s, step_id before)
{
    struct explanation *out = c->x->out;
    enum direction dir = direction_of(c->plan, before);
    chain_add(c, port_taken_s(c, before),
              (struct explain_segment){.cause = CAUSE_PORT,
                                       .host = edge_host(c->plan, step_edge(c->plan, before), dir),
                                       .link = -1,
                                       .item = item_of(c->plan, s),
                                       .first_with = out->n_with,
                                       .n_with = 1});
    explain_with(out, item_of(c->plan, before));
    /* With active waiting the receive had begun before it took the port: what it waited for is its transfer. */
    if (chain_is_later(c->at_s, start_of(c, before)))
        return (struct place){last_hop(c->plan, step_edge(c->plan, before)), FROM_END};
    return (struct place){before, FROM_START};
}

static double port_free_s(const struct chain *c, step_id s)
{
    const struct replay_plan *p = c->plan;
    step_id before = step_before_on_port(p, s);
    if (before < 0)
        return -INFINITY;
    return port_taken_s(c, before) + p->passages[step_edge(p, before)].port_s[direction_of(p, before)] +
           port_before_s(p, s);
}

/* Of a task or a send: what ended last of its data, the item before it on its processor and the message before it on
   its port. Where the data and another one end in one instant, the data count (explain.h). The port comes only if it
   was free later than the processor. */
struct place chain_before_start(struct chain *c, step_id s)
{
    step_id from, before = c->plan->before[s];
    double data_s = data_of(c, s, &from), port_s = port_free_s(c, s);
    double order_s = before >= 0 ? finish_of(c, before) : -INFINITY;
    if (chain_is_later(order_s, data_s) && !chain_is_later(port_s, order_s))
        return chain_behind_other(c, s, before, data_s);
    if (chain_is_later(port_s, data_s))
        return behind_port(c, s, step_before_on_port(c->plan, s));
    chain_continue_at(c, data_s, item_of(c->plan, s));
    return from >= 0 ? (struct place){from, FROM_END} : nowhere;
}

/* ---- each kind of step ---- */

static struct place pass_task(struct chain *c, task_id t)
{
    chain_add_work(c, c->x->result->tasks[t].start_s, shares_of_task, t, (struct explain_item){t, -1});
    return (struct place){t, FROM_START};
}

static struct place pass_send(struct chain *c, edge_id e, enum part part)
{
    const struct replay_plan *p = c->plan;
    const struct replayed_edge *x = dates_of(c, e);
    host_id h = edge_host(p, e, DIR_SEND);
    const struct explain_item item = {-1, e};
    /* When the send would have ended by its own work. */
    double own_s = x->send.start_s + passage_s(p, e, DIR_SEND);
    if (p->is_rendezvous)
        return part == FROM_END ? chain_of_call(c, step_of_send(p, e)) : chain_of_departure(c, e);
    /* With active waiting a send ends with its transfer, if that ends after its own work. */
    if (part == FROM_END && p->is_active && !chain_is_later(own_s, x->transfer.finish_s)) {
        chain_continue_at(c, x->transfer.finish_s, item);
        return (struct place){last_hop(p, e), FROM_END};
    }
    /* The involvement comes after the overhead, and the transfer begins between the two: seen from the transfer
       (FROM_DEPARTURE) only the overhead was before it. chain_add leaves out what is later than c->at_s. */
    if (part == FROM_END)
        chain_add_plain(c, x->send.start_s + p->passages[e].overhead_s[DIR_SEND], CAUSE_INVOLVEMENT_SEND, h, item);
    chain_add_plain(c, x->send.start_s, CAUSE_OVERHEAD_SEND, h, item);
    return (struct place){step_of_send(p, e), FROM_START};
}

/* Of a receive that made its processor late for something: what let it begin. It is its turn in the processor's order,
   its port is free, or its data are due: it begins so that its involvement ends with the last byte. */
static struct place before_receive(struct chain *c, edge_id e)
{
    const struct replay_plan *p = c->plan;
    step_id s = step_of_recv(p, e), before = p->before[s];
    /* Where waiting holds the processor (is_held) a receive is begun as soon as it is reached, whether there are data
       or not. */
    double due_s =
        p->is_held ? 0 : fmin(c->at_s, dates_of(c, e)->transfer.finish_s - p->passages[e].involvement_s[DIR_RECV]);
    if (before >= 0 && chain_is_same_date(finish_of(c, before), c->at_s))
        return chain_behind_other(c, s, before, due_s);
    if (chain_is_same_date(port_free_s(c, s), c->at_s))
        return behind_port(c, s, step_before_on_port(p, s));
    return p->is_held ? nowhere : (struct place){last_hop(p, e), FROM_END};
}

static struct place pass_receive(struct chain *c, edge_id e)
{
    const struct replay_plan *p = c->plan;
    const struct replayed_edge *x = dates_of(c, e);
    const struct explain_item item = {-1, e};
    host_id h = edge_host(p, e, DIR_RECV);
    /* The overhead of a receive follows its involvement and the last byte, whichever is later. If the byte was, the
       transfer is before it on the chain, else the receive's own involvement. */
    double involved_s = x->recv.start_s + p->passages[e].involvement_s[DIR_RECV];
    if (p->is_rendezvous)
        return chain_of_call(c, step_of_recv(p, e));
    if (!chain_is_later(involved_s, x->transfer.finish_s)) {
        chain_add_plain(c, x->transfer.finish_s, CAUSE_OVERHEAD_RECEIVE, h, item);
        return (struct place){last_hop(p, e), FROM_END};
    }
    chain_add_plain(c, involved_s, CAUSE_OVERHEAD_RECEIVE, h, item);
    chain_add_plain(c, x->recv.start_s, CAUSE_INVOLVEMENT_RECEIVE, h, item);
    return before_receive(c, e);
}

/* A transfer that SimGrid shares links with (fluid), or one that uses none. It may be reached before its end, where the
   walk comes from a receive that has begun. Backwards: data flow, latency, send. */
static struct place pass_transfer(struct chain *c, edge_id e)
{
    const struct replayed_edge *x = dates_of(c, e);
    const struct explain_item item = {-1, e};
    /* Without data there is no flow: all of it is latency. */
    double flows_s = fmin(c->at_s, fmax(x->transfer.start_s, shares_flows_from_s(c->x, e)));
    if (c->plan->is_rendezvous && c->plan->progress == REPLAY_POLLS && !edge_is_eager(c->plan, e))
        chain_of_polled(c, e, flows_s);
    chain_add_work(c, flows_s, shares_of_transfer, e, item);
    chain_add_plain(c, x->transfer.start_s, CAUSE_LATENCY, -1, item);
    chain_continue_at(c, x->transfer.start_s, item);
    return (struct place){step_of_send(c->plan, e), FROM_DEPARTURE};
}

/* ---- hops ---- */

static double latency_after_s(const struct chain *c, step_id hop)
{
    return c->plan->machine->links[explain_link_of_hop(c->plan, hop)].latency_s;
}

/* The hop that left the link when this one took it; -1: the link was free. The one before it in the schedule's order,
   if the dates agree; else any other hop of the link that ended at that date. */
static step_id hop_before_on_link(const struct chain *c, step_id s, double start_s)
{
    link_id l = explain_link_of_hop(c->plan, s);
    const struct lists *hops = &c->x->of_link;
    step_id ordered = c->plan->before[s];
    if (ordered >= 0 && chain_is_same_date(finish_of(c, ordered), start_s))
        return ordered;
    for (size_t i = hops->start[l]; i < hops->start[l + 1]; i++)
        if (hops->list[i] != s && chain_is_same_date(finish_of(c, hops->list[i]), start_s) &&
            /* A hop of no length that begins and ends there cannot have held it. */
            hop_start_s(c, hops->list[i]) < start_s)
            return hops->list[i];
    return -1;
}

/* Cut-through ([S] 7.1): when the hop could have begun after the one before it. It need not begin with that one's first
   byte if it is faster: it begins so that it ends when the last byte has come, and not before the first one is there,
   in both cases a latency later. */
static double hop_released_s(const struct chain *c, step_id s)
{
    edge_id e = step_edge(c->plan, s);
    if (s == c->plan->first_hop[e])
        return dates_of(c, e)->send.start_s + passage_leave_s(c->plan, e);
    int link = record_of_link(c->plan, explain_link_of_hop(c->plan, s));
    /* At its start: profiles may have changed the link since. */
    double bandwidth = replay_record_at(c->x->record, link, hop_start_s(c, s));
    double cut_s = finish_of(c, s - 1) - c->plan->amounts.bytes[e] / bandwidth;
    return fmax(hop_start_s(c, s - 1), cut_s) + latency_after_s(c, s - 1);
}

/* From the start of a hop: what held its link, or the hop before it, at the bytes that it waited for. */
static struct place before_hop(struct chain *c, step_id s)
{
    const struct replay_plan *p = c->plan;
    edge_id e = step_edge(p, s);
    const struct explain_item item = {-1, e};
    double start_s = hop_start_s(c, s), released_s = hop_released_s(c, s);
    /* Only a hop that began after its data could have been there waited for its link. */
    step_id other = chain_is_later(start_s, released_s) ? hop_before_on_link(c, s, start_s) : -1;
    chain_continue_at(c, start_s, item);
    if (other >= 0)
        return chain_behind_other(c, s, other, released_s);
    if (s == p->first_hop[e])
        return (struct place){step_of_send(p, e), FROM_DEPARTURE};
    chain_add_plain(c, fmax(hop_start_s(c, s - 1), start_s - latency_after_s(c, s - 1)), CAUSE_LATENCY, -1, item);
    return (struct place){s - 1, FROM_END};
}

/* A hop is over when its own bytes have passed, or a latency after the hop before it. */
static struct place pass_hop(struct chain *c, step_id s)
{
    const struct replay_plan *p = c->plan;
    edge_id e = step_edge(p, s);
    const struct explain_item item = {-1, e};
    double finish_s = finish_of(c, s);
    /* The latency of the last link is part of the transfer, after its last hop. */
    if (s == last_hop(p, e))
        chain_add_plain(c, finish_s, CAUSE_LATENCY, -1, item);
    if (s > p->first_hop[e] && chain_is_same_date(c->at_s, finish_s)) {
        /* Two reasons for its end: its own bytes on this link, or the last byte from the hop before. Where both agree
           its own bytes count. */
        double previous_s = finish_of(c, s - 1), latency_s = latency_after_s(c, s - 1);
        double own_s = p->amounts.bytes[e] / p->machine->links[explain_link_of_hop(p, s)].bandwidth_bytes_per_s;
        if (chain_is_same_date(previous_s + latency_s, finish_s) &&
            chain_is_later(finish_s, hop_start_s(c, s) + own_s)) {
            chain_add_plain(c, previous_s, CAUSE_LATENCY, -1, item);
            return (struct place){s - 1, FROM_END};
        }
    }
    chain_add_work(c, fmin(c->at_s, hop_start_s(c, s)), shares_of_hop, s, item);
    return (struct place){s, FROM_START};
}

/* ---- the walk ---- */

/* One step of the walk: explains what it passes, and returns what was before that. */
static struct place step_back(struct chain *c, struct place at)
{
    const struct replay_plan *p = c->plan;
    enum step_kind kind = step_kind(p, at.step);
    edge_id e = kind == STEP_TASK ? -1 : step_edge(p, at.step);
    struct place next = nowhere;
    if (kind == STEP_HOP && !edge_has_links(p, e))
        next = pass_transfer(c, e);
    else if (at.part == FROM_START)
        next = kind == STEP_HOP    ? before_hop(c, at.step)
               : kind == STEP_RECV ? before_receive(c, e)
                                   : chain_before_start(c, at.step);
    else if (kind == STEP_TASK)
        next = pass_task(c, at.step);
    else if (kind == STEP_SEND)
        next = pass_send(c, e, at.part);
    else
        next = kind == STEP_RECV ? pass_receive(c, e) : pass_hop(c, at.step);
    return next;
}

/* No walk passes a step more than a few times, so the bound is never reached but in a circle of items without length,
   whose dates all agree: the rest is then a hole, not an endless loop. */
static void walk(struct chain *c, task_id last)
{
    struct place at = {last, FROM_END};
    for (int n = 0; at.part != NOWHERE && n < 4 * c->plan->n_steps; n++) {
        /* Who waits behind an item is known only when that item is passed, one step of the walk later. */
        c->waits = c->next;
        c->next = none_waits;
        at = step_back(c, at);
        if (c->waits.is_for_end && c->waits.since_s < c->at_s) /* all that it did meanwhile */
            c->next = c->waits;
    }
    /* A chain that ends after 0 began with something that nothing explains. */
    chain_continue_at(c, 0, (struct explain_item){last, -1});
}

/* The walk has added the last segment first. */
static void turn_round(struct explanation *x)
{
    for (size_t i = 0, k = x->n; i + 1 < k; i++) {
        struct explain_segment kept = x->segments[i];
        x->segments[i] = x->segments[--k];
        x->segments[k] = kept;
    }
}

/* A segment may count for a cause, a host and a link at once; those that have no host or no link count for neither. */
static void add_up(struct explanation *x)
{
    const struct machine *m = x->plan->machine;
    x->sums_s = mem_zalloc(explain_first_sum(m, N_EXPLAIN_KINDS), sizeof *x->sums_s);
    for (size_t i = 0; i < x->n; i++) {
        const struct explain_segment *s = &x->segments[i];
        const int ids[N_EXPLAIN_KINDS] = {(int)s->cause, s->host, s->link};
        for (enum explain_kind kind = 0; kind < N_EXPLAIN_KINDS; kind++)
            if (ids[kind] >= 0)
                x->sums_s[explain_first_sum(m, kind) + (size_t)ids[kind]] += s->to_s - s->from_s;
    }
}

void explain_find(const struct replay_record *record, const struct replay_result *result,
                  const struct world_model *world, const double *alone_bytes_per_s, struct explanation *out)
{
    struct explainer x = {record, &record->plan, result, world, alone_bytes_per_s, .out = out};
    task_id last = 0;
    *out = (struct explanation){.plan = &record->plan, .makespan_s = result->makespan_s};
    explainer_init(&x);
    /* Of several that end last the first in the graph. */
    for (task_id t = 1; t < record->plan.dag->n_tasks; t++)
        if (result->tasks[t].finish_s > result->tasks[last].finish_s)
            last = t;
    struct chain c = {.x = &x, .plan = &record->plan, .at_s = result->makespan_s, .next = none_waits};
    walk(&c, last);
    explainer_clear(&x);
    turn_round(out);
    add_up(out);
}

/* ---- what is before each step ---- */

/* From which date a place is walked back. A send and a receive may be reached at their start, where nothing of them is
   on the chain but their order. */
static double date_of(const struct chain *c, struct place at)
{
    enum step_kind kind = step_kind(c->plan, at.step);
    return at.part == FROM_END || kind == STEP_HOP ? finish_of(c, at.step) : start_of(c, at.step);
}

/* Walks from a place until it leaves the step (its work, then what let it begin): that is what is before it. A few
   steps suffice; -1 where none is left. */
static int place_before(struct chain *c, struct place at)
{
    struct place next = at;
    c->at_s = date_of(c, at);
    bool waits = c->plan->is_rendezvous; /* a transfer begins when both ends are ready, not with its send */
    for (int n = 0; n < 4 && next.part != NOWHERE && (next.step == at.step || (waits && next.part == FROM_DEPARTURE));
         n++) {
        c->waits = c->next = none_waits;
        next = step_back(c, next);
    }
    return next.part == NOWHERE || next.step == at.step ? -1 : 2 * next.step + (next.part != FROM_END);
}

int *explain_before(const struct replay_record *record, const struct replay_result *result,
                    const struct world_model *world)
{
    const struct replay_plan *p = &record->plan;
    struct explanation none = {.plan = p};
    struct explainer x = {record, p, result, world, .out = &none};
    struct chain c = {.x = &x, .plan = p, .only_walks = true};
    int *before = mem_alloc((size_t)(2 * p->n_steps) * sizeof *before);
    explainer_init(&x);
    /* Edges within a host have no send, hop or receive. */
    for (int at = 0; at < 2 * p->n_steps; at++) {
        bool is_there = step_kind(p, at / 2) == STEP_TASK || p->schedule->edges[step_edge(p, at / 2)].is_remote;
        before[at] = is_there ? place_before(&c, (struct place){at / 2, at % 2 == 0 ? FROM_END : FROM_START}) : -1;
    }
    explainer_clear(&x);
    explanation_clear(&none);
    return before;
}
