/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* While the farm runs, each list takes its stretches as they end. At the end they are sorted by node, what a node did
   not do is filled in, and the charges are shared out among its computations. */
#include "engine/farm_record.h"

#include "base/mem.h"

#include <math.h>
#include <stdlib.h>

enum { N_FLOWS = FARM_FLOW_REQUEST + 1 };

struct open_stretch { /* of a node; value 0: a rate or share that is not there */
    double from_s, value;
};

struct farm_recorder {
    struct farm_record *record;
    double *compute_start_s;             /* [node] */
    double *send_start_s;                /* [node]: of what is being sent to it */
    int *n_chunks;                       /* [node]: of its task that have arrived */
    struct open_stretch *flows[N_FLOWS]; /* [flow][node] */
    struct open_stretch *charges;        /* [node] */
};

static void add(struct farm_stretches *x, struct farm_stretch stretch)
{
    MEM_GROW(x->list, x->n, x->capacity);
    x->list[x->n++] = stretch;
}

/* A counting sort, which is stable: stretches came by date, and stay so within each node. O(stretches + nodes). While
   it is filled, first[n + 1] is where the next stretch of node n goes, so it ends as the start of node n + 1. */
static void sort_by_node(struct farm_stretches *x, int n_nodes)
{
    struct farm_stretch *sorted = mem_alloc((x->n + 1) * sizeof *sorted);
    x->first = mem_zalloc((size_t)n_nodes + 2, sizeof *x->first);
    for (size_t i = 0; i < x->n; i++)
        x->first[x->list[i].node + 2]++;
    for (int n = 2; n < n_nodes + 2; n++)
        x->first[n] += x->first[n - 1];
    for (size_t i = 0; i < x->n; i++)
        sorted[x->first[x->list[i].node + 1]++] = x->list[i];
    free(x->list);
    x->list = sorted;
    x->capacity = x->n + 1;
}

static void clear(struct farm_stretches *x)
{
    free(x->list);
    free(x->first);
}

void farm_record_clear(struct farm_record *r)
{
    clear(&r->doings);
    clear(&r->transfers);
    clear(&r->rates);
    clear(&r->charges);
    *r = (struct farm_record){0};
}

/* ---- while the farm runs ---- */

struct farm_recorder *farm_recorder_create(struct farm_record *out, int n_nodes)
{
    if (out == NULL)
        return NULL;
    size_t n = (size_t)n_nodes;
    struct farm_recorder *x = mem_zalloc(1, sizeof *x);
    x->record = out;
    *out = (struct farm_record){.n_nodes = n_nodes};
    x->compute_start_s = mem_zalloc(n, sizeof *x->compute_start_s);
    x->send_start_s = mem_zalloc(n, sizeof *x->send_start_s);
    x->n_chunks = mem_zalloc(n, sizeof *x->n_chunks);
    x->charges = mem_zalloc(n, sizeof *x->charges);
    for (int flow = 0; flow < N_FLOWS; flow++)
        x->flows[flow] = mem_zalloc(n, sizeof *x->flows[flow]);
    return x;
}

static void end_chunk(struct farm_recorder *x, double now_s, node_id to, long task)
{
    add(&x->record->transfers,
        (struct farm_stretch){
            .node = to, .task = task, .span = {x->send_start_s[to], now_s}, .value = x->n_chunks[to]++});
}

void farm_recorder_event(struct farm_recorder *x, double now_s, node_id node, enum farm_event event, long task,
                         node_id other)
{
    if (x == NULL)
        return;
    switch (event) {
    case FARM_COMPUTE_START:
        x->compute_start_s[node] = now_s;
        break;
    case FARM_COMPUTE_END:
        add(&x->record->doings,
            (struct farm_stretch){
                .node = node, .kind = FARM_COMPUTES, .task = task, .span = {x->compute_start_s[node], now_s}});
        break;
    case FARM_SEND_START:
        x->n_chunks[other] = 0;
        x->send_start_s[other] = now_s;
        break;
    case FARM_SEND_RESUME:
        x->send_start_s[other] = now_s;
        break;
    case FARM_SEND_PAUSE:
    case FARM_SEND_END:
        end_chunk(x, now_s, other, task);
        break;
    /* these have no stretch: a receive ends with its send, and the others take no time */
    case FARM_RECEIVE_END:
    case FARM_REQUEST:
    case FARM_ARRIVE:
        break;
    }
}

/* Ends what was, if it was there and lasted. */
static void change(struct open_stretch *open, double now_s, double value, struct farm_stretches *list,
                   struct farm_stretch stretch)
{
    stretch.task = -1;
    stretch.span = (struct span){open->from_s, now_s};
    stretch.value = open->value;
    if (open->value > 0 && now_s > open->from_s)
        add(list, stretch);
    *open = (struct open_stretch){now_s, value};
}

