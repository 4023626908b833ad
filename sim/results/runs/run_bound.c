/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The steady-state bound of a task farm ([K] 3.2). Needs the platform, but simulates nothing. */
#include "runs/farm_outcome.h"
#include "runs/rows.h"

#include <string.h>

static const struct run_param rows[] = {
    FARM_ROWS,
    {.is = {"ports", PARAM_CHOICE, "", "multi", 0, 0, "multi|single",
            "whether a node may send to several children at a time"}},
    {.is = {"method", PARAM_CHOICE, "", "physical", 0, 0, "greedy|lp|physical",
            "the paper's greedy bound, the best under the paper's constraints, or what no run exceeds"}},
    REQUEST_ROW(NULL, RUN_OPTIONAL),
    IR_ROWS("", 0),
    BANDWIDTH_ROW,
    {.is = {0}},
};

enum { THROUGHPUT, ROOT_TASKS, COMPUTING_NODES, PRUNED_NODES };
static const struct metric metrics[] = {
    [THROUGHPUT] = {"throughput_tasks_per_s", "tasks/s", "the bound: tasks computed per second by the whole tree",
                    BETTER_NONE},
    [ROOT_TASKS] = {"root_tasks_per_s", "tasks/s", "of these, computed at the root", BETTER_NONE},
    [COMPUTING_NODES] = {"n_computing_nodes", "nodes", "that compute anything", BETTER_NONE},
    /* Sending a task takes IR_s Z seconds of the parent's processor, in which it could compute IR_s Z C tasks
       itself: from 1 on sending loses ([K] 3.2). */
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

enum err_code bound_outcome_find(struct bound_outcome *out, const struct point *p, struct err *e)
{
    enum bound_ports ports = row_is(p->params, "ports", "single") ? BOUND_SINGLE : BOUND_MULTI;
    enum bound_method method = BOUND_PHYSICAL;
    *out = (struct bound_outcome){0};
    /* Its row has checked it; physical stays the default for callers without that row. */
    bound_method_find(param_text(p->params, "method"), &method);
    enum err_code code = farm_point_init(&out->point, p, e);
    /* Also after an error: only sizes are copied. */
    out->app = farm_point_app(&out->point, p->params);
    return code == ERR_NONE ? bound_compute_of(out->point.tree, &out->app, ports, method, &out->bound, e) : code;
}

void bound_outcome_clear(struct bound_outcome *x)
{
    bound_clear(&x->bound);
}

static enum err_code run(const struct point *p, double *out, struct err *e)
{
    struct bound_outcome x;
    enum err_code code = bound_outcome_find(&x, p, e);
    if (code == ERR_NONE)
        fill(&x.bound, x.point.tree->root, out);
    bound_outcome_clear(&x);
    return code;
}

const struct run_kind run_bound = {
    .name = "bound",
    .summary = "the steady-state bound on the throughput of a task farm",
    .source = "[K] 3.2",
    .results_version = 1,
    FARM_KIND,
};
