/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The length that a pass reports is, to the last bit, that of the list scheduler with the same allocation, for any
   sequence of allocations and bounds, under every model, approach and technique, on related and unrelated hosts. */
#include "both.h"
#include "schedulers/pass.h"
#include "schedulers/priority.h"
#include "small.h"

enum { N_CASES = 600, N_ALLOCATIONS = 12, MOST_TASKS = 20 };

struct pass_case {
    struct random_stream r;
    struct setting s;
    struct problem p;
    struct naive_wish wish;
    task_id *list;
    host_id allocation[MOST_TASKS];
    struct pass *pass;
};

static void draw_host(struct pass_case *c, task_id t)
{
    do
        c->allocation[t] = (host_id)random_below(&c->r, c->s.machine.n_hosts);
    while (!problem_may_run(&c->p, t, c->allocation[t]));
}

static void case_init(struct pass_case *c, uint64_t seed)
{
    random_init(&c->r, 61, seed);
    enum small_kind kind = random_below(&c->r, 2) ? SMALL_REAL : SMALL_WHOLE;
    int n_hosts = small_int(&c->r, 1, 5);
    setting_init(&c->s, small_dag(&c->r, small_int(&c->r, 1, MOST_TASKS), false, kind),
                 small_machine(&c->r, n_hosts, kind));
    if (random_below(&c->r, 3) == 0)
        small_costs(&c->s.costs, &c->r, c->s.dag.n_tasks, n_hosts, kind);
    c->wish = (struct naive_wish){.model = (enum naive_model)(seed % N_NAIVE_MODELS),
                                  .approach = (enum naive_approach)random_below(&c->r, N_NAIVE_APPROACHES),
                                  .inserts = random_below(&c->r, 2),
                                  .allocation = c->allocation};
    c->p = setting_problem(&c->s, c->wish.model);
    c->list = priority_list(&c->p, "bottom_level");
    const struct draft_options how = {.technique = c->wish.inserts ? TECHNIQUE_INSERTION : TECHNIQUE_END,
                                      .approach = draft_approach(naive_approach_names[c->wish.approach]),
                                      .list = c->list};
    c->pass = pass_create(&c->p, &how);
    for (task_id t = 0; t < c->s.dag.n_tasks; t++)
        draw_host(c, t);
}

static void case_clear(struct pass_case *c)
{
    pass_free(c->pass);
    free(c->list);
    setting_clear(&c->s);
}

/* One task, some tasks, or nothing. */
static void change(struct pass_case *c)
{
    int n = (int)random_below(&c->r, 3) == 0 ? small_int(&c->r, 0, c->s.dag.n_tasks) : 1;
    for (int i = 0; i < n; i++)
        draw_host(c, (task_id)random_below(&c->r, (uint64_t)c->s.dag.n_tasks));
}

static double planned_s(struct pass_case *c, struct schedule *out)
{
    struct err e = {0};
    CHECK_OK(really_plan(&c->s, &c->wish, NULL, out, &e), e);
    return schedule_length_s(out);
}

static void check_bounds(struct pass_case *c, double length_s)
{
    const double bounds_s[] = {length_s,
                               nextafter(length_s, INFINITY),
                               nextafter(length_s, 0),
                               length_s * random_unit(&c->r),
                               length_s * (1 + random_unit(&c->r)),
                               0};
    double bound_s = bounds_s[random_below(&c->r, sizeof bounds_s / sizeof bounds_s[0])];
    CHECK(pass_length_below_s(c->pass, c->allocation, bound_s) == (length_s < bound_s ? length_s : INFINITY));
}

static void lengths_are_those_of_the_list_scheduler(void)
{
    FOR_RANDOM_CASES (seed, N_CASES) {
        struct pass_case c;
        case_init(&c, seed);
        for (int i = 0; i < N_ALLOCATIONS; i++) {
            struct schedule want;
            double length_s = planned_s(&c, &want);
            if (random_below(&c.r, 2))
                check_bounds(&c, length_s);
            if (random_below(&c.r, 4))
                CHECK(pass_length_s(c.pass, c.allocation) == length_s);
            schedule_clear(&want);
            change(&c);
        }
        case_clear(&c);
    }
}

