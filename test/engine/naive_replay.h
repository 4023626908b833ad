/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A second opinion on replay, written from doc/model.md, Replay, alone: each host is a program, a list of things to do
   one after the other, and time goes from one event to the next. Everything is looked at in every step. It stops where
   nothing can go on: such a schedule waits for itself. */
#ifndef IASIM_TEST_ENGINE_NAIVE_REPLAY_H
#define IASIM_TEST_ENGINE_NAIVE_REPLAY_H

#include "engine/replay.h"
#include "naive_fluid.h"
#include "naive_steps.h"

#include <stdio.h>
#include <string.h>

enum { NAIVE_HOPS = 2 };

enum naive_kind { NAIVE_RECV, NAIVE_TASK, NAIVE_SEND };

struct naive_item { /* of a host's program */
    enum naive_kind kind;
    int id;         /* task or edge */
    double key[6];  /* the place in the program: compared one after the other */
    double begun_s; /* NAN: not yet */
};

struct naive_program {
    struct naive_item *items;
    int n, at;
    double stolen_s;
};

struct naive_hop {
    double released_s, start_s, finish_s; /* NAN: not known yet */
};

struct naive_edge {
    double leaves_s, arrived_s; /* NAN: not yet */
    bool has_left;
    struct naive_hop hops[NAIVE_HOPS];
    double o[N_DIRECTIONS], i[N_DIRECTIONS];
};

struct naive {
    const struct schedule *plan;
    const struct dag *g;
    const struct machine *m;
    bool is_exclusive, keeps_link_order, is_active;
    struct fluid fluid;
    struct naive_program *programs;
    struct naive_edge *edges;
    bool *task_is_done;
    int n_done;
    struct replay_result out;
};

/* ---- the programs ---- */

static inline int naive_compare(const void *a, const void *b)
{
    const struct naive_item *x = a, *y = b;
    for (int i = 0; i < 6; i++)
        if (x->key[i] != y->key[i])
            return x->key[i] < y->key[i] ? -1 : 1;
    return x->id - y->id;
}

static inline host_id naive_host(const struct naive *v, edge_id e, enum direction dir)
{
    return v->plan->tasks[dir == DIR_SEND ? v->g->edges[e].src : v->g->edges[e].dst].host;
}

static inline void naive_put(struct naive *v, host_id h, struct naive_item item)
{
    struct naive_program *p = &v->programs[h];
    p->items = realloc(p->items, (size_t)(p->n + 1) * sizeof item);
    item.begun_s = NAN;
    p->items[p->n++] = item;
}

static inline bool naive_is_placed(const struct naive *v, edge_id e, enum direction dir)
{
    struct span own = dir == DIR_SEND ? v->plan->edges[e].send : v->plan->edges[e].recv;
    return cost_has_ends(v->plan->problem.model) && own.finish_s > own.start_s;
}

/* What takes no time is in no program while waiting is passive. */
static inline bool naive_is_in_program(const struct naive *v, edge_id e, enum direction dir)
{
    return v->is_active || naive_is_placed(v, e, dir) || v->edges[e].o[dir] + v->edges[e].i[dir] > 0;
}

/* By (start, finish), then topologically; what the schedule has no time for stands beside its task. A task without work
   is in no program: it is done when its data are there. */
static inline void naive_put_end(struct naive *v, edge_id e, enum direction dir, const double *rank)
{
    const struct schedule *s = v->plan;
    const struct edge *edge = &v->g->edges[e];
    host_id h = naive_host(v, e, dir);
    task_id t = dir == DIR_SEND ? edge->src : edge->dst;
    enum naive_kind kind = dir == DIR_SEND ? NAIVE_SEND : NAIVE_RECV;
    struct span own = dir == DIR_SEND ? s->edges[e].send : s->edges[e].recv, task = s->tasks[t].span;
    const struct span *on_links = schedule_link_spans(s, e);
    size_t n_links;
    schedule_route(s, e, &n_links);
    if (naive_is_placed(v, e, dir))
        naive_put(v, h, (struct naive_item){.kind = kind, .id = e, .key = {own.start_s, own.finish_s, rank[t]}});
    else if (dir == DIR_SEND)
        naive_put(v, h,
                  (struct naive_item){.kind = kind,
                                      .id = e,
                                      .key = {task.start_s, task.finish_s, rank[t], 1,
                                              on_links != NULL && n_links > 0 ? on_links[0].start_s : 0,
                                              s->tasks[edge->dst].span.start_s}});
    else
        naive_put(v, h,
                  (struct naive_item){.kind = kind,
                                      .id = e,
                                      .key = {task.start_s, task.finish_s, rank[t], -1, schedule_arrival_s(s, e)}});
}

