/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Runs against the bounds on their throughput, and what is conserved. The averages over a whole run satisfy the
   constraints of the physical bound, so tasks over makespan never exceed it, however short the run. */
#include "farm_case.h"

/* Beliefs that are the truth. Of `hardship` times the processor transfers may ask: below 1, none ever stands. */
static void make_honest(struct farms *r, uint64_t seed, int shape, const char *policy, double hardship)
{
    *r = (struct farms){.c.world = "interference", .c.wants_bounds = true};
    random_init(&r->random, 31, seed);
    make_tree(r, shape);
    make_physics(r);
    r->has_up_link = hardship >= 1 && r->has_up_link;
    for (int h = 0; h < r->naive.n_nodes; h++) {
        struct fluid_host *host = &r->naive.fluid.hosts[h];
        double most = hardship / (10 * 2e7); /* at most 10 links of 20 MB/s */
        make_rates(r, host, most, hardship >= 1 ? 0.3 : 0);
        host->start_send = host->start_recv = fluid_not_given();
        host->curve_send.gamma = host->curve_recv.gamma = fluid_not_given();
        if (hardship >= 1)
            fluid_draw_starts(host, &r->random, r->naive.n_nodes);
        host->floor = hardship >= 1 && maybe(r, 0.4) ? between(r, 0, 1) : 0;
    }
    make_paths(r);
    make_beliefs(r);
    for (int n = 0; n < r->naive.n_nodes; n++)
        for (int i = 0; i < 4; i++)
            r->believed_MB[n][i] = NAN;
    make_application(r, policy);
    if (hardship < 1)
        snprintf(r->c.policy, sizeof r->c.policy, "%s", policy);
    r->naive.n_tasks = r->c.app.n_tasks = 500;
    if (hardship < 1 || seed % 3 > 0)
        r->c.app.request_bytes = 0;
    write_platform(r);
    write_deployment(r);
}

static void check_conservation(const struct naive_farm *f, const struct farm_run_result *r)
{
    long n_computed = 0;
    for (int n = 0; n < f->n_nodes; n++) {
        bool is_root = f->nodes[n].parent < 0;
        double came_in = is_root ? (double)f->n_tasks : r->nodes[n].farm.received_bytes / f->task_bytes;
        CHECK_INT(came_in, r->nodes[n].farm.tasks_computed + r->nodes[n].farm.tasks_forwarded);
        CHECK_CLOSE(r->nodes[n].farm.sent_bytes, (double)r->nodes[n].farm.tasks_forwarded * f->task_bytes, 1e-12);
        n_computed += r->nodes[n].farm.tasks_computed;
    }
    CHECK_INT(n_computed, f->n_tasks);
}

struct tally {
    int n, n_above_paper, n_close;
};

/* Parts of a task are parts of its time, at whatever speed: at either end of the phase that is a part of a task for
   each node. */
static void check_steady(const struct farm_run_result *r, double bound_tasks_per_s)
{
    double length_s = r->phases.wind_down_start_s - r->phases.startup_end_s;
    CHECK(length_s > 0 && r->steady_tasks_per_s > 0);
    CHECK((r->steady_tasks_per_s - bound_tasks_per_s) * length_s < 0.1 * r->n_nodes);
}

static void run_below_its_bound(struct farms *r, const struct policy *policy, bool paper_too, struct tally *tally)
{
    struct farm_outcome o = run_farm(&r->c);
    const double *bounds =
        o.bounds_tasks_per_s[policy->multi_port || strstr(r->c.policy, "ports=multi") != NULL ? BOUND_MULTI
                                                                                              : BOUND_SINGLE];
    double throughput = o.result.throughput_tasks_per_s;
    CHECK(farm_has_ended_well(&o, __LINE__));
    CHECK(throughput > 0 && throughput <= bounds[BOUND_PHYSICAL] * (1 + 1e-9));
    if (!isnan(o.result.steady_tasks_per_s))
        check_steady(&o.result, bounds[BOUND_PHYSICAL]);
    CHECK(!paper_too || throughput <= bounds[BOUND_LP] * (1 + 1e-9));
    tally->n++;
    tally->n_above_paper += throughput > bounds[BOUND_LP] * (1 + 1e-9);
    tally->n_close += throughput > 0.95 * bounds[BOUND_PHYSICAL];
    if (o.result.n_nodes > 0)
        check_conservation(&r->naive, &o.result);
    farm_run_result_clear(&o.result);
}

