/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The proof is in doc/model.md, Lower bounds. In short:

   An edge between the hosts g and h takes at least D(e, g, h) = o_s + the time under way + o_r from the finish of its
   origin to the start of its destination, and occupies both processors (nothing, if the model does not book these). By
   those times,

   paths       level[t, h] is the least time from 0 to the finish of t on h (`heads`), or from its start to the end of
               the schedule (`tails`): along one edge, and by all that the processor of h must do for the edges of t.
   splitting   If k hosts are used, edges between them are unavoidable (dag/split.h). They occupy processors together
               with all the work; and one of them is as long as the least path through it.

   Sums over hosts are avoided by taking the least D of all hosts at the other end. */
#include "plan/bounds.h"

#include "base/mem.h"
#include "dag/split.h"
#include "plan/span.h"

#include <stdlib.h>
#include <string.h>

struct host_ends { /* what can be at one end of routes; index: host */
    size_t *first_link;
    link_id *links;
    double *widest_bytes_per_s; /* of the slowest links of all routes to others */
    double *latency_s;          /* the least */
};

/* The least that an edge costs, by the host at one end, over all hosts at the other. */
struct edge_costs {
    double *busy_s;     /* [host]: occupation of its processor */
    double *overhead_s; /* [host] */
    double *transit_s;  /* [host]: under way */
    double *delay_s;    /* [host]: D */
    double least_busy_s, least_overhead_s;
};

struct bounds {
    const struct problem *p;
    size_t n_hosts;
    bool is_uniform; /* one pair of hosts stands for all */
    struct host_ends ends[N_DIRECTIONS];
    struct edge_costs edge[N_DIRECTIONS]; /* of the current edge */
    double *level_s[N_DIRECTIONS];        /* [task * n_hosts + host]: DIR_RECV: heads; DIR_SEND: tails; with the task */
    double *path_s, *done_s, *begin_s;    /* [host], for one task */
};

/* ---- what is known of hosts ---- */

static void find_ends(struct bounds *b, enum direction dir)
{
    const struct route_table *routes = b->p->routes;
    struct host_ends *x = &b->ends[dir];
    route_table_end_links(routes, dir, &x->first_link, &x->links);
    x->widest_bytes_per_s = mem_zalloc(b->n_hosts, sizeof(double));
    x->latency_s = mem_alloc(b->n_hosts * sizeof(double));
    for (size_t h = 0; h < b->n_hosts; h++) {
        x->latency_s[h] = INFINITY;
        /* the widest route and the least latency may belong to different hosts: the bound is then lower than it could
           be, and the time for an edge stays linear in hosts */
        for (size_t other = 0; other < b->n_hosts; other++) {
            size_t at = dir == DIR_SEND ? h * b->n_hosts + other : other * b->n_hosts + h;
            if (other == h)
                continue;
            x->widest_bytes_per_s[h] = later_s(x->widest_bytes_per_s[h], routes->slowest_bytes_per_s[at]);
            x->latency_s[h] = fmin(x->latency_s[h], routes->latency_s[at]);
        }
    }
}

static void begin(struct bounds *b, const struct problem *p)
{
    size_t n = p->machine->n_hosts, size = n * sizeof(double);
    *b = (struct bounds){.p = p, .n_hosts = n, .is_uniform = cost_is_uniform(p->model, p->machine)};
    b->path_s = mem_alloc(size);
    b->done_s = mem_alloc(size);
    b->begin_s = mem_alloc(size);
    for (int dir = 0; dir < N_DIRECTIONS; dir++) {
        struct edge_costs *x = &b->edge[dir];
        find_ends(b, (enum direction)dir);
        x->busy_s = mem_alloc(size);
        x->overhead_s = mem_alloc(size);
        x->transit_s = mem_alloc(size);
        x->delay_s = mem_alloc(size);
        b->level_s[dir] = mem_alloc((size_t)p->dag->n_tasks * size);
    }
}

