/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Bounds against hand-solved trees, against each other, and against the constraints themselves. */
#include "farm/bound.h"

#include "base/mem.h"
#include "bound_trees.h"
#include "check.h"

#include <stdlib.h>

static struct bound bound_of(const struct tree *t, double task_MB, double task_work, enum bound_ports ports,
                             enum bound_method method)
{
    struct bound b = {0};
    struct err e = {0};
    CHECK_OK(bound_compute(t, task_MB * 1e6, task_work, ports, method, &b, &e), e);
    return b;
}

/* ---- the constraints, written down once more ---- */

static double rate(const struct tree *t, node_id n, double W)
{
    return t->nodes[n].compute_rate_flop_per_s / W;
}

/* How far beyond its constraints node n is, as a ratio: 0 when all hold. */
static double violation_at(const struct tree *t, const struct bound *b, node_id n, double Z, double W)
{
    const struct tree_node *node = &t->nodes[n];
    double C = rate(t, n, W), T = b->nodes[n].total_tasks_per_s, S = b->nodes[n].computed_tasks_per_s;
    double sum = 0, port_time = 0, factor = n == t->root ? 1 : 1 - node->ir_recv_s_per_byte * Z * T;
    for (int c = 0; c < node->n_children; c++) {
        const struct tree_node *child = &t->nodes[node->children[c]];
        double Ti = b->nodes[node->children[c]].total_tasks_per_s;
        sum += Ti;
        factor -= child->ir_send_s_per_byte * Z * Ti;
        port_time += Ti > 0 ? Ti * Z / child->max_transfer_bytes_per_s : 0;
    }
    double worst = fmax(fabs(T - S - sum) / fmax(T, 1e-300), -S);
    worst = fmax(worst, (S - factor * C) / fmax(C, 1e-300));
    if (n != t->root && T > 0)
        worst = fmax(worst, T * Z / node->max_transfer_bytes_per_s - 1);
    if (b->ports == BOUND_SINGLE)
        return fmax(worst, port_time - 1);
    return fmax(worst, isinf(node->send_limit_bytes_per_s) ? 0 : sum * Z / node->send_limit_bytes_per_s - 1);
}

static double worst_violation(const struct tree *t, const struct bound *b, double Z, double W)
{
    double worst = 0;
    for (node_id n = 0; n < t->n_nodes; n++)
        worst = fmax(worst, violation_at(t, b, n, Z, W));
    return worst;
}

/* ---- hand-solved trees ---- */

struct expected_node {
    double total, computed;
    enum bound_stop stop;
};

static void check(const struct spec_node *specs, int n, double Z, double W, enum bound_ports ports,
                  enum bound_method method, const struct expected_node *want)
{
    struct tree t = tree_of(specs, n);
    struct bound b = bound_of(&t, Z, W, ports, method);
    CHECK_CLOSE(b.throughput_tasks_per_s, want[t.root].total, 1e-12);
    for (node_id i = 0; i < n; i++) {
        CHECK_CLOSE(b.nodes[i].total_tasks_per_s, want[i].total, 1e-12);
        CHECK_CLOSE(b.nodes[i].computed_tasks_per_s, want[i].computed, 1e-12);
        CHECK_TEXT(bound_stop_name(b.nodes[i].stopped_by), bound_stop_name(want[i].stop));
    }
    CHECK(worst_violation(&t, &b, Z * 1e6, W) < 1e-12);
    bound_clear(&b);
    tree_clear(&t);
}

/* Where only one allocation is the best. */
static void check_both(const struct spec_node *specs, int n, double Z, double W, enum bound_ports ports,
                       const struct expected_node *want)
{
    check(specs, n, Z, W, ports, BOUND_GREEDY, want);
    check(specs, n, Z, W, ports, BOUND_LP, want);
}

static void a_root_alone_computes_at_its_own_rate(void)
{
    const struct spec_node s[] = {{.parent = -1, .compute = 9}};
    check_both(s, 1, 2, 4.5, BOUND_MULTI, (struct expected_node[]){{2, 2, BOUND_STOP_NONE}});
    check_both(s, 1, 2, 4.5, BOUND_SINGLE, (struct expected_node[]){{2, 2, BOUND_STOP_NONE}});
}

