/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "report/farm_losses_report.h"

#include "base/mem.h"
#include "report/json_bytes.h"
#include "report/page.h"
#include "report/table.h"

#include <math.h>
#include <stdlib.h>

enum { MAX_NODES_SHOWN = 50 };
static const double least_ratio = 1e-9; /* of the bound: less is nothing */

static double percent(double part, double whole)
{
    return whole > 0 ? 100 * part / whole : 0;
}

/* What rounding has left of nothing is shown as nothing. */
static double shown(const struct farm_losses *x, double tasks_per_s)
{
    return fabs(tasks_per_s) > least_ratio * x->bound_tasks_per_s ? tasks_per_s : 0;
}

static double loss(const struct farm_losses *x)
{
    return x->bound_tasks_per_s - x->tasks_per_s;
}

static double node_loss(const struct farm_losses_node *n)
{
    return n->bound_tasks_per_s - n->tasks_per_s;
}

/* ---- JSON ---- */

static json_t *causes_json(const double lost_tasks_per_s[N_FARM_LOSSES])
{
    json_t *causes = json_object();
    for (int i = 0; i < N_FARM_LOSSES; i++)
        json_object_set_new(causes, farm_loss_names[i], json_real(lost_tasks_per_s[i]));
    return causes;
}

static json_t *node_json(const struct farm_losses_node *x, const char *host)
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
        json_array_append_new(nodes, node_json(&x->nodes[n], t->nodes[n].host_name));
    return json_pack("{s:f, s:f, s:o, s:o, s:o}", "bound_tasks_per_s", x->bound_tasks_per_s, "tasks_per_s",
                     x->tasks_per_s, "loss_by_cause", causes_json(x->lost_tasks_per_s), "warning",
                     json_bytes(x->warning), "nodes", nodes);
}

/* ---- the story ---- */

/* The node that loses most for a reason. */
static node_id most_hit(const struct farm_losses *x, enum farm_loss why)
{
    node_id most = 0;
    for (node_id n = 1; n < x->n_nodes; n++)
        if (x->nodes[n].lost_tasks_per_s[why] > x->nodes[most].lost_tasks_per_s[why])
            most = n;
    return most;
}

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
    if (x->n_nodes > 1)
        text_addf(out, ", above all at %s (%.3g %%)", t->nodes[host].host_name,
                  percent(x->nodes[host].lost_tasks_per_s[why], x->bound_tasks_per_s));
    text_addf(out, ".");
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
    else if (loss(x) < -least_ratio * x->bound_tasks_per_s && !x->may_exceed && !x->is_curved)
        text_addf(&story,
                  " It exceeds the bound, so the scheduler's beliefs, which the bound is computed from, are not true.");
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

/* ---- tables ---- */

static void print_causes(const struct farm_losses *x, FILE *out)
{
    struct table *t = table_create();
    table_column(t, TABLE_LEFT, "loss");
    table_column(t, TABLE_RIGHT, "tasks/s");
    table_column(t, TABLE_RIGHT, "% of the bound");
    for (int i = 0; i < N_FARM_LOSSES; i++) {
        table_cell(t, farm_loss_sentences[i]);
        table_number(t, shown(x, x->lost_tasks_per_s[i]), 6);
        table_cellf(t, "%.3g", percent(shown(x, x->lost_tasks_per_s[i]), x->bound_tasks_per_s));
    }
    table_cell(t, "in all");
    table_number(t, shown(x, loss(x)), 6);
    table_cellf(t, "%.3g", percent(shown(x, loss(x)), x->bound_tasks_per_s));
    table_print(t, out);
    table_free(t);
}

struct ranked {
    node_id node;
    double loss;
};

static int compare_losses(const void *a, const void *b) /* the largest first */
{
    const struct ranked *x = a, *y = b;
    if (x->loss != y->loss)
        return x->loss > y->loss ? -1 : 1;
    return (x->node > y->node) - (x->node < y->node);
}

/* A small tree: all nodes in deployment order. A large one: the nodes that lose most. */
static struct ranked *choose_nodes(const struct farm_losses *x, int *n_shown)
{
    struct ranked *order = mem_zalloc((size_t)x->n_nodes, sizeof *order);
    for (node_id n = 0; n < x->n_nodes; n++)
        order[n] = (struct ranked){n, node_loss(&x->nodes[n])};
    *n_shown = x->n_nodes <= MAX_NODES_SHOWN ? x->n_nodes : MAX_NODES_SHOWN;
    if (*n_shown < x->n_nodes)
        qsort(order, (size_t)x->n_nodes, sizeof *order, compare_losses);
    return order;
}

static void add_share(struct table *t, double s, double makespan_s)
{
    if (isnan(s))
        table_cell(t, "-");
    else
        table_cellf(t, "%.1f", percent(s, makespan_s));
}

static void print_times(const struct farm_losses *x, const struct tree *tree, const struct ranked *order, int n_shown,
                        FILE *out)
{
    static const char *const columns[] = {"compute %", "stolen %", "by send", "by recv", "starved %", "done %"};
    struct table *t = table_create();
    table_column(t, TABLE_LEFT, "host");
    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++)
        table_column(t, TABLE_RIGHT, columns[i]);
    table_column(t, TABLE_LEFT, "held by");
    for (int i = 0; i < n_shown; i++) {
        const struct farm_losses_node *n = &x->nodes[order[i].node];
        const double parts_s[] = {n->computing_s,   n->stolen_s,  n->stolen_send_s,
                                  n->stolen_recv_s, n->starved_s, n->done_s};
        table_cell(t, tree->nodes[order[i].node].host_name);
        for (size_t k = 0; k < sizeof parts_s / sizeof parts_s[0]; k++)
            add_share(t, parts_s[k], x->makespan_s);
        table_cell(t, bound_stop_name(n->held_by));
    }
    table_print(t, out);
    table_free(t);
}

static void print_losses(const struct farm_losses *x, const struct tree *tree, const struct ranked *order, int n_shown,
                         FILE *out)
{
    static const char *const columns[] = {"bound",  "computed", "start-up",  "starved",
                                          "stolen", "slower",   "wind-down", "shifted"};
    struct table *t = table_create();
    table_column(t, TABLE_LEFT, "host");
    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++)
        table_column(t, TABLE_RIGHT, columns[i]);
    for (int i = 0; i < n_shown; i++) {
        const struct farm_losses_node *n = &x->nodes[order[i].node];
        table_cell(t, tree->nodes[order[i].node].host_name);
        table_number(t, n->bound_tasks_per_s, 4);
        table_number(t, n->tasks_per_s, 4);
        for (int k = 0; k < N_FARM_LOSSES; k++)
            table_number(t, shown(x, n->lost_tasks_per_s[k]), 3);
    }
    table_print(t, out);
    table_free(t);
}

void farm_losses_print(const struct farm_losses *x, const struct tree *t, FILE *out)
{
    int n_shown;
    struct ranked *order = choose_nodes(x, &n_shown);
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
