/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The approach decides when each step of an edge is booked (draft.h); each step is one function below.

   The entering edges of a task are in the order in which their origins were placed: each placed task appends its
   leaving edges to the lists of their destinations. A task is ready when its list is complete. */
#include "plan/draft.h"

#include "base/choose.h"
#include "base/mem.h"
#include "plan/draft_bounds.h"
#include "plan/draft_own.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct approach_steps approaches[] = {
    [APPROACH_DIRECT] = {"direct", true, false, false}, /* the send is provisional */
    [APPROACH_ENTERING] = {"entering", false, false, false}, [APPROACH_ALLOC1] = {"alloc1", true, false, false},
    [APPROACH_ALLOC2] = {"alloc2", true, true, false},       [APPROACH_ALLOC3] = {"alloc3", true, true, true},
};

/* In a try, room for the longest route: a try must not grow the schedule, which has no way back without a mark. */
static struct span *new_spans(const struct route_table *routes)
{
    size_t n_pairs = routes->machine->n_hosts * routes->machine->n_hosts, longest = 0;
    for (size_t i = 0; i < n_pairs; i++) {
        size_t n = routes->start[i + 1] - routes->start[i];
        longest = n > longest ? n : longest;
    }
    return mem_zalloc(longest + 1, sizeof(struct span));
}

/* Takes the destinations in the order of the list and appends each entering edge to the edges that leave its origin. */
static void order_leaving(struct draft *d, const task_id *list)
{
    const struct dag *g = d->s->problem.dag;
    int *n_out = mem_zalloc((size_t)g->n_tasks, sizeof *n_out);
    for (int k = 0; k < g->n_tasks; k++)
        for (int i = g->in_start[list[k]]; i < g->in_start[list[k] + 1]; i++) {
            task_id src = g->edges[g->in[i]].src;
            d->leaving[g->out_start[src] + n_out[src]++] = g->in[i];
        }
    free(n_out);
}

/* The approach in which an edge is booked in one step. */
static enum approach in_one_step(enum approach a)
{
    return a == APPROACH_ALLOC2 || a == APPROACH_ALLOC3 ? APPROACH_ALLOC3 : APPROACH_ENTERING;
}

/* ---- creation and reset ---- */

static void book_what_is_busy(struct draft *d)
{
    const struct problem *p = &d->s->problem;
    for (size_t h = 0; p->busy_until_s != NULL && h < p->machine->n_hosts; h++)
        if (p->busy_until_s[h] > 0)
            timeline_book(d->timelines, problem_processor((host_id)h), 0, p->busy_until_s[h]);
}

struct draft *draft_create_by(struct schedule *s, const struct draft_options *how)
{
    const struct problem *p = &s->problem;
    size_t n_tasks = (size_t)p->dag->n_tasks, n_edges = (size_t)p->dag->n_edges;
    struct draft *d = mem_zalloc(1, sizeof *d);
    assert(how->approach < APPROACH_ALLOC1 || how->allocation != NULL);
    d->s = s;
    d->technique = how->technique;
    /* aligned models have one date for all steps of an edge, so they cannot be booked apart */
    d->approach = p->model->is_aligned ? in_one_step(how->approach) : how->approach;
    d->with_origin = approaches[d->approach];
    d->allocation = how->allocation;
    d->timelines = timelines_create(problem_n_resources(p), how->technique);
    d->placed = mem_alloc(n_tasks * sizeof *d->placed);
    d->entering = mem_alloc((n_edges + 1) * sizeof *d->entering);
    d->edge_order = how->edge_order;
    if (d->edge_order != EDGE_ORDER_PLACED)
        d->sorted = mem_alloc((n_edges + 1) * sizeof *d->sorted);
    d->leaving = mem_alloc((n_edges + 1) * sizeof *d->leaving);
    d->n_entering = mem_zalloc(n_tasks, sizeof *d->n_entering);
    d->ready_s = mem_alloc(p->machine->n_hosts * sizeof *d->ready_s);
    if (how->list != NULL)
        order_leaving(d, how->list);
    else if (n_edges > 0)
        memcpy(d->leaving, p->dag->out, n_edges * sizeof *d->leaving);
    d->tried = new_spans(p->routes);
    route_table_end_links(p->routes, DIR_SEND, &d->first_start, &d->first_links);
    if (draft_bounds_apply(p->model))
        d->bounds = draft_bounds_create(d);
    book_what_is_busy(d);
    return d;
}