static void a_leaf_is_slowed_by_what_it_receives(void)
{
    /* a = 0.1 * 1 * 5 = 0.5: T = 5 / 1.5; the second leaf's link gives only 2. Root: 10 + 10/3 + 2. */
    const struct spec_node s[] = {{.parent = -1, .compute = 10},
                                  {.parent = 0, .compute = 5, .max_transfer_MB = 9, .ir_recv_per_MB = 0.1},
                                  {.parent = 0, .compute = 5, .max_transfer_MB = 2, .ir_recv_per_MB = 0.1}};
    check_both(s, 3, 1, 1, BOUND_MULTI,
               (struct expected_node[]){{10 + 10 / 3.0 + 2, 10, BOUND_STOP_NONE},
                                        {10 / 3.0, 10 / 3.0, BOUND_STOP_NONE},
                                        {2, 2, BOUND_STOP_RECEIVE_LIMIT}});
}

static void children_take_all_they_can(void)
{
    /* b = 0.1 and 0.2: T = 10 + 2 * 0.9 + 3 * 0.8 = 14.2, S = 14.2 - 5 */
    const struct spec_node s[] = {{.parent = -1, .compute = 10},
                                  {.parent = 0, .compute = 3, .max_transfer_MB = 10, .ir_send_per_MB = 0.02},
                                  {.parent = 0, .compute = 2, .max_transfer_MB = 10, .ir_send_per_MB = 0.01}};
    check_both(
        s, 3, 1, 1, BOUND_MULTI,
        (struct expected_node[]){{14.2, 9.2, BOUND_STOP_NONE}, {3, 3, BOUND_STOP_NONE}, {2, 2, BOUND_STOP_NONE}});
}

static void the_send_limit_stops_within_the_last_child(void)
{
    /* 3.5 tasks/s: 2 to the second (b = 0.1), 1.5 to the first (0.2): T = 10 + 1.8 + 1.2, S = 13 - 3.5 */
    const struct spec_node s[] = {{.parent = -1, .compute = 10, .send_limit_MB = 3.5},
                                  {.parent = 0, .compute = 3, .max_transfer_MB = 10, .ir_send_per_MB = 0.02},
                                  {.parent = 0, .compute = 2, .max_transfer_MB = 10, .ir_send_per_MB = 0.01},
                                  {.parent = 0, .compute = 2, .max_transfer_MB = 10, .ir_send_per_MB = 0.03}};
    check_both(s, 4, 1, 1, BOUND_MULTI,
               (struct expected_node[]){{13, 9.5, BOUND_STOP_SEND_LIMIT},
                                        {1.5, 1.5, BOUND_STOP_RECEIVE_LIMIT},
                                        {2, 2, BOUND_STOP_NONE},
                                        {0, 0, BOUND_STOP_RECEIVE_LIMIT}});
}

static void a_host_that_only_passes_on_has_nothing_to_lose(void)
{
    const struct spec_node s[] = {{.parent = -1, .compute = 0},
                                  {.parent = 0, .compute = 3, .max_transfer_MB = 10, .ir_send_per_MB = 9},
                                  {.parent = 0, .compute = 3, .max_transfer_MB = 0, .ir_send_per_MB = 9}};
    const struct expected_node want[] = {
        {3, 0, BOUND_STOP_NONE}, {3, 3, BOUND_STOP_NONE}, {0, 0, BOUND_STOP_RECEIVE_LIMIT}};
    check_both(s, 3, 1, 1, BOUND_MULTI, want);
    check_both(s, 3, 1, 1, BOUND_SINGLE, want);
}

static void computing_stops_when_nothing_is_left_of_it(void)
{
    /* b = 0.5: 2 tasks/s use the whole processor; T = 1 + 2 * 0.5 = 2, S = 0; nothing is left for b = 0.6 */
    const struct spec_node s[] = {{.parent = -1, .compute = 1},
                                  {.parent = 0, .compute = 9, .max_transfer_MB = 10, .ir_send_per_MB = 0.5},
                                  {.parent = 0, .compute = 9, .max_transfer_MB = 10, .ir_send_per_MB = 0.6}};
    check_both(s, 3, 1, 1, BOUND_MULTI,
               (struct expected_node[]){
                   {2, 0, BOUND_STOP_COMPUTE}, {2, 2, BOUND_STOP_RECEIVE_LIMIT}, {0, 0, BOUND_STOP_RECEIVE_LIMIT}});
}

