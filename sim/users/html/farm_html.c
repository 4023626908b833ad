/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The data of a farm. Dates are in ticks (columns.h); all lists have an entry for each node, in deployment order.

     about, makespan_s, tick_s, end, tasks_per_s, steady_tasks_per_s, bound_tasks_per_s
     hosts, parents    names, and numbers of nodes (-1: the root)
     doings            from 0 on {kind (0 computes, 1 starves, 2 done), length, task, value: stolen (hundredths of a
                       percent)}
     transfers         {start (after the end of the one before, which may be negative), length, task}: tasks that it
                       receives
     charges           {start, length, value: percent}: what transfers take of its processor
     shares            in place of these, when there are too many: percent of intervals {computes, starves, receives,
                       charged}
     rates             for 1,000 intervals: percent of the highest sum of the rates of all transfers, top_bytes_per_s
     losses            as farm_losses_json */
#include "html/farm_html.h"

#include "base/mem.h"
#include "html/columns.h"
#include "report/farm_report.h"
#include "report/json_bytes.h"

#include <math.h>
#include <stdlib.h>

static bool is_aggregated(const struct farm_html *f)
{
    const struct farm_record *r = f->record;
    return r->doings.n + r->transfers.n + r->charges.n / 4 > FARM_HTML_MOST_BARS;
}

/* ---- bars ---- */

/* The stretches of a node as columns. A start is the distance from the end before, mostly 0, which deflates to almost
   nothing. `scale` makes a whole number of the value; with `is_share` that is first divided by the stretch's length. */
static json_t *stretches_json(const struct farm_stretches *s, node_id n, double tick_s, double scale, bool is_share)
{
    json_t *start = json_array(), *length = json_array(), *kind = json_array(), *task = json_array(),
           *value = json_array();
    json_int_t last = 0;
    for (size_t i = s->first[n]; i < s->first[n + 1]; i++) {
        const struct farm_stretch *x = &s->list[i];
        json_int_t from = columns_ticks(x->span.start_s, tick_s), to = columns_ticks(x->span.finish_s, tick_s);
        double length_s = x->span.finish_s - x->span.start_s;
        /* Both ends are rounded, not the length, so that stretches that touch still do. */
        columns_add(start, from - last);
        columns_add(length, to - from);
        columns_add(kind, x->kind);
        columns_add(task, x->task);
        columns_add(value, llround(scale * (is_share && length_s > 0 ? x->value / length_s : x->value)));
        last = to;
    }
    return json_pack("{s:o, s:o, s:o, s:o, s:o}", "start", start, "length", length, "kind", kind, "task", task, "value",
                     value);
}

static json_t *all_stretches(const struct farm_html *f, const struct farm_stretches *s, double tick_s, double scale,
                             bool is_share)
{
    json_t *list = json_array();
    for (node_id n = 0; n < f->record->n_nodes; n++)
        json_array_append_new(list, stretches_json(s, n, tick_s, scale, is_share));
    return list;
}

/* ---- shares ---- */

/* How much of each of 1,000 intervals the stretches of one kind take; kind -1: of all. Without `has_values` each counts
   1. */
static json_t *share_json(const struct farm_html *f, const struct farm_stretches *s, node_id n, int kind,
                          bool has_values)
{
    double shares[N_SHARES] = {0};
    for (size_t i = s->first[n]; i < s->first[n + 1]; i++)
        if (kind < 0 || s->list[i].kind == kind)
            shares_add(shares, f->record->makespan_s, s->list[i].span, has_values ? s->list[i].value : 1);
    return shares_percent(shares, 1);
}

static json_t *shares_json(const struct farm_html *f)
{
    const struct farm_record *r = f->record;
    json_t *list = json_array();
    for (node_id n = 0; n < r->n_nodes; n++)
        json_array_append_new(list, json_pack("{s:o, s:o, s:o, s:o}", "computes",
                                              share_json(f, &r->doings, n, FARM_COMPUTES, false), "starves",
                                              share_json(f, &r->doings, n, FARM_STARVES, false), "receives",
                                              share_json(f, &r->transfers, n, -1, false), "charged",
                                              share_json(f, &r->charges, n, -1, true)));
    return list;
}

/* Relative to the highest interval, so that the curve fills its height; the page names that value. */
static void add_rates(const struct farm_html *f, json_t *json)
{
    double shares[N_SHARES] = {0}, top = 0;
    const struct farm_stretches *s = &f->record->rates;
    for (size_t i = 0; i < s->n; i++)
        shares_add(shares, f->record->makespan_s, s->list[i].span, s->list[i].value);
    for (int i = 0; i < N_SHARES; i++)
        top = fmax(top, shares[i]);
    json_object_set_new(json, "top_bytes_per_s", json_finite(top));
    json_object_set_new(json, "rates", shares_percent(shares, top));
}

/* ---- all of it ---- */

/* json_bytes, because policies, worlds and noise are texts of the user. */
static json_t *about_json(const struct farm_html *f)
{
    const struct farm_run_options *o = f->options;
    char *about = mem_format("%ld task%s of %g MB, policy %s, world %s, %d node%s%s%s", o->app.n_tasks,
                             o->app.n_tasks == 1 ? "" : "s", o->app.task_bytes / 1e6, o->policy->text,
                             world_text(o->world), f->tree->n_nodes, f->tree->n_nodes == 1 ? "" : "s",
                             o->noise != NULL ? ", noise " : "", o->noise != NULL ? o->noise->text : "");
    json_t *json = json_bytes(about);
    free(about);
    return json;
}

json_t *farm_html_json(const struct farm_html *f)
{
    const struct farm_record *r = f->record;
    double tick_s = columns_tick_s(r->makespan_s);
    json_t *hosts = json_array(), *parents = json_array();
    for (node_id n = 0; n < f->tree->n_nodes; n++) {
        json_array_append_new(hosts, json_bytes(f->tree->nodes[n].host_name));
        columns_add(parents, f->tree->nodes[n].parent);
    }
    json_t *json = json_pack("{s:o, s:f, s:f, s:I, s:o, s:o, s:o, s:o}", "about", about_json(f), "makespan_s",
                             r->makespan_s, "tick_s", tick_s, "end", columns_ticks(r->makespan_s, tick_s),
                             "tasks_per_s", json_finite(f->result->throughput_tasks_per_s), "steady_tasks_per_s",
                             json_finite(f->result->steady_tasks_per_s), "hosts", hosts, "parents", parents);
    /* Either bars or shares, never both: the page draws what it finds. */
    if (is_aggregated(f)) {
        json_object_set_new(json, "shares", shares_json(f));
    } else {
        json_object_set_new(json, "doings", all_stretches(f, &r->doings, tick_s, 1e4, true));
        json_object_set_new(json, "transfers", all_stretches(f, &r->transfers, tick_s, 1, false));
        json_object_set_new(json, "charges", all_stretches(f, &r->charges, tick_s, 100, false));
    }
    add_rates(f, json);
    json_object_set_new(json, "losses", farm_losses_json(f->losses, f->tree));
    return json;
}