struct draft *draft_create(struct schedule *s, enum technique technique)
{
    return draft_create_by(s, &(struct draft_options){.technique = technique});
}

void draft_free(struct draft *d)
{
    if (d == NULL)
        return;
    timelines_free(d->timelines);
    free(d->first_links);
    free(d->first_start);
    free(d->placed);
    free(d->entering);
    free(d->n_entering);
    free(d->sorted);
    free(d->leaving);
    free(d->cuts);
    free(d->tried);
    free(d->ready_s);
    draft_bounds_free(d->bounds);
    free(d);
}

void draft_reset(struct draft *d)
{
    const struct dag *g = d->s->problem.dag;
    timelines_reset(d->timelines);
    memset(d->n_entering, 0, (size_t)g->n_tasks * sizeof *d->n_entering);
    memset(d->s->edges, 0, (size_t)g->n_edges * sizeof *d->s->edges);
    for (task_id t = 0; t < g->n_tasks; t++)
        d->s->tasks[t] = (struct planned_task){.host = -1};
    d->s->n_links = d->n_cuts = 0;
    d->n_placed = 0;
    d->is_marked = false;
    book_what_is_busy(d);
}

enum approach draft_approach(const char *name)
{
    int i = 0;
    while (strcmp(approaches[i].name, name) != 0)
        i++;
    return (enum approach)i;
}

enum edge_order draft_edge_order(const char *name)
{
    static const char *const names[] = {"placed", "finish", "largest", "smallest", "file"};
    int i = 0;
    while (strcmp(names[i], name) != 0)
        i++;
    return (enum edge_order)i;
}

/* ---- marks ---- */

struct draft_mark draft_mark(struct draft *d)
{
    d->is_marked = true;
    return (struct draft_mark){timelines_mark(d->timelines), d->n_cuts, d->s->n_links, d->n_placed};
}

/* Tasks are taken back in the opposite order, so each is the last in the lists of its destinations. Spans of edges need
   not be cleared: they are written before they are read. */
static void take_back(struct draft *d, task_id t)
{
    const struct dag *g = d->s->problem.dag;
    for (int i = g->out_start[t]; i < g->out_start[t + 1]; i++)
        d->n_entering[g->edges[g->out[i]].dst]--;
    d->s->tasks[t].host = -1;
}

void draft_rollback(struct draft *d, struct draft_mark mark)
{
    assert(mark.n_placed <= d->n_placed && mark.n_cuts <= d->n_cuts);
    timelines_rollback(d->timelines, mark.timelines);
    while (d->n_placed > mark.n_placed)
        take_back(d, d->placed[--d->n_placed]);
    /* sends that were shortened are as long as their bookings again */
    for (; d->n_cuts > mark.n_cuts; d->n_cuts--)
        d->s->edges[d->cuts[d->n_cuts - 1].edge].send.finish_s = d->cuts[d->n_cuts - 1].finish_s;
    d->s->n_links = mark.n_links;
}

/* ---- tasks ---- */

double draft_end_s(const struct draft *d, host_id h)
{
    return timeline_end_s(d->timelines, problem_processor(h));
}

double draft_fit_task(const struct draft *d, task_id t, host_id h, double ready_s)
{
    return timeline_fit(d->timelines, problem_processor(h), ready_s, problem_compute_s(&d->s->problem, t, h));
}

/* What rounding swallows occupies nothing (span.h), and must not be made longer by span_finish_s. */
static struct span span_from(double release_s, double start_s, double duration_s)
{
    bool is_lost = span_is_lost_at(release_s, duration_s);
    return (struct span){start_s, is_lost ? start_s : span_finish_s(start_s, duration_s)};
}

static struct span book(struct draft *d, size_t resource, double release_s, double duration_s)
{
    double start_s = timeline_fit(d->timelines, resource, release_s, duration_s);
    struct span span = span_from(release_s, start_s, duration_s);
    timeline_book(d->timelines, resource, span.start_s, span.finish_s);
    return span;
}

