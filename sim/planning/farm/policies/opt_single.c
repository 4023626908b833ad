/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* One second of sending to child i adds B_r(i) tasks there and costs B_r(i) IR_s(i) Z C at the parent, so the child
   with the largest B_r(i) (1 - IR_s(i) Z C) goes first ([K] 3.2.2). */
#include "farm/policy.h"

#include <math.h>

static double priority(const struct policy_view *view, node_id child)
{
    const struct tree_node *c = &view->tree->nodes[child];
    const struct tree_node *parent = &view->tree->nodes[c->parent];
    double tasks_per_s = fmin(c->max_transfer_bytes_per_s, parent->send_limit_bytes_per_s) / view->task_bytes;
    double parent_tasks_per_s = parent->compute_rate_flop_per_s / view->task_flop;
    double gain_ratio = 1 - c->ir_send_s_per_byte * view->task_bytes * parent_tasks_per_s;
    return gain_ratio == 0 ? 0 : tasks_per_s * gain_ratio; /* a route without links is infinitely fast */
}

extern const struct policy policy_opt_single;
const struct policy policy_opt_single = {
    .name = "opt_single",
    .summary = "single-ported: the child whose transfers add most to the throughput first",
    .source = "[K] 3.2.2",
    .sends = true,
    .prunes_by_default = true,
    .priority = priority,
};
