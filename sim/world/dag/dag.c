/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Builds and seals a task graph. Sealing is what makes it usable: it lists the edges of each task, finds an order
   for all passes over the graph, and refuses what no scheduler can handle (cycles, two edges between the same
   tasks). A graph that has been sealed must not get further tasks or edges.

   The edges of a task are stored as ranges of one array (compressed rows), not as lists: a graph of ten million
   tasks needs a few large blocks, and a pass over them reads memory in order. */
#include "dag/dag.h"

#include "base/heap.h"
#include "base/mem.h"
#include "base/name_index.h"
#include "base/text.h"

#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

void dag_init(struct dag *g, const char *source)
{
    /* The index borrows the names of the tasks, which are allocated one by one and do not move when the array grows. */
    *g = (struct dag){.source = mem_strdup(source), .index = name_index_create()};
}

void dag_clear(struct dag *g)
{
    for (int i = 0; i < g->n_tasks; i++)
        free(g->tasks[i].name);
    free(g->source);
    free(g->tasks);
    free(g->edges);
    free(g->in);
    free(g->out);
    free(g->in_start);
    free(g->out_start);
    free(g->order);
    name_index_free(g->index);
    *g = (struct dag){0};
}

/* ---- building ---- */

static const char *what_is_wrong(double x)
{
    /* NaN first: it is neither negative nor infinite, and every comparison with it is false. */
    if (isnan(x))
        return "not a number";
    if (isinf(x))
        return "not finite";
    return x < 0 ? "negative" : NULL;
}

enum err_code dag_add_task(struct dag *g, const char *name, double work_flop, int line, task_id *id, struct err *e)
{
    if (name[0] == '\0')
        return err_set_at(e, ERR_INPUT, g->source, line, "a task with an empty name");
    if (what_is_wrong(work_flop) != NULL)
        return err_set_at(e, ERR_INPUT, g->source, line, "task '%s': its work, %g flop, is %s", name, work_flop,
                          what_is_wrong(work_flop));
    if (g->n_tasks == INT_MAX)
        return err_set_at(e, ERR_INPUT, g->source, line, "more than %d tasks", INT_MAX);
    /* The line of the first one is 0 for formats that leave lines out; dag_parse then reads the file again with
       lines. */
    task_id before = name_index_find(g->index, name);
    if (before >= 0)
        return err_set_at(e, ERR_INPUT, g->source, line, "duplicate task '%s'; the first is on line %d", name,
                          g->tasks[before].line);
    MEM_GROW(g->tasks, g->n_tasks, g->tasks_capacity);
    g->tasks[g->n_tasks] = (struct task){.name = mem_strdup(name), .work_flop = work_flop, .line = line};
    name_index_add(g->index, g->tasks[g->n_tasks].name, g->n_tasks);
    if (id != NULL)
        *id = g->n_tasks;
    g->n_tasks++;
    return ERR_NONE;
}

enum err_code dag_add_edge(struct dag *g, task_id src, task_id dst, double size_bytes, int line, struct err *e)
{
    const char *from = g->tasks[src].name, *to = g->tasks[dst].name;
    if (src == dst)
        return err_set_at(e, ERR_INPUT, g->source, line, "an edge from task '%s' to itself", from);
    if (what_is_wrong(size_bytes) != NULL)
        return err_set_at(e, ERR_INPUT, g->source, line, "edge %s -> %s: its size, %g bytes, is %s", from, to,
                          size_bytes, what_is_wrong(size_bytes));
    if (g->n_edges == INT_MAX)
        return err_set_at(e, ERR_INPUT, g->source, line, "more than %d edges", INT_MAX);
    MEM_GROW(g->edges, g->n_edges, g->edges_capacity);
    g->edges[g->n_edges++] = (struct edge){src, dst, size_bytes, line};
    return ERR_NONE;
}

task_id dag_task_id(const struct dag *g, const char *name)
{
    return name_index_find(g->index, name);
}

/* ---- sealing ---- */

/* Counting sort of the edges by one of their ends; edges of the same task keep their order. Linear, and stable
   because the second pass goes through the edges in their order. */
static void gather(const struct dag *g, bool by_src, int **start, edge_id **list)
{
    *start = mem_zalloc((size_t)g->n_tasks + 1, sizeof **start);
    *list = mem_zalloc((size_t)g->n_edges + 1, sizeof **list);
    for (edge_id i = 0; i < g->n_edges; i++)
        (*start)[by_src ? g->edges[i].src : g->edges[i].dst]++;
    for (int t = 0, sum = 0; t <= g->n_tasks; t++) {
        int n = (*start)[t];
        (*start)[t] = sum;
        sum += n;
    }
    /* Uses start[t] as the place for the next edge of t, so afterwards it is where t ends, which is where t + 1
       begins. The last loop moves the starts back. */
    for (edge_id i = 0; i < g->n_edges; i++)
        (*list)[(*start)[by_src ? g->edges[i].src : g->edges[i].dst]++] = i;
    for (int t = g->n_tasks; t > 0; t--)
        (*start)[t] = (*start)[t - 1];
    (*start)[0] = 0;
}

