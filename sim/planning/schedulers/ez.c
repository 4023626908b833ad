/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* EZ, edge zeroing [Sarkar 1989]: edges by falling mean cost; the clusters of its tasks are merged if that does not
   make the schedule longer and some host may run them all. That schedule has a host for each cluster, which runs its
   tasks in the order of falling bottom levels; edges within a cluster are free, others take their mean cost.

   Time: tasks and edges, for each edge: quadratic. */
#include "base/mem.h"
#include "dag/levels.h"
#include "schedulers/clustering.h"
#include "schedulers/priority.h"

#include <stdlib.h>
#include <string.h>

struct dates {
    const struct clustering *c;
    task_id *list;
    double *finish_s; /* [task] */
    double *free_s;   /* [cluster] */
};

/* The length of the schedule if clusters `a` and `b` were one. If it exceeds `enough_s`, it may be any length above. */
static double merged_length_s(struct dates *d, int a, int b, double enough_s)
{
    const struct dag *g = d->c->problem->dag;
    double length_s = 0;
    memset(d->free_s, 0, (size_t)g->n_tasks * sizeof *d->free_s);
    for (int k = 0; k < g->n_tasks && length_s <= enough_s; k++) {
        task_id t = d->list[k];
        int here = d->c->of[t] == b ? a : d->c->of[t];
        double start_s = d->free_s[here];
        for (int i = g->in_start[t]; i < g->in_start[t + 1]; i++) {
            task_id src = g->edges[g->in[i]].src;
            int there = d->c->of[src] == b ? a : d->c->of[src];
            start_s = fmax(start_s, d->finish_s[src] + (there == here ? 0 : d->c->edge_s[g->in[i]]));
        }
        d->finish_s[t] = d->free_s[here] = start_s + d->c->task_s[t];
        length_s = fmax(length_s, choose_rounded(d->finish_s[t]));
    }
    return length_s;
}

struct costly_edge {
    double cost_s; /* rounded as in base/choose.h */
    edge_id edge;
};

static int by_falling_cost(const void *a, const void *b)
{
    const struct costly_edge *x = a, *y = b;
    return x->cost_s != y->cost_s ? (x->cost_s < y->cost_s) - (x->cost_s > y->cost_s)
                                  : (x->edge > y->edge) - (x->edge < y->edge);
}

static struct costly_edge *sort_edges(const struct clustering *c)
{
    int n = c->problem->dag->n_edges;
    struct costly_edge *out = mem_alloc(((size_t)n + 1) * sizeof *out);
    for (edge_id e = 0; e < n; e++)
        out[e] = (struct costly_edge){choose_rounded(c->edge_s[e]), e};
    qsort(out, (size_t)n, sizeof *out, by_falling_cost);
    return out;
}

static void merge(struct clustering *c, int a, int b)
{
    for (task_id t = 0; t < c->problem->dag->n_tasks; t++)
        if (c->of[t] == b)
            clustering_move(c, t, a);
}

void cluster_ez(struct clustering *c)
{
    const struct dag *g = c->problem->dag;
    size_t n = (size_t)g->n_tasks;
    double *level_s = mem_alloc(n * sizeof *level_s);
    dag_bottom_levels(g, c->task_s, c->edge_s, level_s);
    struct dates d = {c, priority_list_of(g, level_s), mem_alloc(n * sizeof *d.finish_s),
                      mem_alloc(n * sizeof *d.free_s)};
    struct costly_edge *edges = sort_edges(c);
    double length_s = merged_length_s(&d, 0, 0, INFINITY);
    for (int k = 0; k < g->n_edges; k++) {
        int a = c->of[g->edges[edges[k].edge].src], b = c->of[g->edges[edges[k].edge].dst];
        if (a == b || !clustering_may_share(c, a, b))
            continue;
        double merged_s = merged_length_s(&d, a, b, length_s);
        if (merged_s <= length_s) {
            length_s = merged_s;
            merge(c, a, b);
        }
    }
    free(edges);
    free(d.free_s);
    free(d.finish_s);
    free(d.list);
    free(level_s);
}

CLUSTERING_SCHEDULER(ez,
                     "EZ: the costliest edges become local if that costs no time (edge zeroing), as in "
                     "two_phase[cluster=ez]; quadratic in the tasks",
                     "Sarkar, MIT Press, 1989");
