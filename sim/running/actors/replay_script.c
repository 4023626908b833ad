/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* An act stands where the schedule has time for it, by (start, finish) and then by the topological order of the tasks. One that
   takes time in this world, but none in the schedule, stands beside its task: receives before it, sends after it. What takes no
   time in either has no place in any order. */
#include "actors/replay_script.h"

#include "base/mem.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { N_KEYS = 6 };

struct place { /* in the order of a host or a link; the keys decide one after the other */
    int owner;
    double keys[N_KEYS];
    struct act act; /* of a link: `id` is the hop */
};

struct places {
    struct place *list;
    size_t n, capacity;
};

static int compare_places(const void *a, const void *b)
{
    const struct place *x = a, *y = b;
    if (x->owner != y->owner)
        return x->owner < y->owner ? -1 : 1;
    for (int i = 0; i < N_KEYS; i++)
        if (x->keys[i] != y->keys[i])
            return x->keys[i] < y->keys[i] ? -1 : 1;
    return (x->act.id > y->act.id) - (x->act.id < y->act.id);
}

static void add_place(struct places *to, struct place place)
{
    MEM_GROW(to->list, to->n, to->capacity);
    to->list[to->n++] = place;
}

static void sort_places(struct places *p)
{
    if (p->n > 0)
        qsort(p->list, p->n, sizeof *p->list, compare_places);
}

/* ---- what communication costs ---- */

static host_id host_of(const struct script *x, edge_id e, enum direction dir)
{
    const struct edge *edge = &x->dag->edges[e];
    return x->schedule->tasks[dir == DIR_SEND ? edge->src : edge->dst].host;
}

static struct span planned_end(const struct script *x, edge_id e, enum direction dir)
{
    return dir == DIR_SEND ? x->schedule->edges[e].send : x->schedule->edges[e].recv;
}

/* Whether the schedule itself has time for it. */
static bool is_planned(const struct script *x, edge_id e, enum direction dir)
{
    const struct problem *p = &x->schedule->problem;
    struct cost_end cost = problem_end(p, e, host_of(x, e, DIR_SEND), host_of(x, e, DIR_RECV), dir);
    return span_occupies(planned_end(x, e, dir), cost_end_busy_s(cost));
}

static void charge(struct script *x, edge_id e, enum direction dir, const struct cost_model *charges)
{
    struct script_edge *edge = &x->edges[e];
    link_id link = machine_end_link(edge->links, (size_t)edge->n_links, dir);
    double bytes = x->amounts.bytes[e];
    struct cost_end cost = {0};
    if (charges != NULL)
        cost = cost_end(charges, x->machine, host_of(x, e, DIR_SEND), host_of(x, e, DIR_RECV), dir, link, bytes);
    if (span_occupies(planned_end(x, e, dir), cost_end_busy_s(cost))) { /* what is lost in the dates costs nothing */
        edge->overhead_s[dir] = cost.overhead_s;
        edge->involvement_s[dir] = cost.involvement_s;
    }
    edge->port_s[dir] = cost.port_s;
    edge->port_before[dir] = edge->port_after[dir] = -1;
    edge->has_act[dir] = x->is_active || edge->overhead_s[dir] + edge->involvement_s[dir] > 0 || is_planned(x, e, dir);
}

static enum err_code make_edge(struct script *x, edge_id e, const struct cost_model *charges, struct err *err)
{
    struct script_edge *edge = &x->edges[e];
    size_t n;
    double latency_s = 0;
    edge->links = schedule_route(x->schedule, e, &n);
    if (n > INT_MAX || x->n_hops > INT_MAX - (int)n)
        return err_set(err, ERR_INPUT, "the schedule is too large: its transfers pass more than %d links", INT_MAX);
    edge->n_links = (int)n;
    for (size_t k = 0; k < n; k++)
        latency_s += x->machine->links[edge->links[k]].latency_s;
    if (n == 0) {
        struct route route = {0};
        enum err_code code = machine_route(x->machine, host_of(x, e, DIR_SEND), host_of(x, e, DIR_RECV), &route, err);
        latency_s = route.latency_s;
        free(route.links);
        if (code != ERR_NONE)
            return code;
    }
    edge->latency_s = latency_s;
    edge->is_near = n == 0 && latency_s <= 0;
    edge->first_hop = x->n_hops;
    edge->has_hops = x->is_exclusive && !x->has_transit && n > 0 && x->dag->edges[e].size_bytes > 0;
    x->n_hops += edge->has_hops ? (int)n : 0;
    charge(x, e, DIR_SEND, charges);
    charge(x, e, DIR_RECV, charges);
    if (x->has_transit)
        edge->transit_s = charges->transit_s(charges, x->machine, host_of(x, e, DIR_SEND), host_of(x, e, DIR_RECV),
                                             x->amounts.bytes[e]);
    return ERR_NONE;
}