static enum err_code refuse_twins(const struct dag *g, struct err *e)
{
    edge_id *last = mem_alloc((size_t)g->n_tasks * sizeof *last); /* the last edge from the current task to each task */
    enum err_code code = ERR_NONE;
    for (task_id t = 0; t < g->n_tasks; t++)
        last[t] = -1;
    for (task_id t = 0; t < g->n_tasks && code == ERR_NONE; t++)
        for (int i = g->out_start[t]; i < g->out_start[t + 1] && code == ERR_NONE; i++) {
            /* `last` is not cleared between tasks: an edge counts only if its source is the current one. */
            const struct edge *edge = &g->edges[g->out[i]];
            edge_id before = last[edge->dst];
            if (before >= 0 && g->edges[before].src == t)
                code =
                    err_set_at(e, ERR_INPUT, g->source, edge->line, "duplicate edge %s -> %s; the first is on line %d",
                               g->tasks[t].name, g->tasks[edge->dst].name, g->edges[before].line);
            last[edge->dst] = g->out[i];
        }
    free(last);
    return code;
}

/* Each task that remains when all others are sorted has a predecessor that also remains, so walking back ends on a
   cycle. The message begins with the task of the cycle that is first in the file, so it does not depend on where the
   walk entered the cycle. */
static enum err_code refuse_cycle(const struct dag *g, const int *n_open, struct err *e)
{
    int *seen = mem_zalloc((size_t)g->n_tasks, sizeof *seen), n = 0;
    task_id *walk = mem_alloc(((size_t)g->n_tasks + 1) * sizeof *walk), at = 0;
    struct text names = {0};
    while (n_open[at] == 0)
        at++;
    for (; seen[at] == 0; n++) {
        /* Position in the walk, plus 1. The walk enters the cycle at the first task that it meets again; what came
           before leads to the cycle but is not on it. */
        seen[at] = n + 1;
        walk[n] = at;
        int i = g->in_start[at];
        while (n_open[g->edges[g->in[i]].src] == 0)
            i++;
        at = g->edges[g->in[i]].src;
    }
    int first = seen[at] - 1, top = n - 1; /* the cycle, backwards */
    for (int i = first; i < n; i++)
        if (walk[i] < walk[top])
            top = i;
    int length = n - first;
    /* The walk went against the edges, so it is read backwards from `top`. At most ten names: a cycle may have
       thousands. */
    for (int i = 0; i <= length && i <= 10; i++)
        text_addf(&names, "%s%s", i ? " -> " : "",
                  g->tasks[walk[first + (top - first + length - i % length) % length]].name);
    if (length > 10)
        text_addf(&names, " -> ... (%d tasks)", length);
    err_set_at(e, ERR_INPUT, g->source, g->tasks[walk[top]].line, "the tasks wait for each other in a cycle: %s",
               text_str(&names));
    text_clear(&names);
    free(walk);
    free(seen);
    return ERR_INPUT;
}

/* Of the tasks without unsorted predecessors, the first in the file comes next. */
static void add_ready(struct heap *ready, task_id t)
{
    heap_add(ready, (struct heap_entry){.number = t});
}

/* Kahn's algorithm with a heap instead of a queue: O((tasks + edges) log tasks) in the worst case, but the order is
   the same however the edges are listed in the file. */
static enum err_code sort(struct dag *g, struct err *e)
{
    int *n_open = mem_alloc(((size_t)g->n_tasks + 1) * sizeof *n_open); /* predecessors not sorted yet */
    struct heap ready = {0};
    int n = 0;
    g->order = mem_alloc((size_t)g->n_tasks * sizeof *g->order);
    for (task_id t = 0; t < g->n_tasks; t++) {
        n_open[t] = g->in_start[t + 1] - g->in_start[t];
        if (n_open[t] == 0)
            add_ready(&ready, t);
    }
    while (ready.n > 0) {
        task_id t = (task_id)heap_take(&ready).number;
        g->order[n++] = t;
        for (int i = g->out_start[t]; i < g->out_start[t + 1]; i++)
            if (--n_open[g->edges[g->out[i]].dst] == 0)
                add_ready(&ready, g->edges[g->out[i]].dst);
    }
    enum err_code code = n == g->n_tasks ? ERR_NONE : refuse_cycle(g, n_open, e);
    heap_clear(&ready);
    free(n_open);
    return code;
}

enum err_code dag_seal(struct dag *g, struct err *e)
{
    if (g->order != NULL)
        return ERR_NONE;
    if (g->n_tasks == 0)
        return err_set_at(e, ERR_INPUT, g->source, 0, "the graph has no tasks");
    /* Each cost may be finite and their sum not. Lengths of paths and makespans would then be infinite. */
    if (!isfinite(dag_work_flop(g)))
        return err_set_at(e, ERR_INPUT, g->source, 0, "the work of all tasks together is not a finite number of flop");
    if (!isfinite(dag_volume_bytes(g)))
        return err_set_at(e, ERR_INPUT, g->source, 0,
                          "the sizes of all edges together are not a finite number of bytes");
    gather(g, false, &g->in_start, &g->in);
    gather(g, true, &g->out_start, &g->out);
    enum err_code code = refuse_twins(g, e);
    return code == ERR_NONE ? sort(g, e) : code;
}

/* ---- sums ---- */

void dag_scale_edges(struct dag *g, double factor)
{
    for (edge_id i = 0; i < g->n_edges; i++)
        g->edges[i].size_bytes *= factor;
}

double dag_work_flop(const struct dag *g)
{
    double sum = 0;
    for (task_id t = 0; t < g->n_tasks; t++)
        sum += g->tasks[t].work_flop;
    return sum;
}

double dag_volume_bytes(const struct dag *g)
{
    double sum = 0;
    for (edge_id i = 0; i < g->n_edges; i++)
        sum += g->edges[i].size_bytes;
    return sum;
}
