/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The steady-state bound of a task farm ([K] 3.2) as a point of a sweep. Needs the platform, but simulates
 * nothing. */
#include "farm/bound.h"
#include "experiments/farm_point.h"
#include "experiments/overrides.h"

#include <string.h>

static const struct param params[] = {
    FARM_POINT_PARAMS,
    {"ports", PARAM_CHOICE, "", "multi", 0, 0, "multi|single", "how many sends of a node may be under way at once"},
    {"method", PARAM_CHOICE, "", "physical", 0, 0, "physical|lp|greedy",
     "what no run exceeds, the best under the paper's constraints, or the paper's greedy"},
    OVERRIDE_IR_PARAMS(""),
    {0},
};

enum { THROUGHPUT, ROOT_TASKS, COMPUTING_NODES, PRUNED_NODES };
static const struct metric metrics[] = {
    [THROUGHPUT] = {"throughput_tasks_per_s", "tasks/s", "the bound: tasks computed per second by the whole tree",
                    BETTER_NONE},
    [ROOT_TASKS] = {"root_tasks_per_s", "tasks/s", "of these, computed at the root", BETTER_NONE},
    [COMPUTING_NODES] = {"n_computing_nodes", "nodes", "that compute anything", BETTER_NONE},
    [PRUNED_NODES] = {"n_pruned_nodes", "nodes", "that are not worth being sent to: IR_s Z C >= 1", BETTER_NONE},
    {0},
};

static void fill(const struct bound *b, node_id root, double *out)
{
    out[THROUGHPUT] = b->throughput_tasks_per_s;
    out[ROOT_TASKS] = b->nodes[root].computed_tasks_per_s;
    out[COMPUTING_NODES] = 0;
    out[PRUNED_NODES] = 0;
    for (int n = 0; n < b->n_nodes; n++) {
        out[COMPUTING_NODES] += b->nodes[n].computed_tasks_per_s > 0;
        out[PRUNED_NODES] += b->nodes[n].n_pruned;
    }
}

static enum err_code run(const struct point *p, double *out, struct err *e)
{
    struct farm_point f;
    struct bound b = {0};
    enum bound_ports ports = strcmp(param_text(p->params, "ports"), "single") == 0 ? BOUND_SINGLE : BOUND_MULTI;
    enum bound_method method = BOUND_PHYSICAL;
    bound_method_find(param_text(p->params, "method"), &method);
    enum err_code code = farm_point_init(&f, p, e);
    if (code == ERR_NONE)
        code = bound_compute(f.tree, f.task_bytes, f.task_flop, ports, method, &b, e);
    if (code == ERR_NONE)
        fill(&b, f.tree->root, out);
    bound_clear(&b);
    return code;
}

static const char *const optional_params[] = {OVERRIDE_IR_NAMES(""), NULL};
static const char *const shared_params[] = {FARM_POINT_SHARED, OVERRIDE_IR_NAMES(""), NULL};

extern const struct experiment experiment_bound;
const struct experiment experiment_bound = {
    .name = "bound",
    .summary = "the steady-state bound on the throughput of a task farm",
    .source = "[K] 3.2",
    .results_version = 1,
    .params = params,
    .metrics = metrics,
    .optional_params = optional_params,
    .files = farm_point_files,
    .check = farm_point_check,
    .check_given = farm_point_check_given,
    .seed_param = "instance",
    .seeded_param = "generator",
    .instance_params = farm_point_instance,
    .shared_params = shared_params,
    .prepare = farm_point_prepare,
    .run = run,
};
