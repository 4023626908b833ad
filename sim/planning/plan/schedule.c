/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A schedule as data, and what follows from it for one edge: when its data leave, come and are ready. Drafts,
   compaction and replay ask these functions, so that they agree to the last bit; the validator does not. */
#include "plan/schedule.h"

#include "base/mem.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

void schedule_init(struct schedule *s, const struct problem *p)
{
    *s = (struct schedule){.problem = *p};
    s->tasks = mem_zalloc((size_t)p->dag->n_tasks, sizeof *s->tasks);
    s->edges = mem_zalloc((size_t)p->dag->n_edges + 1, sizeof *s->edges);
    for (task_id t = 0; t < p->dag->n_tasks; t++)
        s->tasks[t].host = -1;
}

void schedule_clear(struct schedule *s)
{
    free(s->scheduler);
    free(s->note);
    free(s->tasks);
    free(s->edges);
    free(s->links);
    *s = (struct schedule){0};
}

const link_id *schedule_route(const struct schedule *s, edge_id e, size_t *n)
{
    const struct edge *edge = &s->problem.dag->edges[e];
    host_id src = s->tasks[edge->src].host, dst = s->tasks[edge->dst].host;
    /* both tasks are placed */
    assert(src >= 0 && dst >= 0);
    return route_links(s->problem.routes, src, dst, n);
}

struct span *schedule_link_spans(const struct schedule *s, edge_id e)
{
    bool has_any = s->edges[e].is_remote && s->problem.model->books_links;
    return has_any ? s->links + s->edges[e].first_link : NULL;
}

/* Spans of all edges lie in one array. It may move when it grows: keep first_link, not the address. */
struct span *schedule_add_link_spans(struct schedule *s, edge_id e, host_id src, host_id dst)
{
    size_t n;
    route_links(s->problem.routes, src, dst, &n);
    s->edges[e].first_link = s->n_links;
    while (s->n_links + n > s->links_capacity) {
        s->links_capacity = s->links_capacity ? 2 * s->links_capacity : 64;
        s->links = mem_resize(s->links, s->links_capacity, sizeof *s->links);
    }
    s->n_links += n;
    return s->links + s->edges[e].first_link;
}

double schedule_length_s(const struct schedule *s)
{
    double length = 0;
    for (task_id t = 0; t < s->problem.dag->n_tasks; t++)
        length = fmax(length, s->tasks[t].span.finish_s);
    return length;
}

/* Without sends data leave when their task finishes; with them, after the overhead of the send ([S] (8.4)). */
double schedule_departure_s(const struct schedule *s, edge_id e, host_id src, host_id dst)
{
    if (!cost_has_ends(s->problem.model))
        return s->tasks[s->problem.dag->edges[e].src].span.finish_s;
    return s->edges[e].send.start_s + problem_end(&s->problem, e, src, dst, DIR_SEND).overhead_s;
}

/* In this order: what is booked on links; a formula of the model; the time without contention. */
double schedule_last_byte_s(const struct schedule *s, edge_id e, host_id src, host_id dst, const struct span *spans)
{
    const struct problem *p = &s->problem;
    const struct route_table *routes = p->routes;
    size_t n, pair = (size_t)src * p->machine->n_hosts + (size_t)dst;
    const link_id *links = route_links(routes, src, dst, &n);
    if (spans != NULL && n > 0)
        return spans[n - 1].finish_s + p->machine->links[links[n - 1]].latency_s;
    double departure_s = schedule_departure_s(s, e, src, dst), bytes = p->dag->edges[e].size_bytes;
    if (p->model->transit_s != NULL)
        return departure_s + p->model->transit_s(p->model, p->machine, src, dst, bytes);
    return departure_s + bytes / routes->slowest_bytes_per_s[pair] + routes->latency_s[pair];
}

/* A local edge costs nothing: its data are there when its origin finishes. */
double schedule_arrival_s(const struct schedule *s, edge_id e)
{
    const struct edge *edge = &s->problem.dag->edges[e];
    if (!s->edges[e].is_remote)
        return s->tasks[edge->src].span.finish_s;
    if (cost_has_ends(s->problem.model))
        return s->edges[e].recv.finish_s;
    return schedule_last_byte_s(s, e, s->tasks[edge->src].host, s->tasks[edge->dst].host, schedule_link_spans(s, e));
}
