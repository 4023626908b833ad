/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* `iasim bound`: the highest steady-state throughput of a farm on a tree ([K] 3.2), node by node, with the beliefs
   that it was computed from. The figure of a sweep's point is the same (runs/farm_outcome.h); this command adds the
   nodes and warnings about bounds that a run may exceed. */
#include "base/text.h"
#include "cli/command.h"
#include "cli/run_options.h"
#include "report/table.h"
#include "runs/farm_outcome.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

struct options {
    struct run_given given;
    bool json;
};

static const struct command_option options[] = {
    {"json", 'j', NULL, "print JSON instead of tables", OPTION_AT(struct options, json)},
    {0},
};

static const char *const port_names[] = {"multi", "single"}; /* by enum bound_ports */

/* Pruned children get no tasks: to send one would cost this node as much time as to compute it, or more (IR_s Z C >=
   1). */
static json_t *json_of_node(const struct bound *b, const struct tree *t, node_id n)
{
    json_t *pruned = json_array();
    for (int k = 0; k < b->nodes[n].n_pruned; k++)
        json_array_append_new(pruned, json_string(t->nodes[b->nodes[n].pruned[k]].host_name));
    return json_pack("{s:s, s:f, s:f, s:s, s:o}", "host", t->nodes[n].host_name, "total_tasks_per_s",
                     b->nodes[n].total_tasks_per_s, "computed_tasks_per_s", b->nodes[n].computed_tasks_per_s,
                     "stopped_by", bound_stop_name(b->nodes[n].stopped_by), "pruned", pruned);
}

static void print_json(const struct bound *b, const struct tree *t)
{
    json_t *nodes = json_array();
    for (node_id n = 0; n < b->n_nodes; n++)
        json_array_append_new(nodes, json_of_node(b, t, n));
    json_t *root =
        json_pack("{s:s, s:s, s:f, s:s?, s:o}", "ports", port_names[b->ports], "method", bound_method_name(b->method),
                  "throughput_tasks_per_s", b->throughput_tasks_per_s, "warning", b->warning, "nodes", nodes);
    command_print_json(root);
}

static void print_nodes(const struct bound *b, const struct tree *t)
{
    struct table *table = table_create();
    table_column(table, TABLE_LEFT, "host");
    table_column(table, TABLE_RIGHT, "total_tasks_per_s");
    table_column(table, TABLE_RIGHT, "computed_tasks_per_s");
    table_column(table, TABLE_LEFT, "stopped_by");
    table_column(table, TABLE_LEFT, "pruned");
    for (node_id n = 0; n < b->n_nodes; n++) {
        const struct bound_node *node = &b->nodes[n];
        struct text pruned = {0};
        for (int k = 0; k < node->n_pruned; k++)
            text_add_name(&pruned, t->nodes[node->pruned[k]].host_name);
        table_cell(table, t->nodes[n].host_name);
        table_number(table, node->total_tasks_per_s, 6);
        table_number(table, node->computed_tasks_per_s, 6);
        table_cell(table, bound_stop_name(node->stopped_by));
        table_cell(table, text_str(&pruned));
        text_clear(&pruned);
    }
    table_print(table, stdout);
    table_free(table);
}

