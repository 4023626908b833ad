/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What is drawn as shares of time.

     stolen   for each host: {start, length, percent}: when communication takes so much of its processor; a start is so
              long after the end of the one before. Neighbours that differ by less than a percent are one
     bins     [{resource, layer, kind, percent}]: how much of each of 1,000 equal intervals is taken. Of an aggregated
              run sends, receives and transfers; of one with too many changes of what is stolen, these instead of
              `stolen`. A resource is a host's number, or that of a link after all hosts, or that of a port after them
              (plan/problem.h) */
#include "html/run_state.h"

#include "base/mem.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_STOLEN = 40000 };

static bool stolen_are_bins(const struct run_data *r)
{
    return r->gantt->n_of_kind[GANTT_STOLEN] > MOST_STOLEN * (r->is_aggregated ? 1 : 4);
}

/* ---- stolen ---- */

struct stolen { /* of one host, as it grows */
    json_t *start, *length, *percent;
    json_int_t from, to, last_end;
    double ratio, weight; /* means of what was merged */
};

/* An interval that rounds to no ticks is dropped: nothing of it would be seen. */
static void end_interval(struct stolen *s)
{
    if (s->to > s->from) {
        columns_add(s->start, s->from - s->last_end);
        columns_add(s->length, s->to - s->from);
        columns_add(s->percent, (json_int_t)lround(100 * s->ratio));
        s->last_end = s->to;
    }
    s->from = s->to;
    s->weight = 0;
}

static void add_interval(const struct run_data *r, struct stolen *s, const struct gantt_bar *bar)
{
    json_int_t from = columns_ticks(bar->span.start_s, r->tick_s), to = columns_ticks(bar->span.finish_s, r->tick_s);
    double length_s = bar->span.finish_s - bar->span.start_s;
    /* A gap, or another percent. The comparison is with the mean so far, so that a slow drift begins a new interval
       when it has gone a percent from it. */
    if (s->weight == 0 || from != s->to || fabs(bar->ratio - s->ratio) > 0.01) {
        end_interval(s);
        s->from = from;
        s->ratio = bar->ratio;
    }
    s->weight += length_s;
    /* The mean weighted by length, kept up to date without sums that grow. */
    s->ratio += (bar->ratio - s->ratio) * length_s / s->weight;
    s->to = to;
}

json_t *run_stolen_json(const struct run_data *r)
{
    const struct gantt *g = r->gantt;
    size_t n_hosts = r->machine->n_hosts;
    struct stolen *hosts = mem_zalloc(n_hosts + 1, sizeof *hosts);
    json_t *json = json_array();
    for (size_t h = 0; h < n_hosts; h++)
        hosts[h] = (struct stolen){.start = json_array(), .length = json_array(), .percent = json_array()};
    /* The bars of a lane are sorted by date (gantt.c), so those of a host come in that order. */
    for (size_t i = 0; i < g->n_bars && !stolen_are_bins(r); i++)
        if (g->bars[i].kind == GANTT_STOLEN)
            add_interval(r, &hosts[g->bars[i].id], &g->bars[i]);
    for (size_t h = 0; h < n_hosts; h++) {
        end_interval(&hosts[h]);
        json_array_append_new(json, json_pack("{s:o, s:o, s:o}", "start", hosts[h].start, "length", hosts[h].length,
                                              "percent", hosts[h].percent));
    }
    free(hosts);
    return json;
}

/* ---- bins ---- */

struct bins { /* of one kind on one lane */
    double shares[N_SHARES];
    bool is_used;
};

static void add_to_bins(const struct gantt *g, struct bins *bins, const struct gantt_bar *bar)
{
    struct bins *b = &bins[bar->kind];
    shares_add(b->shares, g->end_s, bar->span, bar->kind == GANTT_STOLEN ? bar->ratio : 1);
    b->is_used = true;
}

static void end_bins(json_t *list, const struct gantt_lane *lane, size_t resource, enum gantt_kind kind, struct bins *b)
{
    if (!b->is_used)
        return;
    json_array_append_new(list,
                          json_pack("{s:I, s:i, s:s, s:o}", "resource", (json_int_t)resource, "layer", lane->layer,
                                    "kind", gantt_kind_names[kind], "percent", shares_percent(b->shares, 1)));
    b->is_used = false;
}

/* Tasks are never binned: of an aggregated run they are still drawn one by one. */
static bool is_binned(const struct run_data *r, enum gantt_kind kind)
{
    return kind == GANTT_STOLEN ? stolen_are_bins(r) : r->is_aggregated && kind != GANTT_TASK;
}

/* A lane has the name of its resource, which the machine lends it; a port's is found by its bar. */
static size_t resource_of(const struct run_data *r, const struct gantt_lane *lane)
{
    const struct gantt_bar *bar = &r->gantt->bars[lane->first];
    size_t n;
    if (!lane->is_link)
        return (size_t)(bar->kind == GANTT_TASK ? r->schedule->tasks[bar->id].host
                        : bar->kind == GANTT_STOLEN
                            ? bar->id
                            : edge_host(r->plan, bar->id, bar->kind == GANTT_SEND ? DIR_SEND : DIR_RECV));
    /* A port's lane borrows its name from port_names, so the address tells which port it is. */
    for (size_t h = 0; h < 2 * r->machine->n_hosts; h++)
        if (r->gantt->port_names[h] == lane->name)
            return r->machine->n_hosts + r->machine->n_links + h;
    return r->machine->n_hosts + (size_t)schedule_route(r->schedule, bar->id, &n)[bar->hop];
}

json_t *run_bins_json(const struct run_data *r)
{
    const struct gantt *g = r->gantt;
    json_t *list = json_array();
    struct bins *bins = mem_zalloc(N_GANTT_KINDS, sizeof *bins);
    for (int k = 0; k < g->n_lanes; k++) {
        const struct gantt_lane *lane = &g->lanes[k];
        for (size_t i = lane->first; i < lane->first + lane->n; i++)
            if (is_binned(r, g->bars[i].kind))
                add_to_bins(g, bins, &g->bars[i]);
        /* One lane at a time: its bins are written and empty again before the next lane. */
        for (enum gantt_kind kind = 0; kind < N_GANTT_KINDS && lane->n > 0; kind++)
            end_bins(list, lane, resource_of(r, lane), kind, &bins[kind]);
    }
    free(bins);
    return list;
}
