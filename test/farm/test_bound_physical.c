/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The physical bound: a leaf worked out by hand, then random trees against a second linear program, written
   independently and solved by a simplex method of a few lines. The same for receive_drop in every method.
   test/engine/test_farm_bound.c compares it with runs. */
#include "bound_trees.h"
#include "check.h"

static const double Z = 1e6, W = 1; /* a task: 1 MB, 1 work unit */

static struct bound bound_of(const struct tree *t, enum bound_ports ports, enum bound_method method)
{
    struct bound b = {0};
    struct err e = {0};
    CHECK_OK(bound_compute(t, Z, W, ports, method, &b, &e), e);
    return b;
}

static double throughput_of(const struct tree *t, enum bound_ports ports, enum bound_method method)
{
    struct bound b = bound_of(t, ports, method);
    double throughput = b.throughput_tasks_per_s;
    bound_clear(&b);
    return throughput;
}

/* ---- by hand ---- */

static void check_bounds(const struct spec_node *specs, int n, enum bound_ports ports, double paper, double physical)
{
    struct tree t = tree_of(specs, n);
    CHECK_CLOSE(throughput_of(&t, ports, BOUND_LP), paper, 1e-12);
    CHECK_CLOSE(throughput_of(&t, ports, BOUND_PHYSICAL), physical, 1e-12);
    tree_clear(&t);
}

static void a_processor_that_stands_still_sends(void)
{
    /* At 10 MB/s the transfer asks for twice the processor and gets all of it: 2 tasks/s in 0.2 of the time, the root
       computes in the other 0.8. The paper charges 0.2 * 2 of the root's 1: 0.6 + 2. */
    const struct spec_node leaf[] = {{.parent = -1, .compute = 1},
                                     {.parent = 0, .compute = 2, .max_transfer_MB = 10, .ir_send_per_MB = 0.2}};
    check_bounds(leaf, 2, BOUND_MULTI, 2.6, 2.8);
    check_bounds(leaf, 2, BOUND_SINGLE, 2.6, 2.8);
}

static void a_floor_leaves_time_to_compute(void)
{
    /* With half of the processor safe: 2 tasks/s in 0.2 of the time cost 0.1. */
    const struct spec_node leaf[] = {{.parent = -1, .compute = 1, .floor = 0.5},
                                     {.parent = 0, .compute = 2, .max_transfer_MB = 10, .ir_send_per_MB = 0.2}};
    check_bounds(leaf, 2, BOUND_MULTI, 2.6, 2.9);
}

static void receiving_stands_too(void)
{
    /* The leaf (C = 3) receives at 10 MB/s in T/10 of the time and computes in the rest: 3 (1 - T/10) = T. The paper:
       T (1 + 0.2 * 3) = 3. */
    const struct spec_node leaf[] = {{.parent = -1, .compute = 1},
                                     {.parent = 0, .compute = 3, .max_transfer_MB = 10, .ir_recv_per_MB = 0.2}};
    check_bounds(leaf, 2, BOUND_MULTI, 1 + 3 / 1.6, 1 + 3 / 1.3);
}

/* The leaf gets 1 task/s. The node between has C = 2: S + 0.04 * 2 (S + 1) + 0.05 * 2 = 2. The paper charges it 0.1 and
 * 0.1. */
static void a_node_that_does_both_may_pay_less_for_either(void)
{
    const struct spec_node chain[] = {{.parent = -1, .compute = 1},
                                      {.parent = 0, .compute = 2, .max_transfer_MB = 10, .ir_recv_per_MB = 0.1},
                                      {.parent = 1, .compute = 1, .max_transfer_MB = 10, .ir_send_per_MB = 0.1}};
    struct tree t = tree_of(chain, 3);
    t.nodes[1].ir_recv_relief_s_per_byte = 0.06e-6;
    t.nodes[2].ir_send_relief_s_per_byte = 0.05e-6;
    CHECK_CLOSE(throughput_of(&t, BOUND_MULTI, BOUND_LP), 2 + 1.6 / 1.2, 1e-12);
    CHECK_CLOSE(throughput_of(&t, BOUND_MULTI, BOUND_PHYSICAL), 2 + 1.82 / 1.08, 1e-12);
    tree_clear(&t);
}

/* The root (C = 1) sends 5 tasks/s. They ask for 0.25 or 0.05 of it, of which 0.1 is free; it never computes more than
 * C. */