static inline void naive_make_programs(struct naive *v)
{
    double *rank = calloc((size_t)v->g->n_tasks, sizeof *rank);
    for (int i = 0; i < v->g->n_tasks; i++)
        rank[v->g->order[i]] = i;
    for (task_id t = 0; t < v->g->n_tasks; t++) {
        struct span span = v->plan->tasks[t].span;
        if (v->g->tasks[t].work_flop > 0)
            naive_put(v, v->plan->tasks[t].host,
                      (struct naive_item){.kind = NAIVE_TASK, .id = t, .key = {span.start_s, span.finish_s, rank[t]}});
    }
    for (edge_id e = 0; e < v->g->n_edges; e++)
        for (enum direction dir = DIR_SEND; dir < N_DIRECTIONS && v->plan->edges[e].is_remote; dir++)
            if (naive_is_in_program(v, e, dir))
                naive_put_end(v, e, dir, rank);
    for (size_t h = 0; h < v->m->n_hosts; h++)
        if (v->programs[h].n > 0)
            qsort(v->programs[h].items, (size_t)v->programs[h].n, sizeof *v->programs[h].items, naive_compare);
    free(rank);
}

/* ---- what hosts do ---- */

static inline bool naive_has_come(const struct naive *v, double date_s)
{
    return date_s <= v->fluid.now_s * (1 + 1e-12);
}

static inline bool naive_begin_task(struct naive *v, task_id t)
{
    for (int i = v->g->in_start[t]; i < v->g->in_start[t + 1]; i++) {
        edge_id e = v->g->in[i];
        if (v->plan->edges[e].is_remote ? isnan(v->out.edges[e].recv.finish_s) : !v->task_is_done[v->g->edges[e].src])
            return false;
    }
    v->out.tasks[t].start_s = v->fluid.now_s;
    fluid_add(&v->fluid, (struct fluid_item){.kind = FLUID_EXEC,
                                             .host = v->plan->tasks[t].host,
                                             .remaining = v->g->tasks[t].work_flop,
                                             .tag = -2 - t});
    return true;
}

/* When a send or receive lets its processor go; INFINITY: nobody knows yet. */
static inline double naive_end_s(const struct naive *v, const struct naive_item *x)
{
    const struct naive_edge *edge = &v->edges[x->id];
    if (x->kind == NAIVE_SEND && !v->is_active)
        return x->begun_s + edge->o[DIR_SEND] + edge->i[DIR_SEND];
    if (isnan(edge->arrived_s))
        return INFINITY;
    if (x->kind == NAIVE_SEND)
        return fmax(x->begun_s + edge->o[DIR_SEND] + edge->i[DIR_SEND], edge->arrived_s);
    return fmax(x->begun_s + edge->i[DIR_RECV], edge->arrived_s) + edge->o[DIR_RECV];
}

/* When what remains of a message will take i_r, as things look now; INFINITY: nobody knows yet. */
static inline double naive_due_s(const struct naive *v, edge_id e)
{
    double last_byte_s = INFINITY, i_s = v->edges[e].i[DIR_RECV];
    size_t n;
    const link_id *links = schedule_route(v->plan, e, &n);
    if (v->is_exclusive && n > 0 && !isnan(v->edges[e].hops[n - 1].finish_s))
        last_byte_s = v->edges[e].hops[n - 1].finish_s + v->m->links[links[n - 1]].latency_s;
    for (int k = 0; k < v->fluid.n_items && !v->is_exclusive; k++)
        if (v->fluid.items[k].tag == e && v->fluid.items[k].rate > 0)
            last_byte_s = v->fluid.now_s + v->fluid.items[k].remaining / v->fluid.items[k].rate;
    return i_s > 0 ? last_byte_s - i_s : INFINITY;
}

