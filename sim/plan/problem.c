/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "plan/problem.h"

#include "base/mem.h"
#include "dag/levels.h"

#include <math.h>
#include <stdlib.h>

double problem_compute_s(const struct problem *p, task_id t, host_id h)
{
    return p->dag->tasks[t].work_flop / p->machine->hosts[h].speed_flop_per_s;
}

double problem_overhead_s(const struct problem *p, host_id h, enum direction dir)
{
    return p->model->overhead_s != NULL ? p->model->overhead_s(p->machine, h, dir) : 0;
}

double problem_involvement_s(const struct problem *p, edge_id e, host_id src, host_id dst, enum direction dir)
{
    size_t n;
    const link_id *links = route_links(p->routes, src, dst, &n);
    if (p->model->involvement_s == NULL || n == 0)
        return 0;
    return p->model->involvement_s(p->machine, dir == DIR_SEND ? src : dst, dir,
                                   dir == DIR_SEND ? links[0] : links[n - 1], p->dag->edges[e].size_bytes);
}

/* ---- mean costs ---- */

static bool speeds_are_equal(const struct machine *m)
{
    for (size_t h = 1; h < m->n_hosts; h++)
        if (m->hosts[h].speed_flop_per_s != m->hosts[0].speed_flop_per_s)
            return false;
    return true;
}

static double mean_compute_s(const struct machine *m, bool equal_speeds, double work_flop)
{
    double sum = 0;
    if (equal_speeds) /* the mean of equal numbers, without rounding */
        return work_flop / m->hosts[0].speed_flop_per_s;
    for (size_t h = 0; h < m->n_hosts; h++)
        sum += work_flop / m->hosts[h].speed_flop_per_s;
    return sum / (double)m->n_hosts;
}

static double mean_overhead_s(const struct problem *p)
{
    double sum = 0;
    for (host_id h = 0; h < (host_id)p->machine->n_hosts; h++)
        sum += problem_overhead_s(p, h, DIR_SEND) + problem_overhead_s(p, h, DIR_RECV);
    return sum / (double)p->machine->n_hosts;
}

void problem_mean_costs(const struct problem *p, double *task_s, double *edge_s)
{
    bool equal = speeds_are_equal(p->machine);
    double overhead_s = mean_overhead_s(p);
    for (task_id t = 0; t < p->dag->n_tasks; t++)
        task_s[t] = mean_compute_s(p->machine, equal, p->dag->tasks[t].work_flop);
    for (edge_id e = 0; e < p->dag->n_edges; e++)
        edge_s[e] = overhead_s + route_table_mean_link_s(p->routes, p->dag->edges[e].size_bytes);
}

double dag_ccr(const struct dag *g, const struct route_table *routes)
{
    double link_s = 0, compute_s = 0;
    bool equal = speeds_are_equal(routes->machine);
    for (edge_id e = 0; e < g->n_edges; e++)
        link_s += route_table_mean_link_s(routes, g->edges[e].size_bytes);
    for (task_id t = 0; t < g->n_tasks; t++)
        compute_s += mean_compute_s(routes->machine, equal, g->tasks[t].work_flop);
    return compute_s > 0 ? link_s / compute_s : NAN;
}

enum err_code dag_set_ccr(struct dag *g, const struct route_table *routes, double ccr, struct err *e)
{
    const struct problem here = {.dag = g, .machine = routes->machine, .routes = routes};
    double now = dag_ccr(g, routes);
    if (problem_check_times(&here, e) != ERR_NONE)
        return ERR_INPUT;
    if (isnan(now))
        return err_set_at(e, ERR_INPUT, g->source, 0, "a CCR of %g cannot be met: the tasks have no work", ccr);
    if (routes->n_used == 0)
        return err_set_at(e, ERR_INPUT, g->source, 0, "a CCR of %g cannot be met: no link is between two hosts of %s",
                          ccr, routes->machine->source);
    if (now == 0 && ccr > 0)
        return err_set_at(e, ERR_INPUT, g->source, 0, "a CCR of %g cannot be met: the edges have no size", ccr);
    if (now > 0)
        dag_scale_edges(g, ccr / now);
    return isfinite(dag_volume_bytes(g)) ? ERR_NONE
                                         : err_set_at(e, ERR_INPUT, g->source, 0,
                                                      "a CCR of %g is too large: the sizes "
                                                      "of the edges are no longer finite",
                                                      ccr);
}

/* ---- numbers that are too large ---- */