/* Sums of durations depend on the order in which they are added; a bound must not. */
static void a_bound_just_above_the_length_of_a_chain_is_not_reached(void)
{
    FOR_RANDOM_CASES (seed, 300) {
        struct random_stream r;
        struct setting s;
        struct dag g = {0};
        struct err e = {0};
        random_init(&r, 62, seed);
        dag_init(&g, "chain");
        for (int t = 0; t < MOST_TASKS; t++) {
            char name[16];
            snprintf(name, sizeof name, "t%d", t);
            CHECK_OK(dag_add_task(&g, name, random_between(&r, 0.1, 5), 0, NULL, &e), e);
            if (t > 0)
                CHECK_OK(dag_add_edge(&g, t - 1, t, 1, 0, &e), e);
        }
        CHECK_OK(dag_seal(&g, &e), e);
        setting_init(&s, g, machine_text_hosts(1, 1));
        const host_id allocation[MOST_TASKS] = {0};
        struct problem p = setting_problem(&s, NAIVE_INVOLVEMENT);
        struct pass *pass = pass_create(&p, &(struct draft_options){.approach = APPROACH_ALLOC1, .list = s.dag.order});
        double length_s = 0;
        for (int t = 0; t < MOST_TASKS; t++)
            length_s += s.dag.tasks[t].work_flop;
        CHECK(pass_length_below_s(pass, allocation, nextafter(length_s, INFINITY)) == length_s);
        pass_free(pass);
        setting_clear(&s);
    }
}

static void check_same(const struct schedule *a, const struct schedule *b)
{
    struct text x = {0}, y = {0};
    schedule_write_json(a, &x);
    schedule_write_json(b, &y);
    CHECK_TEXT(text_str(&x), text_str(&y));
    text_clear(&x);
    text_clear(&y);
}

static void the_schedule_is_that_of_the_list_scheduler(void)
{
    FOR_RANDOM_CASES (seed, N_CASES) {
        struct pass_case c;
        struct schedule want, got;
        case_init(&c, seed);
        double length_s = planned_s(&c, &want);
        schedule_init(&got, &c.p);
        pass_write(c.pass, c.allocation, &got);
        got.scheduler = mem_strdup(want.scheduler);
        check_same(&got, &want);
        CHECK(pass_length_s(c.pass, c.allocation) == length_s);
        schedule_clear(&want);
        schedule_clear(&got);
        case_clear(&c);
    }
}

/* What pass.h says of gaps: only provisional sends leave any. */
static void only_direct_leaves_gaps(void)
{
    int n_shorter = 0;
    FOR_RANDOM_CASES (seed, 4 * N_CASES) {
        struct pass_case c;
        struct schedule with, without;
        struct err e = {0};
        case_init(&c, seed);
        double length_s = planned_s(&c, &with);
        c.wish.compacts = true;
        double compact_s = planned_s(&c, &without);
        free(without.scheduler);
        without.scheduler = mem_strdup(with.scheduler);
        if (c.wish.approach != NAIVE_DIRECT)
            check_same(&with, &without);
        CHECK(compact_s <= length_s);
        n_shorter += compact_s < length_s;
        CHECK_OK(e.code, e);
        schedule_clear(&with);
        schedule_clear(&without);
        case_clear(&c);
    }
    CHECK(n_shorter > 0);
}

static const struct test tests[] = {
    {"lengths are those of the list scheduler", lengths_are_those_of_the_list_scheduler},
    {"a bound just above the length of a chain is not reached",
     a_bound_just_above_the_length_of_a_chain_is_not_reached},
    {"the schedule is that of the list scheduler", the_schedule_is_that_of_the_list_scheduler},
    {"only direct leaves gaps", only_direct_leaves_gaps},
};
TEST_MAIN(tests)
