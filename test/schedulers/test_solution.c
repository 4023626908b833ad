/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The length of a solution is, to the last bit, that of a pass with the same list and allocation on a draft, after any
   changes, taken back or not, under every model, on related and unrelated hosts; limits change nothing else. */
#include "both.h"
#include "schedulers/pass.h"
#include "schedulers/priority.h"
#include "schedulers/solution.h"
#include "small.h"

enum { N_CASES = 600, N_CHANGES = 25, MOST_TASKS = 24 };

struct solution_case {
    struct random_stream r;
    struct setting s;
    struct problem p;
    struct solution *solution;
};

static host_id draw_host(struct solution_case *c, task_id t)
{
    host_id h;
    do
        h = (host_id)random_below(&c->r, c->s.machine.n_hosts);
    while (!problem_may_run(&c->p, t, h));
    return h;
}

static void case_init(struct solution_case *c, uint64_t seed)
{
    host_id allocation[MOST_TASKS];
    random_init(&c->r, 71, seed);
    enum small_kind kind = random_below(&c->r, 2) ? SMALL_REAL : SMALL_WHOLE;
    int n_hosts = small_int(&c->r, 1, 5);
    setting_init(&c->s, small_dag(&c->r, small_int(&c->r, 1, MOST_TASKS), random_below(&c->r, 2), kind),
                 small_machine(&c->r, n_hosts, kind));
    if (random_below(&c->r, 3) == 0)
        small_costs(&c->s.costs, &c->r, c->s.dag.n_tasks, n_hosts, kind);
    c->p = setting_problem(&c->s, (enum naive_model)(seed % N_NAIVE_MODELS));
    for (task_id t = 0; t < c->s.dag.n_tasks; t++)
        allocation[t] = draw_host(c, t);
    c->solution = solution_create(&c->p);
    task_id *list = priority_list(&c->p, "bottom_level");
    solution_set(c->solution, list, allocation);
    free(list);
}

static void case_clear(struct solution_case *c)
{
    solution_free(c->solution);
    setting_clear(&c->s);
}

static double drafted_s(struct solution_case *c)
{
    const struct draft_options how = {
        .technique = TECHNIQUE_INSERTION, .approach = APPROACH_ALLOC1, .list = solution_list(c->solution)};
    struct pass *pass = pass_create(&c->p, &how);
    double length_s = pass_length_s(pass, solution_allocation(c->solution));
    pass_free(pass);
    return length_s;
}

/* Moves or shifts some tasks, and sometimes takes that back. */
static void change(struct solution_case *c)
{
    for (int n = small_int(&c->r, 1, 3); n > 0; n--) {
        task_id t = (task_id)random_below(&c->r, (uint64_t)c->s.dag.n_tasks);
        int first, last, place = solution_place(c->solution, t);
        solution_range(c->solution, t, &first, &last);
        CHECK(first <= place && place <= last);
        if (random_below(&c->r, 2))
            solution_move(c->solution, t, draw_host(c, t));
        else
            solution_shift(c->solution, t, small_int(&c->r, first, last));
    }
    if (random_below(&c->r, 3) == 0)
        solution_take_back(c->solution);
    else
        solution_keep(c->solution);
}

static void check_limits(struct solution_case *c, double length_s)
{
    const double limits_s[] = {length_s, nextafter(length_s, 0), length_s * random_unit(&c->r),
                               length_s * (1 + random_unit(&c->r)), 0};
    for (size_t i = 0; i < sizeof limits_s / sizeof limits_s[0]; i++)
        CHECK(solution_length_below_s(c->solution, limits_s[i], NULL) ==
              (length_s <= limits_s[i] ? length_s : INFINITY));
}

static void lengths_are_those_of_a_pass_on_a_draft(void)
{
    FOR_RANDOM_CASES (seed, N_CASES) {
        struct solution_case c;
        case_init(&c, seed);
        for (int i = 0; i < N_CHANGES; i++) {
            int n_placed;
            double length_s = drafted_s(&c);
            CHECK(solution_length_below_s(c.solution, INFINITY, &n_placed) == length_s);
            CHECK(n_placed == c.s.dag.n_tasks);
            check_limits(&c, length_s);
            change(&c);
        }
        case_clear(&c);
    }
}

static void the_schedule_is_that_of_the_length_and_has_no_gaps(void)
{
    FOR_RANDOM_CASES (seed, N_CASES) {
        struct solution_case c;
        struct schedule made;
        struct err e = {0};
        case_init(&c, seed);
        for (int i = 0; i < N_CHANGES; i++)
            change(&c);
        double length_s = solution_length_below_s(c.solution, INFINITY, NULL);
        schedule_init(&made, &c.p);
        solution_write(c.solution, &made);
        CHECK(schedule_length_s(&made) == length_s);
        check_valid(&made);
        CHECK_OK(schedule_compact(&made, &e), e);
        CHECK(schedule_length_s(&made) == length_s);
        schedule_clear(&made);
        case_clear(&c);
    }
}

/* Without the limit's help: the loads alone refuse what is too long for one processor, after many changes. */
static void loads_refuse_without_a_pass(void)
{
    int n_refused = 0;
    FOR_RANDOM_CASES (seed, N_CASES) {
        struct solution_case c;
        int n_placed;
        case_init(&c, seed);
        for (int i = 0; i < 5 * N_CHANGES; i++)
            change(&c);
        double length_s = solution_length_below_s(c.solution, INFINITY, NULL);
        CHECK(solution_length_below_s(c.solution, 0.5 * length_s, &n_placed) == INFINITY || length_s == 0);
        n_refused += n_placed == 0;
        case_clear(&c);
    }
    CHECK(n_refused > random_cases(N_CASES) / 4);
}

static const struct test tests[] = {
    {"lengths are those of a pass on a draft", lengths_are_those_of_a_pass_on_a_draft},
    {"the schedule is that of the length and has no gaps", the_schedule_is_that_of_the_length_and_has_no_gaps},
    {"loads refuse without a pass", loads_refuse_without_a_pass},
};
TEST_MAIN(tests)
