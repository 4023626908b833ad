/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Bounds node by node against one linear program for the whole tree, solved by CLP: trees of all shapes with all that
   nodes and links can have. */
#include "bound_clp.h"
#include "bound_trees.h"
#include "check.h"
#include "farm/tiny_lp.h"

enum shape { CHAIN, STAR, BINARY, DEEP, WIDE, ANY, N_SHAPES };

static node_id parent_of(struct random_stream *r, enum shape shape, int n, int n_nodes)
{
    switch (shape) {
    case CHAIN:
        return n - 1;
    case STAR:
        return 0;
    case BINARY:
        return (n - 1) / 2;
    case DEEP:
        return (int)fmax(0, n - 1 - (int)random_below(r, 3));
    case WIDE:
        return (node_id)random_below(r, (uint64_t)fmin(n, 1 + sqrt(n_nodes)));
    default:
        return (node_id)random_below(r, (uint64_t)n);
    }
}

/* Hosts that differ little, as generated ones do: many children are nearly as good as each other. */
static void make_alike(struct random_stream *r, struct spec_node *s, double speed, double interference)
{
    s->compute = speed * random_between(r, 5, 25);
    s->max_transfer_MB = random_between(r, 1, 11);
    s->ir_send_per_MB = interference * random_between(r, 0.02, 0.065);
    s->ir_recv_per_MB = interference * random_between(r, 0.045, 0.09);
}

static void add_extremes(struct random_stream *r, struct tree_node *node, bool is_root)
{
    if (chance(r, 0.2))
        node->ir_free_ratio = 0.3 * random_unit(r);
    if (chance(r, 0.2))
        node->ir_free_duplex_ratio = 0.3 * random_unit(r);
    if (chance(r, 0.2) && !is_root)
        node->ir_send_relief_s_per_byte = random_unit(r) * node->ir_send_s_per_byte;
    if (chance(r, 0.2))
        node->ir_recv_relief_s_per_byte = random_unit(r) * node->ir_recv_s_per_byte;
    if (chance(r, 0.05))
        node->compute_rate_flop_per_s = 0;
    if (chance(r, 0.03) && !is_root)
        node->max_transfer_bytes_per_s = chance(r, 0.5) ? INFINITY : 0;
}

static struct tree tree_of_shape(struct random_stream *r, enum shape shape, int n_nodes)
{
    struct spec_node *specs = mem_zalloc((size_t)n_nodes, sizeof *specs);
    int kind = (int)random_below(r, 3);
    double speed = pow(10, random_between(r, -1, 1));
    for (int n = 0; n < n_nodes; n++) {
        specs[n] = random_node(r, n == 0 ? -1 : parent_of(r, shape, n, n_nodes));
        if (kind > 0)
            make_alike(r, &specs[n], speed, kind == 1 ? 1 : 10);
        specs[n].floor = chance(r, 0.3) ? random_unit(r) : 0;
        specs[n].receive_drop = n > 0 && chance(r, 0.3) ? pow(10, random_between(r, -2, 1)) : 0;
    }
    struct tree t = tree_of(specs, n_nodes);
    for (int n = 0; n < n_nodes; n++)
        add_extremes(r, &t.nodes[n], n == 0);
    free(specs);
    return t;
}

static double throughput_of(const struct bound_problem *p,
                            enum err_code (*solve)(const struct bound_problem *, struct bound *, struct err *))
{
    struct err e = {0};
    struct bound b = {.n_nodes = p->tree->n_nodes};
    b.nodes = mem_zalloc((size_t)b.n_nodes, sizeof *b.nodes);
    CHECK_OK(solve(p, &b, &e), e);
    double throughput = b.nodes[p->tree->root].total_tasks_per_s;
    bound_clear(&b);
    return throughput;
}

/* With CLP, or without: the solver itself proves that no more than 1e-9 can be missing, or fails.
   The largest relative difference of both kinds of ports and both kinds of constraints. */
static double worst_difference(struct random_stream *r, enum shape shape, int n_nodes, bool with_clp)
{
    struct tree t = tree_of_shape(r, shape, n_nodes);
    const struct farm_app app = {.task_bytes = pow(10, random_between(r, 5, 7)),
                                 .task_flop = pow(10, random_between(r, -1, 3)),
                                 .request_bytes = chance(r, 0.3) ? 10 : 0};
    double worst = 0;
    for (int way = 0; way < 4; way++) {
        struct bound_problem p;
        struct err e = {0};
        CHECK_OK(bound_problem_init(&p, &t, &app, way & 1, way & 2 ? BOUND_PHYSICAL : BOUND_LP, &e), e);
        double got = throughput_of(&p, bound_best), want = with_clp ? throughput_of(&p, bound_clp) : got;
        worst = fmax(worst, fabs(got - want) / fmax(want, 1e-300));
        bound_problem_clear(&p);
    }
    tree_clear(&t);
    return worst;
}

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