static void a_constant_above_1_gives_some_bytes_for_nothing(void)
{
    static const double ir_per_MB[] = {0.05, 0.01}, physical[] = {5 + 0.85, 6};
    for (int i = 0; i < 2; i++) {
        const struct spec_node leaf[] = {
            {.parent = -1, .compute = 1},
            {.parent = 0, .compute = 5, .max_transfer_MB = 10, .ir_send_per_MB = ir_per_MB[i]}};
        struct tree t = tree_of(leaf, 2);
        t.nodes[0].ir_free_ratio = 0.1;
        CHECK_CLOSE(throughput_of(&t, BOUND_MULTI, BOUND_LP), 6 - 5 * ir_per_MB[i], 1e-12);
        CHECK_CLOSE(throughput_of(&t, BOUND_MULTI, BOUND_PHYSICAL), physical[i], 1e-12);
        tree_clear(&t);
    }
}

static void sending_pays_above_a_task_for_a_task_when_the_processor_stands(void)
{
    /* IR_s Z C = 2: the paper sends nothing. At 10 MB/s a task costs 1/10 s of standing and gives 1. */
    const struct spec_node leaf[] = {{.parent = -1, .compute = 4},
                                     {.parent = 0, .compute = 5, .max_transfer_MB = 10, .ir_send_per_MB = 0.5}};
    check_bounds(leaf, 2, BOUND_SINGLE, 4, 4 * 0.5 + 5);
    struct tree t = tree_of(leaf, 2);
    struct bound b = bound_of(&t, BOUND_SINGLE, BOUND_PHYSICAL);
    CHECK_INT(b.nodes[0].n_pruned, 0); /* it gets something */
    CHECK(b.warning == NULL);
    bound_clear(&b);
    b = bound_of(&t, BOUND_SINGLE, BOUND_GREEDY);
    CHECK_INT(b.nodes[0].n_pruned, 1);
    CHECK_TEXT(b.warning, "a run may exceed this bound: it can reach 7 tasks/s (--method physical)");
    bound_clear(&b);
    tree_clear(&t);
}

static void one_port_never_sends_faster_than_the_send_limit(void)
{
    /* The paper's single-port constraints have no send limit: 5 of the leaf's 8. */
    const struct spec_node leaf[] = {{.parent = -1, .compute = 1, .send_limit_MB = 3},
                                     {.parent = 0, .compute = 8, .max_transfer_MB = 5}};
    check_bounds(leaf, 2, BOUND_SINGLE, 6, 4);
}

static void a_standing_node_is_stopped_by_its_transfers(void)
{
    /* The root stands all the time, its link is full. */
    const struct spec_node leaf[] = {{.parent = -1, .compute = 1},
                                     {.parent = 0, .compute = 50, .max_transfer_MB = 10, .ir_send_per_MB = 0.2}};
    struct tree t = tree_of(leaf, 2);
    struct bound b = bound_of(&t, BOUND_SINGLE, BOUND_PHYSICAL);
    CHECK_CLOSE(b.throughput_tasks_per_s, 10, 1e-12);
    CHECK_CLOSE(b.nodes[0].computed_tasks_per_s + 1, 1, 1e-12);
    CHECK_TEXT(bound_stop_name(b.nodes[1].stopped_by), "receive_limit");
    bound_clear(&b);
    tree_clear(&t);
}

static void a_receive_drop_lowers_what_comes_in(void)
{
    /* The middle (C = 1) receives at most 6 - 0.5 T(leaf): with 10/3 for the leaf, 13/3 in all. */
    const struct spec_node chain[] = {
        {.parent = -1, .compute = 1},
        {.parent = 0, .compute = 1, .max_transfer_MB = 6, .receive_drop = 0.5},
        {.parent = 1, .compute = 9, .max_transfer_MB = 10},
    };
    struct tree t = tree_of(chain, 3);
    for (enum bound_method method = BOUND_GREEDY; method < N_BOUND_METHODS; method++) {
        struct bound b = bound_of(&t, BOUND_MULTI, method);
        CHECK_CLOSE(b.throughput_tasks_per_s, 1 + 13 / 3.0, 1e-12);
        CHECK_CLOSE(b.nodes[2].total_tasks_per_s, 10 / 3.0, 1e-12);
        CHECK_TEXT(bound_stop_name(b.nodes[1].stopped_by), "receive_limit");
        bound_clear(&b);
    }
    tree_clear(&t);
}

