/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "base/random.h"
#include "check.h"
#include "stats/stats.h"

/* Ten people's IQ and hours of television a week: sum d^2 = 194, so 1 - 6 x 194 / (10 x 99) = -29/165. */
static void a_textbook_example(void)
{
    const double iq[] = {106, 100, 86, 101, 99, 103, 97, 113, 112, 110};
    const double hours[] = {7, 27, 2, 50, 28, 29, 20, 12, 6, 17};
    CHECK_CLOSE(spearman(iq, hours, 10, 0), -29.0 / 165, 1e-15);
}

/* Ranks 1.5 1.5 3 4 and 1 2 3 4 are -1 -1 0.5 1.5 and -1.5 -0.5 0.5 1.5 away from the middle: 4.5 / sqrt(4.5 x 5). */
static void tied_values_share_the_mean_rank(void)
{
    CHECK_CLOSE(spearman((double[]){7, 7, 8, 9}, (double[]){1, 2, 3, 4}, 4, 0), sqrt(0.9), 1e-15);
    CHECK_CLOSE(spearman((double[]){7, 7, 8, 8}, (double[]){8, 8, 7, 7}, 4, 0), -1, 0);
    CHECK_CLOSE(spearman((double[]){1, 2, 1, 2}, (double[]){1, 1, 2, 2}, 4, 0), 0, 0);
}

static void equal_order_gives_1_and_opposite_order_gives_minus_1(void)
{
    const double x[] = {3, -INFINITY, 0.5, 1e300, INFINITY}, y[] = {2, -8, 1, 4, 5}, z[] = {-2, 8, -1, -4, -5};
    for (size_t n = 2; n <= 5; n++) {
        CHECK_CLOSE(spearman(x, y, n, 1e-9), 1, 0);
        CHECK_CLOSE(spearman(x, z, n, 1e-9), -1, 0);
    }
}

static void values_within_the_tolerance_are_tied(void)
{
    const double x[] = {1, 1 + 1e-12, 3}, y[] = {2, 1, 3}, up[] = {1, 1 + 1e-12, 1 + 1.5e-9, 5};
    CHECK_CLOSE(spearman(x, y, 3, 0), 0.5, 1e-15);
    CHECK_CLOSE(spearman(x, y, 3, 1e-9), sqrt(0.75), 1e-15);
    CHECK_CLOSE(spearman(up, (double[]){2, 2, 3, 4}, 4, 1e-9), 1, 0); /* the third is too far from the first */
}

static void without_two_ranks_there_is_no_correlation(void)
{
    CHECK(isnan(spearman(NULL, NULL, 0, 0)));
    CHECK(isnan(spearman((double[]){1}, (double[]){1}, 1, 0)));
    CHECK(isnan(spearman((double[]){1, 1, 1}, (double[]){1, 2, 3}, 3, 0)));
    CHECK(isnan(spearman((double[]){1, 2, 3}, (double[]){INFINITY, INFINITY, INFINITY}, 3, 0)));
}

static double sign(double x)
{
    return (x > 0) - (x < 0);
}

/* [Kendall 1970]: without any ranks, as the sum of sgn(x_i - x_j) sgn(y_i - y_k) over all i, j, k. */
static double triple_sum(const double *x, const double *y, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            for (size_t k = 0; k < n; k++)
                sum += sign(x[i] - x[j]) * sign(y[i] - y[k]);
    return sum;
}

/* 1 - 6 sum d^2 / (n^3 - n), the ranks found by counting. */
static double by_distances(const double *x, const double *y, size_t n)
{
    double squares = 0, m = (double)n;
    for (size_t i = 0; i < n; i++) {
        double d = 0;
        for (size_t j = 0; j < n; j++)
            d += (x[j] < x[i]) - (y[j] < y[i]);
        squares += d * d;
    }
    return 1 - 6 * squares / (m * m * m - m);
}

static void random_samples_give_what_sums_of_signs_give(void)
{
    struct random_stream r;
    random_init(&r, 8, 0);
    for (int round = 0; round < 2000; round++) {
        double x[12], y[12];
        size_t n = 2 + random_below(&r, 11);
        for (size_t i = 0; i < n; i++) {
            x[i] = round % 2 ? (double)random_below(&r, 4) - 2 : random_unit(&r); /* many ties, or none */
            y[i] = round % 2 ? (double)random_below(&r, 5) - 2 : random_unit(&r);
        }
        double xx = triple_sum(x, x, n), yy = triple_sum(y, y, n), rho = spearman(x, y, n, 0);
        CHECK(isnan(rho) == (xx * yy == 0));
        if (!isnan(rho))
            CHECK_CLOSE(rho, triple_sum(x, y, n) / sqrt(xx * yy), 1e-14);
        if (round % 2 == 0)
            CHECK(fabs(rho - by_distances(x, y, n)) < 1e-14);
    }
}

static const struct test tests[] = {
    {"a textbook example", a_textbook_example},
    {"tied values share the mean of their ranks", tied_values_share_the_mean_rank},
    {"equal order gives 1, opposite order -1", equal_order_gives_1_and_opposite_order_gives_minus_1},
    {"values within the tolerance are tied", values_within_the_tolerance_are_tied},
    {"without two ranks there is no correlation", without_two_ranks_there_is_no_correlation},
    {"random samples give what sums of signs give, with and without ties", random_samples_give_what_sums_of_signs_give},
};
TEST_MAIN(tests)
