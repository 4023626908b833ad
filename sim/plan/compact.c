/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Gap elimination ([S] 8.3.1): what waits for what is a graph; everything starts as soon as all it waits for allows.

   An item is a task, or a step of a remote edge: send, one hop for each link, recv. It waits for the one before it on its
   processor or link (a send or receive also on its port, if the model has those), and for what its release is made of; what
   lasts no time, or is lost in its dates (span.h), occupies nothing, and waits for its release only. */
#include "plan/schedule.h"

#include "base/mem.h"

#include <math.h>
#include <stdlib.h>

struct use {         /* of a resource, from the item's start */
    size_t resource; /* problem.h numbers them */
    double duration_s;
};

enum { MOST_USES = 2 };

struct item {
    struct use uses[MOST_USES]; /* what it is on, then its port; the span is the first one's */
    int n_uses;
    struct span *span;
    bool is_lost;         /* in the dates that compaction finds: it stays without length, */
    double hidden_from_s; /* and does not go before dates that would show one */
    long rank; /* what comes first of what has one date: in topological order receives, their task, its sends */
};

struct compaction {
    struct schedule *s;
    int *first_item; /* [edge]: of its steps: send, hops, recv; tasks are items 0 to n_tasks - 1 */
    int n_items;
    struct item *items;
    int *next;      /* [use]: on its resource, the k-th of item i being MOST_USES * i + k; -1: none */
    int *n_waits;   /* [item]: for how many it still waits */
    double *free_s; /* [item]: when those before it on its resources end */
    int *ready, n_ready;
};

static int n_links_of(const struct schedule *s, edge_id e)
{
    size_t n = 0;
    if (schedule_link_spans(s, e) != NULL)
        schedule_route(s, e, &n);
    return (int)n;
}

static int recv_item(const struct compaction *c, edge_id e)
{
    return c->first_item[e + 1] - 1;
}

/* ---- items ---- */

static void add_step(struct compaction *c, int id, size_t resource, double duration_s, struct span *span, long rank)
{
    bool is_lost = !span_occupies(*span, duration_s);
    double hidden_from_s = fmin(span->start_s, 2 * duration_s / SPAN_LOST_RATIO);
    c->items[id] = (struct item){{{resource, duration_s}}, 1, span, is_lost, hidden_from_s, rank};
}

static void add_end(struct compaction *c, int id, host_id h, enum direction dir, struct cost_end end, struct span *span,
                    long rank)
{
    const struct problem *p = &c->s->problem;
    add_step(c, id, problem_processor(h), cost_end_busy_s(end), span, rank);
    if (p->model->books_ports)
        c->items[id].uses[c->items[id].n_uses++] = (struct use){problem_port(p, h, dir), end.port_s};
}

static void add_steps(struct compaction *c, edge_id e, const long *rank)
{
    const struct problem *p = &c->s->problem;
    const struct edge *edge = &p->dag->edges[e];
    struct planned_edge *x = &c->s->edges[e];
    host_id src = c->s->tasks[edge->src].host, dst = c->s->tasks[edge->dst].host;
    size_t n;
    int id = c->first_item[e];
    if (id == c->first_item[e + 1])
        return;
    const link_id *links = schedule_route(c->s, e, &n);
    add_end(c, id++, src, DIR_SEND, problem_end(p, e, src, dst, DIR_SEND), &x->send, rank[edge->src] + 1);
    for (size_t k = 0; k < (size_t)n_links_of(c->s, e); k++)
        add_step(c, id++, problem_link(p, links[k]),
                 edge->size_bytes / p->machine->links[links[k]].bandwidth_bytes_per_s, &schedule_link_spans(c->s, e)[k],
                 rank[edge->src]);
    add_end(c, id, dst, DIR_RECV, problem_end(p, e, src, dst, DIR_RECV), &x->recv, rank[edge->dst] - 1);
}

static void make_items(struct compaction *c)
{
    const struct dag *g = c->s->problem.dag;
    c->first_item = mem_alloc(((size_t)g->n_edges + 1) * sizeof *c->first_item);
    c->n_items = g->n_tasks;
    for (edge_id e = 0; e < g->n_edges; e++) {
        c->first_item[e] = c->n_items;
        if (c->s->edges[e].is_remote)
            c->n_items += n_links_of(c->s, e) + 2;
    }
    c->first_item[g->n_edges] = c->n_items;
    c->items = mem_zalloc((size_t)c->n_items, sizeof *c->items);
    long *rank = mem_alloc((size_t)g->n_tasks * sizeof *rank); /* of tasks */
    for (int k = 0; k < g->n_tasks; k++)
        rank[g->order[k]] = 3L * k + 1;
    for (task_id t = 0; t < g->n_tasks; t++)
        add_step(c, t, problem_processor(c->s->tasks[t].host),
                 problem_compute_s(&c->s->problem, t, c->s->tasks[t].host), &c->s->tasks[t].span, rank[t]);
    for (edge_id e = 0; e < g->n_edges; e++)
        add_steps(c, e, rank);
    free(rank);
}

