/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Bounds node by node against one linear program for the whole tree. */
#include "bound_shapes.h"
#include "farm/tiny_lp.h"

static void small_trees_agree_with_one_program_for_all(void)
{
    struct random_stream r;
    random_init(&r, 3, 1 + random_first());
    double worst = 0;
    FOR_RANDOM_CASES (trial, 600)
        worst = fmax(worst, worst_difference(&r, (int)(trial % N_SHAPES), 1 + (int)random_below(&r, 40), true));
    printf("(worst relative difference: %.1g) ", worst);
    CHECK(worst <= 1e-9);
}

static void large_trees_agree_with_one_program_for_all(void)
{
    struct random_stream r;
    random_init(&r, 3, 2);
    for (int trial = 0; trial < N_SHAPES; trial++)
        CHECK(worst_difference(&r, trial, trial == STAR ? 300 : 1000, true) <= 1e-9);
}

static void larger_trees_prove_their_optimum(void)
{
    struct random_stream r;
    random_init(&r, 6, 1 + random_first());
    FOR_RANDOM_CASES (trial, 60)
        CHECK(worst_difference(&r, (int)(trial % N_SHAPES), 1 + (int)random_below(&r, 3000), false) == 0);
}

/* ---- programs of a few rows ---- */

static void a_program_grows_while_it_is_solved(void)
{
    /* Maximise 3x + 2y, x + y <= 4, x + 3y <= 9, x <= 3: x = 3, y = 1, prices 2, 0, 1. A column of 1, 1, 0 gains what
       its value exceeds 2 by; at 5 it takes the first row, and the second allows that: 4 of it. */
    const double limits[TINY_ROWS] = {4, 9, 3};
    struct tiny_lp lp = {0};
    tiny_lp_begin(&lp, limits);
    tiny_lp_add(&lp, &(struct tiny_column){3, {1, 1, 1}});
    tiny_lp_add(&lp, &(struct tiny_column){2, {1, 3, 0}});
    CHECK(tiny_lp_solve(&lp));
    CHECK_CLOSE(lp.value, 11, 1e-15);
    CHECK_CLOSE(lp.prices[0], 2, 1e-15);
    CHECK(fabs(lp.prices[1]) < 1e-15);
    CHECK_CLOSE(lp.prices[2], 1, 1e-15);
    const struct tiny_column more = {5, {1, 1, 0}}, same = {2, {1, 1, 0}};
    CHECK_CLOSE(tiny_lp_gain(&lp, &more), 3, 1e-15);
    CHECK(tiny_lp_gain(&lp, &same) == 0);
    tiny_lp_add(&lp, &more);
    CHECK(tiny_lp_solve(&lp));
    CHECK_CLOSE(lp.value, 20, 1e-15);
    tiny_lp_clear(&lp);
}

static void a_program_that_goes_in_circles_ends(void)
{
    /* Beale 1955: with the largest reduced value and the first row, the simplex method returns to where it began. The
       optimum is 1/20: x(1) = 1/25 and x(3) = 1, of value 3/4, -150, 1/50 and -6. Values below 0 never enter at x = 0.
       */
    const double limits[TINY_ROWS] = {0, 0, 1};
    struct tiny_lp lp = {0};
    tiny_lp_begin(&lp, limits);
    tiny_lp_add(&lp, &(struct tiny_column){0.75, {0.25, 0.5, 0}});
    tiny_lp_add(&lp, &(struct tiny_column){-150, {-60, -90, 0}});
    tiny_lp_add(&lp, &(struct tiny_column){0.02, {-0.04, -0.02, 1}});
    tiny_lp_add(&lp, &(struct tiny_column){-6, {9, 3, 0}});
    CHECK(tiny_lp_solve(&lp));
    CHECK_CLOSE(lp.value, 0.05, 1e-12);
    tiny_lp_clear(&lp);
}

static const struct test tests[] = {
    {"small trees agree with one program for all", small_trees_agree_with_one_program_for_all},
    {"large trees agree with one program for all", large_trees_agree_with_one_program_for_all},
    {"larger trees prove their optimum", larger_trees_prove_their_optimum},
    {"a program grows while it is solved", a_program_grows_while_it_is_solved},
    {"a program that goes in circles ends", a_program_that_goes_in_circles_ends},
};

TEST_MAIN(tests)