void draft_task(struct draft *d, task_id t, host_id h, double ready_s)
{
    const struct dag *g = d->s->problem.dag;
    d->s->tasks[t].host = h;
    d->s->tasks[t].span = book(d, problem_processor(h), ready_s, problem_compute_s(&d->s->problem, t, h));
    /* its leaving edges join the lists of their destinations: this is the order "placed" */
    d->placed[d->n_placed++] = t;
    for (int i = g->out_start[t]; i < g->out_start[t + 1]; i++) {
        task_id dst = g->edges[g->out[i]].dst;
        d->entering[g->in_start[dst] + d->n_entering[dst]++] = g->out[i];
    }
}

static bool has_all_entering(const struct draft *d, task_id t)
{
    const struct dag *g = d->s->problem.dag;
    return d->n_entering[t] == g->in_start[t + 1] - g->in_start[t];
}

bool draft_is_ready(const struct draft *d, task_id t)
{
    return d->s->tasks[t].host < 0 && has_all_entering(d, t);
}

/* Before anything is booked: releases provisional sends that become unnecessary because their edge is local. Under
   `direct` every leaving edge has a provisional send. An edge that becomes local needs none, and the room it gives back
   is just where the destination may start. */
static void remove_local_sends(struct draft *d, task_id t, host_id h)
{
    const struct dag *g = d->s->problem.dag;
    int end = g->in_start[t] + d->n_entering[t];
    for (int i = g->in_start[t]; i < end && d->approach == APPROACH_DIRECT; i++)
        if (d->s->tasks[g->edges[d->entering[i]].src].host == h)
            draft_remove_send(d, d->entering[i], h);
}

/* Books the steps that belong to the destination of a remote edge; returns when its data are ready. */
static double enter(struct draft *d, edge_id e, host_id src, host_id dst)
{
    if (d->approach == APPROACH_DIRECT && !d->is_trying) /* a try books nothing else on src */
        draft_shorten_send(d, e, src, dst);
    if (!d->with_origin.send)
        draft_send(d, e, src, dst);
    if (!d->with_origin.links)
        draft_links(d, e, src, dst);
    if (!d->with_origin.recv)
        return draft_recv(d, e, src, dst);
    /* everything was booked with the origin: only the date of the data is wanted */
    if (cost_has_ends(d->s->problem.model))
        return d->s->edges[e].recv.finish_s;
    return schedule_last_byte_s(d->s, e, src, dst, schedule_link_spans(d->s, e));
}

static double sort_key(const struct draft *d, edge_id e)
{
    const struct edge *edge = &d->s->problem.dag->edges[e];
    switch (d->edge_order) {
    case EDGE_ORDER_FINISH:
        return choose_rounded(d->s->tasks[edge->src].span.finish_s);
    case EDGE_ORDER_LARGEST:
        return -edge->size_bytes;
    case EDGE_ORDER_SMALLEST:
        return edge->size_bytes;
    default:
        return e;
    }
}

static int by_key(const void *a, const void *b)
{
    const struct sorted_edge *x = a, *y = b;
    return x->key != y->key ? (x->key > y->key) - (x->key < y->key) : x->at - y->at;
}

/* The order in which the n edges that enter a task are booked. */
static void sort_entering(struct draft *d, const edge_id *entering, int n)
{
    for (int i = 0; i < n; i++)
        d->sorted[i] = (struct sorted_edge){sort_key(d, entering[i]), i, entering[i]};
    qsort(d->sorted, (size_t)n, sizeof *d->sorted, by_key);
}

