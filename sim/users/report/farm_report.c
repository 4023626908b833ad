/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "report/farm_report.h"

#include "base/mem.h"
#include "report/json_bytes.h"
#include "report/table.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { N_INTERVALS = 20, MAX_NODES_SHOWN = 50 };

/* ---- throughput over time ---- */

static void count_completions(const struct farm_run_result *r, long counts[N_INTERVALS])
{
    for (int i = 0; i < N_INTERVALS; i++)
        counts[i] = 0;
    for (long k = 0; k < r->n_completions; k++) {
        int i = (int)(r->completions_s[k] / r->makespan_s * N_INTERVALS);
        counts[i < N_INTERVALS ? i : N_INTERVALS - 1]++;
    }
}

static json_t *throughput_over_time(const struct farm_run_result *r)
{
    long counts[N_INTERVALS];
    double length_s = r->makespan_s / N_INTERVALS;
    json_t *list = json_array();
    count_completions(r, counts);
    for (int i = 0; i < N_INTERVALS; i++)
        json_array_append_new(list, json_pack("{s:f, s:f, s:f}", "from_s", i * length_s, "to_s", (i + 1) * length_s,
                                              "tasks_per_s", (double)counts[i] / length_s));
    return list;
}

static void print_sparkline(const struct farm_run_result *r, FILE *out)
{
    static const char *const bars[] = {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
    long counts[N_INTERVALS], most = 1;
    count_completions(r, counts);
    for (int i = 0; i < N_INTERVALS; i++)
        most = counts[i] > most ? counts[i] : most;
    fputs("throughput over time  |", out);
    for (int i = 0; i < N_INTERVALS; i++)
        fputs(bars[(counts[i] * 8 + most - 1) / most], out);
    fprintf(out, "|  top: %.4g tasks/s\n", (double)most / (r->makespan_s / N_INTERVALS));
}

/* ---- JSON ---- */

static json_t *node_json(const struct farm_outcome *r, node_id n)
{
    const struct farm_run_node *x = &r->result.nodes[n];
    return json_pack("{s:s, s:I, s:I, s:f, s:f, s:f, s:f, s:f, s:f}", "host", r->point.tree->nodes[n].host_name,
                     "tasks_computed", (json_int_t)x->farm.tasks_computed, "tasks_forwarded",
                     (json_int_t)x->farm.tasks_forwarded, "busy_s", x->farm.compute_busy_s, "received_bytes",
                     x->farm.received_bytes, "sent_bytes", x->farm.sent_bytes, "stolen_s", x->use.stolen_s,
                     "stolen_flop", x->use.stolen_flop, "utilisation_ratio",
                     x->farm.compute_busy_s / r->result.makespan_s);
}

json_t *farm_report_json(const struct farm_outcome *r)
{
    const struct farm_run_result *x = &r->result;
    const struct noise *noise = r->how.noise;
    bool is_usual_actor = strcmp(r->actor->name, "farm_node") == 0;
    json_t *nodes = json_array();
    for (node_id n = 0; n < x->n_nodes; n++)
        json_array_append_new(nodes, node_json(r, n));
    return json_pack(
        "{s:s, s:s, s:s*, s:s*, s:o*, s:o*, s:I, s:f, s:f, s:o, s:f, s:f, s:o, s:o}", "policy", r->policy.text, "world",
        world_text(r->how.world), "engine", r->point.kind == FARM_ACTORS ? "actors" : NULL, "actor",
        is_usual_actor ? NULL : r->actor->name, "noise", noise != NULL ? json_bytes(noise->text) : NULL, "seed",
        noise != NULL ? json_integer((json_int_t)noise->seed) : NULL, "tasks", (json_int_t)r->how.app.n_tasks,
        "makespan_s", x->makespan_s, "throughput_tasks_per_s", x->throughput_tasks_per_s, "steady_tasks_per_s",
        json_finite(x->steady_tasks_per_s), "startup_s", x->phases.startup_end_s, "wind_down_s",
        x->makespan_s - x->phases.wind_down_start_s, "throughput_over_time", throughput_over_time(x), "nodes", nodes);
}

/* ---- text ---- */

struct ranked {
    node_id node;
    long tasks;
};

static int compare_tasks(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;
    if (x->tasks != y->tasks)
        return x->tasks > y->tasks ? -1 : 1;
    return (x->node > y->node) - (x->node < y->node);
}

static void add_row(struct table *t, const struct farm_outcome *r, node_id n)
{
    const struct farm_run_node *x = &r->result.nodes[n];
    table_cell(t, r->point.tree->nodes[n].host_name);
    table_cellf(t, "%ld", x->farm.tasks_computed);
    table_cellf(t, "%ld", x->farm.tasks_forwarded);
    table_cellf(t, "%.1f", 100 * x->farm.compute_busy_s / r->result.makespan_s);
    table_cellf(t, "%.1f", 100 * x->use.stolen_s / r->result.makespan_s);
    table_number(t, x->farm.received_bytes / 1e6, 6);
    table_number(t, x->farm.sent_bytes / 1e6, 6);
}

/* A small tree: all nodes in deployment order. A large one: the nodes that computed most. */
static void print_nodes(const struct farm_outcome *r, FILE *out)
{
    int n = r->result.n_nodes, shown = n <= MAX_NODES_SHOWN ? n : MAX_NODES_SHOWN;
    struct ranked *order = mem_zalloc((size_t)n, sizeof *order);
    struct table *t = table_create();
    static const char *const columns[] = {"tasks", "forwarded", "busy %", "stolen %", "received MB", "sent MB"};
    table_column(t, TABLE_LEFT, "host");
    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++)
        table_column(t, TABLE_RIGHT, columns[i]);
    for (node_id i = 0; i < n; i++)
        order[i] = (struct ranked){i, r->result.nodes[i].farm.tasks_computed};
    if (shown < n)
        qsort(order, (size_t)n, sizeof *order, compare_tasks);
    for (int i = 0; i < shown; i++)
        add_row(t, r, order[i].node);
    table_print(t, out);
    if (shown < n)
        fprintf(out, "(the %d busiest of %d nodes; --json prints all)\n", shown, n);
    table_free(t);
    free(order);
}

void farm_report_print(const struct farm_outcome *r, FILE *out)
{
    const struct farm_run_result *x = &r->result;
    const struct noise *noise = r->how.noise;
    fprintf(out, "%ld tasks, policy %s, world %s", r->how.app.n_tasks, r->policy.text, world_text(r->how.world));
    if (noise != NULL)
        fprintf(out, ", noise %s (seed %" PRIu64 ")", noise->text, noise->seed);
    fputs("\n\n", out);
    print_nodes(r, out);
    fprintf(out, "\nmakespan %.9g s, %.6g tasks/s; ", x->makespan_s, x->throughput_tasks_per_s);
    if (isnan(x->steady_tasks_per_s))
        fputs("no steady phase\n", out);
    else
        fprintf(out, "in the steady phase %.6g tasks/s\n", x->steady_tasks_per_s);
    fprintf(out, "start-up %.6g s, wind-down %.6g s (it begins when the root has no more tasks to give)\n",
            x->phases.startup_end_s, x->makespan_s - x->phases.wind_down_start_s);
    print_sparkline(x, out);
    fputs("busy: share of the makespan spent on tasks; stolen: the part of that share lost to transfers\n", out);
}
