/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Let n parts be divided into k groups, and F be a forest of r edges between parts. Without the edges between groups, F
   has at least k components, so at most n - k edges: at least r - (n - k) edges of F are between groups. They cost at
   least as much as the r - (n - k) cheapest of F. Forests without common edges may be added.

   The first forest is the costliest there is (Kruskal), the second the costliest of the edges that are left, and so on.
   Edges come by falling cost, so number i of a forest, counted from 1, is among its r - (n - k) cheapest for all k > n
   - i. */
#include "dag/split.h"

#include "base/mem.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* ---- edges by cost ---- */

struct ranked {
    double cost;
    edge_id edge;
};

static int by_falling_cost(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;
    return x->cost != y->cost ? (x->cost < y->cost) - (x->cost > y->cost) : (x->edge > y->edge) - (x->edge < y->edge);
}

edge_id *dag_edges_by_falling_cost(const struct dag *g, const double *edge_cost)
{
    size_t n = (size_t)g->n_edges;
    struct ranked *ranked = mem_alloc((n + 1) * sizeof *ranked);
    edge_id *edges = mem_alloc((n + 1) * sizeof *edges);
    for (size_t e = 0; e < n; e++)
        ranked[e] = (struct ranked){edge_cost[e], (edge_id)e};
    qsort(ranked, n, sizeof *ranked, by_falling_cost);
    for (size_t i = 0; i < n; i++)
        edges[i] = ranked[i].edge;
    free(ranked);
    return edges;
}

/* ---- parts ---- */

void dag_parts_begin(struct dag_parts *p, int n_tasks)
{
    if (p->parent == NULL)
        p->parent = mem_alloc((size_t)n_tasks * sizeof *p->parent);
    for (task_id t = 0; t < n_tasks; t++)
        p->parent[t] = t;
    p->n = n_tasks;
}

void dag_parts_clear(struct dag_parts *p)
{
    free(p->parent);
    *p = (struct dag_parts){0};
}

task_id dag_parts_root(struct dag_parts *p, task_id t)
{
    for (; p->parent[t] != t; t = p->parent[t])
        /* Halves the path on the way up: with it, look-ups take nearly constant time on average. */
        p->parent[t] = p->parent[p->parent[t]];
    return t;
}

void dag_parts_join(struct dag_parts *p, task_id a, task_id b)
{
    task_id root = dag_parts_root(p, a), other = dag_parts_root(p, b);
    p->n -= root != other;
    p->parent[root] = other;
}

/* ---- splitting ---- */

struct forests {
    struct dag_parts *list; /* of each: what it connects */
    size_t n, capacity;
    int n_tasks;
};

/* The first forest that does not connect two tasks yet; a new one at the end. What a forest connects, all before it
   connect, too. */
static struct dag_parts *find_forest(struct forests *f, task_id a, task_id b)
{
    /* Forests are nested: what the second connects, the first does, too. So a binary search finds the first forest
       in which the edge would close no cycle. */
    size_t low = 0, high = f->n;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (dag_parts_root(&f->list[middle], a) == dag_parts_root(&f->list[middle], b))
            low = middle + 1;
        else
            high = middle;
    }
    if (low == f->n) {
        MEM_GROW(f->list, f->n, f->capacity);
        f->list[f->n] = (struct dag_parts){0};
        dag_parts_begin(&f->list[f->n++], f->n_tasks);
    }
    return &f->list[low];
}

void dag_split_costs(const struct dag *g, const double *edge_cost, const edge_id *falling, struct dag_parts *parts,
                     double *sum)
{
    struct forests f = {.n_tasks = g->n_tasks};
    memset(sum, 0, ((size_t)g->n_tasks + 1) * sizeof *sum);
    for (int i = 0; i < g->n_edges; i++) {
        const struct edge *edge = &g->edges[falling[i]];
        task_id a = dag_parts_root(parts, edge->src), b = dag_parts_root(parts, edge->dst);
        /* Within a part an edge is never between two groups. */
        if (a == b)
            continue;
        struct dag_parts *forest = find_forest(&f, a, b);
        /* Joins made so far in this forest; the edge becomes number n_before + 1. It counts for all k > parts -
           (n_before + 1), that is from parts - n_before on, which is the index below. The sums over k follow at the
           end. */
        int n_before = g->n_tasks - forest->n;
        dag_parts_join(forest, a, b);
        sum[parts->n - n_before] += edge_cost[falling[i]];
    }
    for (int k = 1; k <= g->n_tasks; k++)
        sum[k] += sum[k - 1];
    for (size_t i = 0; i < f.n; i++)
        dag_parts_clear(&f.list[i]);
    free(f.list);
}
