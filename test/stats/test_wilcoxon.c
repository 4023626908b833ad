/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "base/random.h"
#include "check.h"
#include "stats/stats.h"

#include <stdlib.h>

/* Darwin's maize, Fisher, The Design of Experiments, 17: crossed less self-fertilised, eighths of an inch. The sum of
   the negative ranks is 10 + 14; of 2^15 signs 676 have a sum of at most 24. */
static void darwins_maize(void)
{
    const double d[] = {49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48};
    struct wilcoxon w = wilcoxon_test(d, 15, 0);
    CHECK(w.n == 15 && w.w_minus == 24 && w.w_plus == 96 && w.is_exact);
    CHECK_CLOSE(w.p, 2 * 676 / 32768.0, 1e-15);
}

/* Hollander and Wolfe, Nonparametric Statistical Methods (1973), p. 29: V = 40, p = 0.01953 one-sided. */
static void hollander_and_wolfes_depression_scales(void)
{
    const double x[] = {1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30};
    const double y[] = {0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29};
    double d[9];
    for (int i = 0; i < 9; i++)
        d[i] = x[i] - y[i];
    struct wilcoxon w = wilcoxon_test(d, 9, 0);
    CHECK_CLOSE(w.w_plus, 40, 0);
    CHECK_CLOSE(w.p, 2 * 10 / 512.0, 1e-15);
}

/* Differences 1..n of which some are negative so that their ranks sum to `sum`. */
static double p_of_sum(int n, int sum)
{
    double d[64];
    for (int i = n; i >= 1; i--) {
        d[i - 1] = i <= sum ? -i : i;
        sum -= i <= sum ? i : 0;
    }
    return wilcoxon_test(d, (size_t)n, 0).p;
}

/* McCornack, Extended Tables of the Wilcoxon Matched Pair Signed Rank Statistic, JASA 60 (1965): two-sided 5 %. */
static void published_critical_values(void)
{
    static const int critical[][2] = {{6, 0},   {7, 2},   {8, 3},   {9, 5},   {10, 8},  {11, 10}, {12, 13},
                                      {13, 17}, {14, 21}, {15, 25}, {16, 29}, {17, 34}, {18, 40}, {19, 46},
                                      {20, 52}, {21, 58}, {22, 65}, {23, 73}, {24, 81}, {25, 89}};
    for (size_t i = 0; i < sizeof critical / sizeof critical[0]; i++) {
        CHECK(p_of_sum(critical[i][0], critical[i][1]) <= 0.05);
        CHECK(p_of_sum(critical[i][0], critical[i][1] + 1) > 0.05);
    }
}

/* All 2^n signs, the ranks found by counting. */
static double p_by_enumeration(const double *d, size_t n)
{
    double rank[20] = {0}, observed = 0;
    size_t m = 0;
    for (size_t i = 0; i < n; i++) {
        double below = 0, equal = 0;
        for (size_t j = 0; j < n; j++) {
            below += d[j] != 0 && fabs(d[j]) < fabs(d[i]);
            equal += fabs(d[j]) == fabs(d[i]);
        }
        if (d[i] == 0)
            continue;
        rank[m++] = below + (equal + 1) / 2;
        observed += d[i] > 0 ? below + (equal + 1) / 2 : 0;
    }
    double lower = 0, upper = 0;
    for (unsigned signs = 0; signs < 1u << m; signs++) {
        double sum = 0;
        for (size_t i = 0; i < m; i++)
            sum += signs >> i & 1 ? rank[i] : 0;
        lower += sum <= observed;
        upper += sum >= observed;
    }
    return fmin(1, 2 * fmin(lower, upper) / (double)(1u << m));
}

static void exact_values_are_those_of_all_signs(void)
{
    struct random_stream r;
    random_init(&r, 4, 0);
    for (int round = 0; round < 300; round++) {
        double d[12];
        size_t n = 1 + random_below(&r, 12);
        uint64_t range = round % 2 ? 4 : 1000; /* many ties and zeros, or few */
        for (size_t i = 0; i < n; i++)
            d[i] = (double)random_below(&r, range) * (random_below(&r, 3) ? 1 : -1);
        CHECK_CLOSE(wilcoxon_test(d, n, 0).p, p_by_enumeration(d, n), 1e-14);
    }
}