static void the_incoming_link_stops_a_middle_node(void)
{
    /* Node 1: C = 2, a = 0.125 * 2 = 0.25, alone 1.6. First child b = 0.1, T = 2: total 1.6 + 2 * 0.9 / 1.25
       = 3.04, computed 1.6 - 2 * 0.35 / 1.25 = 1.04. Second child b = 0.2: (4 - 3.04) * 1.25 / 0.8 = 1.5
       until the link of 4 is full; computed 1.04 - 1.5 * 0.45 / 1.25 = 0.5. Root: 1 + 4. */
    const struct spec_node s[] = {
        {.parent = -1, .compute = 1},
        {.parent = 0, .compute = 2, .max_transfer_MB = 4, .ir_recv_per_MB = 0.125},
        {.parent = 1, .compute = 2, .max_transfer_MB = 10, .ir_send_per_MB = 0.05},
        {.parent = 1, .compute = 5, .max_transfer_MB = 10, .ir_send_per_MB = 0.1},
    };
    check(s, 4, 1, 1, BOUND_MULTI, BOUND_GREEDY,
          (struct expected_node[]){{5, 1, BOUND_STOP_NONE},
                                   {4, 0.5, BOUND_STOP_RECEIVE_LIMIT},
                                   {2, 2, BOUND_STOP_NONE},
                                   {1.5, 1.5, BOUND_STOP_RECEIVE_LIMIT}});
}

static void what_a_parent_cannot_give_is_taken_back_below(void)
{
    /* The middle could do 2 + 3, the root's limit of 3 leaves it 2 + 1. */
    const struct spec_node s[] = {{.parent = -1, .compute = 1, .send_limit_MB = 3},
                                  {.parent = 0, .compute = 2, .max_transfer_MB = 9},
                                  {.parent = 1, .compute = 3, .max_transfer_MB = 9, .ir_send_per_MB = 0.01}};
    struct tree t = tree_of(s, 3);
    struct bound b = bound_of(&t, 1, 1, BOUND_MULTI, BOUND_GREEDY);
    CHECK_CLOSE(b.throughput_tasks_per_s, 4, 1e-15);
    CHECK_CLOSE(b.nodes[1].total_tasks_per_s, 3, 1e-15);
    CHECK_CLOSE(b.nodes[2].total_tasks_per_s, 1 / 0.98, 1e-12); /* 2 + T (1 - 0.02) = 3 */
    CHECK(b.nodes[0].stopped_by == BOUND_STOP_SEND_LIMIT);
    CHECK(b.nodes[1].stopped_by == BOUND_STOP_RECEIVE_LIMIT);
    CHECK(worst_violation(&t, &b, 1e6, 1) < 1e-12);
    bound_clear(&b);
    tree_clear(&t);
}

static void one_port_is_shared_by_time(void)
{
    /* B(1 - b): 4 * 0.9 = 3.6 and 10 * 0.5 = 5. The second gets its 8 in 0.8 of the time, the first 0.2 * 4 =
       0.8: T = 10 + 8 * 0.5 + 0.8 * 0.9 = 14.72, S = 10 - 4 - 0.08. The send limit plays no part. */
    const struct spec_node s[] = {{.parent = -1, .compute = 10, .send_limit_MB = 1},
                                  {.parent = 0, .compute = 2, .max_transfer_MB = 4, .ir_send_per_MB = 0.01},
                                  {.parent = 0, .compute = 8, .max_transfer_MB = 10, .ir_send_per_MB = 0.05}};
    check_both(s, 3, 1, 1, BOUND_SINGLE,
               (struct expected_node[]){{14.72, 5.92, BOUND_STOP_SEND_LIMIT},
                                        {0.8, 0.8, BOUND_STOP_RECEIVE_LIMIT},
                                        {8, 8, BOUND_STOP_NONE}});
}

