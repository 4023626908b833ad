/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "schedulers/priority.h"

#include "base/mem.h"
#include "dag/levels.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Larger is earlier. */
static void compute(const struct problem *p, const char *priority, double *out)
{
    const struct dag *g = p->dag;
    size_t n = (size_t)g->n_tasks;
    double *task_s = mem_alloc(n * sizeof *task_s), *edge_s = mem_alloc(((size_t)g->n_edges + 1) * sizeof *edge_s);
    double *top_s = mem_alloc(n * sizeof *top_s), longest_s = 0;
    problem_mean_costs(p, task_s, edge_s);
    bool computation_only = strcmp(priority, "computation_bottom_level") == 0;
    dag_bottom_levels(g, task_s, computation_only ? NULL : edge_s, out);
    dag_top_levels(g, task_s, edge_s, top_s);
    for (size_t t = 0; t < n; t++)
        longest_s = fmax(longest_s, out[t]);
    for (size_t t = 0; t < n; t++) {
        if (strcmp(priority, "top_level") == 0)
            out[t] = -top_s[t];
        else if (strcmp(priority, "t_plus_b_level") == 0)
            out[t] += top_s[t];
        else if (strcmp(priority, "alap") == 0)
            out[t] -= longest_s;
    }
    free(top_s);
    free(edge_s);
    free(task_s);
}

/* A heap of the tasks whose predecessors are all listed. */
struct heap {
    const double *priority;
    task_id *list;
    int n;
};

static bool is_before(const struct heap *h, task_id a, task_id b)
{
    return h->priority[a] > h->priority[b] || (h->priority[a] == h->priority[b] && a < b);
}

static void push(struct heap *h, task_id t)
{
    int i = h->n++;
    for (; i > 0 && is_before(h, t, h->list[(i - 1) / 2]); i = (i - 1) / 2)
        h->list[i] = h->list[(i - 1) / 2];
    h->list[i] = t;
}

static task_id pop(struct heap *h)
{
    task_id first = h->list[0], last = h->list[--h->n];
    int i = 0;
    for (int child; (child = 2 * i + 1) < h->n; i = child) {
        if (child + 1 < h->n && is_before(h, h->list[child + 1], h->list[child]))
            child++;
        if (!is_before(h, h->list[child], last))
            break;
        h->list[i] = h->list[child];
    }
    h->list[i] = last;
    return first;
}

task_id *priority_list(const struct problem *p, const char *priority)
{
    const struct dag *g = p->dag;
    size_t n = (size_t)g->n_tasks;
    double *value = mem_alloc(n * sizeof *value);
    task_id *out = mem_alloc(n * sizeof *out);
    int *n_open = mem_alloc(n * sizeof *n_open), n_out = 0;
    struct heap heap = {value, mem_alloc(n * sizeof *heap.list), 0};
    compute(p, priority, value);
    for (task_id t = 0; t < g->n_tasks; t++) {
        n_open[t] = g->in_start[t + 1] - g->in_start[t];
        if (n_open[t] == 0)
            push(&heap, t);
    }
    while (heap.n > 0) {
        task_id t = out[n_out++] = pop(&heap);
        for (int i = g->out_start[t]; i < g->out_start[t + 1]; i++)
            if (--n_open[g->edges[g->out[i]].dst] == 0)
                push(&heap, g->edges[g->out[i]].dst);
    }
    assert(n_out == g->n_tasks);
    free(heap.list);
    free(n_open);
    free(value);
    return out;
}