/* Returns when all data are ready. If that is not before `enough_s`, it may return any date from `enough_s` on. */
static double enter_all(struct draft *d, task_id t, host_id h, double enough_s)
{
    const struct dag *g = d->s->problem.dag;
    const edge_id *entering = d->entering + g->in_start[t];
    double ready_s = problem_release_s(&d->s->problem, t, h);
    if (d->sorted != NULL)
        sort_entering(d, entering, d->n_entering[t]);
    /* each edge is booked on what the edges before it have left: their order is part of the result */
    for (int i = 0; i < d->n_entering[t] && ready_s < enough_s; i++) {
        edge_id e = d->sorted != NULL ? d->sorted[i].edge : entering[i];
        const struct planned_task *origin = &d->s->tasks[g->edges[e].src];
        /* a try leaves nothing in the schedule but what the next try or placement overwrites */
        if (!d->is_trying)
            d->s->edges[e].is_remote = origin->host != h;
        double arrival_s = origin->host == h ? origin->span.finish_s : enter(d, e, origin->host, h);
        ready_s = arrival_s > ready_s ? arrival_s : ready_s;
    }
    return ready_s;
}

/* Books the steps that belong to the origin of an edge, some of them provisionally. */
static void leave(struct draft *d, edge_id e, host_id src, host_id dst)
{
    d->s->edges[e].is_remote = dst != src;
    if (dst == src)
        return;
    draft_send(d, e, src, dst);
    if (d->with_origin.links)
        draft_links(d, e, src, dst);
    if (d->with_origin.recv)
        draft_recv(d, e, src, dst);
}

static void leave_all(struct draft *d, task_id t, host_id h)
{
    const struct dag *g = d->s->problem.dag;
    for (int i = g->out_start[t]; i < g->out_start[t + 1] && d->with_origin.send; i++) {
        if (d->approach == APPROACH_DIRECT)
            draft_provisional_send(d, d->leaving[i], h);
        else
            leave(d, d->leaving[i], h, d->allocation[g->edges[d->leaving[i]].dst]);
    }
}

/* A date before which the task cannot start because of its processor alone: the last finish there, unless the task may
   be lost (span.h) in a date before `enough_s`. With insertion there is usually a gap, so the result is 0. */
static double busy_until_s(const struct draft *d, task_id t, host_id h, double enough_s)
{
    double duration_s = problem_compute_s(&d->s->problem, t, h);
    if (d->technique != TECHNIQUE_END || span_is_lost_at(enough_s, duration_s / 2))
        return 0;
    return timeline_fit(d->timelines, problem_processor(h), 0, duration_s);
}

/* A try goes through the same steps as a placement, so that its dates are exactly those that a placement would have.
   It gives up as soon as the start cannot be before enough_s: most hosts lose early. */
double draft_try_start(struct draft *d, task_id t, host_id h, double enough_s)
{
    d->is_trying = true;
    timelines_begin_try(d->timelines);
    remove_local_sends(d, t, h);
    double ready_s = busy_until_s(d, t, h, enough_s);
    if (ready_s < enough_s)
        ready_s = enter_all(d, t, h, enough_s);
    double start_s = ready_s < enough_s ? draft_fit_task(d, t, h, ready_s) : ready_s;
    timelines_end_try(d->timelines);
    d->is_trying = false;
    return start_s;
}

struct span draft_try_early(struct draft *d, task_id t, host_id h)
{
    assert(d->s->tasks[t].host < 0);
    if (!problem_may_run(&d->s->problem, t, h))
        return (struct span){INFINITY, INFINITY};
    double start_s = draft_try_start(d, t, h, INFINITY);
    return (struct span){start_s, start_s + problem_compute_s(&d->s->problem, t, h)};
}

struct span draft_try(struct draft *d, task_id t, host_id h)
{
    assert(draft_is_ready(d, t));
    return draft_try_early(d, t, h);
}

uint64_t draft_n_changes(const struct draft *d)
{
    return timelines_n_changes(d->timelines);
}

static bool has_changed(const struct draft *d, size_t resource, uint64_t since)
{
    return timeline_last_change(d->timelines, resource) > since;
}

/* The processor of a host, and its port for messages in this direction. */
static bool end_has_changed(const struct draft *d, host_id h, enum direction dir, uint64_t since)
{
    const struct problem *p = &d->s->problem;
    return has_changed(d, problem_processor(h), since) ||
           (p->model->books_ports && has_changed(d, problem_port(p, h, dir), since));
}

static bool links_have_changed(const struct draft *d, host_id src, host_id dst, uint64_t since)
{
    size_t n, k = 0;
    const link_id *links = route_links(d->s->problem.routes, src, dst, &n);
    while (k < n && !has_changed(d, problem_link(&d->s->problem, links[k]), since))
        k++;
    return k < n;
}

