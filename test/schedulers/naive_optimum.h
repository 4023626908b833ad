/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The length of a shortest schedule, by trying everything: all hosts of all tasks and, for each, all sequences in which
   tasks, sends, hops and receives can follow one another. In a sequence each item starts as early as the items before
   it allow. Every order on all processors and links has such a sequence. Of sequences that differ only in the order of
   neighbours that have nothing to do with each other, one is enough. Written from doc/model.md, Beliefs; shares nothing
   with sim but the graph and the machine. */
#ifndef IASIM_TEST_SCHEDULERS_NAIVE_OPTIMUM_H
#define IASIM_TEST_SCHEDULERS_NAIVE_OPTIMUM_H

#include "both.h"
#include "naive_steps.h"

#include <float.h>

enum { OPTIMUM_ITEMS = 256, OPTIMUM_RESOURCES = 32, OPTIMUM_WAITS = 16 };

struct optimum_item {
    double length_s;
    int resource; /* -1: none */
    int n_waits;
    struct {
        int item;
        double lag_s; /* after its start */
    } waits[OPTIMUM_WAITS];
    bool is_task;
};

struct optimum {
    const struct setting *s;
    enum naive_model model;
    int host[NAIVE_TASKS];
    struct optimum_item items[OPTIMUM_ITEMS];
    int n_items;
    double start_s[OPTIMUM_ITEMS], free_s[OPTIMUM_RESOURCES];
    bool is_done[OPTIMUM_ITEMS];
    double best_s;
    long n_steps_left; /* below 0: given up */
};

static inline double optimum_task_s(const struct optimum *o, int t, int h)
{
    const struct setting *s = o->s;
    return s->costs.compute_s != NULL ? s->costs.compute_s[(size_t)t * s->machine.n_hosts + (size_t)h]
                                      : s->dag.tasks[t].work_flop / s->machine.hosts[h].speed_flop_per_s;
}

static inline int optimum_item(struct optimum *o, double length_s, int resource, int after, double lag_s)
{
    o->items[o->n_items] = (struct optimum_item){
        .length_s = length_s, .resource = length_s > 0 ? resource : -1, .n_waits = 1, .waits = {{after, lag_s}}};
    return o->n_items++;
}

/* Makes the items of a remote edge; returns the last one, and how long after its start the data are there. */
static inline int optimum_edge(struct optimum *o, int e, double *lag_s)
{
    const struct edge *edge = &o->s->dag.edges[e];
    const struct machine *m = &o->s->machine;
    int g = o->host[edge->src], h = o->host[edge->dst], last = edge->src;
    double o_s = 0, o_r = 0, i_s = 0, i_r = 0, slowest_s = 0, latency_s = 0;
    struct route route;
    machine_route(m, g, h, &route, NULL);
    for (size_t k = 0; k < route.n_links; k++) {
        slowest_s = fmax(slowest_s, edge->size_bytes / m->links[route.links[k]].bandwidth_bytes_per_s);
        latency_s += m->links[route.links[k]].latency_s;
    }
    *lag_s = o->items[edge->src].length_s;
    if (o->model == NAIVE_INVOLVEMENT) {
        int first = route.links[0], end = route.links[route.n_links - 1];
        i_s = naive_involvement_s(m, g, DIR_SEND, first, edge->size_bytes);
        i_r = naive_involvement_s(m, h, DIR_RECV, end, edge->size_bytes);
        o_s = naive_overhead_s(m, g, DIR_SEND, first, edge->size_bytes);
        o_r = naive_overhead_s(m, h, DIR_RECV, end, edge->size_bytes);
        last = optimum_item(o, o_s + i_s, g, last, *lag_s);
        *lag_s = o_s;
    }
    if (o->model == NAIVE_CLASSIC) {
        *lag_s += slowest_s + latency_s;
    } else {
        double before_s = 0;
        for (size_t k = 0; k < route.n_links; k++) {
            const struct link *l = &m->links[route.links[k]];
            double link_s = edge->size_bytes / l->bandwidth_bytes_per_s;
            double cut_through_s = k > 0 ? fmax(0, before_s - link_s) : 0;
            int resource = l->sharing == LINK_FATPIPE ? -1 : (int)m->n_hosts + route.links[k];
            last = optimum_item(o, link_s, resource, last, *lag_s + cut_through_s);
            before_s = link_s;
            *lag_s = l->latency_s;
        }
        *lag_s += before_s;
    }
    if (o->model == NAIVE_INVOLVEMENT) {
        last = optimum_item(o, i_r + o_r, h, last, *lag_s - i_r);
        *lag_s = i_r + o_r;
    }
    free(route.links);
    return last;
}

