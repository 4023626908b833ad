/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* foresight: never longer than its starts, nor than more evaluations let it be; its steps shorten schedules, alone and
   together; the same seed gives the same bytes; its ends; hosts where tasks may not run; models with ports. */
#include "both.h"
#include "dag/dag_generate.h"
#include "schedulers/solution.h"
#include "small.h"

/* The linker gives the scheduler this function, which counts. */
double __real_solution_length_below_s(struct solution *x, double limit_s, int *n_placed);
double __wrap_solution_length_below_s(struct solution *x, double limit_s, int *n_placed);
static int n_passes;
double __wrap_solution_length_below_s(struct solution *x, double limit_s, int *n_placed)
{
    n_passes++;
    return __real_solution_length_below_s(x, limit_s, n_placed);
}

/* One that is equal, except for the order in which sums were added up, is not longer. */
static const double tolerance = 1 + 1e-11;

static void plan_problem(const struct problem *p, const char *text, const struct search_watch *watch,
                         struct schedule *out)
{
    struct scheduler_choice choice;
    struct err e = {0};
    CHECK_OK(scheduler_choose(text, &choice, &e), e);
    CHECK_OK(scheduler_plan(&choice, p, &(struct scheduler_inputs){.watch = watch}, out, &e), e);
    check_valid(out);
    scheduler_choice_clear(&choice);
}

static double planned_s(const struct problem *p, const char *text)
{
    struct schedule x;
    plan_problem(p, text, NULL, &x);
    double length_s = schedule_length_s(&x);
    schedule_clear(&x);
    return length_s;
}

static void init_case(struct setting *s, struct random_stream *r, uint64_t number)
{
    random_init(r, 81, number);
    int n_hosts = small_int(r, 1, 5);
    setting_init(s, small_dag(r, small_int(r, 1, 16), false, SMALL_REAL), small_machine(r, n_hosts, SMALL_REAL));
    if (number % 3 == 0)
        small_costs(&s->costs, r, s->dag.n_tasks, n_hosts, SMALL_REAL);
}

/* Both processors are fully involved, as in [S] 8.4.3. */
static void init_large(struct setting *s, const char *graph, uint64_t seed, double ccr)
{
    struct dag g;
    struct err e = {0};
    CHECK_OK(dag_generate(graph, seed, &g, &e), e);
    struct machine m = machine_star(4, 1e9, 1e8, 0, LINK_SPLITDUPLEX);
    for (int h = 0; h < 4; h++)
        for (int dir = 0; dir < N_DIRECTIONS; dir++)
            machine_text_set_number(&m.hosts[h].involvement_ratio[dir], 1);
    setting_init(s, g, m);
    CHECK_OK(dag_set_ccr(&s->dag, &s->routes, ccr, &e), e);
}

/* Searches end by the clock if they are told to; some schedulers only run others. */
static bool is_search(const char *name)
{
    const struct scheduler *x = scheduler_find(name);
    bool is = false;
    for (const struct param *p = x->params; p != NULL && p->name != NULL; p++)
        is |= strcmp(p->name, "seconds") == 0 ||
              (x->parts != NULL && strcmp(p->name, x->parts) == 0 && p->default_text != NULL);
    return is;
}

static void it_never_loses_to_its_starts(void)
{
    size_t n_schedulers = 0;
    while (schedulers[n_schedulers] != NULL)
        n_schedulers++;
    FOR_RANDOM_CASES (i, 600) {
        struct random_stream r;
        struct setting s;
        init_case(&s, &r, i);
        const struct problem p = setting_problem(&s, (enum naive_model)(i / 2 % N_NAIVE_MODELS));
        const char *name = schedulers[i % n_schedulers]->name;
        if (!is_search(name) && (strcmp(name, "sequential") != 0 || isfinite(problem_sequential_s(&p, NULL)))) {
            char *text = mem_format("foresight[starts=%s+random,evaluations=%d]", name, small_int(&r, 1, 30));
            CHECK(planned_s(&p, text) <= planned_s(&p, name) * tolerance);
            free(text);
        }
        setting_clear(&s);
    }
}

struct contest {
    const struct problem *problem;
    double length_s; /* of foresight */
    int n_variants;
};

/* Everything that can be said of a scheduler with the choices of `p` and of the parameters behind it. */
static void beat_variants(struct contest *x, const char *said, const struct param *p)
{
    while (p != NULL && p->name != NULL && (p->type != PARAM_CHOICE || strcmp(p->name, "compact") == 0))
        p++;
    if (p == NULL || p->name == NULL) {
        char *text = mem_format("%s]", said);
        double other_s = planned_s(x->problem, strchr(text, '=') != NULL ? text : strtok(text, "["));
        CHECK(x->length_s <= other_s * tolerance);
        if (x->length_s > other_s * tolerance)
            fprintf(stderr, "%s is shorter on %s\n", text, x->problem->dag->source);
        x->n_variants++;
        free(text);
        return;
    }
    char *choices = mem_strdup(p->choices), *rest;
    bool is_list = strncmp(said, "list", 4) == 0;
    for (char *value = strtok_r(choices, "|", &rest); value != NULL; value = strtok_r(NULL, "|", &rest)) {
        if (is_list && strncmp(value, "alloc", 5) == 0) /* needs hosts that are given */
            continue;
        char *text = mem_format("%s%s%s=%s", said, strchr(said, '=') != NULL ? "," : "", p->name, value);
        beat_variants(x, text, p + 1);
        free(text);
    }
    free(choices);
}

