/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* How data move in an online run. A copy of an edge's data is asked for once for each host to which its task has been
   put, and goes on to its end even if the task moves on. Where messages take the processors ([S] 8.2):

       source       |-o_s-|---i_s---|                   before its next task, in the order of asking
       links              |=====================|
       destination                   |---i_r---|-o_r-|  before its next task, in the order of expected arrival, when
                                                        what remains takes i_r at most at the rate of the moment

   A queue that follows a schedule holds its sends and receives as items, in the schedule's order instead. */
#include "base/instant.h"
#include "base/mem.h"
#include "engine/online_state.h"

#include <math.h>
#include <stdlib.h>

static double busy_s(const struct copy *c, enum direction dir)
{
    return cost_end_busy_s(c->ends[dir]);
}

static bool takes_processor(const struct copy *c, enum direction dir)
{
    return busy_s(c, dir) > 0;
}

static item_id item_of(const struct online *o, const struct copy *c, enum direction dir)
{
    return o->runtime->n_works + 2 * c->out.data + (item_id)dir;
}

static bool is_in_queue(const struct online *o, const struct copy *c, enum direction dir)
{
    host_id h = o->runtime->queue_of[item_of(o, c, dir)];
    return h >= 0 && h == (dir == DIR_SEND ? c->out.src : c->out.dst);
}

/* ---- lists ---- */

static void list_add(struct copy_list *l, struct copy *c)
{
    c->next_at_host = NULL;
    *(l->last != NULL ? &l->last->next_at_host : &l->first) = c;
    l->last = c;
}

static void list_remove(struct copy_list *l, struct copy *c)
{
    struct copy *before = NULL;
    for (struct copy *x = l->first; x != c; x = x->next_at_host)
        before = x;
    *(before != NULL ? &before->next_at_host : &l->first) = c->next_at_host;
    if (l->last == c)
        l->last = before;
}

/* ---- copies ---- */

static struct copy *find(const struct online *o, data_id d, host_id dst)
{
    struct copy *c = o->copies_of[d];
    while (c != NULL && c->out.dst != dst)
        c = c->next_of_data;
    return c;
}

bool messages_are_there(const struct online *o, data_id d, host_id h)
{
    const struct copy *c = find(o, d, h);
    return c != NULL && c->stage == COPY_THERE;
}

/* Of what is under way at a known rate; else it is as if it left now, which the caller reckons. */
double messages_there_s(const struct runtime *r, data_id d, host_id h)
{
    const struct copy *c = find(r->engine, d, h);
    if (c == NULL || c->stage == COPY_ASKED || c->stage == COPY_SENDING || isnan(c->last_byte_s))
        return NAN;
    return c->stage == COPY_THERE ? r->now_s : fmax(r->now_s, c->last_byte_s + c->ends[DIR_RECV].overhead_s);
}

void messages_add_flows(struct runtime *r)
{
    const struct online *o = r->engine;
    for (size_t i = 0; i < o->n_open; i++) {
        const struct copy *c = o->open[i];
        double left_bytes = c->stage == COPY_ARRIVED ? 0
                            : c->comm == NULL        ? c->out.bytes
                                                     : engine_comm_remaining_bytes(c->comm);
        runtime_add_flow(r, &(struct runtime_flow){.data = c->out.data,
                                                   .src = c->out.src,
                                                   .dst = c->out.dst,
                                                   .left_bytes = left_bytes,
                                                   .send_start_s = c->out.send.start_s,
                                                   .recv_start_s = c->out.recv.start_s});
    }
}

static double bytes_of(const struct online *o, data_id d, host_id dst)
{
    const struct runtime *r = o->runtime;
    int job = runtime_job_of_data(r, d);
    const struct dag *g = r->jobs[job].problem.dag;
    const struct edge *edge = &g->edges[d - r->jobs[job].first_data];
    if (o->options->noise == NULL)
        return edge->size_bytes;
    struct noise_source size = noise_source_of(o->options->noise, NOISE_SIZE, r->machine->hosts[dst].name,
                                               g->tasks[edge->src].name, g->tasks[edge->dst].name);
    return edge->size_bytes * noise_draw(&size, (uint64_t)job);
}

static void find_ends(const struct online *o, struct copy *c)
{
    const struct runtime *r = o->runtime;
    const struct cost_model *charges = o->options->world->charges;
    size_t n;
    const link_id *links = route_links(r->routes, c->out.src, c->out.dst, &n);
    for (enum direction dir = DIR_SEND; dir < N_DIRECTIONS && charges != NULL; dir++)
        c->ends[dir] =
            cost_end(charges, r->machine, c->out.src, c->out.dst, dir, machine_end_link(links, n, dir), c->out.bytes);
}