static inline void optimum_make_items(struct optimum *o)
{
    const struct dag *g = &o->s->dag;
    o->n_items = g->n_tasks;
    for (int t = 0; t < g->n_tasks; t++) {
        double length_s = optimum_task_s(o, t, o->host[t]);
        o->items[t] =
            (struct optimum_item){.length_s = length_s, .resource = length_s > 0 ? o->host[t] : -1, .is_task = true};
    }
    for (int e = 0; e < g->n_edges; e++) {
        int src = g->edges[e].src, dst = g->edges[e].dst, last = src;
        double lag_s = o->items[src].length_s;
        if (o->host[src] != o->host[dst])
            last = optimum_edge(o, e, &lag_s);
        o->items[dst].waits[o->items[dst].n_waits].item = last;
        o->items[dst].waits[o->items[dst].n_waits++].lag_s = lag_s;
    }
}

/* Whether `b` could as well come before `a`, which directly precedes it. */
static inline bool optimum_is_free(const struct optimum *o, int a, int b)
{
    for (int i = 0; i < o->items[b].n_waits; i++)
        if (o->items[b].waits[i].item == a)
            return false;
    return o->items[a].resource < 0 || o->items[a].resource != o->items[b].resource;
}

static inline void optimum_go_on(struct optimum *o, int n_done, int last, double length_s)
{
    if (n_done == o->n_items)
        o->best_s = fmin(o->best_s, length_s);
    for (int i = 0; i < o->n_items && o->n_steps_left > 0; i++) {
        const struct optimum_item *x = &o->items[i];
        double start_s = x->resource < 0 ? 0 : o->free_s[x->resource], before_s = start_s;
        bool is_possible = !o->is_done[i] && (last < 0 || i > last || !optimum_is_free(o, last, i));
        for (int k = 0; k < x->n_waits && is_possible; k++) {
            is_possible = o->is_done[x->waits[k].item];
            start_s = fmax(start_s, o->start_s[x->waits[k].item] + x->waits[k].lag_s);
        }
        double until_s = x->is_task ? fmax(length_s, start_s + x->length_s) : length_s;
        if (!is_possible || until_s >= o->best_s)
            continue;
        o->n_steps_left--;
        o->is_done[i] = true;
        o->start_s[i] = start_s;
        if (x->resource >= 0)
            o->free_s[x->resource] = start_s + x->length_s;
        optimum_go_on(o, n_done + 1, i, until_s);
        o->is_done[i] = false;
        if (x->resource >= 0)
            o->free_s[x->resource] = before_s;
    }
}

static inline void optimum_choose_host(struct optimum *o, int t)
{
    if (t == o->s->dag.n_tasks) {
        optimum_make_items(o);
        optimum_go_on(o, 0, -1, 0);
        return;
    }
    for (int h = 0; h < (int)o->s->machine.n_hosts; h++) {
        o->host[t] = h;
        if (isfinite(optimum_task_s(o, t, h)))
            optimum_choose_host(o, t + 1);
    }
}

/* NAN: more than n_steps. */
static inline double naive_optimum_s(const struct setting *s, enum naive_model model, long n_steps)
{
    static struct optimum o;
    o = (struct optimum){.s = s, .model = model, .best_s = DBL_MAX, .n_steps_left = n_steps};
    optimum_choose_host(&o, 0);
    return o.n_steps_left > 0 ? o.best_s : NAN;
}

#endif
