/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What a Gantt chart shows of a replay. Stolen time is found again from the recorded rates: between two changes of the
   flows of a host, communication takes a constant share of its processor. So the events of each host are swept by date.
   Time: O(n log n) of the changes of rate. */
#include "report/gantt.h"

#include "base/mem.h"
#include "models/world.h"

#include <math.h>
#include <stdlib.h>

/* ---- tasks, sends, receives, transfers ---- */

/* Fluid: SimGrid moves the data over all links of the route at once. */
static void add_fluid(struct gantt *g, int layer, edge_id e)
{
    const struct gantt_layer *x = &g->subject->layers[layer];
    size_t n;
    const link_id *links = schedule_route(x->schedule, e, &n);
    /* No links under it, or nothing to send. */
    if ((x->record != NULL && x->record->plan.has_transit) || x->schedule->problem.dag->edges[e].size_bytes <= 0)
        return;
    for (size_t k = 0; k < n; k++)
        gantt_add_bar(
            g, layer, problem_link(&x->schedule->problem, links[k]),
            (struct gantt_bar){.kind = GANTT_TRANSFER, .id = e, .hop = (int)k, .span = x->result->edges[e].transfer});
}

/* Exclusive links: each hop has a time of its own, which its recorded rates tell. */
static void add_hops(struct gantt *g, int layer, edge_id e)
{
    const struct gantt_layer *x = &g->subject->layers[layer];
    const struct replay_record *r = x->record;
    size_t n;
    const link_id *links = schedule_route(x->schedule, e, &n);
    for (size_t k = 0; k < n; k++) {
        struct span span = replay_record_span(r, r->plan.first_hop[e] + (step_id)k);
        /* INFINITY: this hop never had a rate. */
        if (isfinite(span.start_s))
            gantt_add_bar(g, layer, problem_link(&x->schedule->problem, links[k]),
                          (struct gantt_bar){.kind = GANTT_TRANSFER, .id = e, .hop = (int)k, .span = span});
    }
}

static void add_edge(struct gantt *g, int layer, edge_id e)
{
    const struct gantt_layer *x = &g->subject->layers[layer];
    const struct schedule *s = x->schedule;
    const struct edge *at = &s->problem.dag->edges[e];
    const struct replayed_edge *edge = &x->result->edges[e];
    if (!s->edges[e].is_remote)
        return;
    gantt_add_bar(g, layer, (size_t)s->tasks[at->src].host,
                  (struct gantt_bar){.kind = GANTT_SEND, .id = e, .span = edge->send});
    gantt_add_bar(g, layer, (size_t)s->tasks[at->dst].host,
                  (struct gantt_bar){.kind = GANTT_RECEIVE, .id = e, .span = edge->recv});
    /* Who moves the data decides which lanes they are on: iasim's own hops, or SimGrid's flows over the whole route. */
    if (x->record != NULL && edge_has_links(&x->record->plan, e))
        add_hops(g, layer, e);
    else
        add_fluid(g, layer, e);
    gantt_add_ports(g, layer, e);
}

/* ---- stolen time ---- */

enum { HELD = -1 }; /* as a flow: the processor is held by a send or receive, and not charged for rates, too */

/* From its date on, a flow of the host has the rate `value`, or the number of steps that hold the processor (HELD) has
   changed by it. */
struct event { /* on a host */
    double date_s, value;
    host_id host;
    int flow; /* 2 * edge + direction, or HELD */
    size_t number;
};

/* `present` is what world_factor_ratio takes: the flows of one host, without gaps. The other two arrays
   find a flow in it in O(1). */
struct sweep {
    const struct gantt_layer *layer;
    struct event *events;
    size_t n, capacity;
    struct world_flow *present; /* of the current host */
    int *flow_at, *place_of;    /* [place]; [flow], -1: not there */
    int n_present, n_held;
};

static void add_event(struct sweep *w, double date_s, host_id h, int flow, double value)
{
    MEM_GROW(w->events, w->n, w->capacity);
    w->events[w->n] = (struct event){date_s, value, h, flow, w->n};
    w->n++;
}

/* A sender sees the rate on the first link, a receiver that on the last one. */
static void add_flow(struct sweep *w, edge_id e, enum direction dir)
{
    /* Ends of the edge: its first and its last hop, which in `fluid` are one and the same. */
    const struct replay_record *r = w->layer->record;
    const struct replay_plan *p = &r->plan;
    int series = record_of_hop(p, dir == DIR_SEND ? p->first_hop[e] : p->first_hop[e + 1] - 1);
    host_id h = edge_host(p, e, dir);
    for (size_t i = r->start[series]; i < r->start[series + 1]; i++)
        add_event(w, r->changes[i].from_s, h, 2 * e + (int)dir, r->changes[i].value);
    struct span held = dir == DIR_SEND ? w->layer->result->edges[e].send : w->layer->result->edges[e].recv;
    if (p->is_active && held.finish_s > held.start_s) {
        add_event(w, held.start_s, h, HELD, 1);
        add_event(w, held.finish_s, h, HELD, -1);
    }
}

