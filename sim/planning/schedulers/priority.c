/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Static lists. A priority alone need not respect the edges (top level plus bottom level does not), so a list is always
   made by taking free tasks, the one with the highest priority first. O((tasks + edges) log tasks). */
#include "schedulers/priority.h"

#include "base/choose.h"
#include "base/heap.h"
#include "base/mem.h"
#include "dag/levels.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Larger values come earlier. */
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
            /* latest start = longest path - bottom level, and the smallest comes first */
            out[t] -= longest_s;
    }
    free(top_s);
    free(edge_s);
    free(task_s);
}

/* Keys are negated because heaps give the smallest first; among equals the first task in the file. */
static void add_free(struct heap *free_tasks, task_id t, const double *value)
{
    heap_add(free_tasks, (struct heap_entry){.key = -choose_rounded(value[t]), .number = t});
}

task_id *priority_list_of(const struct dag *g, const double *value)
{
    size_t n = (size_t)g->n_tasks;
    task_id *out = mem_alloc(n * sizeof *out);
    int *n_open = mem_alloc(n * sizeof *n_open), n_out = 0;
    struct heap free_tasks = {0}; /* tasks whose predecessors are all listed */
    for (task_id t = 0; t < g->n_tasks; t++) {
        n_open[t] = g->in_start[t + 1] - g->in_start[t];
        if (n_open[t] == 0)
            add_free(&free_tasks, t, value);
    }
    while (free_tasks.n > 0) {
        task_id t = out[n_out++] = (task_id)heap_take(&free_tasks).number;
        for (int i = g->out_start[t]; i < g->out_start[t + 1]; i++)
            if (--n_open[g->edges[g->out[i]].dst] == 0)
                add_free(&free_tasks, g->edges[g->out[i]].dst, value);
    }
    assert(n_out == g->n_tasks);
    heap_clear(&free_tasks);
    free(n_open);
    return out;
}

task_id *priority_list(const struct problem *p, const char *priority)
{
    double *value = mem_alloc((size_t)p->dag->n_tasks * sizeof *value);
    compute(p, priority, value);
    task_id *out = priority_list_of(p->dag, value);
    free(value);
    return out;
}