static void the_forks_of_table_4(void)
{
    /* [K] Table 4, rows 1 (mean), 2, 6, 8, 9 and the 10.7 MB/s of 2.4. Z = 2 MB, 5 diagonals: C = 1.8129
       tasks/s. By IR_s: Lab4 C' = 0.694, T^ = 0.694 / (1 + 0.0454 * 2 * 0.694) = 0.65286; Lab5 0.56185;
       Lab6 1.58580; Tenn by its link 0.2 / 2 = 0.1; together 2.90052 of 5.35; Lab3 may have 2.44948 of
       its 3.35395; SB0 nothing. T = 1.8129 + 0.65286 * (1 - 0.07542) + 0.56185 * (1 - 0.08194) + 1.58580 * (1
       - 0.12001) + 0.1 * (1 - 0.12001)
         + 2.44948 * (1 - 0.12074) = 6.56955.
       At 10 MB, 1 diagonal every IR_s Z C is above 1.88: the root computes alone (section 4.3). */
    const struct spec_node s[] = {{.parent = -1, .compute = 9.0645, .send_limit_MB = 10.7},
                                  {0, 23.86, 10.8, 0.0333, 0.0443, 0, 0, 0},
                                  {0, 3.47, 10.81, 0.0208, 0.0454, 0, 0, 0},
                                  {0, 3.02, 9.62, 0.0226, 0.0621, 0, 0, 0},
                                  {0, 8.27, 10.7, 0.0331, 0.0130, 0, 0, 0},
                                  {0, 22.55, 7.73, 0.0342, 0.0425, 0, 0, 0},
                                  {0, 13.23, 0.2, 0.0331, 0.1300, 0, 0, 0}};
    struct tree t = tree_of(s, 7);
    struct bound b = bound_of(&t, 2, 5, BOUND_MULTI, BOUND_GREEDY);
    CHECK_CLOSE(b.throughput_tasks_per_s, 6.569554953290894, 1e-12);
    CHECK_CLOSE(b.nodes[1].total_tasks_per_s, 2.4494843314995154, 1e-12);
    CHECK_CLOSE(b.nodes[6].total_tasks_per_s, 0.1, 1e-12);
    CHECK(b.nodes[0].stopped_by == BOUND_STOP_SEND_LIMIT);
    CHECK(b.nodes[5].total_tasks_per_s == 0);
    bound_clear(&b);
    b = bound_of(&t, 2, 11, BOUND_MULTI, BOUND_GREEDY); /* all of them are busy */
    CHECK_CLOSE(b.throughput_tasks_per_s, 5.534500225666543, 1e-12);
    CHECK(b.nodes[0].stopped_by == BOUND_STOP_NONE);
    bound_clear(&b);
    b = bound_of(&t, 10, 1, BOUND_MULTI, BOUND_GREEDY);
    CHECK_CLOSE(b.throughput_tasks_per_s, 9.0645, 1e-15);
    CHECK_INT(b.nodes[0].n_pruned, 6);
    CHECK_INT(b.nodes[0].pruned[5], 6);
    bound_clear(&b);
    tree_clear(&t);
}

/* ---- pruning ---- */

static void a_child_that_costs_a_task_for_a_task_is_pruned(void)
{
    /* Z = 2^20 bytes, C = 4, IR_s = 2^-22 s/byte: exactly 1; the next double below is worth sending to. */
    struct tree t = tree_of((struct spec_node[]){{.parent = -1, .compute = 4}, {0, 8, 10, 0, 0, 0, 0, 0}}, 2);
    struct err e = {0};
    struct bound b;
    for (int below = 0; below <= 1; below++) {
        t.nodes[1].ir_send_s_per_byte = below ? nextafter(0x1p-22, 0) : 0x1p-22;
        for (enum bound_method method = BOUND_GREEDY; method <= BOUND_LP; method++) {
            CHECK_OK(bound_compute(&t, 0x1p20, 1, BOUND_MULTI, method, &b, &e), e);
            CHECK_INT(b.nodes[0].n_pruned, !below);
            CHECK_CLOSE(b.throughput_tasks_per_s, 4, 1e-12);
            if (method == BOUND_GREEDY)
                CHECK((b.nodes[1].total_tasks_per_s > 0) == (bool)below);
            bound_clear(&b);
        }
    }
    tree_clear(&t);
}

/* ---- single-port: what the greedy may lose ---- */

