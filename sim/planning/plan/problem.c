/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Costs that no single schedule decides: means for ranks, the CCR, whether all numbers stay finite, and simple bounds.
   Means follow [S] 7.4.1 and 8.2.3. Where a model or the machine makes costs depend on the size of a message, they are
   found for each edge; where not, once, because graphs have far more edges than machines have hosts. */
#include "plan/problem.h"

#include "base/choose.h"
#include "base/mem.h"

#include <math.h>
#include <stdlib.h>

size_t problem_n_resources(const struct problem *p)
{
    return p->machine->n_hosts + p->machine->n_links + (p->model->books_ports ? 2 * p->machine->n_hosts : 0);
}

/* Whether the time a message takes at a host, its links not being known, is the same for all sizes: the machine's
   overheads, if they are numbers. Then it is looked up once, not for each edge on every host. */
static bool ends_are_alike(const struct problem *p)
{
    return !p->model->books_processors || machine_overheads_are_numbers(p->machine);
}

/* ---- mean costs ---- */

/* Both overheads that the machine gives a host. */
static double overheads_s(const struct problem *p, host_id h, double bytes)
{
    return cost_end(p->model, p->machine, h, h, DIR_SEND, -1, bytes).overhead_s +
           cost_end(p->model, p->machine, h, h, DIR_RECV, -1, bytes).overhead_s;
}

/* Routes on which a message leaves or reaches a host by the same link: they have one overhead. */
struct route_ends {
    host_id host;
    enum direction dir;
    link_id link;
    size_t n_routes;
};

/* Of the routes from or to a host, those whose first or last link is this one. */
static size_t count_routes(const struct route_table *t, host_id here, enum direction dir, link_id link)
{
    size_t count = 0, n;
    for (host_id there = 0; there < (host_id)t->machine->n_hosts; there++) {
        const link_id *links = dir == DIR_SEND ? route_links(t, here, there, &n) : route_links(t, there, here, &n);
        count += there != here && machine_end_link(links, n, dir) == link;
    }
    return count;
}

/* All ends of all routes between two hosts. */
static struct route_ends *find_route_ends(const struct route_table *t, size_t *n)
{
    struct route_ends *ends = NULL;
    size_t capacity = 0;
    *n = 0;
    for (enum direction dir = DIR_SEND; dir < N_DIRECTIONS; dir++) {
        link_id *links;
        size_t *start;
        route_table_end_links(t, dir, &start, &links);
        for (host_id h = 0; h < (host_id)t->machine->n_hosts; h++)
            for (size_t i = start[h]; i < start[h + 1]; i++) {
                MEM_GROW(ends, *n, capacity);
                ends[(*n)++] = (struct route_ends){h, dir, links[i], count_routes(t, h, dir, links[i])};
            }
        free(start);
        free(links);
    }
    return ends;
}

/* Both overheads of a message: as a mean over hosts ([S] Definition 8.6); where links have overheads of their own, over
   the routes between two hosts (`ends`). */
static double mean_overhead_s(const struct problem *p, const struct route_ends *ends, size_t n_ends, double bytes)
{
    size_t n_hosts = p->machine->n_hosts;
    double sum = 0;
    if (n_ends == 0) { /* no link has an overhead of its own: a host's is the same on all its routes */
        for (host_id h = 0; h < (host_id)n_hosts; h++)
            sum += overheads_s(p, h, bytes);
        return sum / (double)n_hosts;
    }
    for (const struct route_ends *x = ends; x < ends + n_ends; x++)
        sum +=
            (double)x->n_routes * cost_end(p->model, p->machine, x->host, x->host, x->dir, x->link, bytes).overhead_s;
    /* over all ordered pairs: each has one send and one receive */
    return sum / ((double)n_hosts * (double)(n_hosts - 1));
}

/* Where links are booked, they say how long data are under way. */
static bool has_transit(const struct cost_model *model)
{
    return !model->books_links && model->transit_s != NULL;
}

/* Whether the model says by formulas of its own what a message costs between two hosts. */
static bool has_formulas(const struct cost_model *model)
{
    return model->end != NULL || has_transit(model);
}

/* The hosts of which all pairs are looked at; two stand for all where they cost the same. */
static host_id n_hosts_to_pair(const struct problem *p)
{
    size_t n = p->machine->n_hosts;
    return n > 2 && cost_is_uniform(p->model, p->machine) ? 2 : (host_id)n;
}

/* O of such a model, and the time under way if it has a formula for that: the mean over pairs of the first n hosts.
   Bookings of ports delay only the next message and do not count. The time under way may be negative, the sum is
   not. */
