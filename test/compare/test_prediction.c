/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What one metric foretells of another one: worked by hand on small databases, and on random ones against sums made
   here another way. The metric is `makespan`, its predictor `plan`. */
#include "compare/prediction.h"

#include "base/mem.h"
#include "base/random.h"
#include "base/text.h"
#include "check.h"
#include "hand_database.h"

#include <stdlib.h>
#include <unistd.h>

/* Rows as "('variant', noise, instance, plan, makespan)". */
static const char columns[] =
    "variant TEXT NOT NULL, noise REAL NOT NULL, instance INTEGER NOT NULL, plan REAL, makespan REAL";
static const char names[] = "variant, noise, instance, plan, makespan";

struct asked {
    const char *rows, *group; /* NULL: one group */
    enum better better, predictor_better;
    bool all_cases;
};

static void predict(const struct asked *a, struct compare_data *d, struct prediction *out)
{
    static const char path[] = "test-prediction.db";
    const char *const databases[] = {path};
    const struct compare_query q = {.databases = databases,
                                    .n_databases = 1,
                                    .by = (const char *const[]){"variant"},
                                    .n_by = 1,
                                    .metric = "makespan",
                                    .predictor = "plan",
                                    .instance = (const char *const[]){"instance"},
                                    .n_instance = 1,
                                    .groups = &a->group,
                                    .n_groups = a->group != NULL};
    const struct compare_settings s = {.better = a->better != BETTER_NONE ? a->better : BETTER_LOWER,
                                       .all_cases = a->all_cases,
                                       .tolerance = 1e-9,
                                       .confidence = 0.95,
                                       .n_resamples = 200,
                                       .seed = 1};
    struct err e = {0};
    make_database(path, columns, names, a->rows);
    CHECK_OK(compare_read(&q, d, &e), e);
    unlink(path);
    d->predictor_better = a->predictor_better;
    prediction_compute(d, &s, out);
}

static void clear(struct compare_data *d, struct prediction *p)
{
    prediction_clear(p);
    compare_data_clear(d);
}

static double mean_of(const struct prediction *p, size_t group, enum prediction_kind kind)
{
    return p->orders[group].means[kind].mean;
}

/* Two instances in two settings. Planned order a b c. In instance 1 it holds once (1) and is b a c once (0.5, best
   lost, a takes 6 instead of 4); in instance 2 it is c b a (-1, a takes 4 times as long as c) and a b c. */
#define TWO_INSTANCES                                                                                                  \
    "('a',1,1,1,2), ('b',1,1,2,3), ('c',1,1,4,9), ('a',2,1,1,6), ('b',2,1,2,4), ('c',2,1,4,8),"                        \
    "('a',1,2,1,8), ('b',1,2,2,4), ('c',1,2,4,2), ('a',2,2,1,1), ('b',2,2,2,2), ('c',2,2,4,4)"

static void an_instance_gives_the_mean_over_its_cases(void)
{
    struct compare_data d;
    struct prediction p;
    predict(&(struct asked){.rows = TWO_INSTANCES}, &d, &p);
    CHECK_INT(p.n_orders, 1);
    CHECK_INT(p.orders[0].n_cases, 4);
    CHECK_INT(p.orders[0].n_left_out, 0);
    CHECK_INT(p.orders[0].means[PREDICTION_CORRELATION].n, 2);
    CHECK_CLOSE(mean_of(&p, 0, PREDICTION_CORRELATION), (0.75 + 0) / 2, 1e-15);
    CHECK_CLOSE(mean_of(&p, 0, PREDICTION_KEPT), 0.5, 1e-15);
    CHECK_CLOSE(mean_of(&p, 0, PREDICTION_COST), ((1 + 6 / 4.) / 2 + (4 + 1) / 2.) / 2, 1e-15);
    /* two values: the means of resamples are one, the other, or the middle, and each often enough */
    CHECK_CLOSE(p.orders[0].means[PREDICTION_CORRELATION].low, 0, 0);
    CHECK_CLOSE(p.orders[0].means[PREDICTION_CORRELATION].high, 0.75, 0);
    CHECK_INT(p.n_ratios, 3);
    CHECK_INT(p.ratios[0].ratio.n, 2);
    CHECK_CLOSE(p.ratios[0].ratio.median, (sqrt(2 * 6) + sqrt(8 * 1)) / 2, 1e-11); /* of a */
    CHECK_CLOSE(p.ratios[0].largest, 8, 0);
    CHECK_CLOSE(p.ratios[2].ratio.median, (sqrt(9 / 4. * 2) + sqrt(0.5)) / 2, 1e-11);
    CHECK_CLOSE(p.ratios[0].against.median, 1, 0); /* a is the reference */
    CHECK_INT(p.ratios[2].against.n, 2);           /* c: 2.25 and 2 over 2 and 6; 0.5 and 1 over 8 and 1 */
    CHECK_CLOSE(p.ratios[2].against.median, (sqrt(2.25 / 2 * 2 / 6) + sqrt(0.5 / 8)) / 2, 1e-11);
    CHECK(p.ratios[0].ratio.low >= sqrt(8) * (1 - 1e-11) && p.ratios[0].ratio.high <= sqrt(12) * (1 + 1e-11));
    clear(&d, &p);
}