static void greedy_with_one_port_may_lose_more_than_half(void)
{
    /* C = 1. First by B(1 - b): 100 * 0.1 = 10 with b = 0.9, which uses the processor up at 1.11 tasks/s. The
       other, 5 * 1 with b = 0, would have given 5 beside 1 of the root. Best is 10/9 (in 1/90 of the time)
       and 5 * 89/90. */
    const struct spec_node s[] = {{.parent = -1, .compute = 1},
                                  {.parent = 0, .compute = 200, .max_transfer_MB = 100, .ir_send_per_MB = 0.9},
                                  {.parent = 0, .compute = 5, .max_transfer_MB = 5}};
    struct tree t = tree_of(s, 3);
    struct bound greedy = bound_of(&t, 1, 1, BOUND_SINGLE, BOUND_GREEDY);
    struct bound lp = bound_of(&t, 1, 1, BOUND_SINGLE, BOUND_LP);
    CHECK_CLOSE(greedy.throughput_tasks_per_s, 1 / 0.9, 1e-12);
    CHECK_CLOSE(lp.throughput_tasks_per_s, 10 / 9.0 + 5 * 89 / 90.0, 1e-12);
    CHECK(greedy.nodes[0].stopped_by == BOUND_STOP_COMPUTE);
    CHECK_CONTAINS(greedy.warning, "(constraint 3) at h0; the LP");
    CHECK_TEXT(lp.warning, "a run may exceed this bound: it can reach 100 tasks/s (--method physical)");
    bound_clear(&greedy);
    bound_clear(&lp);
    tree_clear(&t);
}

/* ---- random trees ---- */

static void lp_and_greedy_agree_with_many_ports(void)
{
    struct random_stream r;
    random_init(&r, 1, 1 + random_first());
    int n_same_stops = 0, n_stops = 0, counts[4] = {0};
    FOR_RANDOM_CASES (trial, 1000) {
        struct tree t = random_tree(&r, 1 + (int)random_below(&r, 40));
        struct bound greedy = bound_of(&t, 2, 1, BOUND_MULTI, BOUND_GREEDY);
        struct bound lp = bound_of(&t, 2, 1, BOUND_MULTI, BOUND_LP);
        CHECK_CLOSE(greedy.throughput_tasks_per_s, lp.throughput_tasks_per_s, 1e-9);
        CHECK(worst_violation(&t, &greedy, 2e6, 1) < 1e-11);
        CHECK(worst_violation(&t, &lp, 2e6, 1) < 1e-8);
        for (node_id n = 0; n < t.n_nodes; n++) {
            n_stops++;
            counts[greedy.nodes[n].stopped_by]++;
            n_same_stops += greedy.nodes[n].stopped_by == lp.nodes[n].stopped_by;
        }
        bound_clear(&greedy);
        bound_clear(&lp);
        tree_clear(&t);
    }
    CHECK(n_same_stops > 0.98 * n_stops); /* where the best allocation is not unique, they may differ */
    for (int stop = 0; stop < 4; stop++)
        CHECK(counts[stop] > random_cases(50)); /* the trees exercise every constraint */
}

static void lp_is_never_below_greedy_with_one_port(void)
{
    struct random_stream r;
    random_init(&r, 1, 2 + random_first());
    int n_warned = 0, n_lost = 0;
    FOR_RANDOM_CASES (trial, 1000) {
        struct tree t = random_tree(&r, 1 + (int)random_below(&r, 40));
        struct bound greedy = bound_of(&t, 2, 1, BOUND_SINGLE, BOUND_GREEDY);
        struct bound lp = bound_of(&t, 2, 1, BOUND_SINGLE, BOUND_LP);
        double ratio = greedy.throughput_tasks_per_s / lp.throughput_tasks_per_s;
        CHECK(ratio <= 1 + 1e-9);
        CHECK(greedy.warning != NULL || ratio >= 1 - 1e-9); /* what is not warned of is the best */
        CHECK(worst_violation(&t, &greedy, 2e6, 1) < 1e-11);
        CHECK(worst_violation(&t, &lp, 2e6, 1) < 1e-8);
        n_warned += greedy.warning != NULL;
        n_lost += ratio < 1 - 1e-6;
        bound_clear(&greedy);
        bound_clear(&lp);
        tree_clear(&t);
    }
    CHECK(n_warned > random_cases(25) && n_lost > random_cases(12));
}

/* Scales an allocation of any S(n) >= 0 (the rest follows) by the largest factor that keeps all constraints:
   they are linear with a constant right-hand side. Returns the root's throughput. */