static void end(struct bounds *b)
{
    for (int dir = 0; dir < N_DIRECTIONS; dir++) {
        free(b->ends[dir].first_link);
        free(b->ends[dir].links);
        free(b->ends[dir].widest_bytes_per_s);
        free(b->ends[dir].latency_s);
        free(b->edge[dir].busy_s);
        free(b->edge[dir].overhead_s);
        free(b->edge[dir].transit_s);
        free(b->edge[dir].delay_s);
        free(b->level_s[dir]);
    }
    free(b->path_s);
    free(b->done_s);
    free(b->begin_s);
}

/* ---- an edge ---- */

static void take_end(struct edge_costs *x, host_id h, struct cost_end end)
{
    x->busy_s[h] = earlier_s(x->busy_s[h], cost_end_busy_s(end));
    x->overhead_s[h] = earlier_s(x->overhead_s[h], end.overhead_s);
}

/* The machine's costs depend on the link at this end; those of a model with formulas may depend on both hosts. */
static void find_occupation(struct bounds *b, enum direction dir, edge_id e)
{
    const struct problem *p = b->p;
    const struct host_ends *ends = &b->ends[dir];
    struct edge_costs *x = &b->edge[dir];
    host_id n = (host_id)b->n_hosts;
    double bytes = p->dag->edges[e].size_bytes;
    x->least_busy_s = x->least_overhead_s = INFINITY;
    for (host_id h = 0; h < n; h++) {
        x->busy_s[h] = x->overhead_s[h] = INFINITY;
        for (size_t i = ends->first_link[h]; i < ends->first_link[h + 1] && p->model->end == NULL; i++)
            take_end(x, h, cost_end(p->model, p->machine, h, h, dir, ends->links[i], bytes));
        for (host_id other = 0; other < n && p->model->end != NULL; other++)
            if (b->is_uniform ? other == (h == 0) : other != h)
                take_end(x, h, dir == DIR_SEND ? problem_end(p, e, h, other, dir) : problem_end(p, e, other, h, dir));
        x->least_busy_s = earlier_s(x->least_busy_s, x->busy_s[h]);
        x->least_overhead_s = earlier_s(x->least_overhead_s, x->overhead_s[h]);
    }
}

/* The time from the end of the overhead to the last byte is never less than without contention, on however many links:
   the time on the slowest of them, and the latency. */
static void find_transit(struct bounds *b, double bytes)
{
    const struct cost_model *model = b->p->model;
    double *from_s = b->edge[DIR_SEND].transit_s, *into_s = b->edge[DIR_RECV].transit_s;
    bool has_formula = !model->books_links && model->transit_s != NULL;
    for (size_t h = 0; h < b->n_hosts && !has_formula; h++)
        for (int dir = 0; dir < N_DIRECTIONS; dir++)
            b->edge[dir].transit_s[h] = bytes / b->ends[dir].widest_bytes_per_s[h] + b->ends[dir].latency_s[h];
    for (size_t h = 0; h < b->n_hosts && has_formula; h++)
        from_s[h] = into_s[h] = INFINITY;
    for (host_id src = 0; src < (host_id)b->n_hosts && has_formula && b->is_uniform; src++)
        from_s[src] = into_s[src] = model->transit_s(model, b->p->machine, 0, 1, bytes);
    for (host_id src = 0; src < (host_id)b->n_hosts && has_formula && !b->is_uniform; src++)
        for (host_id dst = 0; dst < (host_id)b->n_hosts; dst++) {
            double transit_s = src != dst ? model->transit_s(model, b->p->machine, src, dst, bytes) : INFINITY;
            from_s[src] = fmin(from_s[src], transit_s);
            into_s[dst] = fmin(into_s[dst], transit_s);
        }
}