/* The tail of the sums of n ranks without ties, counted another way: sums[s] ways with ranks up to k. */
static double p_of_untied(int n, int w)
{
    static double sums[2000];
    memset(sums, 0, sizeof sums);
    sums[0] = 1;
    for (int k = 1; k <= n; k++)
        for (int s = k * (k + 1) / 2; s >= k; s--)
            sums[s] += sums[s - k];
    double tail = 0;
    for (int s = 0; s <= w; s++)
        tail += sums[s];
    return fmin(1, 2 * tail / ldexp(1, n));
}

static void the_exact_and_the_normal_part_join(void)
{
    for (int w = 300; w < 640; w += 20)
        CHECK_CLOSE(p_of_sum(50, w), p_of_untied(50, w), 1e-12);
    for (int w = 400; w <= 660; w += 20) { /* of 663 in the middle */
        double exact = p_of_untied(51, w);
        CHECK(fabs(p_of_sum(51, w) - exact) < (exact < 0.1 ? 1e-3 : 4e-3));
    }
}

/* With ties: 60 differences of sizes 1 (40 of them, rank 20.5) and 2 (20, rank 50.5); 15 and 5 of them negative.
   The variance is a quarter of 40 x 20.5^2 + 20 x 50.5^2 = 16953.75. */
static void the_normal_part_is_corrected_for_ties(void)
{
    double d[60];
    for (int i = 0; i < 60; i++)
        d[i] = i < 40 ? (i < 15 ? -1 : 1) : (i < 45 ? -2 : 2);
    struct wilcoxon w = wilcoxon_test(d, 60, 0);
    CHECK(!w.is_exact);
    CHECK_CLOSE(w.w_minus, 15 * 20.5 + 5 * 50.5, 1e-15);
    double z = (915 - 560 - 0.5) / sqrt(16953.75);
    CHECK_CLOSE(w.p, erfc(z / sqrt(2)), 1e-12);
}

static void signs_mirrored_and_sizes_stretched_change_nothing(void)
{
    struct random_stream r;
    random_init(&r, 5, 0);
    for (int n = 30; n <= 90; n += 30) {
        double d[90], mirrored[90], stretched[90];
        for (int i = 0; i < n; i++) {
            d[i] = random_unit(&r) - 0.4;
            mirrored[i] = -d[i];
            stretched[i] = d[i] * d[i] * d[i];
        }
        struct wilcoxon a = wilcoxon_test(d, (size_t)n, 0), b = wilcoxon_test(mirrored, (size_t)n, 0);
        CHECK_CLOSE(a.p, b.p, 1e-12);
        CHECK(a.w_plus == b.w_minus);
        CHECK(a.p == wilcoxon_test(stretched, (size_t)n, 0).p);
    }
}

static void sizes_within_the_tolerance_share_a_rank(void)
{
    struct wilcoxon w = wilcoxon_test((double[]){1, -(1 + 1e-12), 3}, 3, 1e-9);
    CHECK(w.w_minus == 1.5 && w.w_plus == 4.5);
    w = wilcoxon_test((double[]){1, -(1 + 1e-12), 3}, 3, 0);
    CHECK(w.w_minus == 2 && w.w_plus == 4);
    w = wilcoxon_test((double[]){INFINITY, -INFINITY, 3}, 3, 1e-9);
    CHECK(w.w_minus == 2.5 && w.w_plus == 3.5);
}

static void nothing_to_test_has_p_1(void)
{
    CHECK(wilcoxon_test(NULL, 0, 0).p == 1);
    struct wilcoxon w = wilcoxon_test((double[]){0, 0, -0.0}, 3, 0);
    CHECK(w.p == 1 && w.n == 0 && w.w_plus == 0);
    CHECK(wilcoxon_test((double[]){7}, 1, 0).p == 1); /* either sign is as likely */
}

static const struct test tests[] = {
    {"Darwin's maize", darwins_maize},
    {"Hollander and Wolfe's depression scales", hollander_and_wolfes_depression_scales},
    {"published critical values", published_critical_values},
    {"exact values are those of all 2^n signs, with ties and zeros", exact_values_are_those_of_all_signs},
    {"the exact part and the normal part join", the_exact_and_the_normal_part_join},
    {"the normal part is corrected for ties", the_normal_part_is_corrected_for_ties},
    {"signs mirrored or sizes stretched change nothing", signs_mirrored_and_sizes_stretched_change_nothing},
    {"sizes within the tolerance share a rank", sizes_within_the_tolerance_share_a_rank},
    {"nothing to test has p 1", nothing_to_test_has_p_1},
};
TEST_MAIN(tests)