static inline bool naive_begin(struct naive *v, struct naive_item *x)
{
    struct naive_edge *edge = &v->edges[x->id];
    if (x->kind == NAIVE_RECV && !v->is_active && isnan(edge->arrived_s))
        return false; /* see naive_receive_early */
    if (x->kind == NAIVE_TASK && !naive_begin_task(v, x->id))
        return false;
    if (x->kind == NAIVE_SEND && !v->task_is_done[v->g->edges[x->id].src])
        return false;
    x->begun_s = v->fluid.now_s;
    if (x->kind == NAIVE_SEND)
        edge->leaves_s = x->begun_s + edge->o[DIR_SEND];
    return true;
}

/* Whether anything has happened. */
static inline bool naive_go_on(struct naive *v, host_id h)
{
    struct naive_program *p = &v->programs[h];
    if (p->at == p->n)
        return false;
    struct naive_item *x = &p->items[p->at];
    if (isnan(x->begun_s))
        return naive_begin(v, x);
    if (x->kind == NAIVE_TASK ? !v->task_is_done[x->id] : !naive_has_come(v, naive_end_s(v, x)))
        return false;
    struct span held = {x->begun_s, v->fluid.now_s};
    if (x->kind != NAIVE_TASK)
        *(x->kind == NAIVE_SEND ? &v->out.edges[x->id].send : &v->out.edges[x->id].recv) = held;
    p->at++;
    return true;
}

/* Rates are those of this instant. */
static inline bool naive_receive_early(struct naive *v)
{
    bool any = false;
    for (size_t h = 0; h < v->m->n_hosts; h++) {
        struct naive_program *p = &v->programs[h];
        struct naive_item *x = p->at < p->n ? &p->items[p->at] : NULL;
        if (x == NULL || x->kind != NAIVE_RECV || !isnan(x->begun_s) || !naive_has_come(v, naive_due_s(v, x->id)))
            continue;
        x->begun_s = v->fluid.now_s;
        any = true;
    }
    return any;
}

/* What is in no program happens when its data are there. */
static inline bool naive_pass_ends(struct naive *v, edge_id e)
{
    struct naive_edge *x = &v->edges[e];
    struct span now = {v->fluid.now_s, v->fluid.now_s};
    bool any = false;
    if (!v->plan->edges[e].is_remote)
        return false;
    if (!naive_is_in_program(v, e, DIR_SEND) && v->task_is_done[v->g->edges[e].src] && isnan(x->leaves_s)) {
        x->leaves_s = now.start_s;
        v->out.edges[e].send = now;
        any = true;
    }
    if (!naive_is_in_program(v, e, DIR_RECV) && !isnan(x->arrived_s) && isnan(v->out.edges[e].recv.start_s)) {
        v->out.edges[e].recv = now;
        any = true;
    }
    return any;
}

/* ---- transfers ---- */

static inline struct fluid_item *naive_flow(struct naive *v, edge_id e, const link_id *links, size_t n, int tag)
{
    struct fluid_item item = {.kind = FLUID_FLOW,
                              .host = naive_host(v, e, DIR_SEND),
                              .dst = naive_host(v, e, DIR_RECV),
                              .remaining = v->g->edges[e].size_bytes,
                              .tag = tag,
                              .n_path = (int)n};
    for (size_t k = 0; k < n; k++) /* a FATPIPE is one link for each flow */
        item.path[k] = v->m->links[links[k]].sharing == LINK_FATPIPE ? (int)v->m->n_links + e : links[k];
    return fluid_add(&v->fluid, item);
}

