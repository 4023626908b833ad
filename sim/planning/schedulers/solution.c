/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Repeats what plan/draft.c does under alloc1 with insertion, in its order and with its operations, so that lengths
   agree to the last bit; whoever changes one must change the other (the tests compare them). What makes it faster:
   costs of messages and routes are looked up; an edge is booked without writing spans; and busy intervals are an array,
   which is faster than a tree while there are few of them. */
#include "schedulers/solution.h"

#include "base/mem.h"
#include "plan/draft.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { KEPT_UNTIL_RECOUNT = 1024 }; /* loads are sums that are kept up to date: now and then they are added up anew */
static const double safe_ratio =
    1 - 1e-9; /* a bound must not exclude a length that is just as long, for its rounding */

struct intervals { /* in which a resource is occupied, by start; no two of them touch */
    struct span *list;
    int n, capacity;
};

struct hop {
    size_t resource;
    double bandwidth_bytes_per_s, s_per_byte, latency_before_s;
    bool is_exclusive;
};

struct solution {
    const struct problem *problem;
    const struct dag *dag;
    host_id n_hosts;
    size_t n_resources;
    bool has_ends, books_links;

    double *compute_s; /* [task * n_hosts + host] */
    double *after_s;   /* [task]: the least computation that must follow it */
    struct cost_end
        *ends;         /* [(direction * n_edges + edge) * n_hosts + host]; NULL: they depend on the other host, too */
    struct hop *hops;  /* of all routes, one after the other */
    size_t *first_hop; /* [source * n_hosts + destination] */

    task_id *list;
    int *place;        /* [task]: in the list */
    host_id *host;     /* [task] */
    edge_id *entering; /* like the dag's `in`, in the order of the origins in the list */
    edge_id *leaving;  /* like the dag's `out`, in the order of the destinations */
    double *load_s,
        *kept_load_s; /* [resource]: the time of all that occupies it, and must end before the schedule does */
    int n_kept;       /* solutions, since the loads were added up */
    struct change {   /* since solution_keep */
        task_id task;
        host_id host; /* before; -1: it was at this place of the list */
        int place;
    } * changes;
    size_t n_changes, changes_capacity;

    struct intervals *busy; /* [resource] */
    double *finish_s;       /* [task] */
    double *send_s;         /* [edge]: start of its send */
};

/* ---- tables ---- */

/* Whether all data leave and reach a host by one link each, so that a message's cost there depends on the host
   alone. */
static bool has_one_link_each(const struct route_table *routes, host_id n_hosts)
{
    for (host_id h = 0; h < n_hosts; h++)
        for (int dir = 0; dir < N_DIRECTIONS; dir++) {
            link_id common = -2; /* not known yet */
            for (host_id other = 0; other < n_hosts; other++) {
                size_t n;
                const link_id *links =
                    dir == DIR_SEND ? route_links(routes, h, other, &n) : route_links(routes, other, h, &n);
                link_id here = machine_end_link(links, n, (enum direction)dir);
                if (other != h && common != -2 && here != common)
                    return false;
                common = other != h ? here : common;
            }
        }
    return true;
}

/* A table needs that a message's cost at a host does not depend on the other one. Otherwise each cost is asked for. */
static void find_ends(struct solution *x)
{
    const struct problem *p = x->problem;
    size_t n_edges = (size_t)x->dag->n_edges, n_hosts = (size_t)x->n_hosts;
    bool knows_one_host =
        p->model->end != NULL ? cost_is_uniform(p->model, p->machine) : has_one_link_each(p->routes, x->n_hosts);
    if (!x->has_ends || x->n_hosts < 2 || !knows_one_host)
        return;
    x->ends = mem_alloc((N_DIRECTIONS * n_edges * n_hosts + 1) * sizeof *x->ends);
    struct cost_end *end = x->ends;
    for (int dir = 0; dir < N_DIRECTIONS; dir++)
        for (edge_id e = 0; e < x->dag->n_edges; e++)
            for (host_id h = 0; h < x->n_hosts; h++) {
                /* any other host will do */
                host_id other = h == 0;
                *end++ =
                    dir == DIR_SEND ? problem_end(p, e, h, other, DIR_SEND) : problem_end(p, e, other, h, DIR_RECV);
            }
}