static double mean_by_formulas_s(const struct problem *p, edge_id e, host_id n)
{
    double sum = 0, bytes = p->dag->edges[e].size_bytes;
    for (host_id src = 0; src < n; src++)
        for (host_id dst = 0; dst < n; dst++) {
            if (src == dst)
                continue;
            sum += problem_end(p, e, src, dst, DIR_SEND).overhead_s + problem_end(p, e, src, dst, DIR_RECV).overhead_s;
            sum += has_transit(p->model) ? p->model->transit_s(p->model, p->machine, src, dst, bytes) : 0;
        }
    return n > 1 ? fmax(0, sum / ((double)n * (n - 1))) : 0;
}

/* Of unrelated hosts, over those on which the task may run. */
static double mean_given_s(const struct problem *p, task_id t)
{
    double sum = 0;
    int n = 0;
    for (host_id h = 0; h < (host_id)p->machine->n_hosts; h++)
        if (problem_may_run(p, t, h)) {
            sum += problem_compute_s(p, t, h);
            n++;
        }
    return sum / n;
}

/* O + what `moving_s` says of the data, unless the model has a formula for the time under way. */
static void find_edge_costs(const struct problem *p, double (*moving_s)(const struct route_table *t, double bytes),
                            double *edge_s)
{
    bool are_alike = ends_are_alike(p), by_formulas = has_formulas(p->model);
    host_id n_paired = by_formulas ? n_hosts_to_pair(p) : 0;
    struct route_ends *ends = NULL;
    size_t n_ends = 0;
    double overhead_s = 0;
    /* otherwise the mean over hosts is the same and needs no routes */
    if (p->model->books_processors && p->model->end == NULL && machine_links_have_overheads(p->machine))
        ends = find_route_ends(p->routes, &n_ends);
    for (edge_id e = 0; e < p->dag->n_edges; e++) {
        double bytes = p->dag->edges[e].size_bytes;
        if (by_formulas)
            overhead_s = mean_by_formulas_s(p, e, n_paired);
        else if (e == 0 || !are_alike)
            overhead_s = mean_overhead_s(p, ends, n_ends, bytes);
        edge_s[e] = overhead_s + (has_transit(p->model) ? 0 : moving_s(p->routes, bytes));
    }
    free(ends);
}

void problem_mean_costs(const struct problem *p, double *task_s, double *edge_s)
{
    for (task_id t = 0; t < p->dag->n_tasks; t++)
        task_s[t] =
            p->costs != NULL ? mean_given_s(p, t) : machine_mean_compute_s(p->machine, p->dag->tasks[t].work_flop);
    find_edge_costs(p, route_table_mean_link_s, edge_s);
}

void problem_pair_costs(const struct problem *p, double *edge_s)
{
    find_edge_costs(p, route_table_mean_route_s, edge_s);
}

double dag_ccr(const struct dag *g, const struct route_table *routes)
{
    double link_s = 0, compute_s = 0;
    for (edge_id e = 0; e < g->n_edges; e++)
        link_s += route_table_mean_link_s(routes, g->edges[e].size_bytes);
    for (task_id t = 0; t < g->n_tasks; t++)
        compute_s += machine_mean_compute_s(routes->machine, g->tasks[t].work_flop);
    return compute_s > 0 ? link_s / compute_s : NAN;
}

double problem_ccr(const struct problem *p)
{
    double link_s = 0, compute_s = 0;
    if (p->costs == NULL)
        return dag_ccr(p->dag, p->routes);
    for (edge_id e = 0; e < p->dag->n_edges; e++)
        link_s += route_table_mean_link_s(p->routes, p->dag->edges[e].size_bytes);
    for (task_id t = 0; t < p->dag->n_tasks; t++)
        compute_s += mean_given_s(p, t);
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
        return err_set_at(e, ERR_INPUT, g->source, 0,
                          "a CCR of %g cannot be met: no two hosts of %s are connected by links", ccr,
                          routes->machine->source);
    if (now == 0 && ccr > 0)
        return err_set_at(e, ERR_INPUT, g->source, 0, "a CCR of %g cannot be met: %s", ccr,
                          g->n_edges == 0 ? "the graph has no edges" : "the edges have no size");
    if (now > 0)
        dag_scale_edges(g, ccr / now);
    return isfinite(dag_volume_bytes(g)) ? ERR_NONE
                                         : err_set_at(e, ERR_INPUT, g->source, 0,
                                                      "a CCR of %g is too large: the sizes "
                                                      "of the edges are no longer finite",
                                                      ccr);
}

/* ---- numbers that are too large ---- */

/* Groups are links of one bandwidth that some route uses; without any, all hosts are at one place and data take no
   time. */
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

