/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "check.h"
#include "farm/policy.h"

/* [K] 3.2.2: min(M, m) / S (1 - IR_s Z C). Where no link limits a transfer the first factor is infinite; what costs the
   parent as much as it brings is worth 0 even then. */
static void a_child_that_brings_nothing_has_no_priority(void)
{
    struct tree_node nodes[] = {
        {.parent = -1, .compute_rate_flop_per_s = 2, .send_limit_bytes_per_s = INFINITY},
        {.parent = 0, .max_transfer_bytes_per_s = INFINITY, .ir_send_s_per_byte = 0.125},
    };
    const struct tree tree = {.nodes = nodes, .n_nodes = 2, .root = 0};
    const struct policy_view view = {.tree = &tree, .task_flop = 1, .task_bytes = 4};
    const struct policy *policy = policy_find("opt_single");
    CHECK_INT(policy->priority(&view, 1), 0);
    nodes[1].ir_send_s_per_byte = 0.0625;
    CHECK(policy->priority(&view, 1) == INFINITY);
    nodes[1].max_transfer_bytes_per_s = 12;
    CHECK_CLOSE(policy->priority(&view, 1), 1.5, 1e-15);
}

/* A root with a send limit of 10 bytes/s and three children; tasks of 1 byte. */
struct fork {
    struct tree_node nodes[4];
    node_id of_root[3];
    struct tree tree;
    double planned_tasks_per_s[4];
    struct policy_child children[3];
};

static struct policy_send chosen_send(struct fork *f, const char *policy, bool is_multi_port, double task_bytes)
{
    const struct policy_view view = {.tree = &f->tree,
                                     .task_bytes = task_bytes,
                                     .task_flop = 1,
                                     .planned_tasks_per_s = f->planned_tasks_per_s,
                                     .is_multi_port = is_multi_port};
    const struct policy_state state = {.children = f->children, .n_children = 3, .n_held = 100};
    return policy_next(policy_find(policy), &view, &state);
}

static node_id chosen(struct fork *f, const char *policy)
{
    return chosen_send(f, policy, true, 1).child;
}

static void make_fork(struct fork *f)
{
    *f = (struct fork){.of_root = {1, 2, 3}, .planned_tasks_per_s = {0, 4, 1, 0}};
    f->nodes[0] = (struct tree_node){
        .host_name = "r", .parent = -1, .children = f->of_root, .n_children = 3, .send_limit_bytes_per_s = 10};
    for (int i = 0; i < 3; i++) {
        f->nodes[i + 1] = (struct tree_node){.host_name = "c", .max_transfer_bytes_per_s = 10};
        f->children[i] = (struct policy_child){.node = i + 1, .n_requests = 1, .can_be_served = true};
    }
    f->tree = (struct tree){.nodes = f->nodes, .n_nodes = 4, .root = 0};
}

/* Many ports: four tasks of the first child for one of the second: task k of a child is due at k / T. */
static void steady_serves_in_the_proportions_of_the_plan(void)
{
    struct fork f;
    make_fork(&f);
    int n_given[4] = {0};
    for (int k = 0; k < 100; k++) {
        node_id child = chosen(&f, "steady");
        n_given[child]++;
        f.children[child - 1].given_tasks++;
    }
    CHECK(n_given[1] >= 79 && n_given[1] <= 81); /* its free slot is worth less time to the first */
    CHECK_INT(n_given[1] + n_given[2], 100);
}

static void steady_serves_only_whom_the_plan_uses_and_who_can_be_served(void)
{
    struct fork f;
    make_fork(&f);
    f.children[0].can_be_served = false;
    CHECK_INT(chosen(&f, "steady"), 2);
    f.children[1].can_be_served = false;
    CHECK_INT(chosen(&f, "steady"), -1); /* the third gets nothing */
}

/* Of two that are equally far behind, the one with more free slots. */
static void steady_fills_the_emptier_store_first(void)
{
    struct fork f;
    make_fork(&f);
    f.planned_tasks_per_s[2] = 4;
    CHECK_INT(chosen(&f, "steady"), 1);
    f.children[1].n_requests = 2;
    CHECK_INT(chosen(&f, "steady"), 2);
    f.children[1].given_tasks = 4; /* a request is worth three tasks */
    CHECK_INT(chosen(&f, "steady"), 1);
}

/* The link of the second child, of 10 bytes/s, is full with one send. The first one's plan uses 4 of its 10; of a
   link of 7 bytes/s that is more than half, and it does not wait. */
static void steady_waits_for_a_full_port_unless_the_link_is_busy(void)
{
    struct fork f;
    make_fork(&f);
    f.children[1].can_be_served = false;
    f.children[1].is_sent_to = true;
    CHECK_INT(chosen(&f, "steady"), -1);
    f.nodes[1].max_transfer_bytes_per_s = 7;
    CHECK_INT(chosen(&f, "steady"), 1);
    f.nodes[1].max_transfer_bytes_per_s = 10;
    f.nodes[2].max_transfer_bytes_per_s = 9;
    CHECK_INT(chosen(&f, "steady"), 1);
    f.nodes[0].send_limit_bytes_per_s = INFINITY;
    f.nodes[2].max_transfer_bytes_per_s = INFINITY;
    CHECK_INT(chosen(&f, "steady"), 1);
}