static void groups_and_cases_can_stand_alone(void)
{
    struct compare_data d;
    struct prediction p;
    predict(&(struct asked){.rows = TWO_INSTANCES, .group = "noise"}, &d, &p);
    CHECK_INT(p.n_orders, 2);
    CHECK_CLOSE(mean_of(&p, 0, PREDICTION_CORRELATION), 0, 0); /* 1 and -1 */
    CHECK_CLOSE(mean_of(&p, 1, PREDICTION_CORRELATION), 0.75, 1e-15);
    CHECK_INT(p.n_ratios, 6);
    CHECK(p.ratios[5].group == 1 && p.ratios[5].variant == 2);
    CHECK_CLOSE(p.ratios[5].ratio.median, 1.5, 1e-15);
    clear(&d, &p);
    predict(&(struct asked){.rows = TWO_INSTANCES, .all_cases = true}, &d, &p);
    CHECK_INT(p.orders[0].means[PREDICTION_KEPT].n, 4);
    CHECK_CLOSE(p.ratios[1].ratio.median, (1.5 + 2) / 2, 1e-15); /* b: 1.5, 2, 2, 1 */
    clear(&d, &p);
}

/* a and b are both planned best: one of them is, and the other takes twice as long. */
static void of_variants_that_are_equally_good_any_may_be_chosen(void)
{
    struct compare_data d;
    struct prediction p;
    predict(&(struct asked){.rows = "('a',1,1,5,3), ('b',1,1,5.000000000001,6), ('c',1,1,7,3.000000000001)"}, &d, &p);
    CHECK_CLOSE(mean_of(&p, 0, PREDICTION_KEPT), 0.5, 1e-15);
    CHECK_CLOSE(mean_of(&p, 0, PREDICTION_COST), 1.5, 1e-15);
    CHECK_CLOSE(mean_of(&p, 0, PREDICTION_CORRELATION), -0.5, 1e-15); /* ranks 1.5 1.5 3 and 1.5 3 1.5 */
    CHECK(isnan(p.orders[0].means[PREDICTION_KEPT].low));             /* one instance has no interval */
    clear(&d, &p);
    predict(&(struct asked){.rows = "('a',1,1,5,3), ('b',1,1,5,4)"}, &d, &p);
    CHECK_INT(p.orders[0].means[PREDICTION_CORRELATION].n, 0);
    CHECK(isnan(mean_of(&p, 0, PREDICTION_CORRELATION)));
    CHECK_CLOSE(mean_of(&p, 0, PREDICTION_KEPT), 0.5, 1e-15);
    clear(&d, &p);
}

/* Speed against speed, and speed foretold by a length. */
static void either_figure_may_be_better_when_higher(void)
{
    struct compare_data d;
    struct prediction p;
    predict(&(struct asked){.rows = "('a',1,1,2,8), ('b',1,1,3,9), ('c',1,1,4,1)", .better = BETTER_HIGHER}, &d, &p);
    CHECK_CLOSE(mean_of(&p, 0, PREDICTION_CORRELATION), -0.5, 1e-15);
    CHECK_CLOSE(mean_of(&p, 0, PREDICTION_KEPT), 0, 0);
    CHECK_CLOSE(mean_of(&p, 0, PREDICTION_COST), 9, 1e-15); /* c, at 1 */
    clear(&d, &p);
    predict(&(struct asked){.rows = "('a',1,1,2,8), ('b',1,1,3,9), ('c',1,1,4,1)",
                            .better = BETTER_HIGHER,
                            .predictor_better = BETTER_LOWER},
            &d, &p);
    CHECK_CLOSE(mean_of(&p, 0, PREDICTION_CORRELATION), 0.5, 1e-15);
    CHECK_CLOSE(mean_of(&p, 0, PREDICTION_COST), 9 / 8., 1e-15);
    clear(&d, &p);
}