static inline struct cost_end end_of(const struct solution *x, edge_id e, host_id src, host_id dst, enum direction dir)
{
    if (x->ends == NULL)
        return problem_end(x->problem, e, src, dst, dir);
    size_t row = (size_t)dir * (size_t)x->dag->n_edges + (size_t)e;
    return x->ends[row * (size_t)x->n_hosts + (size_t)(dir == DIR_SEND ? src : dst)];
}

static void find_hops(struct solution *x)
{
    const struct problem *p = x->problem;
    size_t n_pairs = (size_t)x->n_hosts * (size_t)x->n_hosts, n_found = 0, capacity = 0, n;
    x->first_hop = mem_alloc((n_pairs + 1) * sizeof *x->first_hop);
    for (size_t pair = 0; pair < n_pairs; pair++) {
        const link_id *links =
            route_links(p->routes, (host_id)(pair / (size_t)x->n_hosts), (host_id)(pair % (size_t)x->n_hosts), &n);
        double latency_before_s = 0;
        x->first_hop[pair] = n_found;
        for (size_t k = 0; x->books_links && k < n; k++) {
            const struct link *l = &p->machine->links[links[k]];
            MEM_GROW(x->hops, n_found, capacity);
            x->hops[n_found++] =
                (struct hop){problem_link(p, links[k]), l->bandwidth_bytes_per_s, 1 / l->bandwidth_bytes_per_s,
                             latency_before_s, l->sharing != LINK_FATPIPE};
            latency_before_s = l->latency_s;
        }
    }
    x->first_hop[n_pairs] = n_found;
}

static void find_times(struct solution *x)
{
    for (task_id t = 0; t < x->dag->n_tasks; t++)
        for (host_id h = 0; h < x->n_hosts; h++)
            x->compute_s[(size_t)t * (size_t)x->n_hosts + (size_t)h] = problem_compute_s(x->problem, t, h);
    problem_least_after_s(x->problem, x->after_s);
}

struct solution *solution_create(const struct problem *p)
{
    size_t n_tasks = (size_t)p->dag->n_tasks, n_edges = (size_t)p->dag->n_edges;
    struct solution *x = mem_zalloc(1, sizeof *x);
    x->problem = p;
    x->dag = p->dag;
    x->n_hosts = (host_id)p->machine->n_hosts;
    x->n_resources = problem_n_resources(p);
    x->has_ends = cost_has_ends(p->model);
    x->books_links = p->model->books_links;
    x->compute_s = mem_alloc(n_tasks * p->machine->n_hosts * sizeof *x->compute_s);
    x->after_s = mem_alloc(n_tasks * sizeof *x->after_s);
    find_times(x);
    find_ends(x);
    find_hops(x);
    x->list = mem_alloc(n_tasks * sizeof *x->list);
    x->place = mem_alloc(n_tasks * sizeof *x->place);
    x->host = mem_alloc(n_tasks * sizeof *x->host);
    x->entering = mem_alloc((n_edges + 1) * sizeof *x->entering);
    x->leaving = mem_alloc((n_edges + 1) * sizeof *x->leaving);
    x->load_s = mem_alloc(x->n_resources * sizeof *x->load_s);
    x->kept_load_s = mem_alloc(x->n_resources * sizeof *x->kept_load_s);
    x->busy = mem_zalloc(x->n_resources, sizeof *x->busy);
    x->finish_s = mem_alloc(n_tasks * sizeof *x->finish_s);
    x->send_s = mem_alloc((n_edges + 1) * sizeof *x->send_s);
    return x;
}

void solution_free(struct solution *x)
{
    if (x == NULL)
        return;
    for (size_t r = 0; r < x->n_resources; r++)
        free(x->busy[r].list);
    free(x->busy);
    free(x->compute_s);
    free(x->after_s);
    free(x->ends);
    free(x->hops);
    free(x->first_hop);
    free(x->list);
    free(x->place);
    free(x->host);
    free(x->entering);
    free(x->leaving);
    free(x->load_s);
    free(x->kept_load_s);
    free(x->changes);
    free(x->finish_s);
    free(x->send_s);
    free(x);
}

