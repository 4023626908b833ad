/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A run of a farm in text and JSON: what each node did, how throughput developed, and, on request, which causes keep
   it below its bound. Losses are in tasks/s; those of all causes add up to bound minus computed (farm_losses.h), so
   no cause is left unnamed. */
#include "report/farm_report.h"

#include "base/choose.h"
#include "base/mem.h"
#include "report/json_bytes.h"
#include "report/page.h"
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
        /* The last task ends at the makespan, which would be in an interval of its own. */
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
    long counts[N_INTERVALS], most = 1; /* 1: nothing to divide by where no task ends */
    count_completions(r, counts);
    for (int i = 0; i < N_INTERVALS; i++)
        most = counts[i] > most ? counts[i] : most;
    fputs("throughput over time  |", out);
    /* Rounded up: an interval with a single task is not empty. */
    for (int i = 0; i < N_INTERVALS; i++)
        fputs(bars[(counts[i] * 8 + most - 1) / most], out);
    fprintf(out, "|  top: %.4g tasks/s\n", (double)most / (r->makespan_s / N_INTERVALS));
}

/* ---- JSON ---- */

/* A seed means something only where something is drawn. */
static bool is_random(const struct farm_outcome *r)
{
    return r->how.noise != NULL || r->arrivals_s != NULL;
}

static json_t *responses_json(const struct farm_outcome *r)
{
    const struct arrivals_responses *x = &r->responses;
    if (r->arrivals_s == NULL) /* NULL: members of that name do not appear */
        return NULL;
    return json_pack("{s:f, s:f, s:f, s:f, s:f, s:f}", "arrival_tasks_per_s", r->arriving_tasks_per_s,
                     "response_mean_s", x->mean_s, "response_median_s", x->median_s, "response_p95_s", x->p95_s,
                     "response_max_s", x->max_s, "growth_ratio", x->growth_ratio);
}

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

json_t *farm_report_json(const struct farm_outcome *r, json_t *given)
{
    const struct farm_run_result *x = &r->result;
    const struct noise *noise = r->how.noise;
    /* Usual values are left out, as in the text: results of plain runs stay short. */
    bool is_usual_actor = strcmp(r->actor->name, "farm_node") == 0;
    json_t *nodes = json_array();
    for (node_id n = 0; n < x->n_nodes; n++)
        json_array_append_new(nodes, node_json(r, n));
    json_t *root =
        json_pack("{s:s, s:s, s:s*, s:s*, s:o*, s:o*}", "policy", r->policy.text, "world", world_text(r->how.world),
                  "engine", r->point.kind == FARM_ACTORS ? "actors" : NULL, "actor",
                  is_usual_actor ? NULL : r->actor->name, "noise", noise != NULL ? json_bytes(noise->text) : NULL,
                  "seed", is_random(r) ? json_integer((json_int_t)r->seed) : NULL);
    json_object_update_new(root, given);
    json_object_update_new(root, json_pack("{s:I, s:f, s:f, s:o, s:f, s:f, s:o, s:o}", "tasks",
                                           (json_int_t)r->how.app.n_tasks, "makespan_s", x->makespan_s,
                                           "throughput_tasks_per_s", x->throughput_tasks_per_s, "steady_tasks_per_s",
                                           json_finite(x->steady_tasks_per_s), "startup_s", x->phases.startup_end_s,
                                           "wind_down_s", x->makespan_s - x->phases.wind_down_start_s,
                                           "throughput_over_time", throughput_over_time(x), "nodes", nodes));
    json_t *responses = responses_json(r);
    if (responses != NULL)
        json_object_update_new(root, responses);
    return root;
}

/* ---- text ---- */

/* A small tree: all nodes in deployment order. A large one: those with the largest values. Ranking a small tree would
   only make it harder to find a node. The caller's. */