void messages_ask(struct online *o, data_id d, host_id dst)
{
    static const struct span never = {NAN, NAN};
    if (find(o, d, dst) != NULL)
        return;
    struct copy *c = mem_zalloc(1, sizeof *c);
    host_id src = o->runtime->works[runtime_source(o->runtime, d)].host;
    c->tag = TAG_COPY;
    c->number = -1;
    c->out = (struct online_copy){d, src, dst, bytes_of(o, d, dst), never, never, never, false};
    c->last_byte_s = NAN;
    c->due_s = INFINITY;
    find_ends(o, c);
    c->next_of_data = o->copies_of[d];
    o->copies_of[d] = c;
    MEM_GROW(o->asked, o->n_asked, o->asked_capacity);
    o->asked[o->n_asked++] = c;
    MEM_GROW(o->open, o->n_open, o->open_capacity);
    c->at_open = o->n_open;
    o->open[o->n_open++] = c;
}

static int by_data(const void *a, const void *b)
{
    const struct copy *x = *(struct copy *const *)a, *y = *(struct copy *const *)b;
    return (x->out.data > y->out.data) - (x->out.data < y->out.data);
}

/* ---- a send ---- */

static void leave(struct online *o, struct copy *c)
{
    c->stage = COPY_MOVING;
    c->out.transfer.start_s = engine_now_s(o->engine);
    o->has_started_transfer = true;
    if (takes_processor(c, DIR_RECV))
        list_add(&o->hosts[c->out.dst].to_recv, c);
    c->comm = engine_comm_start(o->engine, c->out.src, c->out.dst, c->out.bytes, c);
}

static void end_send(struct online *o, struct copy *c)
{
    c->out.send.finish_s = engine_now_s(o->engine);
    if (takes_processor(c, DIR_SEND))
        online_vacate(o, c->out.src);
}

static bool begin_send(struct online *o, struct copy *c)
{
    double now_s = engine_now_s(o->engine);
    c->out.send.start_s = now_s;
    c->stage = COPY_SENDING;
    if (takes_processor(c, DIR_SEND) && !online_occupy(o, c->out.src, c))
        return false;
    if (c->ends[DIR_SEND].overhead_s > 0)
        online_set_alarm(o, ALARM_LEAVE, c, now_s + c->ends[DIR_SEND].overhead_s);
    else
        leave(o, c);
    if (takes_processor(c, DIR_SEND))
        online_set_alarm(o, ALARM_SEND_ENDS, c, now_s + busy_s(c, DIR_SEND));
    else
        end_send(o, c);
    return true;
}

void messages_send_asked(struct online *o)
{
    if (o->n_asked == 0)
        return;
    qsort(o->asked, o->n_asked, sizeof(struct copy *), by_data);
    for (size_t i = 0; i < o->n_asked; i++) {
        struct copy *c = o->asked[i];
        MEM_GROW(o->copies, o->n_copies, o->copies_capacity);
        c->number = (long)o->n_copies;
        o->copies[o->n_copies++] = c;
        bool has_place = is_in_queue(o, c, DIR_SEND);
        if (!has_place && !takes_processor(c, DIR_SEND))
            begin_send(o, c);
        else if (!has_place)
            list_add(&o->hosts[c->out.src].to_send, c);
        online_touch(o, c->out.src);
    }
    o->n_asked = 0;
}

/* ---- a receive ---- */

static void arrive_at_last(struct online *o, struct copy *c)
{
    c->out.recv.finish_s = engine_now_s(o->engine);
    c->stage = COPY_THERE;
    o->open[c->at_open] = o->open[--o->n_open];
    o->open[c->at_open]->at_open = c->at_open;
    if (takes_processor(c, DIR_RECV))
        online_vacate(o, c->out.dst);
    messages_there(o, c);
}

/* Its end is known once it has begun and the last byte has arrived. */
static void set_recv_end(struct online *o, struct copy *c)
{
    if (!c->has_recv_begun || c->stage != COPY_ARRIVED)
        return;
    double end_s =
        fmax(c->out.recv.start_s + busy_s(c, DIR_RECV), c->out.transfer.finish_s + c->ends[DIR_RECV].overhead_s);
    if (end_s > engine_now_s(o->engine))
        online_set_alarm(o, ALARM_RECV_ENDS, c, end_s);
    else
        arrive_at_last(o, c);
}

static bool begin_recv(struct online *o, struct copy *c)
{
    if (takes_processor(c, DIR_RECV)) {
        if (!online_occupy(o, c->out.dst, c))
            return false;
        list_remove(&o->hosts[c->out.dst].to_recv, c);
    }
    c->has_recv_begun = true;
    c->out.recv.start_s = engine_now_s(o->engine);
    set_recv_end(o, c);
    return true;
}

