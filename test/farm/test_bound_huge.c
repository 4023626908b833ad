/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Bounds of trees of 10,000 and 30,000 nodes against one linear program for the whole tree. The tests take one case, a
   random tree; `test/campaign bound_huge --times 6` also takes a chain and a star, of both sizes. CLP takes minutes for
   the stars. */
#include "bound_shapes.h"

static void huge_trees_agree_with_one_program_for_all(void)
{
    static const enum shape shapes[] = {ANY, CHAIN, STAR};
    FOR_RANDOM_CASES (i, 1) {
        struct random_stream r;
        random_init(&r, 9, i);
        enum shape shape = shapes[i % 3];
        int n_nodes = i / 3 % 2 == 0 ? 10000 : 30000;
        double worst = worst_difference(&r, shape, n_nodes, true);
        printf("(%d nodes, %s: worst relative difference %.1g) ", n_nodes,
               shape == ANY     ? "random"
               : shape == CHAIN ? "chain"
                                : "star",
               worst);
        fflush(stdout);
        CHECK(worst <= 1e-9);
    }
}

static const struct test tests[] = {
    {"huge trees agree with one program for all", huge_trees_agree_with_one_program_for_all},
};
TEST_MAIN(tests)
