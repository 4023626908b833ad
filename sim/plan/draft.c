/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "plan/draft.h"

#include "base/mem.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

struct draft {
    struct schedule *s;
    struct timelines *timelines; /* of all resources: problem.h numbers them */
    link_id *first_links;        /* by which data can leave host h: first_links[first_start[h]] ... */
    size_t *first_start;
    struct span *tried; /* of the edge at hand on its links, while marked */
    bool is_marked;
};

static void find_first_links(struct draft *d)
{
    const struct route_table *routes = d->s->problem.routes;
    host_id n_hosts = (host_id)d->s->problem.machine->n_hosts;
    size_t n_found = 0, capacity = 0, n, longest = 0;
    d->first_start = mem_zalloc((size_t)n_hosts + 1, sizeof *d->first_start);
    for (host_id src = 0; src < n_hosts; src++) {
        for (host_id dst = 0; dst < n_hosts; dst++) {
            const link_id *links = route_links(routes, src, dst, &n);
            longest = n > longest ? n : longest;
            size_t i = d->first_start[src];
            while (n > 0 && i < n_found && d->first_links[i] != links[0])
                i++;
            if (n == 0 || i < n_found)
                continue;
            MEM_GROW(d->first_links, n_found, capacity);
            d->first_links[n_found++] = links[0];
        }
        d->first_start[src + 1] = n_found;
    }
    d->tried = mem_zalloc(longest + 1, sizeof *d->tried);
}

struct draft *draft_create(struct schedule *s, enum technique technique)
{
    struct draft *d = mem_zalloc(1, sizeof *d);
    d->s = s;
    d->timelines = timelines_create(problem_n_resources(&s->problem), technique);
    find_first_links(d);
    return d;
}

void draft_free(struct draft *d)
{
    if (d == NULL)
        return;
    timelines_free(d->timelines);
    free(d->first_links);
    free(d->first_start);
    free(d->tried);
    free(d);
}

void draft_mark(struct draft *d)
{
    timelines_begin_try(d->timelines);
    d->is_marked = true;
}

void draft_rollback(struct draft *d)
{
    timelines_end_try(d->timelines);
    d->is_marked = false;
}

/* ---- tasks ---- */

double draft_fit_task(const struct draft *d, task_id t, host_id h, double ready_s)
{
    return timeline_fit(d->timelines, (size_t)h, ready_s, problem_compute_s(&d->s->problem, t, h));
}

static struct span book(struct draft *d, size_t resource, double release_s, double duration_s)
{
    double start_s = timeline_fit(d->timelines, resource, release_s, duration_s);
    timeline_book(d->timelines, resource, start_s, start_s + duration_s);
    return (struct span){start_s, start_s + duration_s};
}

void draft_task(struct draft *d, task_id t, host_id h, double ready_s)
{
    d->s->tasks[t].host = h;
    d->s->tasks[t].span = book(d, (size_t)h, ready_s, problem_compute_s(&d->s->problem, t, h));
}

bool draft_is_ready(const struct draft *d, task_id t)
{
    const struct dag *g = d->s->problem.dag;
    bool is_ready = d->s->tasks[t].host < 0;
    for (int i = g->in_start[t]; is_ready && i < g->in_start[t + 1]; i++)
        is_ready = d->s->tasks[g->edges[g->in[i]].src].host >= 0;
    return is_ready;
}

/* Before anything is booked: room that sends to other hosts were given, and that nobody needs on this one. */
static void remove_local_sends(struct draft *d, task_id t, host_id h)
{
    const struct dag *g = d->s->problem.dag;
    for (int i = g->in_start[t]; i < g->in_start[t + 1]; i++)
        if (d->s->tasks[g->edges[g->in[i]].src].host == h)
            draft_remove_send(d, g->in[i], h);
}

/* Books all edges that enter t; returns when their data are there. */
static double enter_all(struct draft *d, task_id t, host_id h)
{
    const struct dag *g = d->s->problem.dag;
    double ready_s = 0;
    for (int i = g->in_start[t]; i < g->in_start[t + 1]; i++) {
        edge_id e = g->in[i];
        const struct planned_task *origin = &d->s->tasks[g->edges[e].src];
        assert(origin->host >= 0); /* it has been placed */
        double arrival_s = origin->span.finish_s;
        if (origin->host != h) {
            if (!d->is_marked)
                draft_shorten_send(d, e, origin->host, h);
            draft_links(d, e, origin->host, h);
            arrival_s = draft_recv(d, e, origin->host, h);
        }
        if (!d->is_marked)
            d->s->edges[e].is_remote = origin->host != h;
        ready_s = fmax(ready_s, arrival_s);
    }
    return ready_s;
}

double draft_try(struct draft *d, task_id t, host_id h)
{
    draft_mark(d);
    remove_local_sends(d, t, h);
    double start_s = draft_fit_task(d, t, h, enter_all(d, t, h));
    draft_rollback(d);
    return start_s + problem_compute_s(&d->s->problem, t, h);
}