static void cases_without_all_figures_are_counted_and_left_out(void)
{
    struct compare_data d;
    struct prediction p;
    predict(&(struct asked){.rows = "('a',1,1,1,2), ('b',1,1,2,6), ('a',1,2,1,4), ('a',1,3,1,3), ('b',1,3,2,NULL),"
                                    "('a',1,4,NULL,3), ('b',1,4,2,2)"},
            &d, &p);
    CHECK_INT(p.orders[0].n_cases, 1);
    CHECK_INT(p.orders[0].n_left_out, 3);
    CHECK_INT(p.ratios[0].ratio.n, 3);
    CHECK_CLOSE(p.ratios[0].ratio.median, 3, 0);
    CHECK_INT(p.ratios[0].n_left_out, 1);
    CHECK_INT(p.ratios[1].ratio.n, 2);
    CHECK_INT(p.ratios[1].n_left_out, 2);
    CHECK_INT(p.ratios[1].against.n, 1); /* both have both figures */
    CHECK_CLOSE(p.ratios[1].against.median, 3 / 2., 0);
    clear(&d, &p);
}

enum { N_VARIANTS = 6, N_CASES = 40 };

/* Without ties: 1 - 6 sum d^2 / (n^3 - n), ranks by counting. */
static double correlation_of(const int *plan, const int *makespan)
{
    double squares = 0, n = N_VARIANTS;
    for (int i = 0; i < N_VARIANTS; i++) {
        int d = 0;
        for (int j = 0; j < N_VARIANTS; j++)
            d += (plan[j] < plan[i]) - (makespan[j] < makespan[i]);
        squares += d * d;
    }
    return 1 - 6 * squares / (n * n * n - n);
}

static int place_of_least(const int *values)
{
    int least = 0;
    for (int i = 1; i < N_VARIANTS; i++)
        least = values[i] < values[least] ? i : least;
    return least;
}

static void draw_permutation(struct random_stream *r, int *out)
{
    for (int i = 0; i < N_VARIANTS; i++)
        out[i] = i + 1;
    for (int i = N_VARIANTS; i-- > 1;) {
        int j = (int)random_below(r, (uint64_t)i + 1), t = out[i];
        out[i] = out[j];
        out[j] = t;
    }
}

static void random_orders_give_what_ranks_by_counting_give(void)
{
    struct compare_data d;
    struct prediction p;
    struct random_stream random;
    struct text rows = {0};
    double correlation = 0, kept = 0, cost = 0;
    random_init(&random, 3, 0);
    for (int c = 0; c < N_CASES; c++) {
        int plan[N_VARIANTS], makespan[N_VARIANTS];
        draw_permutation(&random, plan);
        draw_permutation(&random, makespan);
        for (int v = 0; v < N_VARIANTS; v++)
            text_addf(&rows, "%s('%c',1,%d,%d,%d)", rows.size ? "," : "", 'a' + v, c, plan[v], makespan[v]);
        correlation += correlation_of(plan, makespan) / N_CASES;
        kept += (makespan[place_of_least(plan)] == 1) / (double)N_CASES;
        cost += makespan[place_of_least(plan)] / (double)N_CASES;
    }
    predict(&(struct asked){.rows = text_str(&rows)}, &d, &p);
    CHECK(fabs(mean_of(&p, 0, PREDICTION_CORRELATION) - correlation) < 1e-14);
    CHECK_CLOSE(mean_of(&p, 0, PREDICTION_KEPT), kept, 1e-14);
    CHECK_CLOSE(mean_of(&p, 0, PREDICTION_COST), cost, 1e-14);
    const struct prediction_mean *m = &p.orders[0].means[PREDICTION_CORRELATION];
    /* the standard error of the mean of 40 correlations of 6 random ranks: sqrt(1 / 5 / 40) = 0.07 */
    CHECK(m->low < m->mean && m->mean < m->high && m->high - m->low > 0.18 && m->high - m->low < 0.40);
    clear(&d, &p);
    text_clear(&rows);
}

static const struct test tests[] = {
    {"an instance gives the mean over its cases", an_instance_gives_the_mean_over_its_cases},
    {"groups, and cases, can stand alone", groups_and_cases_can_stand_alone},
    {"of variants that are equally good any may be chosen", of_variants_that_are_equally_good_any_may_be_chosen},
    {"either figure may be better when higher", either_figure_may_be_better_when_higher},
    {"cases without all figures are counted and left out", cases_without_all_figures_are_counted_and_left_out},
    {"random orders give what ranks by counting give", random_orders_give_what_ranks_by_counting_give},
};
TEST_MAIN(tests)
