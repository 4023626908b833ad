/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Multi-ported: throughput is maximal if the children that interfere least are served first ([K] 3.2.1). */
#include "farm/policy.h"

static double priority(const struct policy_view *view, node_id child)
{
    return -view->tree->nodes[child].ir_send_s_per_byte;
}

extern const struct policy policy_ia_multi;
const struct policy policy_ia_multi = {
    .name = "ia_multi",
    .summary = "multi-ported: lowest interference rate first, while the send limit is not used up",
    .source = "[K] 4.1, IA:Multi",
    .sends = true,
    .multi_port = true,
    .priority = priority,
};
