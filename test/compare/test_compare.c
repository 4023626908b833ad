/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* From databases made by hand to pairs: which rows are read, which of them make an instance, a setting, a group, and
   the ratios that follow by arithmetic. */
#include "compare/compare.h"

#include "base/mem.h"
#include "check.h"
#include "hand_database.h"

#include <stdlib.h>
#include <unistd.h>

/* Rows as "('variant', x, instance, figure)". The program does not know the experiment, so every parameter identifies
   the instance unless the query names others. */
static const char columns[] = "variant TEXT NOT NULL, x REAL NOT NULL, instance INTEGER NOT NULL, figure REAL";
static const char names[] = "variant, x, instance, figure";

struct asked { /* lists end with NULL */
    const char *rows;
    const char *wheres[4], *groups[3];
    const char *instance; /* NULL: every parameter */
};

static enum err_code read_rows(const struct asked *a, struct compare_data *d, struct err *e)
{
    static const char path[] = "test-compare.db";
    const char *const databases[] = {path};
    struct compare_query q = {.databases = databases,
                              .n_databases = 1,
                              .by = (const char *const[]){"variant"},
                              .n_by = 1,
                              .metric = "figure",
                              .wheres = a->wheres,
                              .groups = a->groups,
                              .instance = &a->instance,
                              .n_instance = a->instance != NULL};
    while (a->wheres[q.n_wheres] != NULL)
        q.n_wheres++;
    while (a->groups[q.n_groups] != NULL)
        q.n_groups++;
    make_database(path, columns, names, a->rows);
    enum err_code code = compare_read(&q, d, e);
    unlink(path);
    return code;
}

/* The first variant in order ('a') is the reference. */
static void compute(const struct compare_data *d, bool all_cases, struct compare_result *out)
{
    const struct compare_settings s = {.better = BETTER_LOWER,
                                       .all_cases = all_cases,
                                       .tolerance = 1e-9,
                                       .confidence = 0.95,
                                       .n_resamples = 200,
                                       .seed = 1,
                                       .n_worst = 1};
    struct err e = {0};
    CHECK_OK(compare_compute(d, &s, out, &e), e);
}

/* b takes 2 and 8 times as long as a in the two settings of instance 1, and half as long in both of instance 2. */
#define TWO_INSTANCES                                                                                                  \
    "('a',1,1,10), ('b',1,1,20), ('a',2,1,1), ('b',2,1,8), ('a',1,2,4), ('b',1,2,2), ('a',2,2,6), ('b',2,2,3)"

static void an_instance_gives_the_geometric_mean_of_its_ratios(void)
{
    struct compare_data d;
    struct compare_result r;
    struct err e = {0};
    CHECK_OK(read_rows(&(struct asked){.rows = TWO_INSTANCES, .instance = "instance"}, &d, &e), e);
    CHECK_INT(d.n_cases, 4);
    CHECK_INT(d.n_instances, 2);
    CHECK_INT(d.n_settings, 2);
    compute(&d, false, &r);
    CHECK_INT(r.n_pairs, 1);
    CHECK_INT(r.pairs[0].n, 2);
    CHECK_INT(r.pairs[0].n_losses, 1);
    CHECK_INT(r.pairs[0].n_wins, 1);
    CHECK_CLOSE(r.pairs[0].median, (sqrt(2 * 8) + 0.5) / 2, 1e-11);
    CHECK_CLOSE(r.worst[0].ratio, 8, 1e-15); /* of a case, not of an instance */
    compare_result_clear(&r);
    compare_data_clear(&d);
}

static void with_all_cases_each_case_is_a_pair(void)
{
    struct compare_data d;
    struct compare_result r;
    struct err e = {0};
    CHECK_OK(read_rows(&(struct asked){.rows = TWO_INSTANCES, .instance = "instance"}, &d, &e), e);
    compute(&d, true, &r);
    CHECK_INT(r.pairs[0].n, 4);
    CHECK_CLOSE(r.pairs[0].median, (0.5 + 2) / 2, 1e-15); /* of 0.5, 0.5, 2, 8 */
    CHECK_INT(r.n_copies, 0);
    compare_result_clear(&r);
    compare_data_clear(&d);
}

static void groups_are_compared_separately_in_the_order_of_their_values(void)
{
    struct compare_data d;
    struct compare_result r;
    struct err e = {0};
    CHECK_OK(read_rows(&(struct asked){.rows = TWO_INSTANCES, .instance = "instance", .groups = {"x"}}, &d, &e), e);
    CHECK_INT(d.n_groups, 2);
    compute(&d, false, &r);
    CHECK_INT(r.n_pairs, 2);
    CHECK_TEXT(compare_group_value(&d, r.pairs[0].group, 0), "1");
    CHECK_CLOSE(r.pairs[0].median, (0.5 + 2) / 2, 1e-15);
    CHECK_TEXT(compare_group_value(&d, r.pairs[1].group, 0), "2");
    CHECK_CLOSE(r.pairs[1].median, (0.5 + 8) / 2, 1e-15);
    compare_result_clear(&r);
    compare_data_clear(&d);
}

static void identical_instances_count_once(void)
{
    struct compare_data d;
    struct err e = {0};
    const struct asked asked = {.rows = "('a',1,1,4), ('b',1,1,2), ('a',1,2,4), ('b',1,2,2), ('a',1,3,4), ('b',1,3,3)",
                                .instance = "instance"};
    CHECK_OK(read_rows(&asked, &d, &e), e);
    CHECK_INT(d.n_instances, 2);
    CHECK_INT(d.n_copies, 1);
    compare_data_clear(&d);
}