/* The overhead at the other end is the least of all hosts: who is there is not known. */
static void find_edge(struct bounds *b, edge_id e)
{
    double bytes = b->p->dag->edges[e].size_bytes;
    find_occupation(b, DIR_SEND, e);
    find_occupation(b, DIR_RECV, e);
    find_transit(b, bytes);
    for (int dir = 0; dir < N_DIRECTIONS; dir++)
        for (size_t h = 0; h < b->n_hosts; h++)
            b->edge[dir].delay_s[h] =
                later_s(0, b->edge[dir].overhead_s[h] + b->edge[dir].transit_s[h] + b->edge[!dir].least_overhead_s);
}

/* ---- paths ---- */

static double least(const double *a, const double *added, size_t n) /* `added` may be NULL */
{
    double x = INFINITY;
    for (size_t h = 0; h < n; h++)
        x = earlier_s(x, a[h] + (added != NULL ? added[h] : 0));
    return x;
}

/* One edge of a task, seen from all hosts on which the task may be: `dir` is DIR_RECV if the edge enters, `level_s`
   that of the task at the other end. That task may be on the same host, which then computes it, or on another one; then
   the host is occupied by the message. */
static void take_edge(struct bounds *b, enum direction dir, task_id other, const double *level_s)
{
    const struct edge_costs *here = &b->edge[dir], *there = &b->edge[!dir];
    double path_s = least(level_s, there->delay_s, b->n_hosts), level_least_s = least(level_s, NULL, b->n_hosts);
    /* two bounds of one date, with the delay as the other end sees it, or as this one does: the later holds */
    for (size_t h = 0; h < b->n_hosts; h++) {
        double remote_s = later_s(path_s, level_least_s + here->delay_s[h]);
        /* what is done for the edge on this processor cannot begin before 0 */
        double duration_s = earlier_s(here->busy_s[h], remote_s), begin_s = remote_s - duration_s;
        if (isfinite(level_s[h])) { /* it may be here */
            double compute_s = problem_compute_s(b->p, other, (host_id)h);
            remote_s = earlier_s(remote_s, level_s[h]);
            duration_s = earlier_s(duration_s, compute_s);
            begin_s = earlier_s(begin_s, level_s[h] - compute_s);
        }
        b->path_s[h] = later_s(b->path_s[h], remote_s);
        b->begin_s[h] = earlier_s(b->begin_s[h], begin_s);
        b->done_s[h] += duration_s;
    }
}

/* Two bounds of the start: the latest path, and the earliest begin of all that this processor must do first plus the
   sum of its durations. */
static void find_level(struct bounds *b, enum direction dir, task_id t)
{
    const struct dag *g = b->p->dag;
    const int *start = dir == DIR_RECV ? g->in_start : g->out_start;
    const edge_id *edges = dir == DIR_RECV ? g->in : g->out;
    bool has_any = start[t] < start[t + 1];
    for (size_t h = 0; h < b->n_hosts; h++) {
        b->path_s[h] = b->done_s[h] = 0;
        b->begin_s[h] = has_any ? INFINITY : 0;
    }
    for (int i = start[t]; i < start[t + 1]; i++) {
        const struct edge *edge = &g->edges[edges[i]];
        task_id other = dir == DIR_RECV ? edge->src : edge->dst;
        find_edge(b, edges[i]);
        take_edge(b, dir, other, b->level_s[dir] + (size_t)other * b->n_hosts);
    }
    for (size_t h = 0; h < b->n_hosts; h++)
        b->level_s[dir][(size_t)t * b->n_hosts + h] =
            later_s(b->path_s[h], b->begin_s[h] + b->done_s[h]) + problem_compute_s(b->p, t, (host_id)h);
}