/* The first child takes 4 tasks/s: a transfer of 20 s to the second one stops after an eighth of a second. */
static void steady_sends_in_pieces_where_a_transfer_is_long(void)
{
    struct fork f;
    make_fork(&f);
    f.children[0].can_be_served = false;
    f.nodes[1].max_transfer_bytes_per_s = 10000;
    f.nodes[2].max_transfer_bytes_per_s = 80;
    struct policy_send send = chosen_send(&f, "steady", false, 1600);
    CHECK_INT(send.child, 2);
    CHECK(send.limit_bytes_per_s == INFINITY);
    CHECK_INT(send.piece_bytes, 10);
    f.nodes[2].max_transfer_bytes_per_s = 10000; /* whole tasks are as short */
    CHECK_INT(chosen_send(&f, "steady", false, 1600).piece_bytes, 0);
}

/* With one port, what cannot be had is lost at the child that is worth least: that of the slower link. */
static void steady_lets_the_child_lose_that_is_worth_least(void)
{
    struct fork f;
    make_fork(&f);
    f.planned_tasks_per_s[2] = 4;
    int n_given[4] = {0};
    f.nodes[1].max_transfer_bytes_per_s = 9;
    for (int k = 0; k < 99; k++) {
        node_id child = chosen_send(&f, "steady", false, 1).child;
        n_given[child]++;
        f.children[child - 1].given_tasks++;
    }
    CHECK(n_given[2] > 1.9 * n_given[1] && n_given[1] > 30);
}

/* ---- pressure: three children, who ask, are never sated, and cost nothing ---- */

struct hunger {
    struct policy_child children[3];
    double limit_bytes_per_s;
};

static void make_hunger(struct hunger *h)
{
    *h = (struct hunger){.limit_bytes_per_s = INFINITY};
    for (int i = 0; i < 3; i++)
        h->children[i] =
            (struct policy_child){.node = i + 1, .n_requests = 1, .can_be_served = true, .rate_bytes_per_s = 10};
}

static void send_to(struct hunger *h, node_id child)
{
    h->children[child - 1].is_sent_to = true;
    h->children[child - 1].can_be_served = false;
    h->children[child - 1].n_requests = 0;
}

/* Tasks are 1 byte, and the node's own take 1 s. */
static node_id pressed(const struct hunger *h)
{
    static struct tree_node nodes[4];
    static const struct tree tree = {.nodes = nodes, .n_nodes = 4};
    const struct policy_view view = {.tree = &tree, .task_bytes = 1, .task_flop = 1};
    const struct policy_state state = {
        .children = h->children, .n_children = 3, .task_s = 1, .limit_bytes_per_s = h->limit_bytes_per_s};
    return policy_next(policy_find("pressure"), &view, &state).child;
}

static void pressure_measures_each_child_alone_first(void)
{
    struct hunger h;
    make_hunger(&h);
    h.children[1].rate_bytes_per_s = h.children[2].rate_bytes_per_s = 0;
    CHECK_INT(pressed(&h), 2);
    send_to(&h, 2);
    CHECK_INT(pressed(&h), -1);
    h.children[1].rate_bytes_per_s = 10;
    CHECK_INT(pressed(&h), -1); /* the third waits until it can be alone, and the first for it */
    h.children[2].can_be_served = false;
    CHECK_INT(pressed(&h), 1);
}

static void pressure_serves_whom_it_costs_least_and_who_is_hungry(void)
{
    struct hunger h;
    make_hunger(&h);
    h.children[0].cost_s_per_byte = 0.02;
    h.children[1].cost_s_per_byte = 0.01;
    h.children[2].cost_s_per_byte = 0.03;
    CHECK_INT(pressed(&h), 2);
    h.children[1].sated_ratio = 0.5; /* (1/2)^(1/4) is 0.84 */
    CHECK_INT(pressed(&h), 1);
    h.children[2].n_requests = 3; /* 3^(1/16) is 1.07 */
    CHECK_INT(pressed(&h), 3);
    h.children[2].rate_bytes_per_s = 9;
    CHECK_INT(pressed(&h), 1);
}

/* 10 of 10 bytes/s are under way at a gain of 1. Half of that for a child of gain 0.5 is less than what it takes from
   the other; with a limit of 15 the node moves 7.5 + 7.5 x 0.5 = 11.25. */
static void pressure_starts_a_send_only_if_it_adds_more_than_it_takes(void)
{
    struct hunger h;
    make_hunger(&h);
    h.children[0].n_requests = h.children[2].n_requests = 0;
    h.children[0].can_be_served = h.children[2].can_be_served = false;
    h.children[1].cost_s_per_byte = 0.5;
    send_to(&h, 1);
    h.limit_bytes_per_s = 10;
    CHECK_INT(pressed(&h), -1);
    h.limit_bytes_per_s = 13.3;
    CHECK_INT(pressed(&h), -1);
    h.limit_bytes_per_s = 13.4;
    CHECK_INT(pressed(&h), 2);
    h.limit_bytes_per_s = 10;
    h.children[1].cost_s_per_byte = -0.01; /* measured costs may be below 0 by chance */
    CHECK_INT(pressed(&h), 2);
}

