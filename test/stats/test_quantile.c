/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "check.h"
#include "stats/stats.h"

static void the_median_is_the_middle_or_between_the_middle_two(void)
{
    CHECK_CLOSE(quantile_median((double[]){1, 5, 7}, 3), 5, 0);
    CHECK_CLOSE(quantile_median((double[]){1, 5, 8, 90}, 4), 6.5, 0);
    CHECK_CLOSE(quantile_median((double[]){3}, 1), 3, 0);
    CHECK(isnan(quantile_median(NULL, 0)));
}

static void infinities_are_the_ends(void)
{
    double values[] = {INFINITY, 1, INFINITY, 0};
    quantile_sort(values, 4);
    CHECK(values[0] == 0 && values[1] == 1 && isinf(values[2]) && isinf(values[3]));
    CHECK(isinf(quantile_median(values, 4)));
    CHECK(isinf(quantile_median((double[]){INFINITY, INFINITY}, 2)));
}

static void the_mean_of_ratios_is_geometric(void)
{
    CHECK_CLOSE(quantile_geometric_mean((double[]){0.5, 2}, 2), 1, 0);
    CHECK_CLOSE(quantile_geometric_mean((double[]){1, 8, 27}, 3), 6, 1e-11);
    CHECK_CLOSE(quantile_geometric_mean((double[]){1.1, 1.1, 1.1}, 3), 1.1, 0); /* copies of a ratio change nothing */
    CHECK_CLOSE(quantile_geometric_mean((double[]){1.0 / 3}, 1), 1.0 / 3, 0);
    CHECK_CLOSE(quantile_geometric_mean((double[]){0, 7}, 2), 0, 0);
    CHECK(isinf(quantile_geometric_mean((double[]){INFINITY, 7}, 2)));
    CHECK(isnan(quantile_geometric_mean((double[]){INFINITY, 0}, 2)));
    CHECK(isnan(quantile_geometric_mean(NULL, 0)));
}

static const struct test tests[] = {
    {"the mean of ratios is geometric", the_mean_of_ratios_is_geometric},
    {"the median is the middle, or between the middle two", the_median_is_the_middle_or_between_the_middle_two},
    {"infinities are the ends", infinities_are_the_ends},
};
TEST_MAIN(tests)
