/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "base/text.h"
#include "cli/command.h"
#include "engine/engine.h"
#include "farm/bound.h"
#include "report/table.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

struct options {
    const char *platform, *deployment;
    double task_bytes, task_flop;
    enum bound_ports ports;
    bool has_ports;
    enum bound_method method;
    bool json;
};

enum { OPT_SEND_SIZE = 256, OPT_COMPUTE_SIZE, OPT_PORTS, OPT_METHOD };

static const struct argp_option options[] = {
    {"platform", 'p', "FILE", 0, "SimGrid platform (required)", 0},
    {"deployment", 'd', "FILE", 0, "tree of the farm and what the scheduler believes (required)", 0},
    {"send-size", OPT_SEND_SIZE, "MB", 0, "size of a task (required)", 0},
    {"compute-size", OPT_COMPUTE_SIZE, "UNITS", 0, "work of a task; a unit is 1 flop (required)", 0},
    {"ports", OPT_PORTS, "multi|single", 0, "whether a node may send to several children at a time (required)", 0},
    {"method", OPT_METHOD, "greedy|lp", 0, "the paper's greedy bound (default), or the best by linear programming", 0},
    {"json", 'j', NULL, 0, "print JSON instead of tables", 0},
    {0},
};

static const char *const port_names[] = {"multi", "single"}; /* by enum bound_ports */
static const char *const method_names[] = {"greedy", "lp"};  /* by enum bound_method */

static int choice(struct argp_state *state, const char *option, const char *arg, const char *const names[2])
{
    for (int i = 0; i < 2; i++)
        if (strcmp(arg, names[i]) == 0)
            return i;
    argp_error(state, "--%s '%s' is unknown; known: %s, %s", option, arg, names[0], names[1]);
    return 0;
}

static void require_all(struct argp_state *state, const struct options *o)
{
    command_require(state, "platform", o->platform != NULL);
    command_require(state, "deployment", o->deployment != NULL);
    command_require(state, "send-size", o->task_bytes > 0);
    command_require(state, "compute-size", o->task_flop > 0);
    command_require(state, "ports", o->has_ports);
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct options *o = state->input;
    switch (key) {
    case 'p':
        o->platform = command_input(arg);
        return 0;
    case 'd':
        o->deployment = command_input(arg);
        return 0;
    case OPT_SEND_SIZE:
        o->task_bytes = command_number(state, "send-size", arg, 1e-6, 9e9) * 1e6;
        return 0;
    case OPT_COMPUTE_SIZE:
        o->task_flop = command_number(state, "compute-size", arg, 1e-9, 1e18);
        return 0;
    case OPT_PORTS:
        o->ports = choice(state, "ports", arg, port_names) ? BOUND_SINGLE : BOUND_MULTI;
        o->has_ports = true;
        return 0;
    case OPT_METHOD:
        o->method = choice(state, "method", arg, method_names) ? BOUND_LP : BOUND_GREEDY;
        return 0;
    case 'j':
        o->json = true;
        return 0;
    case ARGP_KEY_END:
        require_all(state, o);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp argp = {
    options,
    parse,
    NULL,
    "How many tasks per second a tree of hosts can compute at best in its steady state, and what stops each "
    "node from "
    "more: nothing, its send_limit (or its one port), its receive_limit (the link from its parent, or what "
    "its parent "
    "can give), or compute (sending leaves it no time).\n\n"
    "The single-port bound knows the links' rates but no send_limit, so it may be above the multi-port one.\v"
    "Example: the paper's fork, tasks of 2 MB and 5 work units:\n"
    "  iasim bound --platform platforms/kreaseck-fork.xml --deployment deployments/kreaseck-fork.xml "
    "--send-size 2 --compute-size 5 --ports multi\n",
    NULL,
    NULL,
    NULL};

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
        json_pack("{s:s, s:s, s:f, s:s?, s:o}", "ports", port_names[b->ports], "method", method_names[b->method],
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
            text_addf(&pruned, "%s%s", k ? ", " : "", t->nodes[node->pruned[k]].host_name);
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
    const char *const numbers[] = {"compute_rate (1/s)", "max_transfer_rate (MB/s)", "ir_send (s/MB)", "ir_recv (s/MB)",
                                   "send_limit (MB/s)"};
    for (size_t c = 0; c < sizeof numbers / sizeof numbers[0]; c++)
        table_column(table, TABLE_RIGHT, numbers[c]);
    for (node_id n = 0; n < t->n_nodes; n++) {
        const struct tree_node *node = &t->nodes[n];
        double limit = node->send_limit_bytes_per_s;
        table_cell(table, node->host_name);
        table_cell(table, n == t->root ? "" : t->nodes[node->parent].host_name);
        table_number(table, node->compute_rate_flop_per_s, 6);
        table_number(table, node->max_transfer_bytes_per_s / 1e6, 6);
        table_number(table, node->ir_send_s_per_byte * 1e6, 6);
        table_number(table, n == t->root ? NAN : node->ir_recv_s_per_byte * 1e6, 6);
        table_number(table, isinf(limit) ? NAN : limit / 1e6, 6);
    }
    table_print(table, stdout);
    table_free(table);
}

static void print_text(const struct bound *b, const struct tree *t)
{
    printf("At most %.6g tasks/s (%s-port, %s)\n\n", b->throughput_tasks_per_s, port_names[b->ports],
           method_names[b->method]);
    print_nodes(b, t);
    putchar('\n');
    print_beliefs(t);
    if (b->warning != NULL)
        printf("\nWarning: %s\n", b->warning);
}

static enum err_code print_bound(const struct options *o, const struct tree *t, const struct machine *m, struct err *e)
{
    struct bound b;
    enum err_code code = bound_compute(t, o->task_bytes, o->task_flop, o->ports, o->method, &b, e);
    if (code == ERR_NONE)
        code = bound_check_links(&b, t, m, o->task_bytes, e);
    if (code == ERR_NONE && o->json)
        print_json(&b, t);
    else if (code == ERR_NONE)
        print_text(&b, t);
    bound_clear(&b);
    return code;
}

static enum err_code run(int argc, char **argv, struct err *e)
{
    struct options o = {.method = BOUND_GREEDY};
    command_parse(&argp, argc, argv, &o);
    struct tree tree = {0};
    struct engine *engine;
    enum err_code code = deployment_read(o.deployment, &tree, e);
    if (code == ERR_NONE)
        code = engine_open(o.platform, &engine, e);
    if (code == ERR_NONE)
        code = tree_bind(&tree, engine_machine(engine), e);
    if (code == ERR_NONE)
        code = print_bound(&o, &tree, engine_machine(engine), e);
    tree_clear(&tree);
    return code;
}

extern const struct command command_bound;
const struct command command_bound = {
    .name = "bound",
    .summary = "the highest throughput a task farm can have",
    .run = run,
    .simulates = true,
};