static double scaled_throughput(const struct tree *t, const double *computed, double Z, double W)
{
    double *total = mem_zalloc((size_t)t->n_nodes, sizeof *total), factor = INFINITY;
    for (node_id n = 0; n < t->n_nodes; n++)
        for (node_id up = n; up >= 0; up = t->nodes[up].parent)
            total[up] += computed[n];
    for (node_id n = 0; n < t->n_nodes; n++) {
        const struct tree_node *node = &t->nodes[n];
        double sent = 0, used = computed[n] / rate(t, n, W) + node->ir_recv_s_per_byte * Z * total[n];
        for (int c = 0; c < node->n_children; c++) {
            sent += total[node->children[c]];
            used += t->nodes[node->children[c]].ir_send_s_per_byte * Z * total[node->children[c]];
        }
        factor = fmin(factor, fmin(1 / used, node->send_limit_bytes_per_s / (Z * sent)));
        if (n != t->root)
            factor = fmin(factor, node->max_transfer_bytes_per_s / (Z * total[n]));
    }
    double throughput = factor * total[t->root];
    free(total);
    return throughput;
}

static void no_feasible_allocation_beats_the_bound(void)
{
    struct random_stream r;
    random_init(&r, 1, 3 + random_first());
    double best_ratio = 0;
    FOR_RANDOM_CASES (trial, 400) {
        struct tree t = random_tree(&r, 2 + (int)random_below(&r, 12));
        struct bound b = bound_of(&t, 2, 1, BOUND_MULTI, BOUND_GREEDY);
        double computed[16], spread = pow(10, random_between(&r, -4, 0)); /* from near the bound's own to anything */
        for (int k = 0; k < 50; k++) {
            for (node_id n = 0; n < t.n_nodes; n++)
                computed[n] =
                    fmax(0, b.nodes[n].computed_tasks_per_s + spread * rate(&t, n, 1) * random_between(&r, -1, 1)) +
                    1e-12;
            double ratio = scaled_throughput(&t, computed, 2e6, 1) / b.throughput_tasks_per_s;
            best_ratio = fmax(best_ratio, ratio);
        }
        bound_clear(&b);
        tree_clear(&t);
    }
    CHECK(best_ratio <= 1 + 1e-9);
    CHECK(best_ratio > 0.99); /* some of them came close */
}

/* Two children whose needs add up to the port's time, or to the processor, but for rounding; a third, if there is one,
   gets nothing. */
static void nobody_gets_less_than_nothing(void)
{
    struct random_stream r;
    random_init(&r, 1, 6 + random_first());
    FOR_RANDOM_CASES (trial, 4000) {
        bool by_port = trial % 2;
        double share = random_unit(&r), B1 = random_between(&r, 5, 9), B2 = random_between(&r, 1, 4);
        double b1 = random_between(&r, 0.1, 0.4), b2 = random_between(&r, 0.5, 0.7);
        struct spec_node s[] = {
            {.parent = -1, .compute = 1},
            {.parent = 0, .compute = share * B1, .max_transfer_MB = B1, .ir_send_per_MB = 0.01},
            {.parent = 0, .compute = (1 - share) * B2, .max_transfer_MB = B2, .ir_send_per_MB = 0.02},
            {.parent = 0, .compute = 1, .max_transfer_MB = 0.5, .ir_send_per_MB = 0.8},
        };
        for (int i = 1; i <= 2 && !by_port; i++) { /* b T adds up to C = 1 */
            s[i].ir_send_per_MB = i == 1 ? b1 : b2;
            s[i].compute = i == 1 ? share / b1 : (1 - share) / b2;
            s[i].max_transfer_MB = 100;
        }
        struct tree t = tree_of(s, trial / 2 % 2 ? 4 : 3);
        struct bound b = bound_of(&t, 1, 1, by_port ? BOUND_SINGLE : BOUND_MULTI, BOUND_GREEDY);
        for (node_id n = 0; n < b.n_nodes; n++)
            CHECK(b.nodes[n].total_tasks_per_s >= 0 && b.nodes[n].computed_tasks_per_s >= 0);
        bound_clear(&b);
        tree_clear(&t);
    }
}

/* ---- laws ---- */

static void change_units(struct tree *t, double compute, double transfer, double interference)
{
    for (node_id n = 0; n < t->n_nodes; n++) {
        t->nodes[n].compute_rate_flop_per_s *= compute;
        t->nodes[n].max_transfer_bytes_per_s *= transfer;
        t->nodes[n].send_limit_bytes_per_s *= transfer;
        t->nodes[n].ir_send_s_per_byte *= interference;
        t->nodes[n].ir_recv_s_per_byte *= interference;
    }
}

