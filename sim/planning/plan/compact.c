/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Gap elimination ([S] 8.3.1): the items form a graph of dependences, and each starts as soon as all items that it
   waits for allow.

   An item is a task or a booked step of a remote edge: send, one hop for each link, recv. It waits for the previous
   item on its processor or link (a send or receive also on its port, if the model has ports) and for its release. An
   item of length 0, or one that is lost in its dates (span.h), occupies nothing and waits for its release only.

   Large schedules have millions of items. Items are therefore small, and each is settled soon after the items that it
   waited for, while these are still in the cache. */
#include "plan/schedule.h"

#include "base/mem.h"

#include <math.h>
#include <stdlib.h>

enum { NOWHERE = -1 };

struct use { /* of a resource, from the item's start, or from before_s before it */
    double duration_s, before_s;
    int resource; /* as numbered in problem.h; NOWHERE: it occupies nothing */
    int next;     /* next use of the resource; -1: no more */
};

struct item {
    struct span *span;
    double hidden_from_s; /* -INFINITY unless the item is lost in the dates that compaction finds: it then stays without
                             length, and does not start before dates at which its length would show */
    double free_s;        /* when the previous items on its resources end */
    int n_waits;          /* how many items it still waits for */
    int rank; /* the order of items with equal dates: in topological order receives, their task, its sends */
};

struct compaction {
    struct schedule *s;
    bool has_ends;
    int *first_item; /* [edge]: the first of its steps: send, hops, recv; tasks are items 0 to n_tasks - 1 */
    int n_items, n_settled;
    struct item *items;
    int uses_each;    /* by an item: 1, or 2 where there are ports */
    struct use *uses; /* [uses_each * item]: of what the item is on, whose times are its span; then of its port */
    int *ready, n_ready;
};

static int n_links_of(const struct schedule *s, edge_id e)
{
    size_t n = 0;
    if (s->problem.model->books_links)
        schedule_route(s, e, &n);
    return (int)n;
}

/* A remote edge has none where the model books nothing for it: its destination then waits for the origin. */
static bool has_steps(const struct compaction *c, edge_id e)
{
    return c->first_item[e] < c->first_item[e + 1];
}

/* ---- items ---- */

static void add_item(struct compaction *c, int id, size_t resource, double duration_s, struct span *span, int rank)
{
    struct item *x = &c->items[id];
    bool is_lost = !span_occupies(*span, duration_s);
    /* span_occupies counts an item without length as lost if it is short beside its date. Before half of this date a
       reader would find it long enough, and miss its length. */
    double shown_s = 2 * duration_s / SPAN_LOST_RATIO;
    x->span = span;
    x->hidden_from_s = !is_lost ? -INFINITY : span->start_s < shown_s ? span->start_s : shown_s;
    x->rank = rank;
    if (!is_lost && c->s->problem.busy_until_s != NULL && resource < c->s->problem.machine->n_hosts)
        x->free_s = c->s->problem.busy_until_s[resource];
    c->uses[c->uses_each * id] = (struct use){duration_s, 0, is_lost ? NOWHERE : (int)resource, -1};
    if (c->uses_each > 1)
        c->uses[c->uses_each * id + 1] = (struct use){0, 0, NOWHERE, -1};
}

/* A port may be taken from before the send or receive: the use says from when, against the item's start. */
static void add_end(struct compaction *c, int id, host_id h, enum direction dir, struct cost_end end, struct span *span,
                    int rank)
{
    const struct problem *p = &c->s->problem;
    add_item(c, id, problem_processor(h), cost_end_busy_s(end), span, rank);
    if (p->model->books_ports && !span_is_lost_at(span->start_s, end.port_before_s + end.port_s))
        c->uses[c->uses_each * id + 1] = (struct use){end.port_s, end.port_before_s, (int)problem_port(p, h, dir), -1};
}

static void add_steps(struct compaction *c, edge_id e, const int *rank)
{
    const struct problem *p = &c->s->problem;
    const struct edge *edge = &p->dag->edges[e];
    struct planned_edge *x = &c->s->edges[e];
    host_id src = c->s->tasks[edge->src].host, dst = c->s->tasks[edge->dst].host;
    size_t n;
    int id = c->first_item[e];
    const link_id *links = schedule_route(c->s, e, &n);
    if (c->has_ends)
        add_end(c, id++, src, DIR_SEND, problem_end(p, e, src, dst, DIR_SEND), &x->send, rank[edge->src] + 1);
    for (size_t k = 0; p->model->books_links && k < n; k++) {
        const struct link *l = &p->machine->links[links[k]];
        add_item(c, id, problem_link(p, links[k]), edge->size_bytes / l->bandwidth_bytes_per_s,
                 &c->s->links[x->first_link + k], rank[edge->src]);
        if (l->sharing == LINK_FATPIPE)
            c->uses[c->uses_each * id].resource = NOWHERE;
        id++;
    }
    if (c->has_ends)
        add_end(c, id, dst, DIR_RECV, problem_end(p, e, src, dst, DIR_RECV), &x->recv, rank[edge->dst] - 1);
}

