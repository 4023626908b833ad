/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The protocol worked out by hand, without a simulator: the test decides when activities end (doc/model.md, Farms). */
#include "farm/farm.h"

#include "base/text.h"
#include "check.h"

#include <stdlib.h>

static const char fork_of_two[] = "<platform version=\"4.1\">"
                                  "<actor host=\"R\" function=\"farm_node\"/>"
                                  "<actor host=\"A\" function=\"farm_node\"><argument value=\"R\"/></actor>"
                                  "<actor host=\"B\" function=\"farm_node\"><argument value=\"R\"/></actor>"
                                  "</platform>";
static const char chain[] = "<platform version=\"4.1\">"
                            "<actor host=\"R\" function=\"farm_node\"/>"
                            "<actor host=\"A\" function=\"farm_node\"><argument value=\"R\"/></actor>"
                            "<actor host=\"B\" function=\"farm_node\"><argument value=\"A\"/></actor>"
                            "</platform>";
enum { R, A, B };

struct stage {
    struct tree tree;
    struct policy_choice policy;
    struct farm_ops ops;
    struct farm *farm;
    double rate_bytes_per_s; /* of every send; 0: in latency */
    struct text log;         /* "R>A" a send, "A!" a computation */
};

static void log_compute(void *self, node_id node, double flop)
{
    struct stage *s = self;
    (void)flop;
    text_addf(&s->log, "%s! ", s->tree.nodes[node].host_name);
}

static void *log_send(void *self, node_id from, node_id to, double bytes, double limit_bytes_per_s)
{
    struct stage *s = self;
    (void)limit_bytes_per_s;
    text_addf(&s->log, "%s>%s%s ", s->tree.nodes[from].host_name, s->tree.nodes[to].host_name,
              bytes < 1000 ? "(part)" : "");
    return s;
}

static double rate_of_all(void *self, void *send)
{
    (void)send;
    return ((struct stage *)self)->rate_bytes_per_s;
}

static void set(struct stage *s, const char *deployment, const char *policy, long n_tasks, int n_buffers)
{
    struct err e = {0};
    *s = (struct stage){.ops = {.self = s, .compute = log_compute, .send = log_send, .rate_bytes_per_s = rate_of_all}};
    CHECK_OK(deployment_parse(deployment, strlen(deployment), "d.xml", &s->tree, &e), e);
    for (int i = 0; i < s->tree.n_nodes; i++) {
        struct tree_node *n = &s->tree.nodes[i];
        n->compute_rate_flop_per_s = n->max_transfer_bytes_per_s = 10 - i;
        n->ir_send_s_per_byte = n->ir_recv_s_per_byte = 1e-6 * i;
        n->send_limit_bytes_per_s = INFINITY;
    }
    CHECK_OK(policy_choose(policy, &s->policy, &e), e);
    struct farm_app app = {.n_tasks = n_tasks, .task_bytes = 1000, .task_flop = 1, .n_buffers = n_buffers};
    CHECK_OK(farm_create(&s->tree, &app, &s->policy, &s->ops, &s->farm, &e), e);
}

static void strike(struct stage *s)
{
    farm_free(s->farm);
    policy_choice_clear(&s->policy);
    tree_clear(&s->tree);
    text_clear(&s->log);
}

/* What farm_decide starts, and nothing else has been started since the last look. */
static void check_starts(struct stage *s, double now_s, const char *want)
{
    farm_decide(s->farm, now_s);
    CHECK_TEXT(text_str(&s->log), want);
    text_clear(&s->log);
}

static void the_root_takes_a_task_before_it_sends(void)
{
    struct stage s;
    set(&s, fork_of_two, "ia_single", 1, 2);
    check_starts(&s, 0, "R! ");
    farm_computed(s.farm, 1, R);
    check_starts(&s, 1, "");
    CHECK(farm_is_over(s.farm));
    CHECK(farm_makespan_s(s.farm) == 1);
    strike(&s);
}