/* The dates of the origins, and of sends that are booked with them, are what they were. Looks at no dates, only at the
   resources that a try reads. That may report a change where none matters, never the other way round. */
bool draft_try_has_changed(const struct draft *d, task_id t, host_id h, uint64_t since)
{
    const struct problem *p = &d->s->problem;
    const struct dag *g = p->dag;
    bool has = end_has_changed(d, h, DIR_RECV, since);
    if (!p->model->books_links && d->with_origin.send)
        return has;
    for (int i = g->in_start[t]; i < g->in_start[t + 1] && !has; i++) {
        host_id src = d->s->tasks[g->edges[g->in[i]].src].host;
        has = (!d->with_origin.send && end_has_changed(d, src, DIR_SEND, since)) ||
              (p->model->books_links && src != h && links_have_changed(d, src, h, since));
    }
    return has;
}

double draft_place(struct draft *d, task_id t, host_id h)
{
    assert(draft_is_ready(d, t));
    return draft_place_early(d, t, h);
}

double draft_place_early(struct draft *d, task_id t, host_id h)
{
    assert(d->s->tasks[t].host < 0 && problem_may_run(&d->s->problem, t, h));
    remove_local_sends(d, t, h);
    draft_task(d, t, h, enter_all(d, t, h, INFINITY));
    leave_all(d, t, h);
    return d->s->tasks[t].span.finish_s;
}

/* ---- edges on the processors and ports of their hosts ---- */

/* Books the processor and, from the same date or `port_before_s` before it, the port of a host. Processor and port are
   different resources with different idle intervals, so each search may push the other on; it ends because dates only
   grow and both are free after their last booking. */
static struct span book_end(struct draft *d, host_id h, enum direction dir, double release_s, struct cost_end end)
{
    const struct problem *p = &d->s->problem;
    double busy_s = cost_end_busy_s(end), start_s = timeline_fit(d->timelines, problem_processor(h), release_s, busy_s);
    if (p->model->books_ports) {
        size_t port = problem_port(p, h, dir);
        double port_from_s = 0;
        for (double free_s = -1; free_s != start_s;) { /* until both are free */
            double from_s = start_s - end.port_before_s;
            port_from_s = timeline_fit(d->timelines, port, from_s, end.port_before_s + end.port_s);
            free_s = port_from_s > from_s ? port_from_s + end.port_before_s : start_s;
            start_s = timeline_fit(d->timelines, problem_processor(h), free_s, busy_s);
        }
        timeline_book(d->timelines, port, port_from_s, later_s(port_from_s, start_s + end.port_s));
    }
    struct span span = span_from(release_s, start_s, busy_s);
    timeline_book(d->timelines, problem_processor(h), span.start_s, span.finish_s);
    return span;
}

static double origin_finish_s(const struct draft *d, edge_id e)
{
    return d->s->tasks[d->s->problem.dag->edges[e].src].span.finish_s;
}

/* The send of an edge whose destination is not yet placed: the longest over all first links ([S] Definition 8.7). The
   port's time is taken apart, because the longest send need not be the one that keeps its port longest. */
static struct cost_end longest_send(const struct draft *d, edge_id e, host_id src)
{
    const struct problem *p = &d->s->problem;
    double bytes = p->dag->edges[e].size_bytes;
    struct cost_end longest = {0};
    if (p->machine->n_hosts == 1) /* no first link */
        longest = cost_end(p->model, p->machine, src, -1, DIR_SEND, -1, bytes);
    for (size_t i = d->first_start[src]; i < d->first_start[src + 1]; i++) {
        struct cost_end end = cost_end(p->model, p->machine, src, -1, DIR_SEND, d->first_links[i], bytes);
        double port_s = later_s(longest.port_s, end.port_s);
        if (cost_end_busy_s(end) > cost_end_busy_s(longest))
            longest = end;
        longest.port_s = port_s;
    }
    return longest;
}