static void the_bound_follows_its_units(void)
{
    const struct {
        double compute, transfer, interference, bytes, flop, throughput;
    } laws[] = {
        {2, 1, 1, 1, 2, 1},            /* twice the work, twice the speed */
        {1, 2, 0.5, 2, 1, 1},          /* twice the bytes, twice the bandwidth, half the interference per byte */
        {2, 2, 0.5, 1, 1, 2},          /* a machine twice as fast in everything: as large a fraction is lost */
        {1e9, 1e6, 1e-6, 1e6, 1e9, 1}, /* other magnitudes */
        {1e-6, 1e-6, 1e6, 1, 1, 1e-6},
    };
    struct random_stream r;
    random_init(&r, 1, 4 + random_first());
    FOR_RANDOM_CASES (trial, 200)
        for (size_t k = 0; k < sizeof laws / sizeof laws[0]; k++)
            for (int way = 0; way < 4; way++) {
                struct tree t = random_tree(&r, 1 + (int)random_below(&r, 20));
                struct bound before = bound_of(&t, 2, 1, way & 1, way / 2);
                change_units(&t, laws[k].compute, laws[k].transfer, laws[k].interference);
                struct bound after = bound_of(&t, 2 * laws[k].bytes, laws[k].flop, way & 1, way / 2);
                CHECK_CLOSE(after.throughput_tasks_per_s, laws[k].throughput * before.throughput_tasks_per_s, 1e-9);
                bound_clear(&before);
                bound_clear(&after);
                tree_clear(&t);
            }
}

static void large_trees_are_quick_and_agree(void)
{
    enum { N = 10000 };
    struct random_stream r;
    random_init(&r, 1, 5 + random_first());
    for (int shape = 0; shape < 3; shape++) { /* a chain, a star, anything */
        struct spec_node *s = mem_zalloc(N, sizeof *s);
        for (int n = 0; n < N; n++)
            s[n] = random_node(&r, shape == 0 || n == 0 ? n - 1
                                   : shape == 1         ? 0
                                                        : (node_id)random_below(&r, (uint64_t)n));
        struct tree t = {.source = mem_strdup("test"), .n_nodes = N};
        t.nodes = mem_zalloc(N, sizeof *t.nodes);
        for (int n = 0; n < N; n++) {
            t.nodes[n].host_name = mem_format("h%d", n);
            set_beliefs(&t.nodes[n], &s[n]);
        }
        for (int n = 1; n < N; n++)
            t.nodes[s[n].parent].n_children++;
        for (int n = 0; n < N; n++) {
            t.nodes[n].children = mem_zalloc((size_t)t.nodes[n].n_children, sizeof(node_id));
            t.nodes[n].n_children = 0;
        }
        for (int n = 1; n < N; n++)
            t.nodes[s[n].parent].children[t.nodes[s[n].parent].n_children++] = n;
        struct bound greedy = bound_of(&t, 2, 1, BOUND_MULTI, BOUND_GREEDY);
        struct bound lp = bound_of(&t, 2, 1, BOUND_MULTI, BOUND_LP);
        struct bound single = bound_of(&t, 2, 1, BOUND_SINGLE, BOUND_LP);
        CHECK_CLOSE(greedy.throughput_tasks_per_s, lp.throughput_tasks_per_s, 1e-9);
        CHECK(worst_violation(&t, &greedy, 2e6, 1) < 1e-9);
        CHECK(worst_violation(&t, &lp, 2e6, 1) < 1e-7);
        CHECK(worst_violation(&t, &single, 2e6, 1) < 1e-7);
        bound_clear(&greedy);
        bound_clear(&lp);
        bound_clear(&single);
        tree_clear(&t);
        free(s);
    }
}

/* ---- bad input ---- */

