/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A layer, the plan or what happened, as columns:

     task_start, task_length
     send, transfer, receive    {start, length} of each remote edge. A send starts so long after its task ends, a
                                transfer after its send starts, a receive after its transfer ends: mostly 0
     hops                       {start, length} on each link of the route: the start so long after that of the transfer.
                                null: a transfer occupies all links of its route at once, or (has_links false) none
     ports                      {send, receive}: {start, length}, when each occupies its port: the start so long after
                                that of the send or receive; null: there are no ports
     has_ends, has_links        whether messages occupy hosts and links; is_delay: the plan knows delays only */
#include "html/run_state.h"

#include "base/mem.h"
#include "models/cost/cost.h"

#include <math.h>
#include <stdlib.h>

struct edge_dates { /* of a remote edge, in one layer */
    struct span send, transfer, recv;
    const struct span *hops; /* NULL: none of their own */
    size_t n_hops;
};

static void planned_dates(const struct run_data *r, edge_id e, struct edge_dates *out)
{
    const struct schedule *s = r->schedule;
    const struct edge *edge = &r->dag->edges[e];
    host_id src = s->tasks[edge->src].host, dst = s->tasks[edge->dst].host;
    out->hops = schedule_link_spans(s, e);
    schedule_route(s, e, &out->n_hops);
    /* A plan under a model without links has no dates of hops: from the departure to the last byte, whatever the model
       knows. */
    out->transfer =
        (struct span){schedule_departure_s(s, e, src, dst), schedule_last_byte_s(s, e, src, dst, out->hops)};
    /* Where the model books no processors, sends and receives are dates without length. */
    out->send = (struct span){out->transfer.start_s, out->transfer.start_s};
    out->recv = (struct span){out->transfer.finish_s, out->transfer.finish_s};
    if (cost_has_ends(s->problem.model)) {
        out->send = s->edges[e].send;
        out->recv = s->edges[e].recv;
    }
}

/* Of a replay the record has the dates of hops; `spans` has room for them. */
static void replayed_dates(const struct run_data *r, edge_id e, struct span *spans, struct edge_dates *out)
{
    const struct replayed_edge *x = &r->run->result->edges[e];
    *out = (struct edge_dates){.send = x->send, .transfer = x->transfer, .recv = x->recv};
    if (edge_has_links(r->plan, e)) {
        schedule_route(r->schedule, e, &out->n_hops);
        out->hops = spans;
        for (size_t k = 0; k < out->n_hops; k++) {
            struct span flows = replay_record_span(r->run->record, r->plan->first_hop[e] + (step_id)k);
            /* A hop without data was never recorded. */
            spans[k] = isfinite(flows.start_s) ? flows : (struct span){x->transfer.start_s, x->transfer.start_s};
        }
    }
}

/* ---- columns ---- */

struct column {
    json_t *start, *length;
};

static struct column column_create(void)
{
    return (struct column){json_array(), json_array()};
}

static json_t *column_json(struct column c)
{
    return json_pack("{s:o, s:o}", "start", c.start, "length", c.length);
}

/* Adds a start, counted from `after`, and a length; returns the finish. Both ends are rounded, so that bars that touch
   still do. */
static json_int_t add_span(const struct run_data *r, struct column c, json_int_t after, struct span at)
{
    json_int_t start = columns_ticks(at.start_s, r->tick_s), finish = columns_ticks(at.finish_s, r->tick_s);
    columns_add(c.start, start - after);
    columns_add(c.length, finish - start);
    return finish;
}

struct edge_columns {
    struct column send, transfer, recv, hops, ports[N_DIRECTIONS];
};

/* Each date is counted from one that is mostly the same: sends from the end of their task, transfers from the start of
   their send, receives from the end of their transfer. Columns of zeros deflate to almost nothing. */
static void add_edge(const struct run_data *r, const struct edge_columns *c, double sent_s, const struct edge_dates *at)
{
    json_int_t sent = columns_ticks(sent_s, r->tick_s), left = columns_ticks(at->send.start_s, r->tick_s);
    add_span(r, c->send, sent, at->send);
    json_int_t arrived = add_span(r, c->transfer, left, at->transfer);
    add_span(r, c->recv, arrived, at->recv);
    for (size_t k = 0; at->hops != NULL && k < at->n_hops; k++)
        add_span(r, c->hops, columns_ticks(at->transfer.start_s, r->tick_s), at->hops[k]);
}