static inline bool naive_is_before_on_link(const struct naive *v, edge_id x, int k, edge_id y, int j)
{
    const struct span *a = schedule_link_spans(v->plan, x), *b = schedule_link_spans(v->plan, y);
    if (v->keeps_link_order)
        return a[k].start_s != b[j].start_s     ? a[k].start_s < b[j].start_s
               : a[k].finish_s != b[j].finish_s ? a[k].finish_s < b[j].finish_s
                                                : x < y;
    double p = v->edges[x].hops[k].released_s, q = v->edges[y].hops[j].released_s;
    if (isnan(p) || isnan(q))
        return isnan(q) && !isnan(p);
    const struct planned_task *tasks = v->plan->tasks;
    const struct edge *g = v->g->edges;
    if (fabs(p - q) > 1e-12 * p)
        return p < q;
    if (tasks[g[x].src].span.finish_s != tasks[g[y].src].span.finish_s)
        return tasks[g[x].src].span.finish_s < tasks[g[y].src].span.finish_s;
    if (tasks[g[x].dst].span.start_s != tasks[g[y].dst].span.start_s)
        return tasks[g[x].dst].span.start_s < tasks[g[y].dst].span.start_s;
    return x < y;
}

/* Whether the link of hop k of edge e is free, and nobody else's turn. */
static inline bool naive_may_pass(const struct naive *v, edge_id e, int k)
{
    size_t n, n_other;
    link_id l = schedule_route(v->plan, e, &n)[k];
    for (edge_id x = 0; x < v->g->n_edges && v->m->links[l].sharing != LINK_FATPIPE; x++) {
        const link_id *links = schedule_route(v->plan, x, &n_other);
        for (int j = 0; j < (int)n_other && v->plan->edges[x].is_remote && v->g->edges[x].size_bytes > 0; j++) {
            const struct naive_hop *hop = &v->edges[x].hops[j];
            bool is_over = !isnan(hop->finish_s) && naive_has_come(v, hop->finish_s);
            if (links[j] != l || x == e || is_over)
                continue;
            if (!isnan(hop->start_s) || naive_is_before_on_link(v, x, j, e, k))
                return false;
        }
    }
    return true;
}

static inline bool naive_is_due(const struct naive *v, edge_id e, int k)
{
    const struct naive_hop *hop = &v->edges[e].hops[k];
    return !isnan(hop->released_s) && naive_has_come(v, hop->released_s) && isnan(hop->start_s) &&
           naive_may_pass(v, e, k);
}

static inline void naive_pass_hop(struct naive *v, edge_id e, int k)
{
    struct naive_hop *hop = &v->edges[e].hops[k];
    size_t n;
    const link_id *links = schedule_route(v->plan, e, &n);
    const struct link *link = &v->m->links[links[k]];
    double zeta_s = v->g->edges[e].size_bytes / link->bandwidth_bytes_per_s, now_s = v->fluid.now_s;
    hop->start_s = now_s;
    hop->finish_s = now_s + zeta_s;
    struct fluid_item *flow = naive_flow(v, e, &links[k], 1, -1);
    flow->latency_s = 0;
    flow->weight = link->bandwidth_bytes_per_s;
    flow->is_unfelt_by_src = k > 0;
    flow->is_unfelt_by_dst = k < (int)n - 1;
    if (k + 1 < (int)n) {
        double next_s = v->g->edges[e].size_bytes / v->m->links[links[k + 1]].bandwidth_bytes_per_s;
        v->edges[e].hops[k + 1].released_s = fmax(now_s, now_s + zeta_s - next_s) + link->latency_s;
    }
    if (k == 0)
        v->out.edges[e].transfer.start_s = now_s;
}

/* Links are given away at once, each to who comes first of those that wait for it now. */
static inline bool naive_pass_all(struct naive *v)
{
    int *due = malloc(((size_t)v->g->n_edges * NAIVE_HOPS + 1) * sizeof *due), n_due = 0;
    for (int i = 0; i < v->g->n_edges * NAIVE_HOPS; i++)
        if (naive_is_due(v, i / NAIVE_HOPS, i % NAIVE_HOPS))
            due[n_due++] = i;
    for (int i = 0; i < n_due; i++)
        naive_pass_hop(v, due[i] / NAIVE_HOPS, due[i] % NAIVE_HOPS);
    free(due);
    return n_due > 0;
}

static inline bool naive_has_hops(const struct naive *v, edge_id e)
{
    return v->is_exclusive && v->g->edges[e].size_bytes > 0;
}