void farm_recorder_rate(struct farm_recorder *x, double now_s, node_id node, enum farm_flow flow, double bytes_per_s)
{
    if (x != NULL && x->flows[flow][node].value != bytes_per_s)
        change(&x->flows[flow][node], now_s, bytes_per_s, &x->record->rates,
               (struct farm_stretch){.node = node, .kind = (int)flow});
}

void farm_recorder_charge(struct farm_recorder *x, double now_s, node_id node, double ratio)
{
    if (x != NULL && x->charges[node].value != ratio)
        change(&x->charges[node], now_s, ratio, &x->record->charges, (struct farm_stretch){.node = node});
}

/* ---- afterwards ---- */

static void add_idle(struct farm_stretches *out, node_id node, enum farm_doing kind, struct span span)
{
    if (span.finish_s > span.start_s)
        add(out, (struct farm_stretch){.node = node, .kind = (int)kind, .task = -1, .span = span});
}

/* Between its computations a node starves; after the last one it is done. So the stretches of a node tile the run, and
   their lengths add up to the makespan. */
static void fill_in(struct farm_record *r)
{
    struct farm_stretches computed = r->doings, all = {0};
    all.first = mem_zalloc((size_t)r->n_nodes + 1, sizeof *all.first);
    for (node_id n = 0; n < r->n_nodes; n++) {
        double until_s = 0;
        all.first[n] = all.n;
        for (size_t i = computed.first[n]; i < computed.first[n + 1]; i++) {
            add_idle(&all, n, FARM_STARVES, (struct span){until_s, computed.list[i].span.start_s});
            add(&all, computed.list[i]);
            until_s = computed.list[i].span.finish_s;
        }
        bool has_computed = computed.first[n + 1] > computed.first[n];
        add_idle(&all, n, has_computed ? FARM_IS_DONE : FARM_STARVES, (struct span){until_s, r->makespan_s});
    }
    all.first[r->n_nodes] = all.n;
    clear(&computed);
    r->doings = all;
}

/* How much of each computation transfers stole: the node's charges, cut to its span. Both lists are by date, so charges
   that ended before a computation began are passed for good: O(computations + charges) for a node. */
static void share_out(struct farm_record *r, node_id n)
{
    size_t first = r->charges.first[n];
    for (size_t i = r->doings.first[n]; i < r->doings.first[n + 1]; i++) {
        struct farm_stretch *x = &r->doings.list[i];
        for (size_t k = first; x->kind == FARM_COMPUTES && k < r->charges.first[n + 1]; k++) {
            const struct farm_stretch *charge = &r->charges.list[k];
            if (charge->span.start_s >= x->span.finish_s)
                break;
            first = charge->span.finish_s <= x->span.start_s ? k + 1 : first;
            x->value += charge->value * fmax(0, fmin(charge->span.finish_s, x->span.finish_s) -
                                                    fmax(charge->span.start_s, x->span.start_s));
        }
    }
}

/* Requests may be under way when the last task has been computed. */
static void end_at(struct farm_stretches *x, double end_s)
{
    size_t n = 0;
    for (size_t i = 0; i < x->n; i++) {
        x->list[i].span.finish_s = fmin(x->list[i].span.finish_s, end_s);
        if (x->list[i].span.finish_s > x->list[i].span.start_s)
            x->list[n++] = x->list[i];
    }
    x->n = n;
}

static void free_recorder(struct farm_recorder *x)
{
    free(x->compute_start_s);
    free(x->send_start_s);
    free(x->n_chunks);
    free(x->charges);
    for (int flow = 0; flow < N_FLOWS; flow++)
        free(x->flows[flow]);
    free(x);
}

void farm_recorder_end(struct farm_recorder *x, double makespan_s)
{
    if (x == NULL)
        return;
    struct farm_record *r = x->record;
    r->makespan_s = makespan_s;
    for (node_id n = 0; n < r->n_nodes; n++) {
        /* ends what is still open; a value of 0 is not kept */
        farm_recorder_charge(x, makespan_s, n, 0);
        for (enum farm_flow flow = FARM_FLOW_TASK; flow <= FARM_FLOW_REQUEST; flow++)
            farm_recorder_rate(x, makespan_s, n, flow, 0);
    }
    end_at(&r->rates, makespan_s);
    end_at(&r->charges, makespan_s);
    sort_by_node(&r->doings, r->n_nodes);
    sort_by_node(&r->transfers, r->n_nodes);
    sort_by_node(&r->rates, r->n_nodes);
    sort_by_node(&r->charges, r->n_nodes);
    fill_in(r);
    for (node_id n = 0; n < r->n_nodes; n++)
        share_out(r, n);
    free_recorder(x);
}
