/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Bandwidth-centric: fast links first, however fast the hosts behind them ([K] 4.1; [Beaumont 2002]). */
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