static void one_port_sends_one_task_at_a_time(void)
{
    struct stage s;
    set(&s, fork_of_two, "ia_single", 10, 2);
    check_starts(&s, 0, "R! R>A ");
    farm_sent(s.farm, 1, R, A); /* A computes it at once and asks again; it still has a request open: first in order */
    check_starts(&s, 1, "A! R>A ");
    farm_sent(s.farm, 2, R, A); /* one computing, one held: its second slot was asked for when it began to compute */
    check_starts(&s, 2, "R>A ");
    farm_sent(s.farm, 3, R, A); /* both slots hold a task */
    check_starts(&s, 3, "R>B ");
    farm_computed(s.farm, 4, A); /* a slot is free as the next begins, but the port is busy */
    check_starts(&s, 4, "A! ");
    strike(&s);
}

static void many_ports_send_to_all_who_ask(void)
{
    struct stage s;
    set(&s, fork_of_two, "ia_multi", 10, 1);
    check_starts(&s, 0, "R! R>A R>B ");
    strike(&s);
}

static void the_oldest_request_goes_first_and_its_number_decides(void)
{
    struct stage s;
    set(&s, fork_of_two, "fcfs", 10, 2);
    check_starts(&s, 0, "R! R>A "); /* at 0 both have asked twice: A1 B1 A2 B2 */
    farm_sent(s.farm, 1, R, A);
    check_starts(&s, 1, "A! R>B ");
    farm_sent(s.farm, 2, R, B);
    check_starts(&s, 2, "B! R>A ");
    farm_sent(s.farm, 3, R, A);
    check_starts(&s, 3, "R>B ");
    farm_sent(s.farm, 4, R, B); /* then those of the dates 1 and 2 */
    check_starts(&s, 4, "R>A ");
    strike(&s);
}

static void a_node_computes_before_it_passes_on(void)
{
    struct stage s;
    set(&s, chain, "ia_single", 10, 1);
    check_starts(&s, 0, "R! R>A ");
    farm_sent(s.farm, 1, R, A);
    check_starts(&s, 1, "A! R>A ");
    farm_sent(s.farm, 2, R, A); /* A is computing: this one goes on to B; its slot is free only when it is there */
    check_starts(&s, 2, "A>B ");
    farm_sent(s.farm, 3, A, B);
    check_starts(&s, 3, "B! R>A ");
    CHECK_INT(farm_node_result(s.farm, A).tasks_forwarded, 1);
    CHECK(farm_node_result(s.farm, A).received_bytes == 2000 && farm_node_result(s.farm, A).sent_bytes == 1000);
    strike(&s);
}

static void at_the_end_of_a_chunk_the_slot_is_decided_anew(void)
{
    struct stage s;
    set(&s, fork_of_two, "ia_single[chunk=0.0004]", 10, 1);
    check_starts(&s, 0, "R! R>A(part) ");
    farm_sent(s.farm, 1, R, A);
    check_starts(&s, 1, "R>A(part) ");
    farm_sent(s.farm, 2, R, A);
    check_starts(&s, 2, "R>A(part) "); /* the last 200 bytes */
    CHECK(farm_node_result(s.farm, A).received_bytes == 800);
    farm_sent(s.farm, 3, R, A);
    check_starts(&s, 3, "A! R>A(part) ");
    strike(&s);
}

static double steady(const struct stage *s)
{
    return farm_meter_steady_tasks_per_s(farm_phases_of(s->farm));
}

static void phases_are_told_apart(void)
{
    struct stage s;
    set(&s, fork_of_two, "root_computes", 8, 1);
    for (int i = 1; i <= 8; i++) {
        farm_decide(s.farm, i - 1);
        farm_computed(s.farm, i, R);
    }
    struct farm_phases p = farm_meter_phases(farm_phases_of(s.farm));
    CHECK(p.startup_end_s == 0);     /* the root begins at once */
    CHECK(p.wind_down_start_s == 7); /* when it takes the eighth */
    CHECK(steady(&s) == 1);
    strike(&s);
}

static void a_send_limit_is_used_up_at_a_billionth_less(void)
{
    const double used_ratio[] = {1 - 0.9e-9, 1 - 1.1e-9};
    for (int k = 0; k < 2; k++) {
        struct stage s;
        set(&s, fork_of_two, "ia_multi", 10, 1);
        s.tree.nodes[R].send_limit_bytes_per_s = 100;
        s.rate_bytes_per_s = 100 * used_ratio[k];
        CHECK(farm_decide(s.farm, 0)); /* once the first is under way, its rate has to be known */
        CHECK_TEXT(text_str(&s.log), "R! R>A ");
        text_clear(&s.log);
        check_starts(&s, 0, k == 0 ? "" : "R>B ");
        strike(&s);
    }
}

