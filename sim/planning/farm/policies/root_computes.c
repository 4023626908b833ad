/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "farm/policy.h"

extern const struct policy policy_root_computes;
const struct policy policy_root_computes = {
    .name = "root_computes",
    .summary = "the root computes everything",
    .source = "[K] 4.1, RootComputes",
};
