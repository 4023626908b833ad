/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The portfolio: as short as the shortest of its parts, which is the first of equals; never longer than the sequential
   schedule by default. */
#include "both.h"
#include "small.h"

static double planned(const struct setting *s, enum naive_model model, const char *text, struct schedule *out)
{
    struct err e = {0};
    const struct naive_wish w = {.model = model};
    enum err_code code = really_plan(s, &w, text, out, &e);
    CHECK_OK(code, e);
    return code == ERR_NONE ? schedule_length_s(out) : NAN;
}

static double length_s(const struct setting *s, enum naive_model model, const char *text)
{
    struct schedule x;
    double length = planned(s, model, text, &x);
    check_valid(&x);
    schedule_clear(&x);
    return length;
}

static void init_case(struct setting *s, struct random_stream *r, uint64_t number, bool has_costs)
{
    random_init(r, 3, number);
    int n_hosts = small_int(r, 1, 5);
    setting_init(s, small_dag(r, small_int(r, 1, 16), true, SMALL_REAL), small_machine(r, n_hosts, SMALL_REAL));
    if (has_costs)
        small_costs(&s->costs, r, s->dag.n_tasks, n_hosts, SMALL_REAL);
}

/* Whether `whole` is the plan of the first of the shortest parts. */
static void check_is_first_of_shortest(const struct setting *s, enum naive_model model, const struct schedule *whole,
                                       const char *const *parts)
{
    struct schedule best;
    double least_s = planned(s, model, parts[0], &best);
    for (int i = 1; parts[i] != NULL; i++) {
        struct schedule x;
        double length = planned(s, model, parts[i], &x);
        bool is_shorter = length < least_s * (1 - 1e-11);
        struct schedule longer = is_shorter ? best : x;
        best = is_shorter ? x : best;
        least_s = is_shorter ? length : least_s;
        schedule_clear(&longer);
    }
    CHECK(schedule_length_s(whole) == least_s);
    for (int t = 0; t < s->dag.n_tasks; t++) {
        CHECK_INT(whole->tasks[t].host, best.tasks[t].host);
        CHECK(whole->tasks[t].span.start_s == best.tasks[t].span.start_s);
    }
    schedule_clear(&best);
}

static void it_is_the_first_of_the_shortest_parts(void)
{
    static const char *const parts[] = {"hlfet", "list[technique=insertion,compact=off]", "min_min", "peft", NULL};
    FOR_RANDOM_CASES (i, 300) {
        struct random_stream r;
        struct setting s;
        struct schedule whole;
        enum naive_model model = (enum naive_model)(i % N_NAIVE_MODELS);
        init_case(&s, &r, i, i % 2);
        planned(&s, model, "portfolio[of=hlfet+list[technique=insertion,compact=off]+min_min+peft]", &whole);
        CHECK_TEXT(whole.scheduler, "portfolio[of=hlfet+list[technique=insertion,compact=off]+min_min+peft]");
        check_valid(&whole);
        check_is_first_of_shortest(&s, model, &whole, parts);
        schedule_clear(&whole);
        setting_clear(&s);
    }
}

static void by_default_it_never_loses_to_the_sequential_schedule(void)
{
    FOR_RANDOM_CASES (i, 300) {
        struct random_stream r;
        struct setting s;
        init_case(&s, &r, 1000 + i, false);
        for (int model = 0; model < N_NAIVE_MODELS; model++)
            CHECK(length_s(&s, (enum naive_model)model, "portfolio") <=
                  length_s(&s, (enum naive_model)model, "sequential") * (1 + 1e-11));
        setting_clear(&s);
    }
}

/* With forbidden hosts there may be no sequential schedule: that is an error of `sequential`, not of those that run it
   and others. */
static void without_a_sequential_schedule_the_others_remain(void)
{
    static const char *const others[] = {"portfolio",
                                         "portfolio[of=sequential+mct]",
                                         "portfolio[of=mct+sequential]",
                                         "gics[seeds=sequential+mct]",
                                         "gics[seeds=mct+sequential]",
                                         "optimal[seeds=mct+sequential]",
                                         "foresight[starts=mct+sequential]"};
    static const char *const nothing_else[] = {"portfolio[of=sequential]", "gics[seeds=sequential]",
                                               "optimal[seeds=sequential+sequential]", "foresight[starts=sequential]",
                                               "two_phase[allocation_of=sequential]"};
    struct setting s;
    struct schedule x;
    setting_init(&s, dag_from_text("a:1 b:1 | a>b:1"), machine_from_text("p:1 q:1 | l:1 | p-q:l"));
    s.costs.source = mem_strdup("costs.csv");
    s.costs.compute_s = mem_zalloc(4, sizeof(double));
    const double costs_s[] = {2, INFINITY, INFINITY, 3};
    memcpy(s.costs.compute_s, costs_s, sizeof costs_s);
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        CHECK_CLOSE(length_s(&s, NAIVE_CLASSIC, others[i]), 6, 0);
    const struct naive_wish w = {.model = NAIVE_CLASSIC};
    for (size_t i = 0; i < sizeof nothing_else / sizeof nothing_else[0]; i++) {
        struct err e = {0};
        CHECK_INT(really_plan(&s, &w, nothing_else[i], &x, &e), ERR_INPUT);
        CHECK_CONTAINS(e.text, "scheduler sequential: no host may run all tasks");
    }
    setting_clear(&s);
}

static void its_parts_are_checked_when_it_is_chosen(void)
{
    static const struct {
        const char *text, *words;
    } cases[] = {
        {"portfolio[of=heft+hetf]", "unknown scheduler 'hetf'"},
        {"portfolio[of=heft+list[technique=middle]]", "technique"},
        {"portfolio[of=heft+]", "parameter of is 'heft+'; a scheduler's name is missing beside a '+'"},
        {"portfolio[of=mct+gics[seeds=+heft]]", "scheduler gics: parameter seeds is '+heft'"},
        {"portfolio[of=portfolio[of=list+x]+heft]", "unknown scheduler 'x'"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct scheduler_choice c;
        struct err e = {0};
        CHECK_INT(scheduler_choose(cases[i].text, &c, &e), ERR_INPUT);
        CHECK_CONTAINS(e.text, cases[i].words);
    }
}

static const struct test tests[] = {
    {"it is the first of the shortest parts", it_is_the_first_of_the_shortest_parts},
    {"by default it never loses to the sequential schedule", by_default_it_never_loses_to_the_sequential_schedule},
    {"without a sequential schedule the others remain", without_a_sequential_schedule_the_others_remain},
    {"its parts are checked when it is chosen", its_parts_are_checked_when_it_is_chosen},
};
TEST_MAIN(tests)