void messages_ended(struct online *o, struct copy *c)
{
    double now_s = engine_now_s(o->engine);
    c->comm = NULL;
    c->stage = COPY_ARRIVED;
    c->out.transfer.finish_s = c->last_byte_s = now_s;
    c->due_s = fmin(c->due_s, now_s);
    if (!takes_processor(c, DIR_RECV) && !is_in_queue(o, c, DIR_RECV)) {
        c->out.recv.start_s = now_s;
        arrive_at_last(o, c);
        return;
    }
    online_touch(o, c->out.dst);
    set_recv_end(o, c);
}

void messages_rate_changed(struct online *o, struct copy *c)
{
    double now_s = engine_now_s(o->engine), rate = engine_comm_rate_bytes_per_s(c->comm);
    c->last_byte_s = rate > 0 ? now_s + engine_comm_remaining_bytes(c->comm) / rate : NAN;
    if (!takes_processor(c, DIR_RECV) || c->has_recv_begun)
        return;
    c->due_s = rate > 0 ? c->last_byte_s - c->ends[DIR_RECV].involvement_s : INFINITY;
    if (c->due_s > now_s && isfinite(c->due_s))
        online_set_alarm(o, ALARM_DUE, c, c->due_s);
    online_touch(o, c->out.dst);
}

void messages_alarm(struct online *o, enum alarm kind, struct copy *c, double date_s)
{
    switch (kind) {
    case ALARM_LEAVE:
        leave(o, c);
        break;
    case ALARM_SEND_ENDS:
        end_send(o, c);
        break;
    case ALARM_DUE:
        if (c->due_s == date_s) /* else its rate has changed since */
            online_touch(o, c->out.dst);
        break;
    default:
        arrive_at_last(o, c);
    }
}

/* ---- what a free host does next ---- */

/* Its rate may change in this instant: whether it is due is not known yet. */
static bool is_in_doubt(const struct online *o, const struct copy *c)
{
    return c->stage == COPY_MOVING && !o->are_rates_known;
}

static bool is_due(const struct copy *c, double now_s)
{
    return c->stage == COPY_ARRIVED || instant_has_come(c->due_s, now_s);
}

static bool comes_before(const struct copy *a, const struct copy *b)
{
    if (b == NULL || a->last_byte_s != b->last_byte_s)
        return b == NULL || a->last_byte_s < b->last_byte_s;
    return a->number < b->number;
}

bool messages_begin(struct online *o, host_id h)
{
    struct online_host *x = &o->hosts[h];
    double now_s = engine_now_s(o->engine);
    struct copy *next = x->to_send.first;
    if (next != NULL) {
        list_remove(&x->to_send, next);
        return begin_send(o, next);
    }
    for (struct copy *c = x->to_recv.first; c != NULL; c = c->next_at_host) {
        if (is_in_queue(o, c, DIR_RECV))
            continue;
        if (is_in_doubt(o, c)) {
            o->waits_for_rates = true;
            online_touch(o, h);
            return true; /* nothing else begins here before it is known */
        }
        if (is_due(c, now_s) && comes_before(c, next))
            next = c;
    }
    return next != NULL && begin_recv(o, next);
}

bool messages_begin_item(struct online *o, host_id h, item_id i)
{
    int at = i - o->runtime->n_works;
    enum direction dir = at % 2 == 0 ? DIR_SEND : DIR_RECV;
    double now_s = engine_now_s(o->engine);
    struct copy *c = o->copies_of[at / 2];
    while (c != NULL && (dir == DIR_SEND ? c->out.src : c->out.dst) != h)
        c = c->next_of_data;
    if (c == NULL || (dir == DIR_SEND && c->stage != COPY_ASKED))
        return false;
    if (dir == DIR_SEND) {
        runtime_unlink(o->runtime, i);
        return begin_send(o, c);
    }
    if (c->stage < COPY_MOVING)
        return false;
    if (is_in_doubt(o, c)) {
        o->waits_for_rates = true;
        online_touch(o, h);
        return true;
    }
    if (!is_due(c, now_s))
        return false;
    runtime_unlink(o->runtime, i);
    return begin_recv(o, c);
}

void messages_unfollow(struct online *o, data_id d)
{
    item_id send = o->runtime->n_works + 2 * d, recv = send + 1;
    if (o->runtime->queue_of[recv] >= 0) {
        runtime_unlink(o->runtime, recv);
        for (struct copy *c = o->copies_of[d]; c != NULL; c = c->next_of_data)
            if (c->stage == COPY_ARRIVED && !c->has_recv_begun && !takes_processor(c, DIR_RECV))
                begin_recv(o, c); /* only its place was missing */
    }
    if (o->runtime->queue_of[send] < 0)
        return;
    runtime_unlink(o->runtime, send);
    for (struct copy *c = o->copies_of[d]; c != NULL; c = c->next_of_data)
        if (c->stage == COPY_ASKED && c->number >= 0) {
            list_add(&o->hosts[c->out.src].to_send, c);
            online_touch(o, c->out.src);
        }
}