static void no_farm_is_above_its_bound_and_no_task_is_lost(void)
{
    struct tally tally = {0};
    uint64_t n_policies = count_policies();
    FOR_RANDOM_CASES (seed, 4 * n_policies) {
        const struct policy *policy = policies[seed % n_policies];
        struct farms r;
        make_honest(&r, seed, (int)(seed / n_policies % 3), policy->name, 0.8);
        run_below_its_bound(&r, policy, true, &tally);
        end(&r);
    }
}

/* Transfers that ask for up to 20 times the processor, floors, shared links, chunks, pruning, both sides at once. */
static void no_farm_is_above_its_bound_where_processors_stand(void)
{
    struct tally tally = {0};
    uint64_t n_policies = count_policies();
    FOR_RANDOM_CASES (seed, 10 * n_policies) {
        const struct policy *policy = policies[seed % n_policies];
        struct farms r;
        make_honest(&r, 1000 + seed, (int)(seed / n_policies % 3), policy->name, seed % 2 ? 3 : 20);
        run_below_its_bound(&r, policy, false, &tally);
        end(&r);
    }
    printf("(%d of %d runs above the paper's bound, %d within 5 %% of the physical) ", tally.n_above_paper, tally.n,
           tally.n_close);
    CHECK(tally.n_above_paper > random_cases(1) && tally.n_close > random_cases(3));
}

/* The leaf of test_bound_physical.c: the paper says 2.6. */
static void a_processor_that_stands_still_sends(void)
{
    struct farm_case c = {.world = "interference", .policy = "ia_single", .app = {20000, 1e6, 1, 2, 0, NULL}};
    c.wants_bounds = true;
    text_addf(&c.platform, "%s",
              CM02 "<host id=\"r\" speed=\"1f\">" PROP("ir_send", "0.2") "</host><host id=\"a\" speed=\"2f\"/>" MBPS(
                  "l", "10") ROUTE("r", "a", "l") END_OF_PLATFORM);
    text_addf(&c.deployment, "%s",
              PLATFORM_HEAD "<actor host=\"r\" function=\"farm_node\"/>"
                            "<actor host=\"a\" function=\"farm_node\"><argument value=\"r\"/></actor></platform>");
    struct farm_outcome o = run_farm(&c);
    CHECK(farm_has_ended_well(&o, __LINE__));
    CHECK_CLOSE(o.bounds_tasks_per_s[BOUND_SINGLE][BOUND_LP], 2.6, 1e-12);
    CHECK_CLOSE(o.bounds_tasks_per_s[BOUND_SINGLE][BOUND_PHYSICAL], 2.8, 1e-12);
    CHECK_CLOSE(o.result.throughput_tasks_per_s, 2.8, 1e-3);
    CHECK(o.result.throughput_tasks_per_s <= 2.8);
    farm_run_result_clear(&o.result);
    clear_case(&c);
}

/* Between the root and a leaf, `a` (C = 10) receives 20 tasks/s and passes 15 on. Receiving alone would cost it 0.5 of
   a task each, so the paper allows S + 0.5 (S + 15) = 10 and T = 50 / 3; while it also sends, receiving costs nothing:
   T = 20. */
static void a_node_that_always_does_both_receives_for_its_own_rate(void)
{
    struct farm_case c = {.world = "interference", .policy = "ia_multi", .app = {20000, 1e6, 1, 4, 0, NULL}};
    c.wants_bounds = true;
    text_addf(&c.platform, "%s",
              CM02 "<host id=\"r\" speed=\"1f\"/><host id=\"a\" speed=\"10f\">" PROP("ir_recv", "0.05")
                  PROP("ir_recv_duplex", "0") "</host><host id=\"b\" speed=\"100f\"/>" MBPS("l", "20") MBPS("k", "15")
                      ROUTE("r", "a", "l") ROUTE("a", "b", "k") END_OF_PLATFORM);
    text_addf(&c.deployment, "%s",
              PLATFORM_HEAD "<actor host=\"r\" function=\"farm_node\"/>"
                            "<actor host=\"a\" function=\"farm_node\"><argument value=\"r\"/></actor>"
                            "<actor host=\"b\" function=\"farm_node\"><argument value=\"a\"/></actor></platform>");
    struct farm_outcome o = run_farm(&c);
    CHECK(farm_has_ended_well(&o, __LINE__));
    CHECK_CLOSE(o.bounds_tasks_per_s[BOUND_MULTI][BOUND_LP], 1 + 50. / 3, 1e-9);
    CHECK_CLOSE(o.bounds_tasks_per_s[BOUND_MULTI][BOUND_PHYSICAL], 21, 1e-9);
    CHECK_CLOSE(o.result.throughput_tasks_per_s, 21, 1e-2);
    CHECK(o.result.throughput_tasks_per_s <= 21 * (1 + 1e-9));
    farm_run_result_clear(&o.result);
    clear_case(&c);
}