/* ---- loads ---- */

/* A message's times on processors and links, added or taken away. Where a model has its own formulas, a send might end
   after its data have arrived, and so after the schedule. */
static void load_edge(struct solution *x, edge_id e, host_id src, host_id dst, double sign)
{
    if (src == dst)
        return;
    if (x->has_ends && x->problem->model->end == NULL)
        x->load_s[problem_processor(src)] += sign * cost_end_busy_s(end_of(x, e, src, dst, DIR_SEND));
    if (x->has_ends)
        x->load_s[problem_processor(dst)] += sign * cost_end_busy_s(end_of(x, e, src, dst, DIR_RECV));
    size_t pair = (size_t)src * (size_t)x->n_hosts + (size_t)dst;
    for (size_t k = x->first_hop[pair]; k < x->first_hop[pair + 1]; k++)
        if (x->hops[k].is_exclusive)
            x->load_s[x->hops[k].resource] += sign * x->dag->edges[e].size_bytes * x->hops[k].s_per_byte;
}

static inline double compute_s(const struct solution *x, task_id t, host_id h)
{
    return x->compute_s[(size_t)t * (size_t)x->n_hosts + (size_t)h];
}

static void add_up_loads(struct solution *x)
{
    const struct dag *g = x->dag;
    memset(x->load_s, 0, x->n_resources * sizeof *x->load_s);
    for (task_id t = 0; t < g->n_tasks; t++)
        x->load_s[problem_processor(x->host[t])] += compute_s(x, t, x->host[t]);
    for (edge_id e = 0; e < g->n_edges; e++)
        load_edge(x, e, x->host[g->edges[e].src], x->host[g->edges[e].dst], 1);
    memcpy(x->kept_load_s, x->load_s, x->n_resources * sizeof *x->load_s);
    x->n_kept = 0;
}

/* Everything on a resource takes its time one after the other, so no pass can be shorter than the largest load. */
static bool is_overloaded(const struct solution *x, double limit_s)
{
    for (size_t r = 0; r < x->n_resources; r++)
        if (x->load_s[r] * safe_ratio > limit_s)
            return true;
    return false;
}

/* ---- changes ---- */

/* Insertion sort: linear where one edge has moved. */
static void sort_edges(edge_id *edges, int n, const struct edge *all, const int *place, bool by_origin)
{
    for (int i = 1; i < n; i++) { /* they are nearly sorted */
        edge_id e = edges[i];
        int at = place[by_origin ? all[e].src : all[e].dst], k = i;
        for (; k > 0 && place[by_origin ? all[edges[k - 1]].src : all[edges[k - 1]].dst] > at; k--)
            edges[k] = edges[k - 1];
        edges[k] = e;
    }
}

static void sort_entering(struct solution *x, task_id t)
{
    int first = x->dag->in_start[t];
    sort_edges(x->entering + first, x->dag->in_start[t + 1] - first, x->dag->edges, x->place, true);
}

static void sort_leaving(struct solution *x, task_id t)
{
    int first = x->dag->out_start[t];
    sort_edges(x->leaving + first, x->dag->out_start[t + 1] - first, x->dag->edges, x->place, false);
}

void solution_set(struct solution *x, const task_id *list, const host_id *allocation)
{
    const struct dag *g = x->dag;
    size_t n = (size_t)g->n_tasks;
    memcpy(x->list, list, n * sizeof *x->list);
    memcpy(x->host, allocation, n * sizeof *x->host);
    for (int k = 0; k < g->n_tasks; k++)
        x->place[list[k]] = k;
    /* each edge is appended where it belongs when its other end comes in the list */
    int *n_sorted = mem_zalloc(2 * n, sizeof *n_sorted), *n_out = n_sorted + n;
    for (int k = 0; k < g->n_tasks; k++) {
        task_id t = list[k];
        for (int i = g->out_start[t]; i < g->out_start[t + 1]; i++) {
            task_id dst = g->edges[g->out[i]].dst;
            x->entering[g->in_start[dst] + n_sorted[dst]++] = g->out[i];
        }
        for (int i = g->in_start[t]; i < g->in_start[t + 1]; i++) {
            task_id src = g->edges[g->in[i]].src;
            x->leaving[g->out_start[src] + n_out[src]++] = g->in[i];
        }
    }
    free(n_sorted);
    x->n_changes = 0;
    add_up_loads(x);
}