static double longest_latency_s(const struct problem *p)
{
    double longest_s = 0;
    size_t n = p->machine->n_hosts;
    for (size_t i = 0; i < n * n; i++)
        longest_s = fmax(longest_s, p->routes->latency_s[i]);
    return longest_s;
}

static double longest_end_s(const struct problem *p, enum direction dir, double bytes)
{
    double longest_s = 0;
    for (host_id h = 0; h < (host_id)p->machine->n_hosts; h++)
        longest_s = fmax(longest_s, cost_end_busy_s(cost_end(p->model, p->machine, h, h, dir, -1, bytes)));
    for (size_t l = 0; l < p->machine->n_links && p->model->books_processors; l++)
        if (p->machine->links[l].overhead_s[dir].is_given)
            longest_s = fmax(longest_s, machine_overhead_s(p->machine, 0, dir, (link_id)l, bytes));
    return longest_s;
}

/* The same by formulas of the model, with the time under way. */
static double longest_by_formulas_s(const struct problem *p, edge_id e, host_id n)
{
    double longest_s = 0;
    for (host_id src = 0; src < n; src++)
        for (host_id dst = 0; dst < n; dst++) {
            double sum = 0;
            for (enum direction dir = 0; dir < N_DIRECTIONS && src != dst; dir++) {
                struct cost_end end = problem_end(p, e, src, dst, dir);
                sum += fmax(cost_end_busy_s(end), end.port_s) + end.port_before_s;
            }
            if (p->model->transit_s != NULL && src != dst)
                sum += fabs(p->model->transit_s(p->model, p->machine, src, dst, p->dag->edges[e].size_bytes));
            longest_s = fmax(longest_s, sum);
        }
    return longest_s;
}

/* An upper bound on the time of all edges in addition to moving their data: occupation of both hosts, the latency of
   the longest route, and what the model adds on the way. Involvement is part of the moving. */
static double all_edges_beside_moving_s(const struct problem *p)
{
    double sum = longest_latency_s(p) * p->dag->n_edges, ends_s = 0;
    bool are_alike = p->model != NULL && ends_are_alike(p), by_formulas = p->model != NULL && has_formulas(p->model);
    host_id n_paired = by_formulas ? n_hosts_to_pair(p) : 0;
    for (edge_id e = 0; p->model != NULL && e < p->dag->n_edges; e++) {
        double bytes = p->dag->edges[e].size_bytes;
        if (by_formulas)
            ends_s = longest_by_formulas_s(p, e, n_paired);
        else if (e == 0 || !are_alike)
            ends_s = longest_end_s(p, DIR_SEND, bytes) + longest_end_s(p, DIR_RECV, bytes);
        sum += ends_s;
    }
    return sum;
}

static double longest_given_s(const struct problem *p)
{
    double sum = 0;
    for (task_id t = 0; t < p->dag->n_tasks; t++) {
        double longest_s = 0;
        for (host_id h = 0; h < (host_id)p->machine->n_hosts; h++)
            if (problem_may_run(p, t, h))
                longest_s = fmax(longest_s, problem_compute_s(p, t, h));
        sum += longest_s;
    }
    return sum;
}

enum err_code problem_check_model(const struct problem *p, const struct cost_model *model, const double *bytes,
                                  struct err *e)
{
    struct err why = {0};
    enum err_code code = ERR_NONE;
    for (edge_id edge = 0; edge < p->dag->n_edges && model->check != NULL && code == ERR_NONE; edge++)
        code = model->check(model, p->machine, bytes != NULL ? bytes[edge] : p->dag->edges[edge].size_bytes, &why);
    const char *source = why.source[0] != '\0' ? why.source : p->machine->source;
    return code == ERR_NONE ? code : err_set_at(e, code, source, 0, "%s", why.text);
}

/* Everything in sequence, times the number of hosts and links, because an edge may pass all links and means sum over
   hosts: no date of any schedule and no mean is larger. Without this, an overflow deep in a scheduler would make dates
   infinite, or differences of them NAN, and every comparison with those false. */
