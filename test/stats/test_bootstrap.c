/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "check.h"
#include "stats/stats.h"

#include <stdlib.h>

enum { N_DRAWN = 200000 };

/* How often each median comes up among all n^n resamples, which are walked; and among those drawn. */
static void check_against_all_resamples(const double *x, size_t n)
{
    static double drawn[N_DRAWN];
    size_t all = 1;
    for (size_t i = 0; i < n; i++)
        all *= n;
    double *medians = malloc(all * sizeof *medians);
    for (size_t code = 0; code < all; code++) {
        double sample[8];
        for (size_t i = 0, rest = code; i < n; i++, rest /= n)
            sample[i] = x[rest % n];
        quantile_sort(sample, n);
        medians[code] = quantile_median(sample, n);
    }
    struct random_stream r;
    random_init(&r, 11, n);
    bootstrap_medians(x, n, &r, drawn, N_DRAWN);
    quantile_sort(medians, all);
    quantile_sort(drawn, N_DRAWN);
    for (size_t from = 0, end, at = 0; from < all; from = end) {
        for (end = from; end < all && medians[end] == medians[from]; end++)
            ;
        double share = (double)(end - from) / (double)all, sd = sqrt(share * (1 - share) / N_DRAWN);
        size_t first = at;
        while (at < N_DRAWN && drawn[at] == medians[from])
            at++;
        CHECK(fabs((double)(at - first) / N_DRAWN - share) < 5 * sd + 1e-12);
        CHECK(end < all || at == N_DRAWN); /* and no other medians */
    }
    free(medians);
}

static void medians_come_as_often_as_among_all_resamples(void)
{
    const double x[] = {1, 2, 4, 8, 16, 32, 64};
    for (size_t n = 1; n <= 7; n++)
        check_against_all_resamples(x, n);
}

/* The median of n draws, n odd, is at most x[k-1] when more than half of them are: a binomial tail. */
static void medians_of_many_follow_the_binomial_distribution(void)
{
    enum { N = 1001 };
    static double x[N], drawn[20000];
    for (int i = 0; i < N; i++)
        x[i] = i;
    struct random_stream r;
    random_init(&r, 12, 0);
    bootstrap_medians(x, N, &r, drawn, 20000);
    quantile_sort(drawn, 20000);
    for (int k = 450; k <= 550; k += 10) {
        double share = (double)k / N, tail = 0, log_term = N * log1p(-share); /* of 0 of N */
        for (int i = 0; i <= N; i++) {
            tail += i > N / 2 ? exp(log_term) : 0;
            log_term += log((double)(N - i) / (i + 1)) + log(share) - log1p(-share);
        }
        CHECK(fabs(profile_share(drawn, 20000, k - 1) - tail) < 5 * sqrt(tail * (1 - tail) / 20000));
    }
}

/* 1000 samples of 25 from a skewed distribution whose median is ln 2: the interval should hold it about 95 times in a
   hundred; percentile intervals of so few values hold it a little more or less often. */
static void intervals_cover(void)
{
    int covered = 0;
    struct random_stream r;
    random_init(&r, 13, 0);
    for (int round = 0; round < 1000; round++) {
        double x[25], medians[999], low, high;
        for (int i = 0; i < 25; i++)
            x[i] = -log1p(-random_unit(&r));
        quantile_sort(x, 25);
        bootstrap_medians(x, 25, &r, medians, 999);
        CHECK(bootstrap_interval(medians, 999, 0.95, &low, &high));
        covered += low <= log(2) && log(2) <= high;
    }
    CHECK(covered >= 925 && covered <= 975);
}

static void ends_are_those_values_of_which_enough_lie_outside(void)
{
    double values[999], low, high;
    for (int i = 0; i < 999; i++)
        values[i] = 999 - i;
    CHECK(bootstrap_interval(values, 999, 0.95, &low, &high));
    CHECK(low == 25 && high == 975); /* k = 1000 x 0.025 */
    CHECK(bootstrap_interval(values, 39, 0.95, &low, &high) && low == 1 && high == 39);
    CHECK(!bootstrap_interval(values, 38, 0.95, &low, &high));
}

static void the_same_seed_gives_the_same_medians(void)
{
    const double x[] = {1, 2, 3, 5, 8, 13};
    double a[50], b[50], c[50];
    struct random_stream r;
    random_init(&r, 1, 2);
    bootstrap_medians(x, 6, &r, a, 50);
    random_init(&r, 1, 2);
    bootstrap_medians(x, 6, &r, b, 50);
    random_init(&r, 1, 3);
    bootstrap_medians(x, 6, &r, c, 50);
    CHECK(memcmp(a, b, sizeof a) == 0);
    CHECK(memcmp(a, c, sizeof a) != 0);
}

/* Of 0 and 1 with two draws: 0, 1/2 and 1 with chances 1/4, 1/2 and 1/4. The variances bound how far counts may be
   off. */
static void means_come_as_often_as_among_all_resamples(void)
{
    enum { N = 20000 };
    static double means[N];
    struct random_stream random;
    int counts[3] = {0};
    random_init(&random, 7, 7);
    bootstrap_means((double[]){1, 0}, 2, &random, means, N);
    for (int k = 0; k < N; k++)
        counts[(int)(2 * means[k])]++;
    CHECK(counts[0] + counts[1] + counts[2] == N);
    CHECK(abs(counts[0] - N / 4) < 5 * sqrt(N * 3. / 16));
    CHECK(abs(counts[1] - N / 2) < 5 * sqrt(N / 4.));
    bootstrap_means((double[]){3.5, 3.5, 3.5}, 3, &random, means, 10);
    CHECK(means[0] == 3.5 && means[9] == 3.5);
}

static const struct test tests[] = {
    {"means come as often as among all resamples", means_come_as_often_as_among_all_resamples},
    {"medians come as often as among all n^n resamples", medians_come_as_often_as_among_all_resamples},
    {"medians of many follow the binomial distribution", medians_of_many_follow_the_binomial_distribution},
    {"95 % intervals cover the truth about 95 times in a hundred", intervals_cover},
    {"ends are those values of which enough lie outside", ends_are_those_values_of_which_enough_lie_outside},
    {"the same seed gives the same medians", the_same_seed_gives_the_same_medians},
};
TEST_MAIN(tests)
