/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What nodes measure, by hand (doc/model.md, Farms, "Measured rates"). Tasks are 1000 bytes. */
#include "check.h"
#include "farm/farm_costs.h"
#include "farm/farm_measure.h"

#include <stdlib.h>

enum { R, A, B };

struct fork {
    struct tree_node nodes[3];
    node_id of_root[2];
    struct tree tree;
    struct farm_measure *measure;
    struct policy_child children[2];
    struct policy_state state;
};

static void begin(struct fork *f)
{
    *f = (struct fork){.of_root = {A, B}, .children = {{.node = A}, {.node = B}}};
    f->nodes[R] = (struct tree_node){.parent = -1, .children = f->of_root, .n_children = 2};
    f->tree = (struct tree){.nodes = f->nodes, .n_nodes = 3, .root = R};
    f->measure = farm_measure_create(policy_find("pressure"), &f->tree, 1000);
}

static void look(struct fork *f)
{
    f->state = (struct policy_state){.node = R, .children = f->children, .n_children = 2};
    farm_measure_tell(f->measure, &f->state, f->children);
}

static void pass(struct fork *f, double from_s, double to_s, node_id child)
{
    farm_measure_send(f->measure, from_s, child, 1000);
    farm_measure_sent(f->measure, to_s, child, false);
}

/* Alone, until 3 s, A moves 500 bytes/s and B 1000. */
static void begin_with_rates(struct fork *f)
{
    begin(f);
    pass(f, 0, 2, A);
    pass(f, 2, 3, B);
}

/* The ends are counted in this order. */
static void pass_together(struct fork *f, double from_s, double to_s, node_id first, node_id second)
{
    farm_measure_send(f->measure, from_s, first, 1000);
    farm_measure_send(f->measure, from_s, second, 1000);
    farm_measure_sent(f->measure, to_s, first, false);
    farm_measure_sent(f->measure, to_s, second, false);
}

static void only_who_measures_is_told(void)
{
    struct fork f;
    begin(&f);
    CHECK(farm_measure_create(policy_find("steady"), &f.tree, 1000) == NULL);
    look(&f);
    CHECK(f.children[0].rate_bytes_per_s == 0 && f.children[0].sated_ratio == 0);
    CHECK(isnan(f.state.task_s) && isinf(f.state.limit_bytes_per_s));
    farm_measure_free(f.measure);
}

/* Both together move 250 bytes/s each. A was crowded all the time: it got half of what it wanted, and both wanted 1500,
   so all move 750. B got a quarter: 375, which counts half, the most that a transfer can. */
static void sends_that_slow_each_other_down_have_a_limit(void)
{
    for (int order = 0; order < 2; order++) {
        struct fork f;
        begin_with_rates(&f);
        pass_together(&f, 3, 7, order == 0 ? A : B, order == 0 ? B : A);
        look(&f);
        CHECK_CLOSE(f.children[0].rate_bytes_per_s, 500, 1e-15);
        CHECK(f.children[1].rate_bytes_per_s == 0); /* 1000 is too far above the limit */
        CHECK_CLOSE(f.state.limit_bytes_per_s, 562.5, 1e-15);
        pass(&f, 7, 8.25, B); /* alone again: 800 */
        look(&f);
        CHECK_CLOSE(f.children[1].rate_bytes_per_s, 800, 1e-15);
        CHECK_CLOSE(f.state.limit_bytes_per_s, 800, 1e-15); /* one alone has shown that so much passes */
        farm_measure_free(f.measure);
    }
}

/* Each moves 1000 bytes in 10 s. All together that is 300 by what A got (100 of 500, and all wanted 1500), 150 by B;
   half of the way from the one to the other is 225. 500 cannot be true if all move 300. A's next send that is alone
   says what is. */
static void a_rate_above_the_limit_is_forgotten(void)
{
    struct fork f;
    begin_with_rates(&f);
    pass_together(&f, 3, 13, A, B);
    look(&f);
    CHECK_CLOSE(f.state.limit_bytes_per_s, 225, 1e-12);
    CHECK(f.children[0].rate_bytes_per_s == 0 && f.children[1].rate_bytes_per_s == 0);
    pass(&f, 13, 23, A);
    look(&f);
    CHECK_CLOSE(f.children[0].rate_bytes_per_s, 100, 1e-15);
    CHECK_CLOSE(f.state.limit_bytes_per_s, 225, 1e-12);
    farm_measure_free(f.measure);
}

/* For 2 of its 4 s A is alone. In the others it moves 0 bytes: so do both, as far as it can see. */
static void what_passes_alone_is_not_crowded(void)
{
    struct fork f;
    begin_with_rates(&f);
    farm_measure_send(f.measure, 3, A, 1000);
    farm_measure_send(f.measure, 5, B, 1000);
    farm_measure_sent(f.measure, 7, A, false);
    look(&f);
    CHECK_CLOSE(f.state.limit_bytes_per_s, 0, 1e-12);
    farm_measure_free(f.measure);
}