static void one_port_and_a_receive_drop_mislead_the_greedy(void)
{
    /* First by B (1 - b): the second child, 10 * 0.5 against 4 * 1. It stops where 1 + 0.5 T = 4 - T: T(2) = 2, 2 in
       all. The first alone: 1 + T = 4 - T, 2.5 in all. */
    const struct spec_node s[] = {
        {.parent = -1, .compute = 0},
        {.parent = 0, .compute = 1, .max_transfer_MB = 4, .receive_drop = 1},
        {.parent = 1, .compute = 9, .max_transfer_MB = 4},
        {.parent = 1, .compute = 9, .max_transfer_MB = 10, .ir_send_per_MB = 0.5},
    };
    struct tree t = tree_of(s, 4);
    struct bound greedy = bound_of(&t, BOUND_SINGLE, BOUND_GREEDY);
    CHECK_CLOSE(greedy.throughput_tasks_per_s, 2, 1e-12);
    CHECK_CONTAINS(greedy.warning, "(constraint 2, receive_drop) at h1; the LP gives the best");
    CHECK_CLOSE(throughput_of(&t, BOUND_SINGLE, BOUND_LP), 2.5, 1e-12);
    bound_clear(&greedy);
    tree_clear(&t);
}

/* ---- a second linear program ---- */

enum { MAX_TREE = 6, MAX_VARIABLES = 4 * MAX_TREE, MAX_CONSTRAINTS = 9 * MAX_TREE };
enum variable { VAR_S, VAR_Y, VAR_R, VAR_P, N_VAR }; /* p: of what is sent to the node while its parent stands */

/* Maximise goal . x where rows . x <= limits, x >= 0. All limits are at least 0: x = 0 is a start. */
struct small_lp {
    long double rows[MAX_CONSTRAINTS][MAX_VARIABLES + MAX_CONSTRAINTS], limits[MAX_CONSTRAINTS];
    long double goal[MAX_VARIABLES + MAX_CONSTRAINTS];
    int basis[MAX_CONSTRAINTS];
    int n_rows, n_variables;
};

static void eliminate(struct small_lp *lp, int row, int column)
{
    int n = lp->n_variables + lp->n_rows;
    long double pivot = lp->rows[row][column];
    for (int j = 0; j < n; j++)
        lp->rows[row][j] /= pivot;
    lp->limits[row] /= pivot;
    for (int i = 0; i < lp->n_rows; i++) {
        long double factor = i == row ? 0 : lp->rows[i][column];
        for (int j = 0; j < n && factor != 0; j++)
            lp->rows[i][j] -= factor * lp->rows[row][j];
        lp->limits[i] = fmaxl(0, lp->limits[i] - factor * lp->limits[row]);
    }
    long double factor = lp->goal[column];
    for (int j = 0; j < n; j++)
        lp->goal[j] -= factor * lp->rows[row][j];
    lp->basis[row] = column;
}

static int row_to_leave(const struct small_lp *lp, int column)
{
    int best = -1;
    for (int i = 0; i < lp->n_rows; i++) {
        if (lp->rows[i][column] <= 1e-13L)
            continue;
        long double ratio = lp->limits[i] / lp->rows[i][column];
        long double least = best < 0 ? ratio + 1 : lp->limits[best] / lp->rows[best][column];
        if (ratio < least || (ratio <= least && lp->basis[i] < lp->basis[best]))
            best = i;
    }
    return best;
}

/* The simplex method with Bland's rule, which never goes round in a circle. The largest goal . x. */
static double maximise(struct small_lp *lp)
{
    long double goal[MAX_VARIABLES], value = 0;
    memcpy(goal, lp->goal, sizeof goal);
    for (int i = 0; i < lp->n_rows; i++) {
        lp->rows[i][lp->n_variables + i] = 1;
        lp->basis[i] = lp->n_variables + i;
    }
    for (int column = 0; column < lp->n_variables + lp->n_rows; column++) {
        if (lp->goal[column] <= 1e-13L)
            continue;
        int row = row_to_leave(lp, column);
        CHECK(row >= 0);
        if (row < 0)
            return NAN;
        eliminate(lp, row, column);
        column = -1;
    }
    for (int i = 0; i < lp->n_rows; i++)
        if (lp->basis[i] < lp->n_variables)
            value += goal[lp->basis[i]] * lp->limits[i];
    return (double)value;
}

static int new_row(struct small_lp *lp, double limit)
{
    lp->limits[lp->n_rows] = limit;
    return lp->n_rows++;
}

static void add(struct small_lp *lp, int row, node_id n, enum variable v, double factor)
{
    lp->rows[row][N_VAR * n + (int)v] += factor;
}

/* factor * T(n): all that is computed from n down. */
static void add_total(struct small_lp *lp, const struct tree *t, int row, node_id n, double factor)
{
    add(lp, row, n, VAR_S, factor);
    for (int c = 0; c < t->nodes[n].n_children; c++)
        add_total(lp, t, row, t->nodes[n].children[c], factor);
}