/* ---- who waits for whom ---- */

struct place { /* of a use on its resource; all of one resource stand side by side while they are sorted */
    double start_s, finish_s;
    long rank;
    int use;
};

static int by_place(const void *a, const void *b)
{
    const struct place *x = a, *y = b;
    if (x->start_s != y->start_s)
        return x->start_s < y->start_s ? -1 : 1;
    if (x->finish_s != y->finish_s)
        return x->finish_s < y->finish_s ? -1 : 1;
    if (x->rank != y->rank) /* dates too late to show how long these take */
        return x->rank < y->rank ? -1 : 1;
    return (x->use > y->use) - (x->use < y->use);
}

/* Whether the k-th use of an item keeps its place on its resource. */
static bool is_exclusive(const struct compaction *c, const struct item *item, int k)
{
    const struct use *x = &item->uses[k];
    const struct machine *m = c->s->problem.machine;
    bool is_link = x->resource >= m->n_hosts && x->resource < m->n_hosts + m->n_links;
    bool is_fatpipe = is_link && m->links[x->resource - m->n_hosts].sharing == LINK_FATPIPE;
    if (k == 0)
        return !item->is_lost && !is_fatpipe;
    return item->span->start_s + x->duration_s > item->span->start_s;
}

/* The uses of each resource, one resource after the other; `ends` says where each stops. */
static int *group_by_resource(const struct compaction *c, size_t *ends, size_t n_resources)
{
    int *uses = mem_alloc((MOST_USES * (size_t)c->n_items + 1) * sizeof *uses);
    size_t n = 0;
    for (int i = 0; i < c->n_items; i++)
        for (int k = 0; k < c->items[i].n_uses; k++)
            ends[c->items[i].uses[k].resource] += is_exclusive(c, &c->items[i], k);
    for (size_t r = 0; r < n_resources; r++) { /* first where each begins */
        size_t n_here = ends[r];
        ends[r] = n;
        n += n_here;
    }
    for (int i = 0; i < c->n_items; i++)
        for (int k = 0; k < c->items[i].n_uses; k++)
            if (is_exclusive(c, &c->items[i], k))
                uses[ends[c->items[i].uses[k].resource]++] = MOST_USES * i + k;
    return uses;
}

static void order_resource(struct compaction *c, const int *uses, size_t n, struct place *places)
{
    for (size_t k = 0; k < n; k++) {
        const struct item *x = &c->items[uses[k] / MOST_USES];
        int which = uses[k] % MOST_USES;
        double finish_s = which == 0 ? x->span->finish_s : x->span->start_s + x->uses[which].duration_s;
        places[k] = (struct place){x->span->start_s, finish_s, x->rank, uses[k]};
    }
    qsort(places, n, sizeof *places, by_place);
    for (size_t k = 0; k + 1 < n; k++) {
        c->next[places[k].use] = places[k + 1].use;
        c->n_waits[places[k + 1].use / MOST_USES]++;
    }
}

static void order_resources(struct compaction *c)
{
    size_t n_resources = problem_n_resources(&c->s->problem), most = 0;
    size_t *ends = mem_zalloc(n_resources, sizeof *ends);
    int *uses = group_by_resource(c, ends, n_resources);
    for (int i = 0; i < MOST_USES * c->n_items; i++)
        c->next[i] = -1;
    for (size_t r = 0, begin = 0; r < n_resources; begin = ends[r++])
        most = ends[r] - begin > most ? ends[r] - begin : most;
    struct place *places = mem_alloc((most + 1) * sizeof *places);
    for (size_t r = 0, begin = 0; r < n_resources; begin = ends[r++])
        order_resource(c, uses + begin, ends[r] - begin, places);
    free(places);
    free(uses);
    free(ends);
}

static void count_waits(struct compaction *c)
{
    const struct dag *g = c->s->problem.dag;
    for (task_id t = 0; t < g->n_tasks; t++)
        c->n_waits[t] += g->in_start[t + 1] - g->in_start[t];
    for (edge_id e = 0; e < g->n_edges; e++)
        for (int i = c->first_item[e]; i < c->first_item[e + 1]; i++)
            c->n_waits[i]++; /* for the step before, or the origin */
}

/* ---- the earliest time of each ---- */

static void told(struct compaction *c, int id)
{
    if (--c->n_waits[id] == 0)
        c->ready[c->n_ready++] = id;
}