static void count_items(struct compaction *c)
{
    const struct dag *g = c->s->problem.dag;
    c->first_item = mem_alloc(((size_t)g->n_edges + 1) * sizeof *c->first_item);
    c->n_items = g->n_tasks;
    for (edge_id e = 0; e < g->n_edges; e++) {
        c->first_item[e] = c->n_items;
        if (c->s->edges[e].is_remote)
            c->n_items += n_links_of(c->s, e) + (c->has_ends ? 2 : 0);
    }
    c->first_item[g->n_edges] = c->n_items;
}

static void make_items(struct compaction *c)
{
    const struct dag *g = c->s->problem.dag;
    count_items(c);
    c->items = mem_zalloc((size_t)c->n_items, sizeof *c->items);
    c->uses = mem_alloc((size_t)c->uses_each * (size_t)c->n_items * sizeof *c->uses);
    int *rank = mem_alloc((size_t)g->n_tasks * sizeof *rank); /* of tasks */
    for (int k = 0; k < g->n_tasks; k++)
        /* room on either side for the task's receives and sends */
        rank[g->order[k]] = 3 * k + 1;
    for (task_id t = 0; t < g->n_tasks; t++)
        add_item(c, t, problem_processor(c->s->tasks[t].host),
                 problem_compute_s(&c->s->problem, t, c->s->tasks[t].host), &c->s->tasks[t].span, rank[t]);
    for (edge_id e = 0; e < g->n_edges; e++)
        if (has_steps(c, e))
            add_steps(c, e, rank);
    free(rank);
}

/* ---- what waits for what ---- */

struct place { /* of a use on its resource; the uses of one resource are sorted together */
    double start_s, finish_s;
    int rank, use;
};

static int by_place(const void *a, const void *b)
{
    const struct place *x = a, *y = b;
    if (x->start_s != y->start_s)
        return x->start_s < y->start_s ? -1 : 1;
    if (x->finish_s != y->finish_s)
        return x->finish_s < y->finish_s ? -1 : 1;
    if (x->rank != y->rank) /* the dates are too late to show the lengths */
        return x->rank < y->rank ? -1 : 1;
    return (x->use > y->use) - (x->use < y->use);
}

/* The uses of each resource, one resource after the other; `ends` has the end of each. A counting sort: each resource
   is then sorted by itself, in memory that stays in the cache. */
static int *group_by_resource(const struct compaction *c, size_t *ends, size_t n_resources)
{
    int n_uses = c->uses_each * c->n_items;
    int *uses = mem_alloc(((size_t)n_uses + 1) * sizeof *uses);
    size_t n = 0;
    for (int i = 0; i < n_uses; i++)
        if (c->uses[i].resource != NOWHERE)
            ends[c->uses[i].resource]++;
    for (size_t r = 0; r < n_resources; r++) { /* at first the beginning of each */
        size_t n_here = ends[r];
        ends[r] = n;
        n += n_here;
    }
    for (int i = 0; i < n_uses; i++)
        if (c->uses[i].resource != NOWHERE)
            uses[ends[c->uses[i].resource]++] = i;
    return uses;
}

/* When the use of an item that has its dates ends: the item itself, or its port. */
static double use_end_s(const struct compaction *c, int use)
{
    const struct span *span = c->items[use / c->uses_each].span;
    return use % c->uses_each == 0 ? span->finish_s : span->start_s + c->uses[use].duration_s;
}

/* Each use waits for the one before it: n - 1 dependences keep the whole order. */
static void order_resource(struct compaction *c, const int *uses, size_t n, struct place *places)
{
    for (size_t k = 0; k < n; k++) {
        const struct item *x = &c->items[uses[k] / c->uses_each];
        places[k] = (struct place){x->span->start_s, use_end_s(c, uses[k]), x->rank, uses[k]};
    }
    qsort(places, n, sizeof *places, by_place);
    for (size_t k = 0; k + 1 < n; k++) {
        c->uses[places[k].use].next = places[k + 1].use;
        c->items[places[k + 1].use / c->uses_each].n_waits++;
    }
}

static void order_resources(struct compaction *c)
{
    size_t n_resources = problem_n_resources(&c->s->problem), most = 0;
    size_t *ends = mem_zalloc(n_resources, sizeof *ends);
    int *uses = group_by_resource(c, ends, n_resources);
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
        c->items[t].n_waits += g->in_start[t + 1] - g->in_start[t];
    for (int i = g->n_tasks; i < c->n_items; i++)
        c->items[i].n_waits++; /* for the previous step, or the origin */
}

/* ---- earliest dates ---- */

static void drop_wait(struct compaction *c, int id)
{
    if (--c->items[id].n_waits == 0)
        c->ready[c->n_ready++] = id;
}

static double task_release_s(const struct compaction *c, task_id t)
{
    const struct dag *g = c->s->problem.dag;
    double ready_s = problem_release_s(&c->s->problem, t, c->s->tasks[t].host);
    for (int i = g->in_start[t]; i < g->in_start[t + 1]; i++)
        ready_s = later_s(ready_s, schedule_arrival_s(c->s, g->in[i]));
    return ready_s;
}