static double limit_of(const struct tree *t, node_id i, bool is_physical) /* B(i) */
{
    double MR = t->nodes[i].max_transfer_bytes_per_s;
    return (is_physical ? fmin(MR, t->nodes[t->nodes[i].parent].send_limit_bytes_per_s) : MR) / Z;
}

/* S <= [1 - (1 - floor) y - IR_r Z r1 - sum IR_s(i) Z p1(i)] C with r1 = T - r, p1(i) = T(i) - p(i) */
static void constrain_processor(struct small_lp *lp, const struct tree *t, node_id n)
{
    const struct tree_node *node = &t->nodes[n];
    double C = node->compute_rate_flop_per_s / W;
    int row = new_row(lp, C);
    add(lp, row, n, VAR_S, 1);
    add(lp, row, n, VAR_Y, (1 - node->ir_floor_ratio) * C);
    if (n != t->root) {
        add_total(lp, t, row, n, node->ir_recv_s_per_byte * Z * C);
        add(lp, row, n, VAR_R, -node->ir_recv_s_per_byte * Z * C);
    }
    for (int c = 0; c < node->n_children; c++) {
        node_id i = node->children[c];
        add_total(lp, t, row, i, t->nodes[i].ir_send_s_per_byte * Z * C);
        add(lp, row, i, VAR_P, -t->nodes[i].ir_send_s_per_byte * Z * C);
    }
}

static void constrain_link(struct small_lp *lp, const struct tree *t, node_id n, bool is_physical)
{
    const struct tree_node *node = &t->nodes[n];
    double B = limit_of(t, n, is_physical);
    int row = new_row(lp, B); /* T <= B - beta sum T(i) */
    add_total(lp, t, row, n, 1);
    for (int c = 0; c < node->n_children; c++)
        add_total(lp, t, row, node->children[c], node->receive_drop_ratio);
    for (enum variable v = VAR_R; v <= VAR_P; v++) {
        row = new_row(lp, 0); /* a part of T */
        add(lp, row, n, v, 1);
        add_total(lp, t, row, n, -1);
        row = new_row(lp, 0); /* within the time that the processor stands: here, and at the parent */
        add(lp, row, n, v, 1);
        add(lp, row, v == VAR_R ? n : node->parent, VAR_Y, -B);
    }
}

static void constrain_port(struct small_lp *lp, const struct tree *t, node_id n, enum bound_ports ports,
                           bool is_physical)
{
    const struct tree_node *node = &t->nodes[n];
    double limit = ports == BOUND_SINGLE ? 1 : node->send_limit_bytes_per_s / Z;
    if (isinf(limit))
        return;
    int all = new_row(lp, limit), standing = new_row(lp, 0);
    add(lp, standing, n, VAR_Y, -limit);
    for (int c = 0; c < node->n_children; c++) {
        node_id i = node->children[c];
        double share = ports == BOUND_SINGLE ? 1 / limit_of(t, i, is_physical) : 1;
        add_total(lp, t, all, i, share);
        add(lp, standing, i, VAR_P, share);
    }
}

/* BOUND_LP, or BOUND_PHYSICAL. */
static double second_opinion(const struct tree *t, enum bound_ports ports, enum bound_method method)
{
    static struct small_lp lp;
    bool is_physical = method == BOUND_PHYSICAL;
    memset(&lp, 0, sizeof lp);
    lp.n_variables = N_VAR * t->n_nodes;
    for (node_id n = 0; n < t->n_nodes; n++) {
        lp.goal[N_VAR * n + VAR_S] = 1;
        add(&lp, new_row(&lp, is_physical ? 1 : 0), n, VAR_Y, 1);
        constrain_processor(&lp, t, n);
        if (n != t->root)
            constrain_link(&lp, t, n, is_physical);
        constrain_port(&lp, t, n, ports, is_physical);
    }
    return maximise(&lp);
}

/* ---- random trees ---- */

static struct tree hard_tree(struct random_stream *r)
{
    struct tree t = random_tree(r, 1 + (int)random_below(r, MAX_TREE));
    for (node_id n = 0; n < t.n_nodes; n++) {
        t.nodes[n].ir_floor_ratio = chance(r, 0.4) ? random_unit(r) : 0;
        if (n != t.root && chance(r, 0.3))
            t.nodes[n].receive_drop_ratio = pow(10, random_between(r, -2, 1));
    }
    return t;
}