static inline bool naive_leave(struct naive *v, edge_id e)
{
    struct naive_edge *edge = &v->edges[e];
    size_t n;
    const link_id *links = schedule_route(v->plan, e, &n);
    if (isnan(edge->leaves_s) || !naive_has_come(v, edge->leaves_s) || edge->has_left)
        return false;
    edge->has_left = true;
    if (naive_has_hops(v, e)) {
        edge->hops[0].released_s = v->fluid.now_s;
    } else {
        naive_flow(v, e, links, n, e);
        v->out.edges[e].transfer.start_s = v->fluid.now_s;
    }
    return true;
}

static inline bool naive_arrive(struct naive *v, edge_id e)
{
    struct naive_edge *edge = &v->edges[e];
    size_t n;
    const link_id *links = schedule_route(v->plan, e, &n);
    if (!edge->has_left || !naive_has_hops(v, e) || !isnan(edge->arrived_s))
        return false;
    const struct naive_hop *last = &edge->hops[n - 1];
    if (isnan(last->finish_s) || !naive_has_come(v, last->finish_s + v->m->links[links[n - 1]].latency_s))
        return false;
    edge->arrived_s = v->out.edges[e].transfer.finish_s = v->fluid.now_s;
    return true;
}

/* ---- time ---- */

static inline bool naive_take_ended(struct naive *v)
{
    bool any = false;
    for (int n; (n = v->fluid.n_items) > 0; any = true) {
        int tag = fluid_take_ended(&v->fluid);
        if (v->fluid.n_items == n)
            break;
        if (tag <= -2) {
            v->task_is_done[-2 - tag] = true;
            v->out.tasks[-2 - tag].finish_s = v->fluid.now_s;
            v->n_done++;
        } else if (tag >= 0) {
            v->edges[tag].arrived_s = v->out.edges[tag].transfer.finish_s = v->fluid.now_s;
        }
    }
    return any;
}

static inline void naive_solve(struct naive *v)
{
    fluid_solve(&v->fluid);
    for (int i = 0; i < v->fluid.n_items && v->is_exclusive; i++)
        if (v->fluid.items[i].kind == FLUID_FLOW)
            v->fluid.items[i].rate = v->fluid.items[i].weight;
    fluid_share_processors(&v->fluid);
}

/* The earliest of what is to come. */
static inline double naive_next_s(const struct naive *v)
{
    double next_s = v->fluid.now_s + fluid_next_s(&v->fluid);
    for (size_t h = 0; h < v->m->n_hosts; h++) {
        const struct naive_program *p = &v->programs[h];
        if (p->at < p->n && p->items[p->at].kind != NAIVE_TASK && !isnan(p->items[p->at].begun_s))
            next_s = fmin(next_s, naive_end_s(v, &p->items[p->at]));
        if (p->at < p->n && p->items[p->at].kind == NAIVE_RECV && isnan(p->items[p->at].begun_s))
            next_s = fmin(next_s, naive_due_s(v, p->items[p->at].id));
    }
    for (edge_id e = 0; e < v->g->n_edges; e++) {
        const struct naive_edge *x = &v->edges[e];
        size_t n;
        const link_id *links = schedule_route(v->plan, e, &n);
        double dates[2 + 2 * NAIVE_HOPS] = {x->leaves_s};
        for (size_t k = 0; k < n; k++) {
            dates[1 + k] = x->hops[k].released_s;
            dates[1 + NAIVE_HOPS + k] = x->hops[k].finish_s;
        }
        dates[1 + 2 * NAIVE_HOPS] =
            n > 0 && isnan(x->arrived_s) ? x->hops[n - 1].finish_s + v->m->links[links[n - 1]].latency_s : 0;
        for (int i = 0; i < 2 + 2 * NAIVE_HOPS; i++)
            if (!isnan(dates[i]) && !naive_has_come(v, dates[i]))
                next_s = fmin(next_s, dates[i]);
    }
    return next_s;
}