/* By host, because hosts are swept one after the other with one list of flows. */
static int compare_events(const void *a, const void *b)
{
    const struct event *x = a, *y = b;
    if (x->host != y->host)
        return x->host < y->host ? -1 : 1;
    if (x->date_s != y->date_s)
        return x->date_s < y->date_s ? -1 : 1;
    return (x->number > y->number) - (x->number < y->number);
}

/* The last flow moves into the gap. Their order decides nothing but the order of summation. */
static void stop_flow(struct sweep *w, int flow)
{
    int place = w->place_of[flow], last = w->n_present - 1;
    if (place < 0) /* its rate was 0 twice */
        return;
    w->present[place] = w->present[last];
    w->flow_at[place] = w->flow_at[last];
    w->place_of[w->flow_at[place]] = place;
    w->place_of[flow] = -1;
    w->n_present--;
}

/* A flow without a rate takes nothing of the processor, and is as good as over. */
static void apply(struct sweep *w, const struct event *event)
{
    const struct replay_plan *p = &w->layer->record->plan;
    if (event->flow == HELD) {
        w->n_held += (int)event->value;
    } else if (!(event->value > 0)) {
        stop_flow(w, event->flow);
    } else {
        int place = w->place_of[event->flow];
        enum direction dir = event->flow % 2;
        if (place < 0) {
            place = w->place_of[event->flow] = w->n_present++;
            w->flow_at[place] = event->flow;
            w->present[place] = world_flow_of(p->machine, event->host, dir, edge_host(p, event->flow / 2, !dir));
        }
        w->present[place].rate_bytes_per_s = event->value;
    }
}

static double stolen_ratio(const struct sweep *w, host_id h)
{
    if (w->n_present == 0 || w->n_held > 0)
        return 0;
    return 1 - world_factor_ratio(w->layer->world, &w->layer->record->plan.machine->hosts[h], w->present,
                                  (size_t)w->n_present);
}

/* Stretches of one share are one bar. */
static void add_bars(struct gantt *g, int layer, struct sweep *w)
{
    struct gantt_bar bar = {.kind = GANTT_STOLEN};
    for (size_t i = 0; i < w->n; i++) {
        const struct event *event = &w->events[i];
        bool is_last = i + 1 == w->n || w->events[i + 1].host != event->host;
        apply(w, event);
        /* Only what holds after all events of a date counts: a flow that changes its rate at the moment another one
           ends would else leave bars of no length. */
        if (!is_last && w->events[i + 1].date_s == event->date_s)
            continue;
        /* After the last event of a host nothing is stolen, whatever rounding has left. */
        double ratio = is_last ? 0 : stolen_ratio(w, event->host);
        if (ratio != bar.ratio || is_last) {
            /* The chart ends with the makespan, even if a change was recorded after it. */
            bar.span.finish_s = fmin(event->date_s, w->layer->result->makespan_s);
            if (bar.ratio > 0 && bar.span.finish_s > bar.span.start_s)
                gantt_add_bar(g, layer, (size_t)event->host, bar);
            bar = (struct gantt_bar){
                .kind = GANTT_STOLEN, .id = event->host, .span.start_s = event->date_s, .ratio = ratio};
        }
        /* The list is empty again for the next host. */
        while (is_last && w->n_present > 0)
            stop_flow(w, w->flow_at[0]);
    }
}

static void add_stolen(struct gantt *g, int layer)
{
    /* One sweep for all hosts. Flows are numbered 2 * edge + direction, like the ends of an edge. */
    struct sweep w = {.layer = &g->subject->layers[layer]};
    size_t n_flows = 2 * (size_t)w.layer->schedule->problem.dag->n_edges;
    for (size_t i = 0; i < n_flows; i++)
        if (w.layer->schedule->edges[i / 2].is_remote)
            add_flow(&w, (edge_id)(i / 2), i % 2);
    if (w.n > 0)
        qsort(w.events, w.n, sizeof *w.events, compare_events);
    w.present = mem_alloc((n_flows + 1) * sizeof *w.present);
    w.flow_at = mem_alloc((n_flows + 1) * sizeof *w.flow_at);
    w.place_of = mem_alloc((n_flows + 1) * sizeof *w.place_of);
    for (size_t i = 0; i < n_flows; i++)
        w.place_of[i] = -1;
    add_bars(g, layer, &w);
    free(w.events);
    free(w.present);
    free(w.flow_at);
    free(w.place_of);
}

void gantt_add_replay(struct gantt *g, int layer)
{
    const struct gantt_layer *x = &g->subject->layers[layer];
    const struct schedule *s = x->schedule;
    for (task_id t = 0; t < s->problem.dag->n_tasks; t++)
        gantt_add_bar(g, layer, (size_t)s->tasks[t].host,
                      (struct gantt_bar){.kind = GANTT_TASK, .id = t, .span = x->result->tasks[t]});
    for (edge_id e = 0; e < s->problem.dag->n_edges; e++)
        add_edge(g, layer, e);
    /* A world that slows nobody down (none) has nothing to sweep for. */
    if (x->world->speed_factor_ratio != NULL && x->record != NULL)
        add_stolen(g, layer);
}