/* A task takes 1 s, each send to A within it 0.5 s more, to B 0.25 s. What passes between two tasks costs nothing. */
static void tasks_are_longer_by_what_is_sent_meanwhile(void)
{
    struct fork f;
    begin(&f);
    double now_s = 0;
    for (int k = 0; k < 200; k++) {
        farm_measure_compute(f.measure, now_s, R);
        if (k % 2 == 0)
            pass(&f, now_s, now_s + 0.125, A);
        if (k % 3 == 0)
            pass(&f, now_s + 0.25, now_s + 0.5, B);
        now_s += 1 + (k % 2 == 0 ? 0.5 : 0) + (k % 3 == 0 ? 0.25 : 0);
        farm_measure_computed(f.measure, now_s, R);
        pass(&f, now_s, now_s + 1, A);
        now_s += 1;
    }
    look(&f);
    CHECK_CLOSE(f.state.task_s, 1, 1e-3);
    CHECK_CLOSE(f.children[0].cost_s_per_byte, 0.5e-3, 1e-3);
    CHECK_CLOSE(f.children[1].cost_s_per_byte, 0.25e-3, 2e-3);
    CHECK(f.state.receive_cost_s_per_byte == 0);
    farm_measure_free(f.measure);
}

/* A transfer of 2 s at the usual rate: 1 s within the first task, 1 s within the next. The second half counts there,
   whatever was assumed. */
static void a_send_counts_in_the_tasks_in_which_it_passes(void)
{
    struct fork f;
    begin(&f);
    double now_s = 0;
    pass(&f, now_s, now_s + 2, A);
    for (int k = 0; k < 200; k++) {
        now_s += 2;
        farm_measure_compute(f.measure, now_s, R); /* 0.5 s of it beside the first half of a send */
        now_s += 1;
        farm_measure_send(f.measure, now_s, A, 1000);
        farm_measure_computed(f.measure, now_s + 1, R);
        farm_measure_compute(f.measure, now_s + 1, R);
        farm_measure_sent(f.measure, now_s + 2, A, false);
        now_s += 2 + (k % 2);
        farm_measure_computed(f.measure, now_s, R);
    }
    look(&f); /* tasks of 2, 1 and 2 s, with half a send each: 1.5 s + ... is the best that fits */
    CHECK_CLOSE(f.state.task_s + f.children[0].cost_s_per_byte * 500, (2 + 1.5) / 2, 1e-2);
    farm_measure_free(f.measure);
}

static void a_child_is_sated_while_it_asks_for_nothing(void)
{
    struct fork f;
    begin(&f);
    farm_measure_request(f.measure, 0, A);
    farm_measure_send(f.measure, 0, A, 1000);
    farm_measure_sent(f.measure, 2, A, true);
    farm_measure_request(f.measure, 3, A); /* 1 of 3 s */
    look(&f);
    CHECK_CLOSE(f.children[0].sated_ratio, 1.0 / 3, 1e-15);
    farm_measure_request(f.measure, 5, A); /* 0 of 2 s, and the others fade */
    look(&f);
    CHECK_CLOSE(f.children[0].sated_ratio, 15.0 / 16 / (3 * 15.0 / 16 + 2), 1e-15);
    CHECK(f.children[1].sated_ratio == 0);
    farm_measure_free(f.measure);
}

/* Costs that do not depend on each other are learnt with or without covariances; those that change, too. */
static void costs_are_learnt(void)
{
    static const int sizes[] = {3, 100};
    for (int s = 0; s < 2; s++) {
        struct farm_costs c;
        double *amounts = calloc((size_t)sizes[s], sizeof *amounts);
        farm_costs_init(&c, sizes[s]);
        CHECK(c.is_diagonal == (s == 1));
        for (int k = 0; k < 3000; k++) {
            int some = k % 3;
            amounts[some] = 1;
            farm_costs_learn(&c, amounts, &some, 1, k < 1500 ? 1 + k % 3 : 5);
            amounts[k % 3] = 0;
            if (k == 1499)
                for (int i = 0; i < 3; i++)
                    CHECK_CLOSE(c.costs[i], 1 + i, 1e-3);
        }
        for (int i = 0; i < 3; i++)
            CHECK_CLOSE(c.costs[i], 5, 1e-2);
        farm_costs_clear(&c);
        free(amounts);
    }
}

static const struct test tests[] = {
    {"only who measures is told", only_who_measures_is_told},
    {"sends that slow each other down have a limit", sends_that_slow_each_other_down_have_a_limit},
    {"a rate above the limit is forgotten", a_rate_above_the_limit_is_forgotten},
    {"what passes alone is not crowded", what_passes_alone_is_not_crowded},
    {"tasks are longer by what is sent meanwhile", tasks_are_longer_by_what_is_sent_meanwhile},
    {"a send counts in the tasks in which it passes", a_send_counts_in_the_tasks_in_which_it_passes},
    {"a child is sated while it asks for nothing", a_child_is_sated_while_it_asks_for_nothing},
    {"costs are learnt", costs_are_learnt},
};

TEST_MAIN(tests)