/* What the bound was computed from, in the units of deployments. */
static void print_beliefs(const struct tree *t)
{
    struct table *table = table_create();
    table_column(table, TABLE_LEFT, "believed of");
    table_column(table, TABLE_LEFT, "parent");
    const char *const numbers[] = {"compute_rate (1/s)", "max_transfer_rate (MB/s)", "ir_send (s/MB)",
                                   "ir_recv (s/MB)",     "send_limit (MB/s)",        "receive_drop"};
    /* receive_drop is rare; its column, the last one, is shown only where some node has it. */
    bool has_drop = false;
    for (node_id n = 0; n < t->n_nodes; n++)
        has_drop = has_drop || t->nodes[n].receive_drop_ratio > 0;
    for (size_t c = 0; c < sizeof numbers / sizeof numbers[0] - !has_drop; c++)
        table_column(table, TABLE_RIGHT, numbers[c]);
    for (node_id n = 0; n < t->n_nodes; n++) {
        const struct tree_node *node = &t->nodes[n];
        /* INFINITY: no limit, shown as "-". The root has no parent, so what concerns receiving is "-" as well. */
        double limit = node->send_limit_bytes_per_s;
        table_cell(table, node->host_name);
        table_cell(table, n == t->root ? "" : t->nodes[node->parent].host_name);
        table_number(table, node->compute_rate_flop_per_s, 6);
        table_number(table, node->max_transfer_bytes_per_s / 1e6, 6);
        table_number(table, node->ir_send_s_per_byte * 1e6, 6);
        table_number(table, n == t->root ? NAN : node->ir_recv_s_per_byte * 1e6, 6);
        table_number(table, isinf(limit) ? NAN : limit / 1e6, 6);
        if (has_drop)
            table_number(table, n == t->root ? NAN : node->receive_drop_ratio, 6);
    }
    table_print(table, stdout);
    table_free(table);
}

static void print_text(const struct bound *b, const struct tree *t)
{
    printf("At most %.6g tasks/s (%s-port, %s)\n\n", b->throughput_tasks_per_s, port_names[b->ports],
           bound_method_name(b->method));
    print_nodes(b, t);
    putchar('\n');
    print_beliefs(t);
    if (b->warning != NULL)
        printf("\nWarning: %s\n", b->warning);
}

static enum err_code print(const struct options *o, struct bound_outcome *x, struct err *e)
{
    const struct farm_point *f = &x->point;
    /* Both checks only add to the bound's warning: requests that take time, and links that several routes share, are
       not in its constraints. */
    if (x->app.request_bytes == 0)
        bound_check_requests(&x->bound, f->tree);
    enum err_code code = bound_check_links(&x->bound, f->tree, engine_machine(f->engine), f->task_bytes, e);
    if (code == ERR_NONE && o->json)
        print_json(&x->bound, f->tree);
    else if (code == ERR_NONE)
        print_text(&x->bound, f->tree);
    return code;
}

static enum err_code run(void *self, struct err *e)
{
    struct options *o = self;
    struct bound_outcome x = {0};
    enum err_code code = run_given_begin(&o->given, e);
    if (code == ERR_NONE)
        code = bound_outcome_find(&x, &o->given.point, e);
    if (code == ERR_NONE) {
        run_options_warn(machine_cores_warning(engine_machine(x.point.engine)));
        run_options_warn(tree_far_beliefs(x.point.tree, engine_machine(x.point.engine)));
        code = print(o, &x, e);
    }
    bound_outcome_clear(&x);
    return code;
}

const struct command command_bound = {
    .name = "bound",
    .summary = "compute the highest throughput a task farm can have",
    .kind = &run_bound,
    .without = "generator instance",
    .asks = "platform deployment ports",
    .size = sizeof(struct options),
    .options = options,
    .about =
        "How many tasks per second a tree of hosts can compute at best in its steady state, and what stops each "
        "node from more: nothing, its send_limit (or its one port), its receive_limit (the link from its parent, "
        "or what its parent can give), or compute (sending leaves it no time).\n\n"
        "Methods: physical is the best that the world `interference` allows, so no run exceeds it if the beliefs "
        "are true and interference is linear (a warning names hosts with ir_send_curve or ir_recv_curve). lp and "
        "greedy are the paper's: they charge a transfer for all that it asks of the processor, even where that is "
        "more than a whole one, and warn where a run may exceed them. Rates that a deployment does not give are "
        "believed to be those of one way (ir_send, ir_recv); physical charges a node that both receives and sends "
        "(tasks, or requests that take time) the lower of these and the _duplex ones. The single-port bounds of lp "
        "and greedy know the links' rates but no send_limit, so they may be above the multi-port ones.",
    .examples = "# The paper's fork, tasks of 2 MB and 5 work units.\n"
                "iasim bound --platform platforms/kreaseck-fork.xml \\\n"
                "  --deployment deployments/kreaseck-fork.xml \\\n"
                "  --send-size 2 --compute-size 5 --ports multi\n",
    .run = run,
    .simulates = true,
};