static struct choose_ranked *choose_nodes(node_id n_nodes, double (*value)(const void *of, node_id n), const void *of,
                                          int *n_shown)
{
    struct choose_ranked *order = mem_zalloc((size_t)n_nodes, sizeof *order);
    for (node_id n = 0; n < n_nodes; n++)
        order[n] = (struct choose_ranked){n, value(of, n)};
    *n_shown = n_nodes <= MAX_NODES_SHOWN ? n_nodes : MAX_NODES_SHOWN;
    /* Ties go to the node that comes first in the deployment. */
    if (*n_shown < n_nodes)
        qsort(order, (size_t)n_nodes, sizeof *order, choose_largest_first);
    return order;
}

static double tasks_of(const void *outcome, node_id n)
{
    return (double)((const struct farm_outcome *)outcome)->result.nodes[n].farm.tasks_computed;
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

static void print_nodes(const struct farm_outcome *r, FILE *out)
{
    int n_shown;
    struct choose_ranked *order = choose_nodes(r->result.n_nodes, tasks_of, r, &n_shown);
    struct table *t = table_of("host|tasks>|forwarded>|busy %>|stolen %>|received MB>|sent MB>");
    for (int i = 0; i < n_shown; i++)
        add_row(t, r, order[i].id);
    table_end(t, out);
    if (n_shown < r->result.n_nodes)
        fprintf(out, "(the %d busiest of %d nodes; --json prints all)\n", n_shown, r->result.n_nodes);
    free(order);
}

static void print_responses(const struct farm_outcome *r, FILE *out)
{
    const struct arrivals_responses *x = &r->responses;
    fprintf(out,
            "%.6g tasks/s arrive (seed %" PRIu64 ") and stay for %.6g s on average, median %.6g, 95 %% %.6g, "
            "largest %.6g\n",
            r->arriving_tasks_per_s, r->seed, x->mean_s, x->median_s, x->p95_s, x->max_s);
    /* Below 1 % the second half is as good as balanced; a queue that only varies must not be reported. */
    if (x->growth_ratio > 0.01)
        fprintf(out, "the farm does not keep up: it fills by %.3g %% of the tasks that arrive in the second half\n",
                100 * x->growth_ratio);
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
    if (isnan(x->steady_tasks_per_s)) /* the root gave its last task before start-up was over */
        fputs("no steady phase\n", out);
    else
        fprintf(out, "in the steady phase %.6g tasks/s\n", x->steady_tasks_per_s);
    fprintf(out, "start-up %.6g s, wind-down %.6g s (it begins when the root has no more tasks to give)\n",
            x->phases.startup_end_s, x->makespan_s - x->phases.wind_down_start_s);
    if (r->arrivals_s != NULL)
        print_responses(r, out);
    print_sparkline(x, out);
    /* The words of the header are explained here: "busy" includes what is stolen. */
    fputs("busy: share of the makespan spent on tasks; stolen: the part of that share lost to transfers\n", out);
}

/* ---- what keeps it below its bound ---- */

static const double least_ratio = 1e-9; /* of the bound: less is nothing */

static double percent(double part, double whole)
{
    return whole > 0 ? 100 * part / whole : 0;
}

/* What rounding has left of nothing is shown as nothing, as in table_part. */
static double shown(const struct farm_losses *x, double tasks_per_s)
{
    return fabs(tasks_per_s) > least_ratio * x->bound_tasks_per_s ? tasks_per_s : 0;
}

static double loss(const struct farm_losses *x)
{
    return x->bound_tasks_per_s - x->tasks_per_s;
}

/* The nodes that lose most come first; those that gain (shifted work) come last. */
static double node_loss(const void *losses, node_id n)
{
    const struct farm_losses_node *x = &((const struct farm_losses *)losses)->nodes[n];
    return x->bound_tasks_per_s - x->tasks_per_s;
}

static json_t *causes_json(const double lost_tasks_per_s[N_FARM_LOSSES])
{
    json_t *causes = json_object();
    for (int i = 0; i < N_FARM_LOSSES; i++)
        json_object_set_new(causes, farm_loss_names[i], json_real(lost_tasks_per_s[i]));
    return causes;
}

static json_t *node_losses_json(const struct farm_losses_node *x, const char *host)
{
    return json_pack("{s:o, s:f, s:f, s:o, s:o, s:f, s:f, s:f, s:s, s:f, s:f, s:o}", "host", json_bytes(host),
                     "computing_s", x->computing_s, "stolen_s", x->stolen_s, "stolen_send_s",
                     json_finite(x->stolen_send_s), "stolen_recv_s", json_finite(x->stolen_recv_s), "starved_s",
                     x->starved_s, "start_up_s", x->start_up_s, "done_s", x->done_s, "held_by",
                     bound_stop_name(x->held_by), "bound_tasks_per_s", x->bound_tasks_per_s, "tasks_per_s",
                     x->tasks_per_s, "loss_by_cause", causes_json(x->lost_tasks_per_s));
}

json_t *farm_losses_json(const struct farm_losses *x, const struct tree *t)
{
    json_t *nodes = json_array();
    for (node_id n = 0; n < x->n_nodes; n++)
        json_array_append_new(nodes, node_losses_json(&x->nodes[n], t->nodes[n].host_name));
    return json_pack("{s:f, s:f, s:o, s:o, s:o}", "bound_tasks_per_s", x->bound_tasks_per_s, "tasks_per_s",
                     x->tasks_per_s, "loss_by_cause", causes_json(x->lost_tasks_per_s), "warning",
                     json_bytes(x->warning), "nodes", nodes);
}

/* The node that loses most for a reason, the first of equal ones. */
static node_id most_hit(const struct farm_losses *x, enum farm_loss why)
{
    node_id most = 0;
    for (node_id n = 1; n < x->n_nodes; n++)
        if (x->nodes[n].lost_tasks_per_s[why] > x->nodes[most].lost_tasks_per_s[why])
            most = n;
    return most;
}

/* Gains are negative and never the largest unless there is nothing else. */
static enum farm_loss main_cause(const struct farm_losses *x)
{
    enum farm_loss most = 0;
    for (enum farm_loss i = 1; i < N_FARM_LOSSES; i++)
        if (x->lost_tasks_per_s[i] > x->lost_tasks_per_s[most])
            most = i;
    return most;
}

static void tell_loss(const struct farm_losses *x, const struct tree *t, struct text *out)
{
    enum farm_loss why = main_cause(x);
    node_id host = most_hit(x, why);
    text_addf(out, " Most is lost by %s: %.3g %% of the bound", farm_loss_sentences[why],
              percent(x->lost_tasks_per_s[why], x->bound_tasks_per_s));
    if (x->n_nodes > 1) /* in a farm of one node it is that one */
        text_addf(out, ", above all at %s (%.3g %%)", t->nodes[host].host_name,
                  percent(x->nodes[host].lost_tasks_per_s[why], x->bound_tasks_per_s));
    text_addf(out, ".");
    /* The losses of some nodes are gains of others. Without this sentence the parts would seem to exceed the whole. */
    if (x->lost_tasks_per_s[FARM_LOSS_SHIFTED] < -least_ratio * x->bound_tasks_per_s)
        text_addf(out, " Nodes that compute more than their share of the bound make up for %.3g %%.",
                  percent(-x->lost_tasks_per_s[FARM_LOSS_SHIFTED], x->bound_tasks_per_s));
}

static void print_story(const struct farm_losses *x, const struct tree *t, FILE *out)
{
    struct text story = {0};
    text_addf(&story, "The farm reaches %.4g %% of the bound: %.6g of %.6g tasks/s.",
              percent(x->tasks_per_s, x->bound_tasks_per_s), x->tasks_per_s, x->bound_tasks_per_s);
    if (loss(x) > least_ratio * x->bound_tasks_per_s)
        tell_loss(x, t, &story);
    /* A farm above its bound means that the bound was computed from something else than the truth, unless the world or
       the platform allows it (below). */
    else if (loss(x) < -least_ratio * x->bound_tasks_per_s && !x->may_exceed && !x->is_curved)
        text_addf(&story,
                  " It exceeds the bound, so the scheduler's beliefs, which the bound is computed from, are not true.");
    /* Which bound this is, where the world is not the one that the bound is about. */
    if (x->is_free)
        text_addf(&story, " In this world transfers cost nothing, and in the bound they cost nothing either.");
    else if (x->may_exceed)
        text_addf(&story, " The bound is of the world interference; in this one a farm may exceed it.");
    else if (x->is_curved)
        text_addf(&story,
                  " The bound takes interference as linear in the rates, but this platform has curves: a farm may "
                  "exceed it.");
    page_paragraphf(out, "%s", text_str(&story));
    text_clear(&story);
}

static void print_causes(const struct farm_losses *x, FILE *out)
{
    struct table *t = table_of("loss|tasks/s>|% of the bound>");
    for (int i = 0; i < N_FARM_LOSSES; i++) {
        table_cell(t, farm_loss_sentences[i]);
        table_number(t, shown(x, x->lost_tasks_per_s[i]), 6);
        table_cellf(t, "%.3g", percent(shown(x, x->lost_tasks_per_s[i]), x->bound_tasks_per_s));
    }
    /* The sum is bound minus computed, not added up from the rows: both agree but for rounding. */
    table_cell(t, "in all");
    table_number(t, shown(x, loss(x)), 6);
    table_cellf(t, "%.3g", percent(shown(x, loss(x)), x->bound_tasks_per_s));
    table_end(t, out);
}

static void add_share(struct table *t, double s, double makespan_s)
{
    if (isnan(s)) /* NAN: not known by sends and receives */
        table_cell(t, "-");
    else
        table_cellf(t, "%.1f", percent(s, makespan_s));
}

static void print_times(const struct farm_losses *x, const struct tree *tree, const struct choose_ranked *order,
                        int n_shown, FILE *out)
{
    struct table *t = table_of("host|compute %>|stolen %>|by send>|by recv>|starved %>|done %>|held by");
    for (int i = 0; i < n_shown; i++) {
        const struct farm_losses_node *n = &x->nodes[order[i].id];
        const double parts_s[] = {n->computing_s,   n->stolen_s,  n->stolen_send_s,
                                  n->stolen_recv_s, n->starved_s, n->done_s};
        table_cell(t, tree->nodes[order[i].id].host_name);
        for (size_t k = 0; k < sizeof parts_s / sizeof parts_s[0]; k++)
            add_share(t, parts_s[k], x->makespan_s);
        table_cell(t, bound_stop_name(n->held_by));
    }
    table_end(t, out);
}

static void print_losses(const struct farm_losses *x, const struct tree *tree, const struct choose_ranked *order,
                         int n_shown, FILE *out)
{
    struct table *t = table_of("host|bound>|computed>|start-up>|starved>|stolen>|slower>|wind-down>|shifted>");
    for (int i = 0; i < n_shown; i++) {
        const struct farm_losses_node *n = &x->nodes[order[i].id];
        table_cell(t, tree->nodes[order[i].id].host_name);
        table_number(t, n->bound_tasks_per_s, 4);
        table_number(t, n->tasks_per_s, 4);
        for (int k = 0; k < N_FARM_LOSSES; k++)
            table_number(t, shown(x, n->lost_tasks_per_s[k]), 3);
    }
    table_end(t, out);
}

/* One order for both tables, so that a node is found in the same line. */
void farm_losses_print(const struct farm_losses *x, const struct tree *t, FILE *out)
{
    int n_shown;
    struct choose_ranked *order = choose_nodes(x->n_nodes, node_loss, x, &n_shown);
    print_story(x, t, out);
    fputc('\n', out);
    print_causes(x, out);
    fputc('\n', out);
    print_times(x, t, order, n_shown, out);
    fputs("\ntasks/s of each node, and what it lost of its share of the bound:\n", out);
    print_losses(x, t, order, n_shown, out);
    if (n_shown < x->n_nodes)
        fprintf(out, "(the %d of %d nodes that lose most; --json prints all)\n", n_shown, x->n_nodes);
    fputc('\n', out);
    page_paragraphf(out,
                    "Computing, stolen (by its own sends and receives), starved (idle without a task) and done (idle "
                    "after its last task) add up to the makespan. Held by: the constraint of the bound that stops the "
                    "node there. Losses add up to bound minus computed; below 0: a gain.");
    if (x->warning != NULL)
        page_paragraphf(out, "Warning: %s", x->warning);
    free(order);
}
