/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "base/new_file.h"
#include "cli/command.h"
#include "engine/farm_run.h"
#include "report/farm_report.h"
#include "report/trace.h"

#include <math.h>
#include <stdio.h>

struct options {
    const char *platform, *deployment, *policy, *world, *trace;
    struct farm_app app;
    bool json;
};

enum { OPT_SEND_SIZE = 256, OPT_COMPUTE_SIZE, OPT_REQUEST_SIZE };

static const struct argp_option options[] = {
    {"platform", 'p', "FILE", 0, "SimGrid platform (required)", 0},
    {"deployment", 'd', "FILE", 0, "tree of the farm and what the scheduler believes (required)", 0},
    {"policy", 'P', "NAME[k=v,..]", 0, "whom a node serves next (required); `iasim list` has them all", 0},
    {"tasks", 'n', "N", 0, "tasks, all at the root (default 1000)", 0},
    {"send-size", OPT_SEND_SIZE, "MB", 0, "size of a task, taken to the whole byte (required)", 0},
    {"compute-size", OPT_COMPUTE_SIZE, "UNITS", 0, "work of a task; a unit is 1 flop (required)", 0},
    {"buffers", 'b', "B", 0, "task slots of every node but the root (default 2)", 0},
    {"request-size", OPT_REQUEST_SIZE, "MB", 0, "size of a request (default 0: takes no time)", 0},
    {"world", 'w', "MODEL", 0, "what communication costs the processor: none, interference (default), involvement", 0},
    {"trace", 't', "FILE", 0, "write every event: CSV, or for a name in .json a Chrome trace that Perfetto opens", 0},
    {"json", 'j', NULL, 0, "print JSON instead of a table", 0},
    {0},
};

static double bytes_of_mb(struct argp_state *state, const char *option, const char *arg, double least_mb)
{
    return rint(command_number(state, option, arg, least_mb, 9e9) * 1e6);
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
    case 'P':
        o->policy = arg;
        return 0;
    case 'n':
        o->app.n_tasks = command_integer(state, "tasks", arg, 1, 100000000);
        return 0;
    case OPT_SEND_SIZE:
        o->app.task_bytes = bytes_of_mb(state, "send-size", arg, 1e-6);
        return 0;
    case OPT_COMPUTE_SIZE:
        o->app.task_flop = command_number(state, "compute-size", arg, 1e-9, 1e18);
        return 0;
    case 'b':
        o->app.n_buffers = (int)command_integer(state, "buffers", arg, 1, 1000000);
        return 0;
    case OPT_REQUEST_SIZE:
        o->app.request_bytes = bytes_of_mb(state, "request-size", arg, 0);
        return 0;
    case 'w':
        o->world = arg;
        return 0;
    case 't':
        o->trace = arg;
        return 0;
    case 'j':
        o->json = true;
        return 0;
    case ARGP_KEY_END:
        command_require(state, "platform", o->platform != NULL);
        command_require(state, "deployment", o->deployment != NULL);
        command_require(state, "policy", o->policy != NULL);
        command_require(state, "send-size", o->app.task_bytes > 0);
        command_require(state, "compute-size", o->app.task_flop > 0);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp argp = {
    options,
    parse,
    NULL,
    "Runs a farm of independent tasks on a tree of hosts, with communication slowing computation down.\v"
    "Example: the paper's fork, tasks of 2 MB and 5 work units:\n"
    "  iasim farm --platform platforms/kreaseck-fork.xml --deployment deployments/kreaseck-fork.xml "
    "--policy ia_multi --send-size 2 --compute-size 5\n",
    NULL,
    NULL,
    NULL};

static void print(const struct options *o, const struct farm_report *report)
{
    if (!o->json) {
        farm_report_print(report, stdout);
        return;
    }
    json_t *root = farm_report_json(report);
    command_print_json(root);
}

/* The trace appears only when the run has succeeded. */
static enum err_code run_traced(const struct options *o, struct engine *engine, const struct tree *tree,
                                struct farm_run_options *how, struct err *e)
{
    struct trace *trace = NULL;
    struct farm_run_result result = {0};
    enum err_code code = ERR_NONE;
    if (o->trace != NULL) {
        code = trace_open(o->trace, tree, &trace, e);
        how->trace = trace_event;
        how->trace_self = trace;
    }
    if (code == ERR_NONE)
        code = farm_run(engine, tree, how, &result, e);
    enum err_code closing = trace_close(trace, code == ERR_NONE, e);
    if (code == ERR_NONE)
        code = closing;
    if (code == ERR_NONE)
        print(o, &(struct farm_report){tree, how, &result});
    farm_run_result_clear(&result);
    return code;
}

static enum err_code run(int argc, char **argv, struct err *e)
{
    struct options o = {.world = "interference", .app = {.n_tasks = 1000, .n_buffers = 2}};
    command_parse(&argp, argc, argv, &o);
    struct policy_choice policy = {0};
    struct farm_run_options how = {.app = o.app, .policy = &policy};
    struct engine *engine;
    struct tree tree = {0};
    enum err_code code = new_file_check_not_input(o.trace, (const char *[]){o.platform, o.deployment}, 2, e);
    if (code == ERR_NONE)
        code = policy_choose(o.policy, &policy, e);
    if (code == ERR_NONE)
        code = world_find(o.world, &how.world, e);
    if (code == ERR_NONE)
        code = deployment_read(o.deployment, &tree, e);
    if (code == ERR_NONE)
        code = engine_open(o.platform, &engine, e);
    if (code == ERR_NONE)
        code = tree_bind(&tree, engine_machine(engine), e);
    if (code == ERR_NONE)
        code = run_traced(&o, engine, &tree, &how, e);
    tree_clear(&tree);
    policy_choice_clear(&policy);
    return code;
}

extern const struct command command_farm;
const struct command command_farm = {
    .name = "farm",
    .summary = "run a task farm on a tree of hosts",
    .run = run,
    .simulates = true,
};