/* Releases the part of an edge's provisional send that exceeds these durations. */
static void release_send(struct draft *d, edge_id e, host_id src, double finish_s, double port_s)
{
    const struct problem *p = &d->s->problem;
    const struct span *send = &d->s->edges[e].send;
    timeline_release(d->timelines, problem_processor(src), finish_s, send->finish_s);
    if (p->model->books_ports)
        timeline_release(d->timelines, problem_port(p, src, DIR_SEND), send->start_s + port_s,
                         send->start_s + longest_send(d, e, src).port_s);
}

void draft_send(struct draft *d, edge_id e, host_id src, host_id dst)
{
    if (cost_has_ends(d->s->problem.model) && !d->s->problem.model->is_aligned)
        d->s->edges[e].send =
            book_end(d, src, DIR_SEND, origin_finish_s(d, e), problem_end(&d->s->problem, e, src, dst, DIR_SEND));
}

/* Booked as if it went by the slowest first link: it can only become shorter, so nothing that is booked after it has to
   move. */
void draft_provisional_send(struct draft *d, edge_id e, host_id src)
{
    if (cost_has_ends(d->s->problem.model))
        d->s->edges[e].send = book_end(d, src, DIR_SEND, origin_finish_s(d, e), longest_send(d, e, src));
}

/* Once the destination is known. The cut is remembered for rollbacks, which know bookings but not spans of the
   schedule. */
void draft_shorten_send(struct draft *d, edge_id e, host_id src, host_id dst)
{
    struct span *send = &d->s->edges[e].send;
    if (!cost_has_ends(d->s->problem.model))
        return;
    struct cost_end end = problem_end(&d->s->problem, e, src, dst, DIR_SEND);
    double finish_s = span_from(origin_finish_s(d, e), send->start_s, cost_end_busy_s(end)).finish_s;
    release_send(d, e, src, finish_s, end.port_s);
    if (d->is_marked) {
        MEM_GROW(d->cuts, d->n_cuts, d->cuts_capacity);
        d->cuts[d->n_cuts++] = (struct cut){e, send->finish_s};
    }
    send->finish_s = finish_s;
}

void draft_remove_send(struct draft *d, edge_id e, host_id src)
{
    if (cost_has_ends(d->s->problem.model))
        release_send(d, e, src, d->s->edges[e].send.start_s, 0);
}

/* ---- on links, and on the destination processor ---- */

void draft_links(struct draft *d, edge_id e, host_id src, host_id dst)
{
    const struct problem *p = &d->s->problem;
    size_t n;
    if (!p->model->books_links)
        return;
    const link_id *links = route_links(p->routes, src, dst, &n);
    struct span *spans = d->is_trying ? d->tried : schedule_add_link_spans(d->s, e, src, dst);
    if (p->model->is_aligned) {
        draft_align(d, e, src, dst, spans);
        return;
    }
    double departure_s = schedule_departure_s(d->s, e, src, dst);
    for (size_t k = 0; k < n; k++) {
        const struct link *l = &p->machine->links[links[k]];
        double duration_s = p->dag->edges[e].size_bytes / l->bandwidth_bytes_per_s;
        double latency_before_s = k > 0 ? p->machine->links[links[k - 1]].latency_s : 0;
        double release_s = schedule_hop_release_s(spans, k, departure_s, duration_s, latency_before_s);
        if (l->sharing == LINK_FATPIPE)
            spans[k] = (struct span){release_s, release_s + duration_s};
        else
            spans[k] = book(d, problem_link(p, links[k]), release_s, duration_s);
    }
}

double draft_recv(struct draft *d, edge_id e, host_id src, host_id dst)
{
    const struct problem *p = &d->s->problem;
    if (p->model->is_aligned)
        return d->s->edges[e].recv.finish_s;
    const struct span *spans = d->is_trying ? d->tried : d->s->links + d->s->edges[e].first_link;
    double last_byte_s = schedule_last_byte_s(d->s, e, src, dst, p->model->books_links ? spans : NULL);
    if (!cost_has_ends(p->model))
        return last_byte_s;
    struct cost_end end = problem_end(p, e, src, dst, DIR_RECV);
    d->s->edges[e].recv = book_end(d, dst, DIR_RECV, last_byte_s - end.involvement_s, end);
    return d->s->edges[e].recv.finish_s;
}