#define ONE_WAY(from, to, link)                                                                                        \
    "<route src=\"" from "\" dst=\"" to "\" symmetrical=\"NO\"><link_ctn id=\"" link "\"/></route>"
#define CHILD_OF_R(id) "<actor host=\"" id "\" function=\"farm_node\"><argument value=\"r\"/></actor>"

/* Each task sent costs the root 0.09 * 4 * 10 = 3.6 that it could compute, so alone it is best: C = 10. While it
   receives requests, sending costs nothing: 10, and one at each child. */
static struct farm_outcome run_with_slow_requests(double request_bytes)
{
    struct farm_case c = {.world = "interference", .policy = "bwc", .app = {1000, 4e6, 1, 20, request_bytes, NULL}};
    c.wants_bounds = true;
    text_addf(&c.platform, "%s",
              CM02 "<host id=\"r\" speed=\"10f\">" PROP("ir_send", "0.09")
                  PROP("ir_send_duplex", "0") "</host><host id=\"c\" speed=\"1f\"/><host id=\"d\" speed=\"1f\"/>" MBPS(
                      "l", "10") MBPS("q", "0.1") ONE_WAY("r", "c", "l") ONE_WAY("r", "d", "l") ONE_WAY("c", "r", "q")
                      ONE_WAY("d", "r", "q") END_OF_PLATFORM);
    text_addf(&c.deployment, "%s",
              PLATFORM_HEAD "<actor host=\"r\" function=\"farm_node\"/>" CHILD_OF_R("c") CHILD_OF_R("d") "</platform>");
    struct farm_outcome o = run_farm(&c);
    CHECK(farm_has_ended_well(&o, __LINE__));
    clear_case(&c);
    return o;
}

static void requests_make_the_root_receive(void)
{
    struct farm_outcome with = run_with_slow_requests(6e4), without = run_with_slow_requests(0);
    double bound = without.bounds_tasks_per_s[BOUND_SINGLE][BOUND_PHYSICAL];
    CHECK(without.result.throughput_tasks_per_s <= bound * (1 + 1e-9));
    CHECK(with.result.throughput_tasks_per_s > 1.05 * bound);
    CHECK_CLOSE(with.bounds_tasks_per_s[BOUND_SINGLE][BOUND_PHYSICAL], 12, 1e-9);
    farm_run_result_clear(&with.result);
    farm_run_result_clear(&without.result);
}

static double wind_down_s(const struct farms *r) /* at most: the slowest computes what it holds */
{
    double slowest = INFINITY;
    for (int n = 0; n < r->naive.n_nodes; n++)
        slowest = fmin(slowest, r->naive.fluid.hosts[n].flop_per_s);
    return (r->c.app.n_buffers + 1) * r->c.app.task_flop / slowest;
}

static void ten_thousand_tasks_come_within_one_percent_of_the_single_port_bound(void)
{
    int n_compared = 0;
    for (uint64_t seed = 0; seed < 40; seed++) {
        struct farms r;
        make_honest(&r, 100 + seed, 0, "opt_single", 0.8);
        r.c.app.n_tasks = 10000;
        if (!r.has_latency && r.c.app.n_buffers > 1) {
            struct farm_outcome o = run_farm(&r.c);
            const double *bounds = o.bounds_tasks_per_s[BOUND_SINGLE];
            bool greedy_is_best = fabs(bounds[BOUND_PHYSICAL] / bounds[BOUND_GREEDY] - 1) < 1e-9;
            CHECK(farm_has_ended_well(&o, __LINE__));
            CHECK(o.result.throughput_tasks_per_s <= bounds[BOUND_PHYSICAL] * (1 + 1e-9));
            if (greedy_is_best && wind_down_s(&r) < 0.005 * 10000 / bounds[BOUND_PHYSICAL]) {
                CHECK_CLOSE(o.result.throughput_tasks_per_s, bounds[BOUND_PHYSICAL], 0.01);
                n_compared++;
            }
            farm_run_result_clear(&o.result);
        }
        end(&r);
    }
    CHECK(n_compared >= 8);
}