static enum err_code make_edges(struct script *x, const struct cost_model *charges, struct err *err)
{
    enum err_code code = ERR_NONE;
    x->edges = mem_zalloc((size_t)x->dag->n_edges + 1, sizeof *x->edges);
    for (edge_id e = 0; e < x->dag->n_edges && code == ERR_NONE; e++)
        if (x->schedule->edges[e].is_remote)
            code = make_edge(x, e, charges, err);
    return code;
}

/* ---- hosts ---- */

static struct place beside_task(const struct script *x, task_id t, double rank)
{
    struct span span = x->schedule->tasks[t].span;
    return (struct place){
        .owner = x->schedule->tasks[t].host, .keys = {span.start_s, span.finish_s, rank}, .act = {ACT_COMPUTE, t}};
}

static void add_end(const struct script *x, struct places *to, edge_id e, enum direction dir, const double *rank)
{
    const struct schedule *s = x->schedule;
    const struct edge *edge = &x->dag->edges[e];
    task_id t = dir == DIR_SEND ? edge->src : edge->dst;
    struct place place = beside_task(x, t, rank[t]);
    struct span planned = planned_end(x, e, dir);
    place.act = (struct act){dir == DIR_SEND ? ACT_SEND : ACT_RECEIVE, e};
    if (!x->edges[e].has_act[dir])
        return;
    if (is_planned(x, e, dir)) {
        place.keys[0] = planned.start_s;
        place.keys[1] = planned.finish_s;
        place.keys[2] = rank[t] + (dir == DIR_SEND ? 1. / 3 : -1. / 3);
    } else if (dir == DIR_RECV) {
        place.keys[3] = -1;
        place.keys[4] = schedule_arrival_s(s, e);
    } else {
        const struct span *on_links = schedule_link_spans(s, e);
        place.keys[3] = 1;
        place.keys[4] = on_links != NULL && x->edges[e].n_links > 0 ? on_links[0].start_s : 0;
        place.keys[5] = s->tasks[edge->dst].span.start_s;
    }
    add_place(to, place);
}

static void make_acts(struct script *x)
{
    const struct schedule *s = x->schedule;
    struct places places = {0};
    double *rank = mem_zalloc((size_t)x->dag->n_tasks + 1, sizeof *rank);
    for (int i = 0; i < x->dag->n_tasks; i++)
        rank[x->dag->order[i]] = i;
    for (task_id t = 0; t < x->dag->n_tasks; t++) {
        host_id h = s->tasks[t].host;
        x->is_used[h] = true;
        x->has_act[t] = span_occupies(s->tasks[t].span, problem_compute_s(&s->problem, t, h));
        if (x->has_act[t])
            add_place(&places, beside_task(x, t, rank[t]));
    }
    for (edge_id e = 0; e < x->dag->n_edges; e++)
        for (enum direction dir = DIR_SEND; dir < N_DIRECTIONS && s->edges[e].is_remote; dir++)
            add_end(x, &places, e, dir, rank);
    free(rank);
    sort_places(&places);
    x->acts = mem_zalloc(places.n + 1, sizeof *x->acts);
    for (size_t i = 0; i < places.n; i++) {
        x->acts[i] = places.list[i].act;
        x->first_act[places.list[i].owner + 1]++;
    }
    for (size_t h = 0; h < x->machine->n_hosts; h++)
        x->first_act[h + 1] += x->first_act[h];
    free(places.list);
}

/* ---- ports ---- */

/* When the schedule has an act. What it does not place stands after its origin, or before its destination. */
static double date_of_end_s(const struct script *x, edge_id e, enum direction dir)
{
    const struct schedule *s = x->schedule;
    const struct edge *edge = &x->dag->edges[e];
    bool is_dated = cost_has_ends(s->problem.model) && (is_planned(x, e, dir) || !x->edges[e].has_act[dir]);
    if (is_dated)
        return planned_end(x, e, dir).start_s;
    return dir == DIR_SEND ? s->tasks[edge->src].span.finish_s : s->tasks[edge->dst].span.start_s;
}

static void add_to_port(const struct script *x, struct places *to, edge_id e, enum direction dir, double date_s,
                        int place)
{
    if (x->edges[e].port_s[dir] > 0)
        add_place(to, (struct place){.owner = 2 * host_of(x, e, dir) + (int)dir,
                                     .keys = {date_s, place},
                                     .act = {dir == DIR_SEND ? ACT_SEND : ACT_RECEIVE, e}});
}