static double find_paths(struct bounds *b)
{
    const struct dag *g = b->p->dag;
    double longest_s = 0;
    for (int k = 0; k < g->n_tasks; k++) {
        find_level(b, DIR_RECV, g->order[k]);
        /* tails are heads of the graph with all edges turned round */
        find_level(b, DIR_SEND, g->order[g->n_tasks - 1 - k]);
    }
    for (task_id t = 0; t < g->n_tasks; t++) {
        double through_s = INFINITY;
        for (host_id h = 0; h < (host_id)b->n_hosts; h++) {
            size_t at = (size_t)t * b->n_hosts + (size_t)h;
            if (problem_may_run(b->p, t, h))
                /* the task is in both levels, so it is taken out once */
                through_s = fmin(through_s,
                                 b->level_s[DIR_RECV][at] + (b->level_s[DIR_SEND][at] - problem_compute_s(b->p, t, h)));
        }
        longest_s = later_s(longest_s, through_s);
    }
    return longest_s;
}

/* ---- splitting ---- */

struct splitting {
    double *busy_s, *through_s;              /* [edge]: find_remote_costs */
    edge_id *falling_busy, *falling_through; /* edges by these */
    struct dag_parts parts;                  /* tasks that must be on one host */
    double *sum_s;                           /* [hosts used]: occupation by messages */
    double *part_s;                          /* [task * n_hosts + host]: of the part with this root, on this host */
    double *speed;                           /* of hosts, falling */
};

/* For each edge: how long it occupies both processors, and the least length of a schedule in which it is between
   hosts. */
static void find_remote_costs(struct bounds *b, struct splitting *x)
{
    const struct edge_costs *send = &b->edge[DIR_SEND], *recv = &b->edge[DIR_RECV];
    for (edge_id e = 0; e < b->p->dag->n_edges; e++) {
        const struct edge *edge = &b->p->dag->edges[e];
        const double *head_s = b->level_s[DIR_RECV] + (size_t)edge->src * b->n_hosts;
        const double *tail_s = b->level_s[DIR_SEND] + (size_t)edge->dst * b->n_hosts;
        find_edge(b, e);
        x->through_s[e] = later_s(least(head_s, send->delay_s, b->n_hosts) + least(tail_s, NULL, b->n_hosts),
                                  least(head_s, NULL, b->n_hosts) + least(tail_s, recv->delay_s, b->n_hosts));
        double delay_s = least(send->delay_s, NULL, b->n_hosts); /* a send may last longer, but not in the schedule */
        x->busy_s[e] = fmin(send->least_busy_s, delay_s) + recv->least_busy_s;
    }
}

static int by_falling_speed(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x < y) - (x > y);
}

static void begin_splitting(struct bounds *b, struct splitting *x)
{
    const struct problem *p = b->p;
    size_t n_tasks = (size_t)p->dag->n_tasks, edges_size = ((size_t)p->dag->n_edges + 1) * sizeof(double);
    *x = (struct splitting){.busy_s = mem_alloc(edges_size), .through_s = mem_alloc(edges_size)};
    x->sum_s = mem_alloc((n_tasks + 1) * sizeof *x->sum_s);
    x->part_s = mem_alloc(n_tasks * b->n_hosts * sizeof *x->part_s);
    x->speed = mem_alloc(b->n_hosts * sizeof *x->speed);
    for (size_t h = 0; h < b->n_hosts; h++)
        x->speed[h] = p->machine->hosts[h].speed_flop_per_s;
    qsort(x->speed, b->n_hosts, sizeof *x->speed, by_falling_speed);
    find_remote_costs(b, x);
    x->falling_busy = dag_edges_by_falling_cost(p->dag, x->busy_s);
    x->falling_through = dag_edges_by_falling_cost(p->dag, x->through_s);
}

static void end_splitting(struct splitting *x)
{
    dag_parts_clear(&x->parts);
    free(x->busy_s);
    free(x->through_s);
    free(x->falling_busy);
    free(x->falling_through);
    free(x->sum_s);
    free(x->part_s);
    free(x->speed);
}

/* The k fastest hosts do all the work, and are occupied by messages for busy_s. Each of them is given a weight: its
   speed, but at least that of number m (from 1). In weighted seconds the work is at least what it is in flop, the
   occupation at least busy_s times the speed of number m; the best m is taken. */
