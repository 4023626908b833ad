/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "dag/generators/build.h"

#include "base/mem.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

task_id build_task(struct dag *g, double weight, const char *name_format, ...)
{
    char name[96];
    task_id id = -1;
    va_list args;
    va_start(args, name_format);
    int length = vsnprintf(name, sizeof name, name_format, args);
    va_end(args);
    /* Names come from formats of the generators with numbers, so they are unique and short; anything else is a
       mistake of the generator. */
    assert(length > 0 && length < (int)sizeof name);
    (void)length;
    enum err_code code = dag_add_task(g, name, weight, 0, &id, NULL);
    assert(code == ERR_NONE);
    (void)code;
    return id;
}

void build_edge(struct dag *g, task_id src, task_id dst, double weight)
{
    enum err_code code = dag_add_edge(g, src, dst, weight, 0, NULL);
    assert(code == ERR_NONE && src < dst); /* generators number each task after its predecessors */
    (void)code;
}

/* Uniform between 1 - spread and 1 + spread. One number is drawn even if spread is 0, so that a change of
   heterogeneity changes no later draw. */
static double spread_factor(struct random_stream *random, double spread)
{
    return 1 + spread * (2 * random_unit(random) - 1);
}

void build_costs(struct dag *g, const struct param_set *params, struct random_stream *random)
{
    double spread = param_number(params, "heterogeneity"), sum = 0;
    /* The mean of the weights before the spread becomes `mean`. The mean of the costs that were drawn differs from
       it a little, as that of any sample. */
    for (task_id t = 0; t < g->n_tasks; t++)
        sum += g->tasks[t].work_flop;
    double scale = g->n_tasks / sum, mean = param_number(params, "work_flop");
    for (task_id t = 0; t < g->n_tasks; t++)
        g->tasks[t].work_flop *= scale * spread_factor(random, spread) * mean;
    if (g->n_edges == 0)
        return;
    sum = 0;
    for (edge_id k = 0; k < g->n_edges; k++)
        sum += g->edges[k].size_bytes;
    scale = g->n_edges / sum;
    mean = param_number(params, "size_bytes");
    for (edge_id k = 0; k < g->n_edges; k++)
        g->edges[k].size_bytes *= scale * spread_factor(random, spread) * mean;
}

enum err_code build_check_size(const char *generator, double n_tasks, double n_edges, struct err *e)
{
    if (n_tasks > BUILD_MAX_TASKS)
        return err_set(e, ERR_INPUT, "generator %s: the graph would have about %.3g tasks; the limit is %d", generator,
                       n_tasks, BUILD_MAX_TASKS);
    if (n_edges > BUILD_MAX_EDGES)
        return err_set(e, ERR_INPUT, "generator %s: the graph would have about %.3g edges; the limit is %d", generator,
                       n_edges, BUILD_MAX_EDGES);
    return ERR_NONE;
}

static void choose_parents(int *parents, int n, int degree, struct random_stream *random)
{
    int *open = mem_alloc((size_t)n * sizeof open[0]); /* tasks that have room */
    int *n_children = mem_zalloc((size_t)n, sizeof n_children[0]);
    size_t n_open = 0;
    open[n_open++] = 0;
    for (int i = 1; i < n; i++) {
        size_t choice = (size_t)random_below(random, n_open);
        parents[i] = open[choice];
        /* Full: the last open one takes its place, in constant time. The order of `open` depends on earlier
           draws only. */
        if (++n_children[parents[i]] == degree)
            open[choice] = open[--n_open];
        open[n_open++] = i;
    }
    free(open);
    free(n_children);
}

int *build_tree(const struct param_set *ps, struct random_stream *random, struct dag *out)
{
    int n = (int)param_integer(ps, "tasks"), degree = (int)param_integer(ps, "degree");
    int *parents = mem_alloc((size_t)n * sizeof parents[0]);
    parents[0] = -1;
    if (strcmp(param_text(ps, "shape"), "random") == 0)
        choose_parents(parents, n, degree, random);
    else
        for (int i = 1; i < n; i++)
            /* Children of node p are degree p + 1 to degree p + degree, as in an array heap. */
            parents[i] = (i - 1) / degree;
    for (int i = 0; i < n; i++)
        build_task(out, 1, "task_%d", i);
    return parents;
}