static double task_release_s(const struct compaction *c, task_id t)
{
    const struct dag *g = c->s->problem.dag;
    double ready_s = 0;
    for (int i = g->in_start[t]; i < g->in_start[t + 1]; i++)
        ready_s = later_s(ready_s, schedule_arrival_s(c->s, g->in[i]));
    return ready_s;
}

static double step_release_s(const struct compaction *c, edge_id e, int id)
{
    const struct problem *p = &c->s->problem;
    const struct edge *edge = &p->dag->edges[e];
    host_id src = c->s->tasks[edge->src].host, dst = c->s->tasks[edge->dst].host;
    const struct span *spans = schedule_link_spans(c->s, e);
    size_t n;
    const link_id *links = route_links(p->routes, src, dst, &n);
    if (id == c->first_item[e])
        return c->s->tasks[edge->src].span.finish_s;
    if (id == recv_item(c, e))
        return schedule_last_byte_s(c->s, e, src, dst, spans) - problem_end(p, e, src, dst, DIR_RECV).involvement_s;
    size_t k = (size_t)(id - c->first_item[e] - 1);
    double latency_before_s = k > 0 ? p->machine->links[links[k - 1]].latency_s : 0;
    return schedule_hop_release_s(spans, k, schedule_departure_s(c->s, e, src, dst), c->items[id].uses[0].duration_s,
                                  latency_before_s);
}

static void settle(struct compaction *c, int id, double release_s)
{
    struct item *x = &c->items[id];
    x->span->start_s = later_s(release_s, c->free_s[id]);
    if (x->is_lost)
        x->span->start_s = later_s(x->span->start_s, x->hidden_from_s);
    x->span->finish_s = x->is_lost ? x->span->start_s : span_finish_s(x->span->start_s, x->uses[0].duration_s);
    for (int k = 0; k < x->n_uses; k++) {
        int next = c->next[MOST_USES * id + k] / MOST_USES;
        if (c->next[MOST_USES * id + k] < 0)
            continue;
        double end_s = k == 0 ? x->span->finish_s : x->span->start_s + x->uses[k].duration_s;
        c->free_s[next] = later_s(c->free_s[next], end_s);
        told(c, next);
    }
}

static void settle_task(struct compaction *c, task_id t)
{
    const struct dag *g = c->s->problem.dag;
    settle(c, t, task_release_s(c, t));
    for (int i = g->out_start[t]; i < g->out_start[t + 1]; i++) {
        edge_id e = g->out[i];
        told(c, c->s->edges[e].is_remote ? c->first_item[e] : g->edges[e].dst);
    }
}

static void settle_step(struct compaction *c, edge_id e, int id)
{
    settle(c, id, step_release_s(c, e, id));
    told(c, id == recv_item(c, e) ? c->s->problem.dag->edges[e].dst : id + 1);
}

static void settle_all(struct compaction *c, const edge_id *edge_of)
{
    int n_tasks = c->s->problem.dag->n_tasks;
    for (int i = 0; i < c->n_items; i++)
        if (c->n_waits[i] == 0)
            c->ready[c->n_ready++] = i;
    for (int k = 0; k < c->n_ready; k++) {
        int id = c->ready[k];
        if (id < n_tasks)
            settle_task(c, id);
        else
            settle_step(c, edge_of[id - n_tasks], id);
    }
}

static enum err_code refuse(const struct compaction *c, struct err *e)
{
    const struct dag *g = c->s->problem.dag;
    task_id t = 0;
    while (t < g->n_tasks - 1 && c->n_waits[t] == 0)
        t++;
    return err_set(e, ERR_INPUT, "the schedule's order cannot be kept: task '%s', among others, waits for itself",
                   g->tasks[t].name);
}

enum err_code schedule_compact(struct schedule *s, struct err *e)
{
    const struct dag *g = s->problem.dag;
    struct compaction c = {.s = s};
    make_items(&c);
    size_t n = (size_t)c.n_items;
    edge_id *edge_of = mem_alloc((n + 1) * sizeof *edge_of); /* [item - n_tasks] */
    c.next = mem_alloc(MOST_USES * n * sizeof *c.next);
    c.n_waits = mem_zalloc(n, sizeof *c.n_waits);
    c.free_s = mem_zalloc(n, sizeof *c.free_s);
    c.ready = mem_alloc(n * sizeof *c.ready);
    for (edge_id edge = 0; edge < g->n_edges; edge++)
        for (int i = c.first_item[edge]; i < c.first_item[edge + 1]; i++)
            edge_of[i - g->n_tasks] = edge;
    order_resources(&c);
    count_waits(&c);
    settle_all(&c, edge_of);
    enum err_code code = c.n_ready == c.n_items ? ERR_NONE : refuse(&c, e);
    free(c.ready);
    free(c.free_s);
    free(c.n_waits);
    free(c.next);
    free(edge_of);
    free(c.items);
    free(c.first_item);
    return code;
}
