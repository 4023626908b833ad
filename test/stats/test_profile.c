/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "check.h"
#include "stats/stats.h"

/* Two variants, four instances, lower is better:
     10 20   1    2
     30 10   3    1
      5  5   1    1
      -  8  inf   1   */
static void by_hand(void)
{
    const double figures[] = {10, 20, 30, 10, 5, 5, NAN, 8};
    double r[8];
    profile_ratios(figures, 4, 2, false, 0, r);
    CHECK(r[0] == 1 && r[1] == 1 && r[2] == 3 && isinf(r[3]));
    CHECK(r[4] == 1 && r[5] == 1 && r[6] == 1 && r[7] == 2);
    CHECK_CLOSE(profile_share(r, 4, 1), 0.5, 0);
    CHECK_CLOSE(profile_share(r, 4, 2.999), 0.5, 0);
    CHECK_CLOSE(profile_share(r, 4, 3), 0.75, 0);
    CHECK_CLOSE(profile_share(r, 4, 1e300), 0.75, 0); /* a variant that fails never reaches 1 */
    CHECK_CLOSE(profile_share(r + 4, 4, 1), 0.75, 0);
    CHECK_CLOSE(profile_share(r + 4, 4, 2), 1, 0);
    CHECK(isnan(profile_share(r, 0, 1)));
}

/* Figures and their reciprocals, with the other direction better, give the same ratios. */
static void higher_is_better_is_lower_of_the_reciprocal(void)
{
    const double figures[] = {2, 4, 8, 1, 1, 1, NAN, 0.5, 16},
                 reciprocal[] = {0.5, 0.25, 0.125, 1, 1, 1, NAN, 2, 0.0625};
    double high[9], low[9];
    profile_ratios(figures, 3, 3, true, 0, high);
    profile_ratios(reciprocal, 3, 3, false, 0, low);
    for (int i = 0; i < 9; i++)
        CHECK(high[i] == low[i]);
    CHECK(high[0] == 1 && high[1] == 4 && isinf(high[2]));
}

static void where_all_fail_all_are_infinite(void)
{
    double r[2];
    profile_ratios((double[]){NAN, NAN}, 1, 2, false, 0, r);
    CHECK(isinf(r[0]) && isinf(r[1]));
}

static void zero_against_zero_is_one(void)
{
    double r[2];
    profile_ratios((double[]){0, 0}, 1, 2, false, 0, r);
    CHECK(r[0] == 1 && r[1] == 1);
    profile_ratios((double[]){0, 3}, 1, 2, false, 0, r);
    CHECK(r[0] == 1 && isinf(r[1]));
    profile_ratios((double[]){0, 3}, 1, 2, true, 0, r);
    CHECK(isinf(r[0]) && r[1] == 1);
}

static void within_the_tolerance_is_as_good_as_the_best(void)
{
    double r[2];
    profile_ratios((double[]){1, 1 + 1e-10}, 1, 2, false, 1e-9, r);
    CHECK(r[0] == 1 && r[1] == 1);
    profile_ratios((double[]){1, 1 + 1e-8}, 1, 2, false, 1e-9, r);
    CHECK(r[0] == 1 && r[1] > 1);
}

static const struct test tests[] = {
    {"four instances by hand", by_hand},
    {"higher is better: the profile of the reciprocals", higher_is_better_is_lower_of_the_reciprocal},
    {"where all fail, all are infinite", where_all_fail_all_are_infinite},
    {"zero against zero is one", zero_against_zero_is_one},
    {"within the tolerance is as good as the best", within_the_tolerance_is_as_good_as_the_best},
};
TEST_MAIN(tests)
