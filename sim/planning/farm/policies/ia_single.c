/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The order of ia_multi with one port, where it is not optimal: a slow link may hold the port for long (opt_single). */
#include "farm/policy.h"

static double priority(const struct policy_view *view, node_id child)
{
    return -view->tree->nodes[child].ir_send_s_per_byte;
}

extern const struct policy policy_ia_single;
const struct policy policy_ia_single = {
    .name = "ia_single",
    .summary = "single-ported: lowest interference rate first",
    .source = "[K] 4.1, IA:Single",
    .sends = true,
    .priority = priority,
};