static double related_s(const double *speed, size_t k, double work_flop, double busy_s)
{
    double sum = 0, longest_s = 0;
    for (size_t m = 1; m <= k; m++) {
        sum += speed[m - 1];
        longest_s = later_s(longest_s, (work_flop + speed[m - 1] * busy_s) / (sum + (double)(k - m) * speed[m - 1]));
    }
    return longest_s;
}

/* The time of each part on the host where it is least: the longest, and their sum. */
static double find_longest_part(struct bounds *b, struct splitting *x, double *sum_s)
{
    size_t n_tasks = (size_t)b->p->dag->n_tasks;
    double longest_s = *sum_s = 0;
    memset(x->part_s, 0, n_tasks * b->n_hosts * sizeof *x->part_s);
    for (task_id t = 0; t < (task_id)n_tasks; t++) {
        double *part_s = x->part_s + (size_t)dag_parts_root(&x->parts, t) * b->n_hosts;
        for (host_id h = 0; h < (host_id)b->n_hosts; h++)
            part_s[h] += problem_compute_s(b->p, t, h);
    }
    for (size_t t = 0; t < n_tasks; t++) {
        double part_s = least(x->part_s + t * b->n_hosts, NULL, b->n_hosts); /* 0 where t is not a root */
        longest_s = later_s(longest_s, part_s);
        *sum_s += part_s;
    }
    return longest_s;
}

/* The least length if the n_local edges with the longest paths through them are local: of the longest part, and of the
   best number of hosts. */
static double bound_with_local(struct bounds *b, struct splitting *x, int n_local)
{
    const struct dag *g = b->p->dag;
    double alone_s, fewest_s = INFINITY, work_flop = dag_work_flop(g);
    dag_parts_begin(&x->parts, g->n_tasks);
    for (int i = 0; i < n_local; i++)
        dag_parts_join(&x->parts, g->edges[x->falling_through[i]].src, g->edges[x->falling_through[i]].dst);
    double longest_s = find_longest_part(b, x, &alone_s);
    dag_split_costs(g, x->busy_s, x->falling_busy, &x->parts, x->sum_s);
    /* with more hosts there is less work for each, but more edges between them: the best k is not known before */
    for (size_t k = 1; k <= b->n_hosts && k <= (size_t)x->parts.n; k++) {
        double k_s =
            b->p->costs == NULL ? related_s(x->speed, k, work_flop, x->sum_s[k]) : (alone_s + x->sum_s[k]) / (double)k;
        fewest_s = fmin(fewest_s, k_s);
    }
    return later_s(longest_s, fewest_s);
}

/* A schedule that is shorter than the path through an edge has this edge on one host. With the edges by falling paths,
   a schedule of a length from path i + 1 to path i is therefore no shorter than bound_with_local of i edges. That grows
   with i, paths fall: where they meet is the answer. */
static double find_split(struct bounds *b)
{
    struct splitting x;
    begin_splitting(b, &x);
    int low = 0, high = b->p->dag->n_edges;
    while (low < high) { /* the first i where the bound is not below path i + 1 */
        int middle = low + (high - low) / 2;
        if (bound_with_local(b, &x, middle) < x.through_s[x.falling_through[middle]])
            low = middle + 1;
        else
            high = middle;
    }
    /* the last of these edges may also be between hosts: then its path is the bound */
    double bound_s = bound_with_local(b, &x, low);
    if (low > 0)
        bound_s = fmin(bound_s, x.through_s[x.falling_through[low - 1]]);
    end_splitting(&x);
    return bound_s;
}

double problem_communication_bound_s(const struct problem *p)
{
    struct bounds b;
    /* no edge can be between hosts, so the bound is exact */
    if (p->machine->n_hosts == 1)
        return problem_sequential_s(p, NULL);
    begin(&b, p);
    double path_s = find_paths(&b), split_s = find_split(&b);
    end(&b);
    return later_s(path_s, split_s);
}
