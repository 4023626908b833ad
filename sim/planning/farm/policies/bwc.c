/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "farm/policy.h"

static double priority(const struct policy_view *view, node_id child)
{
    return view->tree->nodes[child].max_transfer_bytes_per_s;
}

extern const struct policy policy_bwc;
const struct policy policy_bwc = {
    .name = "bwc",
    .summary = "bandwidth-centric, single-ported: highest transfer rate first",
    .source = "[K] 4.1, BWC",
    .sends = true,
    .priority = priority,
};