/* All that `iasim list` can name, on graphs that it was not made for, on hosts that are alike and on others. */
static void by_default_it_does_not_lose_to_any_variant_that_makes_one_pass(void)
{
    static const char *const graphs[] = {"layered[tasks=25,width=4]", "series_parallel[tasks=25]",
                                         "out_tree[tasks=25,shape=random,heterogeneity=0.5]",
                                         "fork_join[branches=5,stages=3,heterogeneity=0.5]"};
    static const double ccrs[] = {0.1, 1, 10};
    FOR_RANDOM_CASES (i, 12) {
        struct setting s;
        init_large(&s, graphs[i % 4], 2000 + i, ccrs[i / 4]);
        for (size_t h = 0; h < s.machine.n_hosts && i % 2; h++)
            s.machine.hosts[h].speed_flop_per_s *= (double)(1 + h);
        const struct problem p = setting_problem(&s, i % 4 < 2 ? NAIVE_INVOLVEMENT : (enum naive_model)(i % 3));
        struct contest x = {&p, planned_s(&p, "foresight"), 0};
        for (int k = 0; schedulers[k] != NULL; k++)
            if (!is_search(schedulers[k]->name)) {
                char *said = mem_format("%s[", schedulers[k]->name);
                beat_variants(&x, said, schedulers[k]->params);
                free(said);
            }
        CHECK(x.n_variants > 200);
        setting_clear(&s);
    }
}

/* From a random start, the steps get within a few percent of where the best of all schedulers begin. */
static void its_steps_shorten_schedules(void)
{
    double product = 1;
    FOR_RANDOM_CASES (i, 10) {
        struct setting s;
        init_large(&s, "layered[tasks=30,width=5]", i, 0.5);
        const struct problem p = setting_problem(&s, NAIVE_INVOLVEMENT);
        product *= planned_s(&p, "foresight[starts=random,evaluations=10000]") / planned_s(&p, "foresight");
        setting_clear(&s);
    }
    CHECK(pow(product, 0.1) < 1.05);
}

/* Two chains, joined by one edge that takes longer than all tasks together: only if one of them moves as a whole does
   the second host pay. */
static void neighbours_move_together(void)
{
    struct setting s;
    struct machine m = machine_star(2, 1, 1, 0, LINK_SHARED);
    for (int h = 0; h < 2; h++)
        for (int dir = 0; dir < N_DIRECTIONS; dir++)
            machine_text_set_number(&m.hosts[h].involvement_ratio[dir], 1);
    setting_init(&s, dag_from_text("a:5 b:5 c:5 d:5 e:5 f:5 | a>b:90 b>c:90 d>e:90 e>f:90"), m);
    const struct problem p = setting_problem(&s, NAIVE_INVOLVEMENT);
    CHECK_CLOSE(planned_s(&p, "foresight[starts=sequential,evaluations=300]"), 15, 1e-12);
    setting_clear(&s);
}

static void more_evaluations_are_never_longer(void)
{
    int n_shorter = 0;
    FOR_RANDOM_CASES (i, 60) {
        struct random_stream r;
        struct setting s;
        double before_s = INFINITY;
        init_case(&s, &r, i);
        const struct problem p = setting_problem(&s, NAIVE_INVOLVEMENT);
        for (int n = 1; n <= 1000; n *= 10) {
            char *text = mem_format("foresight[starts=heft,evaluations=%d]", n);
            double length_s = planned_s(&p, text);
            CHECK(length_s <= before_s);
            n_shorter += length_s < before_s && n > 1;
            before_s = length_s;
            free(text);
        }
        setting_clear(&s);
    }
    CHECK(n_shorter > random_cases(20));
}

static char *json_of(const struct problem *p, const char *text)
{
    struct schedule x;
    struct text json = {0};
    plan_problem(p, text, NULL, &x);
    free(x.scheduler);
    x.scheduler = mem_strdup("it");
    schedule_write_json(&x, &json);
    schedule_clear(&x);
    char *out = mem_strdup(text_str(&json));
    text_clear(&json);
    return out;
}

static void the_same_seed_gives_the_same_bytes(void)
{
    int n_different = 0;
    for (uint64_t i = 0; i < 5; i++) {
        struct setting s;
        init_large(&s, "layered[tasks=40]", i, 1);
        const struct problem p = setting_problem(&s, NAIVE_INVOLVEMENT);
        char *a = json_of(&p, "foresight"), *b = json_of(&p, "foresight[seed=1]"),
             *c = json_of(&p, "foresight[seed=2]");
        CHECK_TEXT(a, b);
        n_different += strcmp(a, c) != 0;
        free(a);
        free(b);
        free(c);
        setting_clear(&s);
    }
    CHECK(n_different > 0);
}

