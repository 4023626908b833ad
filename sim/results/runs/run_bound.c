/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The steady-state bound of a task farm ([K] 3.2). Needs the platform, but simulates nothing. */
#include "farm/bound.h"
#include "runs/farm_rows.h"
#include "runs/rows.h"

#include <string.h>

static const struct run_param rows[] = {
    FARM_ROWS,
    {.is = {"ports", PARAM_CHOICE, "", "multi", 0, 0, "multi|single",
            "how many sends of a node may be under way at once"}},
    {.is = {"method", PARAM_CHOICE, "", "physical", 0, 0, "physical|lp|greedy",
            "what no run exceeds, the best under the paper's constraints, or the paper's greedy"}},
    IR_ROWS("", 0),
    {.is = {0}},
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

extern const struct run_kind run_bound;
const struct run_kind run_bound = {
    .name = "bound",
    .summary = "the steady-state bound on the throughput of a task farm",
    .source = "[K] 3.2",
    .results_version = 1,
    .rows = rows,
    .metrics = metrics,
    .check_given = farm_rows_check_given,
    .prepare = farm_rows_prepare,
    .run = run,
};