static void cases_without_both_runs_are_counted_not_paired(void)
{
    struct compare_data d;
    struct compare_result r;
    struct err e = {0};
    const struct asked asked = {.rows = "('a',1,1,4), ('b',1,1,2), ('a',1,2,4), ('a',1,3,4), ('b',1,3,NULL)"};
    CHECK_OK(read_rows(&asked, &d, &e), e);
    compute(&d, false, &r);
    CHECK_INT(r.pairs[0].n, 1);
    CHECK_INT(r.pairs[0].n_missing, 1);
    CHECK_INT(r.pairs[0].n_failed, 1);
    CHECK(isnan(r.pairs[0].low)); /* one pair has no interval */
    compare_result_clear(&r);
    compare_data_clear(&d);
}

/* --- which rows --- */

/* x from 1 to 5, and 0.5: a and b in each. */
#define SIX_PLACES                                                                                                     \
    "('a',1,1,1), ('b',1,1,1), ('a',2,1,1), ('b',2,1,1), ('a',3,1,1), ('b',3,1,1), ('a',4,1,1), ('b',4,1,1), "         \
    "('a',5,1,1), ('b',5,1,1), ('a',0.5,1,1), ('b',0.5,1,1), ('c',1,1,1)"

static void check_where(const char *first, const char *second, size_t n_cases)
{
    struct compare_data d;
    struct err e = {0};
    CHECK_OK(read_rows(&(struct asked){.rows = SIX_PLACES, .wheres = {first, second}}, &d, &e), e);
    if (d.n_cases != n_cases)
        fprintf(stderr, "%s: %zu cases, expected %zu\n", first, d.n_cases, n_cases);
    CHECK_INT(d.n_cases, n_cases);
    compare_data_clear(&d);
}

static void conditions_are_values_lists_and_ranges_with_their_ends(void)
{
    check_where("x=2", NULL, 1);
    check_where("x=2.0", NULL, 1);
    check_where("x=1,4", NULL, 2);
    check_where("x=2:4", NULL, 3);
    check_where("x=:1", NULL, 2);
    check_where("x=4:", NULL, 2);
    check_where("x=0.5,3:4,5e0", NULL, 4);
    check_where("x=1:3,2:4", NULL, 4);      /* alternatives may overlap */
    check_where("x=1", "x=5", 2);           /* conditions on one name are alternatives, */
    check_where("x=1:3", "variant=a,b", 3); /* those on different names must all hold */
}

static void the_chosen_variants_are_compared(void)
{
    struct compare_data d;
    struct err e = {0};
    size_t place = 0;
    CHECK_OK(read_rows(&(struct asked){.rows = SIX_PLACES, .wheres = {"variant=c,a"}}, &d, &e), e);
    CHECK_INT(d.variants.n_values, 2); /* sorted: a, c */
    CHECK_OK(compare_find_variant(&d, "c", &place, &e), e);
    CHECK_INT(place, 1);
    CHECK(compare_find_variant(&d, "b", &place, &e) == ERR_INPUT);
    CHECK_CONTAINS(e.text, "known: a, c");
    compare_data_clear(&d);
}

static void check_refused(const struct asked *a, const char *message)
{
    struct compare_data d;
    struct err e = {0};
    CHECK(read_rows(a, &d, &e) == ERR_INPUT);
    CHECK_CONTAINS(e.text, message);
    compare_data_clear(&d);
}

static void bad_questions_are_refused_by_name(void)
{
    check_refused(&(struct asked){.rows = SIX_PLACES, .wheres = {"x=4:2"}}, "'4:2'");
    check_refused(&(struct asked){.rows = SIX_PLACES, .wheres = {"x=many"}}, "'many'");
    check_refused(&(struct asked){.rows = SIX_PLACES, .wheres = {"x"}}, "name=value");
    check_refused(&(struct asked){.rows = SIX_PLACES, .wheres = {"y=1"}}, "'y'; known: ");
    check_refused(&(struct asked){.rows = SIX_PLACES, .wheres = {"x=7"}}, "'7'; known: 0.5, 1, 2, 3, 4, 5");
    check_refused(&(struct asked){.rows = SIX_PLACES, .groups = {"x", "x"}}, "twice");
    check_refused(&(struct asked){.rows = SIX_PLACES, .groups = {"variant"}}, "--by");
    check_refused(&(struct asked){.rows = "('a',1,1,-1), ('b',1,1,2)"}, "figure is -1");
    check_refused(&(struct asked){.rows = "('a',1,1,1), ('a',2,1,2)"}, "only one value of 'variant'");
    check_refused(&(struct asked){.rows = "('a',1,1,1), ('b',1,1,2), ('b',1,1,3)"}, "are one case");
}

static const struct test tests[] = {
    {"an instance gives the geometric mean of its ratios", an_instance_gives_the_geometric_mean_of_its_ratios},
    {"with all cases, each case is a pair", with_all_cases_each_case_is_a_pair},
    {"groups are compared separately, in the order of their values",
     groups_are_compared_separately_in_the_order_of_their_values},
    {"identical instances count once", identical_instances_count_once},
    {"cases without both runs are counted, not paired", cases_without_both_runs_are_counted_not_paired},
    {"conditions are values, lists and ranges with their ends", conditions_are_values_lists_and_ranges_with_their_ends},
    {"the chosen variants are compared", the_chosen_variants_are_compared},
    {"bad questions are refused by name", bad_questions_are_refused_by_name},
};
TEST_MAIN(tests)