static void linear_programs_agree(void)
{
    struct random_stream r;
    random_init(&r, 2, 1 + random_first());
    int n_above = 0, n_below = 0, n_dropped = 0;
    FOR_RANDOM_CASES (trial, 250) {
        struct tree t = hard_tree(&r);
        for (enum bound_ports ports = BOUND_MULTI; ports <= BOUND_SINGLE; ports++) {
            double paper = throughput_of(&t, ports, BOUND_LP), physical = throughput_of(&t, ports, BOUND_PHYSICAL);
            CHECK_CLOSE(paper, second_opinion(&t, ports, BOUND_LP), 1e-9);
            CHECK_CLOSE(physical, second_opinion(&t, ports, BOUND_PHYSICAL), 1e-9);
            n_above += physical > paper * (1 + 1e-6);
            n_below += physical < paper * (1 - 1e-6);
        }
        for (node_id n = 0; n < t.n_nodes; n++)
            n_dropped += t.nodes[n].receive_drop_ratio > 0;
        tree_clear(&t);
    }
    printf("(physical above the paper's in %d of %d, below it in %d) ", n_above, 2 * random_cases(250), n_below);
    CHECK(n_above > random_cases(50) && n_below > random_cases(5) &&
          n_dropped > random_cases(50)); /* below: one port and a send limit */
}

static void who_may_be_exceeded_says_so(void)
{
    struct random_stream r;
    random_init(&r, 2, 2 + random_first());
    FOR_RANDOM_CASES (trial, 150) {
        struct tree t = hard_tree(&r);
        for (int way = 0; way < 4; way++) {
            struct bound b = bound_of(&t, way & 1, way / 2); /* greedy and lp */
            double physical = throughput_of(&t, way & 1, BOUND_PHYSICAL);
            bool says = b.warning != NULL && strstr(b.warning, "a run may exceed this bound") != NULL;
            CHECK(says == (physical > b.throughput_tasks_per_s * (1 + 1e-9)));
            bound_clear(&b);
        }
        tree_clear(&t);
    }
}

static void greedy_with_a_receive_drop_is_best_where_nothing_warns(void)
{
    struct random_stream r;
    random_init(&r, 2, 3 + random_first());
    int n_lost = 0, n_stopped = 0;
    FOR_RANDOM_CASES (trial, 1000) {
        struct tree t = random_tree(&r, 2 + (int)random_below(&r, 20));
        for (node_id n = 0; n < t.n_nodes; n++)
            t.nodes[n].receive_drop_ratio = chance(&r, 0.7) ? pow(10, random_between(&r, -2, 1)) : 0;
        for (enum bound_ports ports = BOUND_MULTI; ports <= BOUND_SINGLE; ports++) {
            struct bound greedy = bound_of(&t, ports, BOUND_GREEDY);
            double best = throughput_of(&t, ports, BOUND_LP), ratio = greedy.throughput_tasks_per_s / best;
            bool warns = greedy.warning != NULL && strstr(greedy.warning, "may lie below the best") != NULL;
            CHECK(ratio <= 1 + 1e-9);
            CHECK(ratio >= 1 - 1e-9 || warns);
            CHECK(!warns || ports == BOUND_SINGLE);
            n_lost += ratio < 1 - 1e-6;
            n_stopped += greedy.warning != NULL && strstr(greedy.warning, "receive_drop") != NULL;
            bound_clear(&greedy);
        }
        tree_clear(&t);
    }
    CHECK(n_lost > random_cases(12) && n_stopped > random_cases(12));
}

static const struct test tests[] = {
    {"a_node_that_does_both_may_pay_less_for_either", a_node_that_does_both_may_pay_less_for_either},
    {"a_constant_above_1_gives_some_bytes_for_nothing", a_constant_above_1_gives_some_bytes_for_nothing},
    {"a processor that stands still sends", a_processor_that_stands_still_sends},
    {"a floor leaves time to compute", a_floor_leaves_time_to_compute},
    {"receiving stands, too", receiving_stands_too},
    {"sending pays above a task for a task when the processor stands",
     sending_pays_above_a_task_for_a_task_when_the_processor_stands},
    {"one port never sends faster than the send limit", one_port_never_sends_faster_than_the_send_limit},
    {"a standing node is stopped by its transfers", a_standing_node_is_stopped_by_its_transfers},
    {"a receive drop lowers what comes in", a_receive_drop_lowers_what_comes_in},
    {"one port and a receive drop mislead the greedy", one_port_and_a_receive_drop_mislead_the_greedy},
    {"two linear programs agree", linear_programs_agree},
    {"who may be exceeded says so", who_may_be_exceeded_says_so},
    {"greedy with a receive drop is best where nothing warns", greedy_with_a_receive_drop_is_best_where_nothing_warns},
};
TEST_MAIN(tests)
