/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Fast hosts first, however slow the links to them ([K] 4.1). */
#include "farm/policy.h"

static double priority(const struct policy_view *view, node_id child)
{
    return view->tree->nodes[child].compute_rate_flop_per_s;
}

extern const struct policy policy_comp_rate;
const struct policy policy_comp_rate = {
    .name = "comp_rate",
    .summary = "single-ported: fastest computing child first",
    .source = "[K] 4.1, CompRate",
    .sends = true,
    .priority = priority,
};