/* As late as all that the host does before: tasks without work may lie within others. */
static void add_acts_to_ports(const struct script *x, struct places *to, host_id h)
{
    double date_s = 0;
    int n = x->first_act[h + 1] - x->first_act[h];
    for (int i = 0; i < n; i++) {
        struct act act = x->acts[x->first_act[h] + i];
        enum direction dir = act.kind == ACT_SEND ? DIR_SEND : DIR_RECV;
        date_s = fmax(date_s, act.kind == ACT_COMPUTE ? x->schedule->tasks[act.id].span.start_s
                                                      : date_of_end_s(x, act.id, dir));
        if (act.kind != ACT_COMPUTE)
            add_to_port(x, to, act.id, dir, date_s, n > 1 ? i + 1 : 0);
    }
}

/* A port follows its host; what takes no time of the processor comes between that by its date, and first at the same. */
static void make_ports(struct script *x)
{
    struct places places = {0};
    for (host_id h = 0; h < (host_id)x->machine->n_hosts; h++)
        add_acts_to_ports(x, &places, h);
    for (edge_id e = 0; e < x->dag->n_edges; e++)
        for (enum direction dir = DIR_SEND; dir < N_DIRECTIONS && x->schedule->edges[e].is_remote; dir++)
            if (!x->edges[e].has_act[dir])
                add_to_port(x, &places, e, dir, fmax(0, date_of_end_s(x, e, dir)), 0);
    sort_places(&places);
    for (size_t i = 1; i < places.n; i++) {
        enum direction dir = places.list[i].act.kind == ACT_SEND ? DIR_SEND : DIR_RECV;
        edge_id before = places.list[i - 1].act.id, e = places.list[i].act.id;
        if (places.list[i].owner != places.list[i - 1].owner)
            continue;
        x->edges[e].port_before[dir] = before;
        x->edges[before].port_after[dir] = e;
    }
    free(places.list);
}

/* ---- links ---- */

static void add_hop(const struct script *x, struct places *to, edge_id e, int k)
{
    link_id l = x->edges[e].links[k];
    const struct link *link = &x->machine->links[l];
    struct span span = schedule_link_spans(x->schedule, e)[k];
    if (link->sharing != LINK_FATPIPE && span_occupies(span, x->dag->edges[e].size_bytes / link->bandwidth_bytes_per_s))
        add_place(to, (struct place){.owner = l,
                                     .keys = {span.start_s, span.finish_s},
                                     .act = {ACT_SEND, x->edges[e].first_hop + k}});
}

static void make_hops(struct script *x)
{
    struct places places = {0};
    size_t n = (size_t)x->n_hops + 1;
    x->edge_of = mem_alloc(n * sizeof *x->edge_of);
    x->before = mem_alloc(n * sizeof *x->before);
    for (edge_id e = 0; e < x->dag->n_edges; e++)
        for (int k = 0; k < x->edges[e].n_links && x->edges[e].has_hops; k++) {
            int hop = x->edges[e].first_hop + k;
            x->edge_of[hop] = e;
            x->before[hop] = -1;
            if (x->is_ordered)
                add_hop(x, &places, e, k);
        }
    sort_places(&places);
    for (size_t i = 1; i < places.n; i++)
        if (places.list[i].owner == places.list[i - 1].owner)
            x->before[places.list[i].act.id] = places.list[i - 1].act.id;
    free(places.list);
}

enum err_code script_init(struct script *x, const struct schedule *s, const struct replay_options *options,
                          struct err *e)
{
    const struct machine *m = s->problem.machine;
    const struct cost_model *charges = options->world->charges;
    *x = (struct script){.schedule = s,
                         .dag = s->problem.dag,
                         .machine = m,
                         .is_active = options->waiting == REPLAY_ACTIVE,
                         .has_transit = charges != NULL && charges->transit_s != NULL,
                         .is_ordered = s->problem.model->books_links};
    x->is_exclusive = options->links == REPLAY_EXCLUSIVE || x->has_transit;
    x->has_act = mem_zalloc((size_t)x->dag->n_tasks + 1, sizeof *x->has_act);
    x->is_used = mem_zalloc(m->n_hosts, sizeof *x->is_used);
    x->first_act = mem_zalloc(m->n_hosts + 1, sizeof *x->first_act);
    enum err_code code = amounts_init(&x->amounts, s, options, e);
    if (code == ERR_NONE && charges != NULL)
        code = problem_check_model(&s->problem, charges, x->amounts.bytes, e);
    if (code == ERR_NONE)
        code = make_edges(x, charges, e);
    if (code != ERR_NONE)
        return code;
    make_acts(x);
    if (charges != NULL && charges->books_ports)
        make_ports(x);
    make_hops(x);
    return ERR_NONE;
}

void script_clear(struct script *x)
{
    amounts_clear(&x->amounts);
    free(x->acts);
    free(x->first_act);
    free(x->has_act);
    free(x->is_used);
    free(x->edges);
    free(x->edge_of);
    free(x->before);
    *x = (struct script){0};
}