/* From dates that are settled: a step waits for the one before it, so the spans of earlier links are final. */
static double step_release_s(const struct compaction *c, edge_id e, int id)
{
    const struct problem *p = &c->s->problem;
    const struct edge *edge = &p->dag->edges[e];
    int hop = id - c->first_item[e] - (c->has_ends ? 1 : 0);
    if (hop < 0) /* the send */
        return c->s->tasks[edge->src].span.finish_s;
    host_id src = c->s->tasks[edge->src].host, dst = c->s->tasks[edge->dst].host;
    const struct span *spans = schedule_link_spans(c->s, e);
    if (c->has_ends && id == c->first_item[e + 1] - 1)
        return schedule_last_byte_s(c->s, e, src, dst, spans) - problem_end(p, e, src, dst, DIR_RECV).involvement_s;
    if (hop == 0)
        return schedule_departure_s(c->s, e, src, dst);
    size_t n;
    double latency_before_s = p->machine->links[route_links(p->routes, src, dst, &n)[hop - 1]].latency_s;
    return schedule_hop_release_s(spans, (size_t)hop, 0, c->uses[c->uses_each * id].duration_s, latency_before_s);
}

static void settle(struct compaction *c, int id, double release_s)
{
    const struct item *x = &c->items[id];
    bool is_lost = x->hidden_from_s > -INFINITY;
    double start_s = later_s(later_s(release_s, x->free_s), x->hidden_from_s);
    x->span->start_s = start_s;
    x->span->finish_s = is_lost ? start_s : span_finish_s(start_s, c->uses[c->uses_each * id].duration_s);
    c->n_settled++;
    for (int use = c->uses_each * id; use < c->uses_each * (id + 1); use++) {
        if (c->uses[use].next < 0)
            continue;
        /* a use is numbered by its item, hence the division */
        int next = c->uses[use].next / c->uses_each;
        double free_s = use_end_s(c, use) + c->uses[c->uses[use].next].before_s;
        c->items[next].free_s = later_s(c->items[next].free_s, free_s);
        drop_wait(c, next);
    }
}

static void settle_task(struct compaction *c, task_id t)
{
    const struct dag *g = c->s->problem.dag;
    settle(c, t, task_release_s(c, t));
    for (int i = g->out_start[t]; i < g->out_start[t + 1]; i++) {
        edge_id e = g->out[i];
        drop_wait(c, has_steps(c, e) ? c->first_item[e] : g->edges[e].dst);
    }
}

static void settle_step(struct compaction *c, edge_id e, int id)
{
    settle(c, id, step_release_s(c, e, id));
    drop_wait(c, id + 1 == c->first_item[e + 1] ? c->s->problem.dag->edges[e].dst : id + 1);
}

/* Last in, first out: what an item has just released is settled next, while it is in the cache. Any order gives the
   same dates, because each date depends only on items that are settled. */
static void settle_all(struct compaction *c, const edge_id *edge_of)
{
    int n_tasks = c->s->problem.dag->n_tasks;
    for (int i = 0; i < c->n_items; i++)
        if (c->items[i].n_waits == 0)
            c->ready[c->n_ready++] = i;
    while (c->n_ready > 0) {
        int id = c->ready[--c->n_ready];
        if (id < n_tasks)
            settle_task(c, id);
        else
            settle_step(c, edge_of[id - n_tasks], id);
    }
}

/* Items that are left wait for each other. The first such task is named; which steps form the cycle is not looked
   for. */
static enum err_code refuse(const struct compaction *c, struct err *e)
{
    const struct dag *g = c->s->problem.dag;
    task_id t = 0;
    while (t < g->n_tasks - 1 && c->items[t].n_waits == 0)
        t++;
    return err_set(e, ERR_INPUT, "the schedule's order cannot be kept: task '%s' (among others) waits for itself",
                   g->tasks[t].name);
}

enum err_code schedule_compact(struct schedule *s, struct err *e)
{
    const struct dag *g = s->problem.dag;
    const struct cost_model *model = s->problem.model;
    if (model->is_aligned) /* nothing that was booked is taken back, so there are no gaps to close */
        return ERR_NONE;
    struct compaction c = {.s = s, .has_ends = cost_has_ends(model), .uses_each = model->books_ports ? 2 : 1};
    make_items(&c);
    edge_id *edge_of = mem_alloc((size_t)(c.n_items - g->n_tasks) * sizeof *edge_of); /* [item - n_tasks] */
    c.ready = mem_alloc((size_t)c.n_items * sizeof *c.ready);
    for (edge_id edge = 0; edge < g->n_edges; edge++)
        for (int i = c.first_item[edge]; i < c.first_item[edge + 1]; i++)
            edge_of[i - g->n_tasks] = edge;
    order_resources(&c);
    count_waits(&c);
    settle_all(&c, edge_of);
    enum err_code code = c.n_settled == c.n_items ? ERR_NONE : refuse(&c, e);
    free(c.ready);
    free(edge_of);
    free(c.uses);
    free(c.items);
    free(c.first_item);
    return code;
}