/* A processor that is held has its whole time stolen, any other what the rates take. */
static inline void naive_account(struct naive *v, double passed_s)
{
    for (size_t h = 0; h < v->m->n_hosts && v->n_done < v->g->n_tasks; h++) {
        const struct naive_program *p = &v->programs[h];
        bool is_held = p->at < p->n && p->items[p->at].kind != NAIVE_TASK && !isnan(p->items[p->at].begun_s);
        v->programs[h].stolen_s += passed_s * (is_held ? 1 : 1 - fluid_factor(&v->fluid, (int)h));
    }
}

static inline void naive_instant(struct naive *v)
{
    for (bool goes_on = true; goes_on;) {
        goes_on = naive_take_ended(v);
        for (size_t h = 0; h < v->m->n_hosts; h++)
            goes_on = naive_go_on(v, (host_id)h) || goes_on;
        for (task_id t = 0; t < v->g->n_tasks; t++)
            if (v->g->tasks[t].work_flop <= 0 && isnan(v->out.tasks[t].start_s))
                goes_on = naive_begin_task(v, t) || goes_on;
        for (edge_id e = 0; e < v->g->n_edges; e++)
            goes_on = naive_pass_ends(v, e) || goes_on;
        for (edge_id e = 0; e < v->g->n_edges; e++)
            goes_on = naive_leave(v, e) || goes_on;
        for (edge_id e = 0; e < v->g->n_edges; e++)
            goes_on = naive_arrive(v, e) || goes_on;
        goes_on = goes_on || naive_pass_all(v);
        if (!goes_on && !v->is_active) {
            naive_solve(v);
            goes_on = naive_receive_early(v);
        }
    }
}

/* ---- a run ---- */

static inline struct fluid_forms naive_forms(const struct peer_values values[N_REGIMES][N_DIRECTIONS],
                                             enum direction dir)
{
    const struct peer_values *one_way = &values[REGIME_ONE_WAY][dir], *duplex = &values[REGIME_DUPLEX][dir];
    struct fluid_forms f = fluid_not_given();
    f.all = one_way->is_given ? one_way->value : NAN;
    f.duplex = duplex->is_given ? duplex->value : NAN;
    for (size_t i = 0; i < one_way->n_peers; i++)
        f.of[one_way->peers[i].peer] = one_way->peers[i].value;
    for (size_t i = 0; i < duplex->n_peers; i++)
        f.duplex_of[duplex->peers[i].peer] = duplex->peers[i].value;
    return f;
}

static inline struct fluid_forms naive_one_way(const struct peer_values *values)
{
    struct fluid_forms f = fluid_not_given();
    f.all = values->is_given ? values->value : NAN;
    for (size_t i = 0; i < values->n_peers; i++)
        f.of[values->peers[i].peer] = values->peers[i].value;
    return f;
}

static inline struct fluid_curve naive_curve(const struct peer_curves *c)
{
    return (struct fluid_curve){naive_one_way(&c->gamma), naive_one_way(&c->rate_bytes_per_s)};
}

static inline void naive_make_machine(struct naive *v, const struct world_model *world)
{
    bool slows_down = world->speed_factor_ratio != NULL;
    v->fluid.n_hosts = (int)v->m->n_hosts;
    v->fluid.n_links = (int)v->m->n_links + v->g->n_edges;
    if (v->fluid.n_hosts > FLUID_HOSTS || v->fluid.n_links > FLUID_LINKS)
        abort();
    for (size_t h = 0; h < v->m->n_hosts; h++) {
        const struct host *host = &v->m->hosts[h];
        struct fluid_host *x = &v->fluid.hosts[h];
        *x = fluid_host_of(host->speed_flop_per_s, host->n_cores);
        x->floor = host->ir_floor_ratio;
        if (slows_down) {
            x->ir_send = naive_forms(host->ir_s_per_byte, DIR_SEND);
            x->ir_recv = naive_forms(host->ir_s_per_byte, DIR_RECV);
            x->start_send = naive_forms(host->ir_constant_ratio, DIR_SEND);
            x->start_recv = naive_forms(host->ir_constant_ratio, DIR_RECV);
            x->curve_send = naive_curve(&host->ir_curve[DIR_SEND]);
            x->curve_recv = naive_curve(&host->ir_curve[DIR_RECV]);
        }
    }
    for (int l = 0; l < v->fluid.n_links; l++) {
        int own = l - (int)v->m->n_links; /* what a FATPIPE is to one edge; their routes have one link */
        size_t n = 0;
        const link_id *links = own >= 0 ? schedule_route(v->plan, own, &n) : NULL;
        const struct link *link = own < 0 ? &v->m->links[l] : n > 0 ? &v->m->links[links[0]] : NULL;
        v->fluid.link_bytes_per_s[l] = link != NULL ? link->bandwidth_bytes_per_s : 1;
        v->fluid.link_latency_s[l] = link != NULL ? link->latency_s : 0;
    }
}