enum err_code problem_check_times(const struct problem *p, struct err *e)
{
    const struct dag *g = p->dag;
    host_id slowest = slowest_host(p->machine);
    double n_parts = (double)(p->machine->n_hosts + p->machine->n_links + 2), work_s, moving_s, empty_s;
    if (p->model != NULL && problem_check_model(p, p->model, NULL, e) != ERR_NONE)
        return ERR_INPUT;
    work_s = dag_work_flop(g) / p->machine->hosts[slowest].speed_flop_per_s * n_parts;
    moving_s = slowest_link_s(p->routes, dag_volume_bytes(g)) * n_parts;
    empty_s = all_edges_beside_moving_s(p) * n_parts;
    if (p->costs != NULL && !isfinite(longest_given_s(p) * n_parts))
        return err_set_at(e, ERR_INPUT, p->costs->source, 0,
                          "the times of tasks are too large: dates would not be finite");
    if (p->costs == NULL && !isfinite(work_s))
        return err_set_at(e, ERR_INPUT, p->machine->source, 0,
                          "host '%s' is too slow for the %g flop of %s: dates would not be finite",
                          p->machine->hosts[slowest].name, dag_work_flop(g), g->source);
    if (!isfinite(moving_s))
        return err_set_at(e, ERR_INPUT, p->machine->source, 0,
                          "the links are too slow for the %g bytes of %s: dates would not be finite",
                          dag_volume_bytes(g), g->source);
    if (!isfinite(empty_s) ||
        !isfinite((p->costs == NULL ? work_s : longest_given_s(p) * n_parts) + moving_s + empty_s))
        return err_set_at(e, ERR_INPUT, p->machine->source, 0,
                          "latencies and overheads are too large for the %d edges of %s: dates would not be finite",
                          g->n_edges, g->source);
    return ERR_NONE;
}

/* ---- bounds ---- */

/* Forbidden hosts take INFINITY, so they are passed over. */
static double least_compute_s(const struct problem *p, task_id t)
{
    double least = INFINITY;
    for (host_id h = 0; h < (host_id)p->machine->n_hosts; h++)
        least = fmin(least, problem_compute_s(p, t, h));
    return least;
}

/* Against the topological order: all destinations have their value before an origin asks. */
static void find_after(const struct problem *p, const double *least_s, double *after_s)
{
    const struct dag *g = p->dag;
    for (int k = g->n_tasks - 1; k >= 0; k--) {
        task_id t = g->order[k];
        after_s[t] = 0;
        for (int i = g->out_start[t]; i < g->out_start[t + 1]; i++) {
            task_id dst = g->edges[g->out[i]].dst;
            after_s[t] = fmax(after_s[t], least_s[dst] + after_s[dst]);
        }
    }
}

static double *least_computes_s(const struct problem *p)
{
    double *least_s = mem_alloc((size_t)p->dag->n_tasks * sizeof *least_s);
    for (task_id t = 0; t < p->dag->n_tasks; t++)
        least_s[t] = least_compute_s(p, t);
    return least_s;
}

void problem_least_after_s(const struct problem *p, double *after_s)
{
    double *least_s = least_computes_s(p);
    find_after(p, least_s, after_s);
    free(least_s);
}

double problem_critical_path_s(const struct problem *p)
{
    double *least_s = least_computes_s(p), *after_s = mem_alloc((size_t)p->dag->n_tasks * sizeof *after_s),
           longest_s = 0;
    find_after(p, least_s, after_s);
    for (task_id t = 0; t < p->dag->n_tasks; t++)
        longest_s = fmax(longest_s, least_s[t] + after_s[t]);
    free(after_s);
    free(least_s);
    return longest_s;
}

double problem_work_bound_s(const struct problem *p)
{
    double speed = 0, sum = 0;
    for (task_id t = 0; p->costs != NULL && t < p->dag->n_tasks; t++)
        sum += least_compute_s(p, t);
    if (p->costs != NULL)
        return sum / (double)p->machine->n_hosts;
    for (size_t h = 0; h < p->machine->n_hosts; h++)
        speed += p->machine->hosts[h].speed_flop_per_s;
    return dag_work_flop(p->dag) / speed;
}

static double all_on_s(const struct problem *p, host_id h)
{
    double sum = 0;
    for (task_id t = 0; t < p->dag->n_tasks; t++)
        sum += problem_compute_s(p, t, h);
    return sum;
}

static host_id fastest_host(const struct machine *m)
{
    host_id fastest = 0;
    for (host_id h = 1; h < (host_id)m->n_hosts; h++)
        if (m->hosts[h].speed_flop_per_s > m->hosts[fastest].speed_flop_per_s)
            fastest = h;
    return fastest;
}

double problem_sequential_s(const struct problem *p, host_id *host)
{
    host_id best = p->costs == NULL ? fastest_host(p->machine) : -1;
    double best_s = p->costs == NULL ? all_on_s(p, best) : INFINITY;
    for (host_id h = 0; p->costs != NULL && h < (host_id)p->machine->n_hosts; h++) {
        double sum = all_on_s(p, h);
        /* of hosts that are equal but for rounding the first is taken */
        bool is_less = choose_rounded(sum) < choose_rounded(best_s);
        best = is_less ? h : best;
        best_s = is_less ? sum : best_s;
    }
    if (host != NULL)
        *host = best;
    return best_s;
}