double draft_place(struct draft *d, task_id t, host_id h)
{
    const struct dag *g = d->s->problem.dag;
    assert(d->s->tasks[t].host < 0);
    remove_local_sends(d, t, h);
    draft_task(d, t, h, enter_all(d, t, h));
    for (int i = g->out_start[t]; i < g->out_start[t + 1]; i++)
        draft_provisional_send(d, g->out[i], h);
    return d->s->tasks[t].span.finish_s;
}

/* ---- edges at their hosts ---- */

/* The processor and, from the same date, the port of a host. */
static struct span book_end(struct draft *d, host_id h, enum direction dir, double release_s, struct cost_end end)
{
    const struct problem *p = &d->s->problem;
    double busy_s = cost_end_busy_s(end), start_s = timeline_fit(d->timelines, problem_processor(h), release_s, busy_s);
    if (p->model->books_ports) {
        size_t port = problem_port(p, h, dir);
        for (double at_s = -1; at_s != start_s;) { /* until it suits both */
            at_s = timeline_fit(d->timelines, port, start_s, end.port_s);
            start_s = timeline_fit(d->timelines, problem_processor(h), at_s, busy_s);
        }
        timeline_book(d->timelines, port, start_s, start_s + end.port_s);
    }
    timeline_book(d->timelines, problem_processor(h), start_s, start_s + busy_s);
    return (struct span){start_s, start_s + busy_s};
}

static double origin_finish_s(const struct draft *d, edge_id e)
{
    return d->s->tasks[d->s->problem.dag->edges[e].src].span.finish_s;
}

/* Of an edge whose destination is not known: the longest over all first links. */
static struct cost_end longest_send(const struct draft *d, edge_id e, host_id src)
{
    const struct problem *p = &d->s->problem;
    double bytes = p->dag->edges[e].size_bytes;
    struct cost_end longest = cost_end(p->model, p->machine, src, DIR_SEND, -1, bytes);
    for (size_t i = d->first_start[src]; i < d->first_start[src + 1]; i++) {
        struct cost_end end = cost_end(p->model, p->machine, src, DIR_SEND, d->first_links[i], bytes);
        longest.overhead_s = fmax(longest.overhead_s, end.overhead_s);
        longest.involvement_s = fmax(longest.involvement_s, end.involvement_s);
        longest.port_s = fmax(longest.port_s, end.port_s);
    }
    return longest;
}

/* Gives back what the provisional send of an edge has booked beyond `kept`. */
static void release_send(struct draft *d, edge_id e, host_id src, struct cost_end kept)
{
    const struct problem *p = &d->s->problem;
    const struct span *send = &d->s->edges[e].send;
    timeline_release(d->timelines, problem_processor(src), send->start_s + cost_end_busy_s(kept), send->finish_s);
    if (p->model->books_ports)
        timeline_release(d->timelines, problem_port(p, src, DIR_SEND), send->start_s + kept.port_s,
                         send->start_s + longest_send(d, e, src).port_s);
}

void draft_send(struct draft *d, edge_id e, host_id src, host_id dst)
{
    if (cost_has_ends(d->s->problem.model))
        d->s->edges[e].send =
            book_end(d, src, DIR_SEND, origin_finish_s(d, e), problem_end(&d->s->problem, e, src, dst, DIR_SEND));
}

void draft_provisional_send(struct draft *d, edge_id e, host_id src)
{
    if (cost_has_ends(d->s->problem.model))
        d->s->edges[e].send = book_end(d, src, DIR_SEND, origin_finish_s(d, e), longest_send(d, e, src));
}

void draft_shorten_send(struct draft *d, edge_id e, host_id src, host_id dst)
{
    struct span *send = &d->s->edges[e].send;
    if (!cost_has_ends(d->s->problem.model))
        return;
    struct cost_end end = problem_end(&d->s->problem, e, src, dst, DIR_SEND);
    release_send(d, e, src, end);
    send->finish_s = send->start_s + cost_end_busy_s(end);
}

void draft_remove_send(struct draft *d, edge_id e, host_id src)
{
    if (cost_has_ends(d->s->problem.model))
        release_send(d, e, src, (struct cost_end){0});
}

/* ---- on links, and on the destination processor ---- */

void draft_links(struct draft *d, edge_id e, host_id src, host_id dst)
{
    const struct problem *p = &d->s->problem;
    size_t n;
    if (!p->model->books_links)
        return;
    const link_id *links = route_links(p->routes, src, dst, &n);
    struct span *spans = d->is_marked ? d->tried : schedule_add_link_spans(d->s, e, src, dst);
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
    const struct span *spans = d->is_marked ? d->tried : d->s->links + d->s->edges[e].first_link;
    double last_byte_s = schedule_last_byte_s(d->s, e, src, dst, p->model->books_links ? spans : NULL);
    if (!cost_has_ends(p->model))
        return last_byte_s;
    struct cost_end end = problem_end(p, e, src, dst, DIR_RECV);
    d->s->edges[e].recv = book_end(d, dst, DIR_RECV, last_byte_s - end.involvement_s, end);
    return d->s->edges[e].recv.finish_s;
}
