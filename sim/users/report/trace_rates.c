/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What a replay has recorded, as the sum of the rates on each link and the speed factor of each host: what the world
   leaves of its speed with the flows of the moment, times its speed at the moment over that of the platform.

   The record is sorted by series; a trace needs dates. So the changes are sorted once, and then played back against the
   state of all hops and hosts. Time: O(n log n) of the changes, and for each change the flows of its host. */
#include "base/mem.h"
#include "report/trace_format.h"

#include <math.h>
#include <stdlib.h>

struct flows { /* of a host */
    struct world_flow *list;
    int *ends; /* 2 * hop + direction */
    size_t n, capacity, ends_capacity;
};

struct trace_rates {
    const struct replay_plan *plan;
    const struct replay_record *record;
    const struct world_model *world;
    size_t *by_date; /* indices of the record's changes */
    size_t n, next;
    double *rates;       /* [hop] */
    int *places;         /* [2 * hop + direction]: in the flows of a host; -1: not there */
    struct flows *flows; /* [host] */
    double *speed;       /* [host], flop/s */
    struct trace_counters *counters;
};

/* Changes of one date stay in the order of the record, which is that of the series. */
static int compare_dates(const void *a, const void *b, void *changes)
{
    const struct record_change *all = changes;
    size_t x = *(const size_t *)a, y = *(const size_t *)b;
    if (all[x].from_s != all[y].from_s)
        return all[x].from_s < all[y].from_s ? -1 : 1;
    return x < y ? -1 : x > y;
}

struct trace_rates *trace_rates_create(const struct replay_record *record, const struct world_model *world)
{
    const struct replay_plan *p = &record->plan;
    size_t n_hosts = p->machine->n_hosts;
    /* Series are hops, then hosts, then links; the bandwidths of links are not shown, so changes end before them. */
    size_t n_hops = (size_t)record_of_host(p, 0), end = record->start[record_of_link(p, 0)];
    struct trace_rates *x = mem_zalloc(1, sizeof *x);
    *x = (struct trace_rates){.plan = p, .record = record, .world = world, .n = end};
    x->by_date = mem_alloc((end + 1) * sizeof *x->by_date);
    for (size_t i = 0; i < end; i++)
        x->by_date[i] = i;
    qsort_r(x->by_date, end, sizeof *x->by_date, compare_dates, record->changes);
    x->rates = mem_zalloc(n_hops + 1, sizeof *x->rates);
    x->places = mem_alloc((2 * n_hops + 1) * sizeof *x->places);
    for (size_t i = 0; i < 2 * n_hops; i++)
        x->places[i] = -1;
    x->flows = mem_zalloc(n_hosts + 1, sizeof *x->flows); /* indexed by host, as the flows of the plan are */
    x->speed = mem_zalloc(n_hosts + 1, sizeof *x->speed);
    x->counters = trace_counters_create(n_hosts, p->machine->n_links);
    return x;
}

void trace_rates_free(struct trace_rates *x)
{
    if (x == NULL)
        return;
    for (size_t h = 0; h < x->plan->machine->n_hosts; h++) {
        free(x->flows[h].list);
        free(x->flows[h].ends);
    }
    free(x->by_date);
    free(x->rates);
    free(x->places);
    free(x->flows);
    free(x->speed);
    trace_counters_free(x->counters);
    free(x);
}

/* ---- hosts ---- */

static void add_flow(struct trace_rates *x, host_id h, enum direction dir, host_id peer, int end)
{
    struct flows *f = &x->flows[h];
    MEM_GROW(f->list, f->n, f->capacity);
    MEM_GROW(f->ends, f->n, f->ends_capacity);
    f->list[f->n] = world_flow_of(x->plan->machine, h, dir, peer);
    f->ends[f->n] = end;
    x->places[end] = (int)f->n++;
}

/* The last one moves into the gap; `ends` finds whose place has to be corrected. */
static void remove_flow(struct trace_rates *x, host_id h, int end)
{
    struct flows *f = &x->flows[h];
    int place = x->places[end];
    f->list[place] = f->list[--f->n];
    f->ends[place] = f->ends[f->n];
    x->places[f->ends[place]] = place;
    x->places[end] = -1;
}

/* Several times at one date, perhaps: the counters write what it is in the end. */
static void set_factor(struct trace_rates *x, host_id h)
{
    const struct host *host = &x->plan->machine->hosts[h];
    double ratio = world_factor_ratio(x->world, host, x->flows[h].list, x->flows[h].n);
    trace_counters_set_factor(x->counters, h, ratio * (x->speed[h] / host->speed_flop_per_s));
}

/* A flow is there from the first change of its rate to the last, which is its end. */
static void change_flow(struct trace_rates *x, int hop, edge_id e, enum direction dir, double rate, bool is_last)
{
    host_id h = edge_host(x->plan, e, dir), peer = edge_host(x->plan, e, dir == DIR_SEND ? DIR_RECV : DIR_SEND);
    int end = 2 * hop + (int)dir;
    if (x->places[end] < 0)
        add_flow(x, h, dir, peer, end);
    x->flows[h].list[x->places[end]].rate_bytes_per_s = rate;
    if (is_last)
        remove_flow(x, h, end);
    set_factor(x, h);
}

/* Exclusive transfers have a rate for each hop, on one link; in `fluid` one rate is that of all links of the route. */
static void change_hop(struct trace_rates *x, int hop, double rate, bool is_last)
{
    const struct replay_plan *p = x->plan;
    step_id first_hop = p->first_hop[0];
    edge_id e = p->edge_of_hop[hop];
    size_t n_links;
    const link_id *links = schedule_route(p->schedule, e, &n_links);
    bool has_own_link = edge_has_links(p, e);
    for (size_t k = 0; k < n_links && !p->has_transit; k++) /* under has_transit data take time, but no link */
        if (!has_own_link || p->first_hop[e] - first_hop + (step_id)k == hop)
            trace_counters_change_rate(x->counters, links[k], x->rates[hop], rate);
    /* Afterwards: the counters need the difference to the rate before. */
    x->rates[hop] = rate;
    /* The sender's processor sees the first hop, the receiver's the last one. A route of one link has both. */
    if (hop == p->first_hop[e] - first_hop)
        change_flow(x, hop, e, DIR_SEND, rate, is_last);
    if (hop == p->first_hop[e + 1] - first_hop - 1)
        change_flow(x, hop, e, DIR_RECV, rate, is_last);
}

/* ---- by date ---- */

static void apply(struct trace_rates *x, size_t i)
{
    const struct record_change *change = &x->record->changes[i];
    int n_hops = record_of_host(x->plan, 0);
    if (change->series < n_hops) {
        /* The last change of a series ends its flow. */
        change_hop(x, change->series, change->value, i + 1 == x->record->start[change->series + 1]);
    } else {
        x->speed[change->series - n_hops] = change->value;
        set_factor(x, change->series - n_hops);
    }
}

/* All changes of a date are applied before any is shown, so a factor between two of them never appears. */
void trace_rates_put_until(struct trace_rates *x, double until_s, struct trace *t)
{
    while (x->next < x->n && x->record->changes[x->by_date[x->next]].from_s <= until_s) {
        double date_s = x->record->changes[x->by_date[x->next]].from_s;
        while (x->next < x->n && x->record->changes[x->by_date[x->next]].from_s == date_s)
            apply(x, x->by_date[x->next++]);
        trace_counters_put(x->counters, date_s, t);
    }
}