static inline void naive_make_edges(struct naive *v, const struct world_model *world)
{
    const struct span never = {NAN, NAN};
    for (edge_id e = 0; e < v->g->n_edges; e++) {
        struct naive_edge *x = &v->edges[e];
        v->out.edges[e] = (struct replayed_edge){never, never, never};
        x->leaves_s = x->arrived_s = NAN;
        for (int k = 0; k < NAIVE_HOPS; k++)
            x->hops[k] = (struct naive_hop){NAN, NAN, NAN};
        size_t n;
        const link_id *links = schedule_route(v->plan, e, &n);
        if (n > NAIVE_HOPS)
            abort();
        for (enum direction dir = DIR_SEND; dir < N_DIRECTIONS && world->charges != NULL && n > 0; dir++) {
            int host = naive_host(v, e, dir), link = links[dir == DIR_SEND ? 0 : n - 1];
            x->o[dir] = naive_overhead_s(v->m, host, dir, link, v->g->edges[e].size_bytes);
            x->i[dir] = naive_involvement_s(v->m, host, dir, link, v->g->edges[e].size_bytes);
        }
    }
}

static inline void naive_prepare(struct naive *v, const struct schedule *s, const struct world_model *world,
                                 enum replay_links links, enum replay_waiting waiting)
{
    const struct dag *g = s->problem.dag;
    const struct machine *m = s->problem.machine;
    *v = (struct naive){.plan = s,
                        .g = g,
                        .m = m,
                        .is_exclusive = links == REPLAY_EXCLUSIVE,
                        .is_active = waiting == REPLAY_ACTIVE,
                        .keeps_link_order = s->problem.model->books_links};
    v->programs = calloc(m->n_hosts, sizeof *v->programs);
    v->edges = calloc((size_t)g->n_edges + 1, sizeof *v->edges);
    v->task_is_done = calloc((size_t)g->n_tasks, sizeof *v->task_is_done);
    v->out.tasks = calloc((size_t)g->n_tasks, sizeof *v->out.tasks);
    v->out.edges = calloc((size_t)g->n_edges + 1, sizeof *v->out.edges);
    for (task_id t = 0; t < g->n_tasks; t++)
        v->out.tasks[t] = (struct span){NAN, NAN};
    naive_make_machine(v, world);
    naive_make_edges(v, world);
    naive_make_programs(v);
}

/* Whether all tasks were done; else the schedule waits for itself. The platform has no profiles, and routes of at most
   two links. naive_clear in either case. */
static inline bool naive_replay(struct naive *v, const struct schedule *s, const struct world_model *world,
                                enum replay_links links, enum replay_waiting waiting)
{
    naive_prepare(v, s, world, links, waiting);
    for (naive_instant(v); v->n_done < v->g->n_tasks; naive_instant(v)) {
        naive_solve(v);
        double next_s = naive_next_s(v);
        if (isinf(next_s))
            return false;
        naive_account(v, next_s - v->fluid.now_s);
        fluid_advance(&v->fluid, next_s - v->fluid.now_s);
        v->fluid.now_s = next_s;
    }
    return true;
}

static inline void naive_clear(struct naive *v)
{
    for (size_t h = 0; h < v->m->n_hosts; h++)
        free(v->programs[h].items);
    free(v->programs);
    free(v->edges);
    free(v->task_is_done);
    free(v->out.tasks);
    free(v->out.edges);
    free(v->fluid.items);
}

#endif