const task_id *solution_list(const struct solution *x)
{
    return x->list;
}

const host_id *solution_allocation(const struct solution *x)
{
    return x->host;
}

int solution_place(const struct solution *x, task_id t)
{
    return x->place[t];
}

static void note(struct solution *x, struct change change)
{
    MEM_GROW(x->changes, x->n_changes, x->changes_capacity);
    x->changes[x->n_changes++] = change;
}

/* O(edges of the task): loads follow each change, so that is_overloaded can be asked without a pass. */
void solution_move(struct solution *x, task_id t, host_id h)
{
    const struct dag *g = x->dag;
    host_id old = x->host[t];
    note(x, (struct change){t, old, 0});
    x->host[t] = h;
    x->load_s[problem_processor(old)] -= compute_s(x, t, old);
    x->load_s[problem_processor(h)] += compute_s(x, t, h);
    for (int i = g->in_start[t]; i < g->in_start[t + 1]; i++) {
        host_id src = x->host[g->edges[g->in[i]].src];
        load_edge(x, g->in[i], src, old, -1);
        load_edge(x, g->in[i], src, h, 1);
    }
    for (int i = g->out_start[t]; i < g->out_start[t + 1]; i++) {
        host_id dst = x->host[g->edges[g->out[i]].dst];
        load_edge(x, g->out[i], old, dst, -1);
        load_edge(x, g->out[i], h, dst, 1);
    }
}

void solution_range(const struct solution *x, task_id t, int *first, int *last)
{
    const struct dag *g = x->dag;
    *first = 0;
    *last = g->n_tasks - 1;
    for (int i = g->in_start[t]; i < g->in_start[t + 1]; i++) {
        int place = x->place[g->edges[g->in[i]].src];
        *first = place + 1 > *first ? place + 1 : *first;
    }
    for (int i = g->out_start[t]; i < g->out_start[t + 1]; i++) {
        int place = x->place[g->edges[g->out[i]].dst];
        *last = place - 1 < *last ? place - 1 : *last;
    }
}

/* Only the edges of the task itself change places among those of its neighbours. */
static void shift(struct solution *x, task_id t, int place)
{
    const struct dag *g = x->dag;
    int from = x->place[t], low = from < place ? from : place, high = from < place ? place : from;
    memmove(x->list + low + (place == low), x->list + low + (from == low), (size_t)(high - low) * sizeof *x->list);
    x->list[place] = t;
    for (int k = low; k <= high; k++)
        x->place[x->list[k]] = k;
    for (int i = g->out_start[t]; i < g->out_start[t + 1]; i++)
        sort_entering(x, g->edges[g->out[i]].dst);
    for (int i = g->in_start[t]; i < g->in_start[t + 1]; i++)
        sort_leaving(x, g->edges[g->in[i]].src);
}

void solution_shift(struct solution *x, task_id t, int place)
{
    note(x, (struct change){t, -1, x->place[t]});
    shift(x, t, place);
}

void solution_keep(struct solution *x)
{
    x->n_changes = 0;
    /* sums lose last bits with every change */
    if (++x->n_kept >= KEPT_UNTIL_RECOUNT)
        add_up_loads(x);
    else
        memcpy(x->kept_load_s, x->load_s, x->n_resources * sizeof *x->load_s);
}

void solution_take_back(struct solution *x)
{
    while (x->n_changes > 0) {
        const struct change *change = &x->changes[--x->n_changes];
        if (change->host < 0)
            shift(x, change->task, change->place);
        else
            x->host[change->task] = change->host;
    }
    memcpy(x->load_s, x->kept_load_s, x->n_resources * sizeof *x->load_s);
}