static double slowest_link_s(const struct route_table *routes, double bytes)
{
    double slowest = INFINITY;
    for (size_t i = 0; i < routes->n_groups; i++)
        slowest = fmin(slowest, routes->groups[i].bandwidth_bytes_per_s);
    return bytes / slowest;
}

static host_id slowest_host(const struct machine *m)
{
    host_id slowest = 0;
    for (host_id h = 1; h < (host_id)m->n_hosts; h++)
        if (m->hosts[h].speed_flop_per_s < m->hosts[slowest].speed_flop_per_s)
            slowest = h;
    return slowest;
}

/* What an edge without data takes at most: both overheads, and the latency of the longest route. */
static double most_empty_edge_s(const struct problem *p)
{
    double latency_s = 0, overhead_s[2] = {0, 0};
    size_t n = p->machine->n_hosts;
    for (size_t i = 0; i < n * n; i++)
        latency_s = fmax(latency_s, p->routes->latency_s[i]);
    for (size_t h = 0; p->model != NULL && h < n; h++)
        for (int dir = DIR_SEND; dir <= DIR_RECV; dir++)
            overhead_s[dir] = fmax(overhead_s[dir], problem_overhead_s(p, (host_id)h, (enum direction)dir));
    return latency_s + overhead_s[DIR_SEND] + overhead_s[DIR_RECV];
}

/* Everything one after the other, on all links of the machine, and with as much again for the sums that means are made
   of: no date of any schedule, and no mean, is larger. */
enum err_code problem_check_times(const struct problem *p, struct err *e)
{
    const struct dag *g = p->dag;
    host_id slowest = slowest_host(p->machine);
    double n_parts = (double)(p->machine->n_hosts + p->machine->n_links + 2), work_s, moving_s, empty_s;
    work_s = dag_work_flop(g) / p->machine->hosts[slowest].speed_flop_per_s * n_parts;
    moving_s = slowest_link_s(p->routes, dag_volume_bytes(g)) * n_parts;
    empty_s = most_empty_edge_s(p) * g->n_edges * n_parts;
    if (!isfinite(work_s))
        return err_set_at(e, ERR_INPUT, p->machine->source, 0,
                          "host '%s' is too slow for the %g flop of %s: dates would not be finite",
                          p->machine->hosts[slowest].name, dag_work_flop(g), g->source);
    if (!isfinite(moving_s))
        return err_set_at(e, ERR_INPUT, p->machine->source, 0,
                          "the links are too slow for the %g bytes of %s: dates would not be finite",
                          dag_volume_bytes(g), g->source);
    if (!isfinite(empty_s) || !isfinite(work_s + moving_s + empty_s))
        return err_set_at(e, ERR_INPUT, p->machine->source, 0,
                          "latencies and overheads are too large for the %d edges of %s: dates would not be finite",
                          g->n_edges, g->source);
    return ERR_NONE;
}

/* ---- bounds ---- */

double problem_critical_path_s(const struct problem *p)
{
    size_t n = (size_t)p->dag->n_tasks;
    double *cost = mem_alloc(n * sizeof *cost), *level = mem_alloc(n * sizeof *level), fastest = 0, longest = 0;
    for (size_t h = 0; h < p->machine->n_hosts; h++)
        fastest = fmax(fastest, p->machine->hosts[h].speed_flop_per_s);
    for (size_t t = 0; t < n; t++)
        cost[t] = p->dag->tasks[t].work_flop / fastest;
    dag_bottom_levels(p->dag, cost, NULL, level);
    for (size_t t = 0; t < n; t++)
        longest = fmax(longest, level[t]);
    free(level);
    free(cost);
    return longest;
}

double problem_work_bound_s(const struct problem *p)
{
    double speed = 0;
    for (size_t h = 0; h < p->machine->n_hosts; h++)
        speed += p->machine->hosts[h].speed_flop_per_s;
    return dag_work_flop(p->dag) / speed;
}

double problem_sequential_s(const struct problem *p, host_id *host)
{
    host_id fastest = 0;
    double sum = 0;
    for (host_id h = 1; h < (host_id)p->machine->n_hosts; h++)
        if (p->machine->hosts[h].speed_flop_per_s > p->machine->hosts[fastest].speed_flop_per_s)
            fastest = h;
    for (task_id t = 0; t < p->dag->n_tasks; t++)
        sum += problem_compute_s(p, t, fastest);
    if (host != NULL)
        *host = fastest;
    return sum;
}