static void evaluations_end_it(void)
{
    struct setting s;
    init_large(&s, "layered[tasks=40]", 1, 1);
    const struct problem p = setting_problem(&s, NAIVE_INVOLVEMENT);
    n_passes = 0;
    planned_s(&p, "foresight[starts=heft+list,evaluations=1]");
    CHECK_INT(n_passes, 2); /* one start in two orders */
    n_passes = 0;
    planned_s(&p, "foresight[starts=heft+list,evaluations=500]");
    CHECK(n_passes > 250 && n_passes <= 502); /* not every step finds a change */
    n_passes = 0;
    planned_s(&p, "foresight");
    CHECK(n_passes > 500 && n_passes < 20000);
    setting_clear(&s);
}

/* A user who stops it at the `n`-th look. */
struct stopper {
    int n;
};
static bool is_stopped(void *self)
{
    struct stopper *x = self;
    return --x->n <= 0;
}
static void show(void *self, const char *state)
{
    (void)self;
    (void)state;
}

static void a_user_who_stops_it_gets_the_best_so_far(void)
{
    for (int n = 1; n < 6; n++) {
        struct setting s;
        struct schedule x;
        struct stopper stopper = {n};
        init_large(&s, "layered[tasks=40]", 1, 1);
        const struct problem p = setting_problem(&s, NAIVE_INVOLVEMENT);
        plan_problem(&p, "foresight[evaluations=1000000000]", &(struct search_watch){is_stopped, show, &stopper}, &x);
        CHECK(stopper.n <= 0);
        CHECK(schedule_length_s(&x) <= planned_s(&p, "heft") * tolerance);
        schedule_clear(&x);
        setting_clear(&s);
    }
}

static void seconds_end_it(void)
{
    struct setting s;
    init_large(&s, "layered[tasks=40]", 1, 1);
    const struct problem p = setting_problem(&s, NAIVE_INVOLVEMENT);
    CHECK(planned_s(&p, "foresight[seconds=0.05]") <= planned_s(&p, "heft") * tolerance);
    setting_clear(&s);
}

/* No host may run all tasks, so `sequential` cannot be a start. */
static void hosts_may_forbid_tasks(void)
{
    FOR_RANDOM_CASES (i, 100) {
        struct random_stream r;
        struct setting s;
        random_init(&r, 82, i);
        int n_tasks = small_int(&r, 2, 20);
        setting_init(&s, small_dag(&r, n_tasks, false, SMALL_REAL), small_machine(&r, 3, SMALL_REAL));
        small_costs(&s.costs, &r, n_tasks, 3, SMALL_REAL);
        for (int t = 0; t < n_tasks; t++) {
            int only = (t + (int)random_below(&r, 2)) % 3;
            for (int h = 0; h < 3; h++)
                s.costs.compute_s[3 * t + h] = h == only ? 1 + random_unit(&r) : INFINITY;
        }
        const struct problem p = setting_problem(&s, (enum naive_model)(i % N_NAIVE_MODELS));
        CHECK(isfinite(planned_s(&p, "foresight[evaluations=200]")));
        setting_clear(&s);
    }
}

/* A model with ports, and without links. */
static void solutions_know_ports(void)
{
    struct err e = {0};
    FOR_RANDOM_CASES (i, 100) {
        struct random_stream r;
        struct setting s;
        random_init(&r, 83, i);
        setting_init(&s, small_dag(&r, small_int(&r, 1, 16), false, SMALL_REAL), small_machine(&r, 3, SMALL_REAL));
        struct problem p = setting_problem(&s, NAIVE_CLASSIC);
        CHECK_OK(cost_model_find("logp[L=1,o=0.3,g=0.7,M=2]", &p.model, &e), e);
        CHECK(planned_s(&p, "foresight[evaluations=300]") <= planned_s(&p, "heft") * tolerance);
        setting_clear(&s);
    }
}

static const struct test tests[] = {
    {"it never loses to its starts", it_never_loses_to_its_starts},
    {"by default it does not lose to any variant that makes one pass",
     by_default_it_does_not_lose_to_any_variant_that_makes_one_pass},
    {"its steps shorten schedules", its_steps_shorten_schedules},
    {"neighbours move together", neighbours_move_together},
    {"more evaluations are never longer", more_evaluations_are_never_longer},
    {"the same seed gives the same bytes", the_same_seed_gives_the_same_bytes},
    {"evaluations end it", evaluations_end_it},
    {"a user who stops it gets the best so far", a_user_who_stops_it_gets_the_best_so_far},
    {"seconds end it", seconds_end_it},
    {"hosts may forbid tasks", hosts_may_forbid_tasks},
    {"solutions know ports", solutions_know_ports},
};
TEST_MAIN(tests)