/* ---- a pass ---- */

/* The first interval that ends after `at_s`. */
static int find_interval(const struct intervals *busy, double at_s)
{
    int low = 0, high = busy->n;
    while (low < high) {
        int middle = (low + high) / 2;
        if (busy->list[middle].finish_s > at_s)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* As timeline_fit; *at is the interval before which that is. */
static inline double fit(const struct intervals *busy, double release_s, double duration_s, int *at)
{
    *at = busy->n;
    if (busy->n == 0 || busy->list[busy->n - 1].finish_s <= release_s || span_is_lost_at(release_s, duration_s))
        return release_s;
    double start_s = release_s;
    int i = find_interval(busy, release_s);
    for (; i < busy->n && start_s + duration_s > busy->list[i].start_s; i++)
        start_s = later_s(start_s, busy->list[i].finish_s);
    *at = i;
    return start_s;
}

static void insert(struct intervals *busy, int at, struct span span)
{
    MEM_GROW(busy->list, busy->n, busy->capacity);
    for (int i = busy->n++; i > at; i--) /* usually few */
        busy->list[i] = busy->list[i - 1];
    busy->list[at] = span;
}

static void erase(struct intervals *busy, int at)
{
    busy->n--;
    for (int i = at; i < busy->n; i++)
        busy->list[i] = busy->list[i + 1];
}

/* Touching intervals are joined: the array stays short, and fit steps over a busy time at once. */
static inline void occupy(struct intervals *busy, int at, struct span span)
{
    if (span.start_s == span.finish_s)
        return;
    bool joins_left = at > 0 && busy->list[at - 1].finish_s == span.start_s;
    bool joins_right = at < busy->n && busy->list[at].start_s == span.finish_s;
    if (joins_left)
        busy->list[at - 1].finish_s = joins_right ? busy->list[at].finish_s : span.finish_s;
    else if (joins_right)
        busy->list[at].start_s = span.start_s;
    else
        insert(busy, at, span);
    if (joins_left && joins_right)
        erase(busy, at);
}

static inline struct span span_from(double release_s, double start_s, double duration_s)
{
    bool is_lost = span_is_lost_at(release_s, duration_s);
    return (struct span){start_s, is_lost ? start_s : span_finish_s(start_s, duration_s)};
}

static inline struct span book(struct intervals *busy, double release_s, double duration_s)
{
    int at;
    double start_s = fit(busy, release_s, duration_s, &at);
    struct span span = span_from(release_s, start_s, duration_s);
    occupy(busy, at, span);
    return span;
}

/* Books the processor and, from the same date or `port_before_s` before it, the port of a host. */
static struct span book_end_and_port(struct solution *x, host_id h, enum direction dir, double release_s,
                                     struct cost_end end)
{
    struct intervals *processor = &x->busy[problem_processor(h)], *port = &x->busy[problem_port(x->problem, h, dir)];
    int at, at_port = 0;
    double busy_s = cost_end_busy_s(end), start_s = fit(processor, release_s, busy_s, &at);
    double port_from_s = 0;
    for (double free_s = -1; free_s != start_s;) { /* until both are free */
        double from_s = start_s - end.port_before_s;
        port_from_s = fit(port, from_s, end.port_before_s + end.port_s, &at_port);
        free_s = port_from_s > from_s ? port_from_s + end.port_before_s : start_s;
        start_s = fit(processor, free_s, busy_s, &at);
    }
    struct span span = span_from(release_s, start_s, busy_s);
    occupy(port, at_port, (struct span){port_from_s, later_s(port_from_s, start_s + end.port_s)});
    occupy(processor, at, span);
    return span;
}

static inline struct span book_end(struct solution *x, host_id h, enum direction dir, double release_s,
                                   struct cost_end end)
{
    if (x->problem->model->books_ports)
        return book_end_and_port(x, h, dir, release_s, end);
    return book(&x->busy[problem_processor(h)], release_s, cost_end_busy_s(end));
}

/* Books the links of the route and returns when the last byte arrives. */
static inline double transfer(struct solution *x, edge_id e, host_id src, host_id dst, double departure_s)
{
    const struct problem *p = x->problem;
    size_t pair = (size_t)src * (size_t)x->n_hosts + (size_t)dst, end = x->first_hop[pair + 1];
    double bytes = x->dag->edges[e].size_bytes;
    struct span span = {departure_s, departure_s};
    for (size_t k = x->first_hop[pair]; k < end; k++) {
        const struct hop *hop = &x->hops[k];
        double duration_s = bytes / hop->bandwidth_bytes_per_s;
        double release_s =
            schedule_hop_release_s(&span, k > x->first_hop[pair], departure_s, duration_s, hop->latency_before_s);
        if (hop->is_exclusive)
            span = book(&x->busy[hop->resource], release_s, duration_s);
        else
            span = (struct span){release_s, release_s + duration_s};
    }
    if (end > x->first_hop[pair]) {
        size_t n;
        const link_id *links = route_links(p->routes, src, dst, &n);
        return span.finish_s + p->machine->links[links[n - 1]].latency_s;
    }
    if (p->model->transit_s != NULL)
        return departure_s + p->model->transit_s(p->model, p->machine, src, dst, bytes);
    return departure_s + bytes / p->routes->slowest_bytes_per_s[pair] + p->routes->latency_s[pair];
}

/* Books what an edge occupies after its send, and returns when its data are ready. */
static inline double enter(struct solution *x, edge_id e, host_id dst)
{
    task_id origin = x->dag->edges[e].src;
    host_id src = x->host[origin];
    if (src == dst)
        return x->finish_s[origin];
    if (!x->has_ends)
        return transfer(x, e, src, dst, x->finish_s[origin]);
    struct cost_end end = end_of(x, e, src, dst, DIR_RECV);
    double departure_s = x->send_s[e] + end_of(x, e, src, dst, DIR_SEND).overhead_s;
    double last_byte_s = transfer(x, e, src, dst, departure_s);
    return book_end(x, dst, DIR_RECV, last_byte_s - end.involvement_s, end).finish_s;
}

static void place_next(struct solution *x, task_id t)
{
    const struct dag *g = x->dag;
    host_id h = x->host[t];
    double ready_s = 0;
    for (int i = g->in_start[t]; i < g->in_start[t + 1]; i++)
        ready_s = later_s(ready_s, enter(x, x->entering[i], h));
    x->finish_s[t] = book(&x->busy[problem_processor(h)], ready_s, compute_s(x, t, h)).finish_s;
    for (int i = g->out_start[t]; i < g->out_start[t + 1] && x->has_ends; i++) {
        edge_id e = x->leaving[i];
        host_id dst = x->host[g->edges[e].dst];
        if (dst != h)
            x->send_s[e] = book_end(x, h, DIR_SEND, x->finish_s[t], end_of(x, e, h, dst, DIR_SEND)).start_s;
    }
}

double solution_length_below_s(struct solution *x, double limit_s, int *n_placed)
{
    int n = x->dag->n_tasks, k = 0;
    double length_s = 0, least_s = 0;
    for (size_t r = 0; r < x->n_resources; r++)
        x->busy[r].n = 0;
    if (is_overloaded(x, limit_s))
        least_s = INFINITY;
    for (; k < n && least_s <= limit_s; k++) {
        task_id t = x->list[k];
        place_next(x, t);
        length_s = later_s(length_s, x->finish_s[t]);
        least_s = later_s(least_s, (x->finish_s[t] + x->after_s[t]) * safe_ratio);
    }
    if (n_placed != NULL)
        *n_placed = k;
    return k == n && length_s <= limit_s ? length_s : INFINITY;
}

void solution_write(const struct solution *x, struct schedule *out)
{
    const struct draft_options how = {TECHNIQUE_INSERTION, APPROACH_ALLOC1, .list = x->list, .allocation = x->host};
    struct draft *d = draft_create_by(out, &how);
    for (int k = 0; k < x->dag->n_tasks; k++)
        draft_place(d, x->list[k], x->host[x->list[k]]);
    draft_free(d);
}
