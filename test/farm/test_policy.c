/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "check.h"
#include "farm/policy.h"

/* [K] 3.2.2: min(M, m) / S (1 - IR_s Z C). Where no link limits a transfer the first factor is infinite; what costs the
   parent as much as it brings is worth 0 even then. */
static void a_child_that_brings_nothing_has_no_priority(void)
{
    struct tree_node nodes[] = {
        {.parent = -1, .compute_rate_flop_per_s = 2, .send_limit_bytes_per_s = INFINITY},
        {.parent = 0, .max_transfer_bytes_per_s = INFINITY, .ir_send_s_per_byte = 0.125},
    };
    const struct tree tree = {.nodes = nodes, .n_nodes = 2, .root = 0};
    const struct policy_view view = {.tree = &tree, .task_flop = 1, .task_bytes = 4};
    const struct policy *policy = policy_find("opt_single");
    CHECK_INT(policy->priority(&view, 1), 0);
    nodes[1].ir_send_s_per_byte = 0.0625;
    CHECK(policy->priority(&view, 1) == INFINITY);
    nodes[1].max_transfer_bytes_per_s = 12;
    CHECK_CLOSE(policy->priority(&view, 1), 1.5, 1e-15);
}

static const struct test tests[] = {
    {"a child that brings nothing has no priority", a_child_that_brings_nothing_has_no_priority},
};

TEST_MAIN(tests)