/* A is the node that begins last, at 2, and the root gives its last task at 10. */
static struct farm_meter *meter_of_a_phase(void)
{
    struct farm_meter *m = farm_meter_create(3);
    farm_meter_node_begins(m, 0);
    farm_meter_sent(m, 1, R, A, 0, 0.5);
    farm_meter_sent(m, 2, R, A, 1, 0.5);
    farm_meter_node_begins(m, 2);
    farm_meter_sent(m, 9, R, A, 2, 1);
    farm_meter_root_is_empty(m, 10);
    return m;
}

static void a_task_counts_by_its_part_within_the_steady_phase(void)
{
    struct farm_meter *m = meter_of_a_phase();
    farm_meter_computed(m, 4, R, 0);   /* half of it */
    farm_meter_computed(m, 7, R, 4);   /* all */
    farm_meter_computed(m, 13, R, 7);  /* half */
    farm_meter_computed(m, 18, A, 2);  /* half; and a task came in */
    farm_meter_computed(m, 30, A, 18); /* nothing */
    CHECK_CLOSE(farm_meter_steady_tasks_per_s(m), 2.5 / 8, 1e-15);
    farm_meter_free(m);
}

static void what_was_in_store_when_the_phase_began_does_not_count(void)
{
    struct farm_meter *m = meter_of_a_phase();
    farm_meter_computed(m, 4, A, 2);
    farm_meter_computed(m, 9, A, 8);
    farm_meter_computed(m, 10, A, 9); /* three tasks, of which one came in */
    CHECK_CLOSE(farm_meter_steady_tasks_per_s(m), 1 / 8.0, 1e-15);
    farm_meter_free(m);
}

static void a_node_that_begins_after_the_last_task_left_means_no_steady_phase(void)
{
    /* The fourth and last task leaves at 1, and B gets its first one at 3. */
    struct stage s;
    set(&s, chain, "ia_single", 4, 3);
    for (int i = 0; i < 3; i++) {
        farm_decide(s.farm, 0.5 * i);
        farm_sent(s.farm, 0.5 * (i + 1), R, A);
    }
    farm_decide(s.farm, 1.5);
    farm_sent(s.farm, 3, A, B);
    farm_decide(s.farm, 3);
    farm_sent(s.farm, 3.5, A, B);
    farm_decide(s.farm, 3.5);
    const node_id nodes[] = {R, B, A, B};
    for (int i = 0; i < 4; i++) {
        farm_computed(s.farm, 4 + i, nodes[i]);
        farm_decide(s.farm, 4 + i);
    }
    CHECK(farm_is_over(s.farm));
    struct farm_phases p = farm_meter_phases(farm_phases_of(s.farm));
    CHECK_CLOSE(p.wind_down_start_s, 1, 0);
    CHECK_CLOSE(p.startup_end_s, 1, 0); /* start-up and wind-down are the makespan */
    CHECK(isnan(steady(&s)));
    strike(&s);
}

static const struct test tests[] = {
    {"the_root_takes_a_task_before_it_sends", the_root_takes_a_task_before_it_sends},
    {"one_port_sends_one_task_at_a_time", one_port_sends_one_task_at_a_time},
    {"many_ports_send_to_all_who_ask", many_ports_send_to_all_who_ask},
    {"the_oldest_request_goes_first_and_its_number_decides", the_oldest_request_goes_first_and_its_number_decides},
    {"a_node_computes_before_it_passes_on", a_node_computes_before_it_passes_on},
    {"at_the_end_of_a_chunk_the_slot_is_decided_anew", at_the_end_of_a_chunk_the_slot_is_decided_anew},
    {"phases_are_told_apart", phases_are_told_apart},
    {"a_send_limit_is_used_up_at_a_billionth_less", a_send_limit_is_used_up_at_a_billionth_less},
    {"a_task_counts_by_its_part_within_the_steady_phase", a_task_counts_by_its_part_within_the_steady_phase},
    {"what_was_in_store_when_the_phase_began_does_not_count", what_was_in_store_when_the_phase_began_does_not_count},
    {"a_node_that_begins_after_the_last_task_left_means_no_steady_phase",
     a_node_that_begins_after_the_last_task_left_means_no_steady_phase},
};
TEST_MAIN(tests)