static void add_ports(const struct run_data *r, const struct gantt_layer *layer, const struct edge_columns *c,
                      edge_id e, const struct edge_dates *at)
{
    for (enum direction dir = DIR_SEND; dir < N_DIRECTIONS && gantt_has_ports(layer); dir++)
        add_span(r, c->ports[dir], columns_ticks((dir == DIR_SEND ? at->send : at->recv).start_s, r->tick_s),
                 gantt_port(layer, e, dir));
}

static struct span task_span(const struct run_data *r, task_id t, bool is_plan)
{
    return is_plan ? r->schedule->tasks[t].span : r->run->result->tasks[t];
}

static void add_edges(const struct run_data *r, json_t *layer, bool is_plan)
{
    struct edge_columns c = {
        column_create(), column_create(), column_create(), column_create(), {column_create(), column_create()}};
    const struct gantt_layer *drawn = &r->gantt->subject->layers[is_plan ? 0 : 1];
    bool has_hops = is_plan ? r->schedule->problem.model->books_links : r->plan->is_exclusive && !r->plan->has_transit;
    /* No route has more links than the machine. */
    struct span *spans = mem_zalloc(r->machine->n_links + 1, sizeof *spans);
    for (edge_id e = 0; e < r->dag->n_edges; e++) {
        struct edge_dates at = {0};
        if (!r->schedule->edges[e].is_remote)
            continue;
        if (is_plan)
            planned_dates(r, e, &at);
        else
            replayed_dates(r, e, spans, &at);
        add_edge(r, &c, task_span(r, r->dag->edges[e].src, is_plan).finish_s, &at);
        add_ports(r, drawn, &c, e, &at);
    }
    free(spans);
    json_object_set_new(layer, "send", column_json(c.send));
    json_object_set_new(layer, "transfer", column_json(c.transfer));
    json_object_set_new(layer, "receive", column_json(c.recv));
    json_t *hops = column_json(c.hops), *ports = json_pack("{s:o, s:o}", "send", column_json(c.ports[DIR_SEND]),
                                                           "receive", column_json(c.ports[DIR_RECV]));
    /* Given away or dropped: the columns were made before it was known whether anyone needs them. */
    json_object_set_new(layer, "hops", has_hops ? json_incref(hops) : json_null());
    json_object_set_new(layer, "ports", gantt_has_ports(drawn) ? json_incref(ports) : json_null());
    json_decref(hops);
    json_decref(ports);
}

json_t *run_layer_json(const struct run_data *r, bool is_plan)
{
    const struct cost_model *model = r->schedule->problem.model;
    struct column tasks = column_create();
    for (task_id t = 0; t < r->dag->n_tasks; t++)
        add_span(r, tasks, 0, task_span(r, t, is_plan));
    json_t *layer = json_pack("{s:s, s:o, s:o, s:b, s:b, s:b}", "name", is_plan ? "planned" : "simulated", "task_start",
                              tasks.start, "task_length", tasks.length, "has_ends", !is_plan || cost_has_ends(model),
                              "has_links", is_plan ? model->books_links : !r->plan->has_transit, "is_delay",
                              is_plan && cost_is_plain_delay(model));
    if (!r->is_aggregated)
        add_edges(r, layer, is_plan);
    return layer;
}

/* ---- routes: those of the remote edges, each once ---- */

/* of_pair: 0 is not there yet, else the route's number plus 1. */
static size_t find_route(const struct run_data *r, json_t *routes, int *of_pair, host_id src, host_id dst)
{
    int *number = &of_pair[(size_t)src * r->machine->n_hosts + (size_t)dst];
    if (*number == 0) {
        size_t n;
        const link_id *links = route_links(r->schedule->problem.routes, src, dst, &n);
        json_t *route = json_array();
        for (size_t k = 0; k < n; k++)
            columns_add(route, links[k]);
        json_array_append_new(routes, route);
        *number = (int)json_array_size(routes);
    }
    return (size_t)*number - 1;
}

json_t *run_routes_json(const struct run_data *r)
{
    if (r->is_aggregated)
        return json_null();
    /* Hosts squared, as the table of routes itself. */
    int *of_pair = mem_zalloc(r->machine->n_hosts * r->machine->n_hosts + 1, sizeof *of_pair);
    json_t *routes = json_array(), *of_edge = json_array();
    for (edge_id e = 0; e < r->dag->n_edges; e++)
        if (r->schedule->edges[e].is_remote)
            columns_add(of_edge, (json_int_t)find_route(r, routes, of_pair, edge_host(r->plan, e, DIR_SEND),
                                                        edge_host(r->plan, e, DIR_RECV)));
    free(of_pair);
    return json_pack("{s:o, s:o}", "links", routes, "of_edge", of_edge);
}
