/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "farm/policy.h"

static double priority(const struct policy_view *view, node_id child)
{
    (void)view;
    (void)child;
    return 0; /* all equal: the age of the request decides */
}

extern const struct policy policy_fcfs;
const struct policy policy_fcfs = {
    .name = "fcfs",
    .summary = "single-ported: oldest request first",
    .source = "[K] 4.1, FCFS",
    .sends = true,
    .oldest_first = true,
    .priority = priority,
};
