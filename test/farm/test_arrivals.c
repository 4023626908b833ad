/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "base/mem.h"
#include "base/random.h"
#include "check.h"
#include "farm/app.h"
#include "farm/arrivals.h"

#include <math.h>
#include <stdlib.h>

static struct arrivals read(const char *text)
{
    struct arrivals a;
    struct err e = {0};
    CHECK_OK(arrivals_parse(text, &a, &e), e);
    return a;
}

static void a_text_says_how_and_how_often(void)
{
    struct arrivals a = read("at_once");
    CHECK(a.kind == ARRIVALS_AT_ONCE && isnan(a.load_ratio) && isnan(a.tasks_per_s));
    a = read("poisson[load=0.5]");
    CHECK(a.kind == ARRIVALS_POISSON && a.load_ratio == 0.5 && isnan(a.tasks_per_s));
    a = read("periodic[rate=20]");
    CHECK(a.kind == ARRIVALS_PERIODIC && isnan(a.load_ratio) && a.tasks_per_s == 20);
}

static void refused(const char *text, const char *message)
{
    struct arrivals a;
    struct err e = {0};
    CHECK_INT(arrivals_parse(text, &a, &e), ERR_INPUT);
    CHECK_TEXT(e.text, message);
}

static void what_a_text_cannot_mean_is_refused(void)
{
    refused("now", "unknown arrival 'now'; known: at_once, poisson, periodic");
    refused("possion[load=1]", "unknown arrival 'possion'; known: at_once, poisson, periodic; did you mean 'poisson'?");
    refused("poisson", "arrival poisson needs either load or rate, as in poisson[load=0.8]");
    refused("periodic[load=1,rate=1]", "arrival periodic needs either load or rate, as in periodic[load=0.8]");
    refused("poisson[load=0]", "arrival poisson: parameter load is 0; it must be between 1e-09 and 1e+09");
    refused("poisson[speed=1]", "arrival poisson has no parameter 'speed'; known: load, rate");
    refused("at_once[load=1]", "arrival at_once has no parameter 'load'; known: none");
    refused("poisson[load", "arrival 'poisson[load': 'poisson[load' is not of the form name[parameter=value,...]");
}

static void even_gaps_begin_at_0(void)
{
    const struct arrivals a = {.kind = ARRIVALS_PERIODIC};
    double *dates_s = arrivals_draw_s(&a, 4, 7, 10);
    for (int i = 0; i < 10; i++)
        CHECK(dates_s[i] == i / 4.);
    free(dates_s);
    CHECK(arrivals_draw_s(&(struct arrivals){.kind = ARRIVALS_AT_ONCE}, NAN, 1, 10) == NULL);
}

/* Of independent exponential gaps: the mean 1 and the variance 1 of n of them are off by 1/sqrt(n) and sqrt(8/n); no
   part of the distribution is off by more than 1.95/sqrt(n) (Kolmogorov and Smirnov, 0.1 %); neighbours are not
   correlated. */
static void poisson_gaps_are_exponential_and_independent(void)
{
    enum { N = 100000, N_BINS = 50 };
    const struct arrivals a = {.kind = ARRIVALS_POISSON};
    double *dates_s = arrivals_draw_s(&a, 3, 1, N), sum = 0, squares = 0, products = 0, before = 0;
    int below[N_BINS] = {0};
    for (int i = 0; i < N; i++) {
        double gap = 3 * (dates_s[i] - (i > 0 ? dates_s[i - 1] : 0));
        CHECK(gap > 0);
        sum += gap;
        squares += gap * gap;
        products += i > 0 ? (gap - 1) * (before - 1) : 0;
        before = gap;
        for (int b = 0; b < N_BINS; b++)
            below[b] += gap <= 0.1 * (b + 1);
    }
    CHECK(fabs(sum / N - 1) < 4 / sqrt(N));
    CHECK(fabs(squares / N - 2) < 4 * sqrt(20. / N));
    CHECK(fabs(products / N) < 4 / sqrt(N));
    for (int b = 0; b < N_BINS; b++)
        CHECK(fabs((double)below[b] / N - (1 - exp(-0.1 * (b + 1)))) < 1.95 / sqrt(N));
    free(dates_s);
}