static void sizes_must_be_positive_and_finite(void)
{
    struct tree t = tree_of((struct spec_node[]){{.parent = -1, .compute = 4}, {0, 8, 10, 0.1, 0.1, 0, 0, 0}}, 2);
    const double bad[] = {0, -1, NAN, INFINITY};
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
        struct bound b;
        struct err e = {0};
        CHECK(bound_compute(&t, bad[k], 1, BOUND_MULTI, BOUND_GREEDY, &b, &e) == ERR_INPUT);
        CHECK_CONTAINS(e.text, "its size must be positive and finite");
        e = (struct err){0};
        CHECK(bound_compute(&t, 1, bad[k], BOUND_MULTI, BOUND_GREEDY, &b, &e) == ERR_INPUT);
        CHECK_CONTAINS(e.text, "its work must be positive and finite");
        bound_clear(&b); /* harmless after an error */
    }
    struct bound b;
    struct err e = {0};
    CHECK(bound_compute(&t, 1e300, 1e-300, BOUND_MULTI, BOUND_LP, &b, &e) == ERR_INPUT);
    CHECK_CONTAINS(e.text, "host h1: tasks of 1e+300 bytes and 1e-300 flop do not give usable rates");
    tree_clear(&t);
}

/* ---- shared links ---- */

static enum err_code route_over_the_uplink(void *context, host_id src, host_id dst, struct route *out, struct err *e)
{
    (void)context, (void)src, (void)e;
    *out = (struct route){.links = mem_zalloc(2, sizeof(link_id)), .n_links = 2};
    out->links[0] = 0;
    out->links[1] = dst;
    return ERR_NONE;
}

static void children_behind_one_link_are_mentioned(void)
{
    struct link links[] = {{.name = "up", .bandwidth_bytes_per_s = 6e6},
                           {.name = "l1", .bandwidth_bytes_per_s = 1e6}, /* slow, but not shared */
                           {.name = "l2", .bandwidth_bytes_per_s = 9e6}};
    struct machine m = {.links = links, .n_links = 3, .find_route = route_over_the_uplink};
    const struct spec_node s[] = {
        {.parent = -1, .compute = 10}, {0, 3, 10, 0.02, 0, 0, 0, 0}, {0, 4, 10, 0.01, 0, 0, 0, 0}};
    for (int way = 0; way < 4; way++) {
        struct tree t = tree_of(s, 3);
        struct bound b = bound_of(&t, 1, 1, way == 1 ? BOUND_SINGLE : BOUND_MULTI, BOUND_GREEDY);
        struct err e = {0};
        links[0].sharing = way == 2 ? LINK_FATPIPE : LINK_SHARED;
        if (way == 3)
            t.nodes[0].send_limit_bytes_per_s = 100e6; /* the user has spoken */
        CHECK_OK(bound_check_links(&b, &t, &m, 1e6, &e), e);
        CHECK_TEXT(b.warning ? b.warning : "none",
                   way > 0
                       ? "none"
                       : "h0 has no send_limit, but 2 of its children share link up of 6 MB/s and are given 7 MB/s");
        bound_clear(&b);
        tree_clear(&t);
    }
}

static const struct test tests[] = {
    {"a root alone computes at its own rate", a_root_alone_computes_at_its_own_rate},
    {"a leaf is slowed by what it receives", a_leaf_is_slowed_by_what_it_receives},
    {"children take all they can", children_take_all_they_can},
    {"the send limit stops within the last child", the_send_limit_stops_within_the_last_child},
    {"a host that only passes on has nothing to lose", a_host_that_only_passes_on_has_nothing_to_lose},
    {"computing stops when nothing is left of it", computing_stops_when_nothing_is_left_of_it},
    {"the incoming link stops a middle node", the_incoming_link_stops_a_middle_node},
    {"what a parent cannot give is taken back below", what_a_parent_cannot_give_is_taken_back_below},
    {"one port is shared by time", one_port_is_shared_by_time},
    {"the forks of Table 4", the_forks_of_table_4},
    {"a child that costs a task for a task is pruned", a_child_that_costs_a_task_for_a_task_is_pruned},
    {"greedy with one port may lose more than half", greedy_with_one_port_may_lose_more_than_half},
    {"LP and greedy agree with many ports", lp_and_greedy_agree_with_many_ports},
    {"LP is never below greedy with one port", lp_is_never_below_greedy_with_one_port},
    {"no feasible allocation beats the bound", no_feasible_allocation_beats_the_bound},
    {"nobody gets less than nothing", nobody_gets_less_than_nothing},
    {"the bound follows its units", the_bound_follows_its_units},
    {"large trees are quick and agree", large_trees_are_quick_and_agree},
    {"sizes must be positive and finite", sizes_must_be_positive_and_finite},
    {"children behind one link are mentioned", children_behind_one_link_are_mentioned},
};
TEST_MAIN(tests)
