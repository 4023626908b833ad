/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Aligned scheduling ([S] 8.2.1): involvement of the processors at the time of the links. By hand; the validator; who
   refuses it. (Random plans, against a naive scheduler: test_list_against_naive.c.) */
#include "both.h"

static const host_id hosts[] = {0, 1, 1, 0};

/* A sends 3 bytes to C, whose host is busy with B until 10; both processors are involved all the time. */
static void init(struct setting *s)
{
    setting_init(s, dag_from_text("A:2 B:10 C:1 D:4 | A>C:3"), machine_clique(2, 1, 1, 0, LINK_SHARED));
    machine_text_set_all(&s->machine, "involvement_send", "1");
    machine_text_set_all(&s->machine, "involvement_recv", "1");
}

static void check_span(struct span got, double start_s, double finish_s)
{
    CHECK_CLOSE(got.start_s, start_s, 0);
    CHECK_CLOSE(got.finish_s, finish_s, 0);
}

/* The data could leave at 2, and do without alignment. Aligned, nothing of the message can be before 10. */
static void a_busy_destination_holds_source_and_link(void)
{
    struct setting s;
    struct schedule x;
    init(&s);
    setting_plan(&s, model_of("involvement"), "list", hosts, &x);
    check_span(x.edges[0].send, 2, 5);
    check_span(*schedule_link_spans(&x, 0), 2, 5);
    check_span(x.edges[0].recv, 10, 13);
    check_span(x.tasks[3].span, 5, 9);
    schedule_clear(&x);
    setting_plan(&s, model_of("involvement[aligned=1]"), "list", hosts, &x);
    check_valid(&x);
    check_span(x.edges[0].send, 10, 13);
    check_span(*schedule_link_spans(&x, 0), 10, 13);
    check_span(x.edges[0].recv, 10, 13);
    check_span(x.tasks[2].span, 13, 14);
    check_span(x.tasks[3].span, 2, 6);
    schedule_clear(&x);
    setting_clear(&s);
}

static void the_validator_finds_what_is_not_aligned(void)
{
    struct setting s;
    struct schedule x;
    struct check_result found = {0};
    struct err e = {0};
    init(&s);
    setting_plan(&s, model_of("involvement"), "list", hosts, &x);
    check_valid(&x);
    x.problem.model = model_of("involvement[aligned=1]");
    struct text json = {0};
    schedule_write_json(&x, &json);
    CHECK_OK(check_schedule_text(text_str(&json), json.size, "s.json", &s.dag, &s.machine, NULL, &found, &e), e);
    CHECK_INT(found.n, 1); /* the receive; the send is where the link is */
    check_result_clear(&found);
    text_clear(&json);
    schedule_clear(&x);
    setting_clear(&s);
}

static void those_with_formulas_of_their_own_refuse_it(void)
{
    static const char *const names[] = {"gics", "foresight", "optimal"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        struct setting s;
        struct schedule x;
        struct scheduler_choice choice;
        struct err e = {0};
        init(&s);
        struct problem p = setting_problem(&s, NAIVE_INVOLVEMENT);
        p.model = model_of("involvement[aligned=1]");
        CHECK_OK(scheduler_choose(names[i], &choice, &e), e);
        CHECK_INT(scheduler_plan(&choice, &p, NULL, &x, &e), ERR_INPUT);
        CHECK_CONTAINS(e.text, "does not know involvement[aligned=1]");
        scheduler_choice_clear(&choice);
        setting_clear(&s);
    }
}

static const struct test tests[] = {
    {"a busy destination holds source and link", a_busy_destination_holds_source_and_link},
    {"the validator finds what is not aligned", the_validator_finds_what_is_not_aligned},
    {"those with formulas of their own refuse it", those_with_formulas_of_their_own_refuse_it},
};
TEST_MAIN(tests)