static void a_rate_stretches_the_draws_of_a_seed(void)
{
    const struct arrivals a = {.kind = ARRIVALS_POISSON};
    double *slow_s = arrivals_draw_s(&a, 1, 5, 100), *fast_s = arrivals_draw_s(&a, 8, 5, 200),
           *other_s = arrivals_draw_s(&a, 1, 6, 100);
    int n_same = 0;
    for (int i = 0; i < 100; i++) {
        CHECK(slow_s[i] == 8 * fast_s[i]);
        n_same += slow_s[i] == other_s[i];
    }
    CHECK_INT(n_same, 0);
    free(slow_s);
    free(fast_s);
    free(other_s);
}

static long in_farm_naively(const double *arrivals_s, const double *ends_s, long n, long arrived)
{
    long there = 0;
    for (long i = 0; i < arrived; i++)
        there += ends_s[i] > arrivals_s[arrived - 1];
    (void)n;
    return there;
}

/* Against sums over all tasks, for tasks that overtake each other. */
static void responses_are_counted_by_task(void)
{
    struct random_stream r;
    random_init(&r, 1, 34);
    for (int round = 0; round < 200; round++) {
        long n = 1 + (long)random_below(&r, 60);
        double *arrivals_s = mem_alloc((size_t)n * sizeof(double)), *ends_s = mem_alloc((size_t)n * sizeof(double));
        double sum = 0, most = 0, now_s = 0;
        for (long i = 0; i < n; i++) {
            arrivals_s[i] = now_s += random_unit(&r);
            ends_s[i] = now_s + 5 * random_unit(&r);
            sum += ends_s[i] - arrivals_s[i];
            most = fmax(most, ends_s[i] - arrivals_s[i]);
        }
        struct arrivals_responses x = arrivals_responses_of(arrivals_s, ends_s, n);
        long n_below = 0, n_within = 0, n_within_95 = 0, half = n / 2;
        for (long i = 0; i < n; i++) {
            n_below += ends_s[i] - arrivals_s[i] < x.median_s;
            n_within += ends_s[i] - arrivals_s[i] <= x.median_s;
            n_within_95 += ends_s[i] - arrivals_s[i] <= x.p95_s;
        }
        CHECK(fabs(x.mean_s - sum / (double)n) < 1e-12 && x.max_s == most);
        CHECK(2 * n_below <= n && 2 * n_within >= n);
        CHECK((double)n_within_95 >= 0.95 * (double)n && (double)(n_within_95 - 1) < 0.95 * (double)n);
        double before = half > 0 ? (double)in_farm_naively(arrivals_s, ends_s, n, half) : 0;
        double after = (double)in_farm_naively(arrivals_s, ends_s, n, n);
        CHECK(fabs(x.growth_ratio - (after - before) / (double)(n - half)) < 1e-12);
        free(arrivals_s);
        free(ends_s);
    }
}

static void dates_out_of_order_are_refused(void)
{
    static const double bad[][3] = {{0, 2, 1}, {-1, 0, 1}, {0, 1, INFINITY}, {NAN, 1, 2}};
    struct farm_app app = {.n_tasks = 3, .task_bytes = 1, .task_flop = 1, .n_buffers = 1};
    struct err e = {0};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        app.arrivals_s = bad[i];
        CHECK_INT(farm_app_check(&app, &e), ERR_INPUT);
        CHECK_CONTAINS(e.text, "arrives at");
    }
    app.arrivals_s = (const double[]){0, 0, 3};
    CHECK_INT(farm_app_check(&app, &e), ERR_NONE);
}

static const struct test tests[] = {
    {"a text says how and how often", a_text_says_how_and_how_often},
    {"what a text cannot mean is refused", what_a_text_cannot_mean_is_refused},
    {"even gaps begin at 0", even_gaps_begin_at_0},
    {"poisson gaps are exponential and independent", poisson_gaps_are_exponential_and_independent},
    {"a rate stretches the draws of a seed", a_rate_stretches_the_draws_of_a_seed},
    {"responses are counted by task", responses_are_counted_by_task},
    {"dates out of order are refused", dates_out_of_order_are_refused},
};

TEST_MAIN(tests)