static void pressure_sends_at_once_what_takes_no_time(void)
{
    struct hunger h;
    make_hunger(&h);
    h.children[2].rate_bytes_per_s = INFINITY;
    CHECK_INT(pressed(&h), 3);
}

/* [K] 3.2.1: a send is as fast as its child's share, and faster while the child is behind; none to whom it gives
   nothing. */
static void exact_shares_limit_each_send_to_its_part_of_the_optimum(void)
{
    struct fork f;
    struct policy_choice c;
    struct err e = {0};
    make_fork(&f);
    CHECK_INT(policy_choose("ia_multi[shares=exact]", &c, NULL), ERR_NONE);
    CHECK_TEXT(c.policy->name, "ia_multi");
    CHECK(policy_is_multi_port(&c) && c.policy->plans == POLICY_PLANS_GREEDY);
    f.nodes[1].ir_send_s_per_byte = 2;
    f.nodes[2].ir_send_s_per_byte = 1;
    f.nodes[3].ir_send_s_per_byte = 0; /* but the plan, 4 and 1 tasks/s, gives it nothing */
    const struct policy_view view = {
        .tree = &f.tree, .task_bytes = 3, .planned_tasks_per_s = f.planned_tasks_per_s, .is_multi_port = true};
    struct policy_state state = {.children = f.children, .n_children = 3};
    CHECK_INT(policy_next(c.policy, &view, &state).child, 2);
    f.children[1].can_be_served = false;
    CHECK_INT(policy_next(c.policy, &view, &state).child, 1);
    CHECK_CLOSE(policy_next(c.policy, &view, &state).limit_bytes_per_s, 12, 1e-15);
    state.now_s = 10;
    f.children[0].given_tasks = 39.5;
    CHECK_CLOSE(policy_next(c.policy, &view, &state).limit_bytes_per_s, 18, 1e-15);
    f.children[0].given_tasks = 10;
    CHECK_CLOSE(policy_next(c.policy, &view, &state).limit_bytes_per_s, 24, 1e-15);
    f.children[0].given_tasks = 41;
    CHECK_CLOSE(policy_next(c.policy, &view, &state).limit_bytes_per_s, 12, 1e-15);
    f.children[0].can_be_served = false;
    CHECK_INT(policy_next(c.policy, &view, &state).child, -1);
    policy_choice_clear(&c);
    CHECK_INT(policy_choose("ia_multi[shares=equal]", &c, NULL), ERR_NONE);
    CHECK(c.policy == policy_find("ia_multi"));
    policy_choice_clear(&c);
    CHECK_INT(policy_choose("ia_multi[shares=exact,ports=single]", &c, &e), ERR_INPUT);
    CHECK_CONTAINS(e.text, "shares=exact needs many ports");
}

static bool is_multi_port(const char *text)
{
    struct policy_choice c;
    CHECK_INT(policy_choose(text, &c, NULL), ERR_NONE);
    bool is_multi = policy_is_multi_port(&c);
    policy_choice_clear(&c);
    return is_multi;
}

static void every_policy_that_sends_can_have_one_port_or_many(void)
{
    CHECK(is_multi_port("ia_multi") && !is_multi_port("steady") && !is_multi_port("root_computes"));
    CHECK(!is_multi_port("ia_multi[ports=single]") && is_multi_port("steady[ports=multi]"));
}

static const struct test tests[] = {
    {"steady serves in the proportions of the plan", steady_serves_in_the_proportions_of_the_plan},
    {"steady serves only whom the plan uses and who can be served",
     steady_serves_only_whom_the_plan_uses_and_who_can_be_served},
    {"steady fills the emptier store first", steady_fills_the_emptier_store_first},
    {"steady waits for a full port unless the link is busy", steady_waits_for_a_full_port_unless_the_link_is_busy},
    {"steady sends in pieces where a transfer is long", steady_sends_in_pieces_where_a_transfer_is_long},
    {"steady lets the child lose that is worth least", steady_lets_the_child_lose_that_is_worth_least},
    {"pressure measures each child alone first", pressure_measures_each_child_alone_first},
    {"pressure serves whom it costs least and who is hungry", pressure_serves_whom_it_costs_least_and_who_is_hungry},
    {"pressure starts a send only if it adds more than it takes",
     pressure_starts_a_send_only_if_it_adds_more_than_it_takes},
    {"pressure sends at once what takes no time", pressure_sends_at_once_what_takes_no_time},
    {"exact shares limit each send to its part of the optimum",
     exact_shares_limit_each_send_to_its_part_of_the_optimum},
    {"every policy that sends can have one port or many", every_policy_that_sends_can_have_one_port_or_many},
    {"a child that brings nothing has no priority", a_child_that_brings_nothing_has_no_priority},
};

TEST_MAIN(tests)
