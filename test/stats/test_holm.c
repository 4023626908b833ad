/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "check.h"
#include "stats/stats.h"

/* Sorted: .005 x 4 = .02; .01 x 3 = .03; .03 x 2 = .06; .04 x 1 = .04, but no less than the one before. */
static void the_example_by_hand(void)
{
    const double p[] = {0.01, 0.04, 0.03, 0.005}, want[] = {0.03, 0.06, 0.06, 0.02};
    double got[4];
    holm_adjust(p, 4, got);
    for (int i = 0; i < 4; i++)
        CHECK_CLOSE(got[i], want[i], 1e-15);
}

static void nothing_exceeds_1_and_one_test_stays_as_it_is(void)
{
    double got[3];
    holm_adjust((double[]){0.5, 0.6, 0.9}, 3, got);
    CHECK(got[0] == 1 && got[1] == 1 && got[2] == 1);
    holm_adjust((double[]){0.03}, 1, got);
    CHECK_CLOSE(got[0], 0.03, 0);
    holm_adjust(NULL, 0, got);
}

static void what_was_not_tested_does_not_count(void)
{
    double got[3];
    holm_adjust((double[]){0.01, NAN, 0.02}, 3, got);
    CHECK_CLOSE(got[0], 0.02, 1e-15);
    CHECK(isnan(got[1]));
    CHECK_CLOSE(got[2], 0.02, 1e-15);
}

/* Equal p-values are of equal worth: the order they are given in does not matter. */
static void equal_values_are_adjusted_equally(void)
{
    double got[4];
    holm_adjust((double[]){0.02, 0.01, 0.02, 0.01}, 4, got);
    CHECK_CLOSE(got[1], 0.04, 1e-15);
    CHECK(got[1] == got[3] && got[0] == got[2]);
    CHECK_CLOSE(got[0], 0.04, 1e-15);
}

static const struct test tests[] = {
    {"the example by hand", the_example_by_hand},
    {"nothing exceeds 1, and one test stays as it is", nothing_exceeds_1_and_one_test_stays_as_it_is},
    {"what was not tested does not count", what_was_not_tested_does_not_count},
    {"equal values are adjusted equally", equal_values_are_adjusted_equally},
};
TEST_MAIN(tests)