/* By hand. C = 10 at the root, tasks of 1 MB; IR_s Z C is 0.1, 0.2, 0.3 and 1.5 for the children a, b, c, d. The node
   can send 10 tasks/s. First a: its link of 4 is what limits it, with 5 of its own. Then b: it computes 3. Then c has
   what is left of 10, 3, of the 20 that it could compute. Never d. T = 10 + 4 x 0.9 + 3 x 0.8 + 3 x 0.7 = 18.1. With
   equal shares a and b are sent to whenever they ask, and c for the rest of the time. */
static double reached_by_hand(const char *policy) /* of the paper's optimum */
{
    struct farm_case c = {.world = "interference", .app = {20000, 1e6, 1, 3, 0, NULL}, .wants_bounds = true};
    snprintf(c.policy, sizeof c.policy, "%s", policy);
    text_addf(&c.platform, "%s",
              CM02 "<host id=\"r\" speed=\"10f\">" PROP("ir_send.a", "0.01") PROP("ir_send.b", "0.02")
                  PROP("ir_send.c", "0.03")
                      PROP("ir_send.d", "0.15") "</host><host id=\"a\" speed=\"5f\"/>"
                                                "<host id=\"b\" speed=\"3f\"/><host id=\"c\" speed=\"20f\"/><host "
                                                "id=\"d\" speed=\"20f\"/>" MBPS("up", "10") MBPS("l", "4")
                                                    MBPS("k", "30") ROUTE2("r", "a", "up", "l")
                                                        ROUTE2("r", "b", "up", "k") ROUTE2("r", "c", "up", "k")
                                                            ROUTE2("r", "d", "up", "k") END_OF_PLATFORM);
    text_addf(&c.deployment, "%s",
              PLATFORM_HEAD
              "<actor host=\"r\" function=\"farm_node\">" PROP("send_limit", "10") "</actor>" CHILD_OF_R("a")
                  CHILD_OF_R("b") CHILD_OF_R("c") CHILD_OF_R("d") "</platform>");
    struct farm_outcome o = run_farm(&c);
    CHECK(farm_has_ended_well(&o, __LINE__));
    CHECK_CLOSE(o.bounds_tasks_per_s[BOUND_MULTI][BOUND_GREEDY], 18.1, 1e-12);
    double reached = o.result.steady_tasks_per_s / 18.1;
    farm_run_result_clear(&o.result);
    clear_case(&c);
    return reached;
}

static void exact_shares_reach_the_optimum_of_a_fork(void)
{
    CHECK_CLOSE(reached_by_hand("ia_multi[shares=exact]"), 1, 1e-3);
    CHECK_CLOSE(reached_by_hand("ia_multi[shares=exact,chunk=0.3]"), 1, 1e-3);
    CHECK(reached_by_hand("ia_multi") < 0.995);
}

static const struct test tests[] = {
    {"no_farm_is_above_its_bound_and_no_task_is_lost", no_farm_is_above_its_bound_and_no_task_is_lost},
    {"no_farm_is_above_its_bound_where_processors_stand", no_farm_is_above_its_bound_where_processors_stand},
    {"a_processor_that_stands_still_sends", a_processor_that_stands_still_sends},
    {"a_node_that_always_does_both_receives_for_its_own_rate", a_node_that_always_does_both_receives_for_its_own_rate},
    {"ten_thousand_tasks_come_within_one_percent_of_the_single_port_bound",
     ten_thousand_tasks_come_within_one_percent_of_the_single_port_bound},
    {"requests_make_the_root_receive", requests_make_the_root_receive},
    {"exact_shares_reach_the_optimum_of_a_fork", exact_shares_reach_the_optimum_of_a_fork},
};
TEST_MAIN(tests)
