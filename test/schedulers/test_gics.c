/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The genetic algorithm: on small graphs as good as the best of all allocations; never longer than `list`, `sequential`
   and its seeds; the same seed gives the same bytes; its ends. */
#include "base/choose.h"
#include "both.h"
#include "dag/dag_generate.h"
#include "schedulers/pass.h"
#include "schedulers/priority.h"
#include "small.h"

/* The linker gives the scheduler this function, which notes what it evaluates. */
double __real_pass_length_below_s(struct pass *pass, const host_id *allocation, double bound_s);
double __wrap_pass_length_below_s(struct pass *pass, const host_id *allocation, double bound_s);

enum { N_NOTED = 6, MOST_NOTED_TASKS = 40, MOST_NOTED_MEMBERS = 20 };
static int n_evaluations;
static struct {
    int n_tasks, population; /* 0: nothing is noted */
    host_id first[N_NOTED][MOST_NOTED_TASKS];
    double best_s[MOST_NOTED_MEMBERS]; /* of all evaluated, sorted */
    int n_wrong_bounds;                /* not the worst of a full pool */
} noted;

static void note_length(double length_s, double bound_s)
{
    int last = noted.population - 1, at = last;
    double *best_s = noted.best_s, want_s = n_evaluations > last ? best_s[last] : INFINITY;
    noted.n_wrong_bounds += bound_s != want_s;
    if (n_evaluations <= last)
        at = n_evaluations;
    else if (length_s >= best_s[last])
        return;
    for (; at > 0 && best_s[at - 1] > length_s; at--)
        best_s[at] = best_s[at - 1];
    best_s[at] = length_s;
}

static void begin_noting(int n_tasks, int population)
{
    n_evaluations = 0;
    memset(&noted, 0, sizeof noted);
    noted.n_tasks = n_tasks;
    noted.population = population;
}

double __wrap_pass_length_below_s(struct pass *pass, const host_id *allocation, double bound_s)
{
    if (n_evaluations < N_NOTED)
        memcpy(noted.first[n_evaluations], allocation, (size_t)noted.n_tasks * sizeof *allocation);
    if (noted.population > 0)
        note_length(choose_rounded(__real_pass_length_below_s(pass, allocation, INFINITY)), bound_s);
    n_evaluations++;
    return __real_pass_length_below_s(pass, allocation, bound_s);
}

/* One that is equal, except for the order in which sums were added up, is not longer. */
static const double tolerance = 1 + 1e-11;

static void plan(const struct setting *s, enum naive_model model, const char *text, const struct search_watch *watch,
                 struct schedule *out)
{
    struct scheduler_choice choice;
    struct err e = {0};
    const struct problem p = setting_problem(s, model);
    CHECK_OK(scheduler_choose(text, &choice, &e), e);
    CHECK_OK(scheduler_plan(&choice, &p, &(struct scheduler_inputs){.watch = watch}, out, &e), e);
    check_valid(out);
    scheduler_choice_clear(&choice);
}

static double planned_s(const struct setting *s, enum naive_model model, const char *text)
{
    struct schedule x;
    plan(s, model, text, NULL, &x);
    double length_s = schedule_length_s(&x);
    schedule_clear(&x);
    return length_s;
}

/* ---- the best of all allocations ---- */

enum { N_HOSTS = 3, MOST_SMALL = 8 };

static bool next_allocation(const struct problem *p, host_id *allocation)
{
    for (task_id t = 0; t < p->dag->n_tasks; t++) {
        while (++allocation[t] < N_HOSTS)
            if (problem_may_run(p, t, allocation[t]))
                return true;
        for (allocation[t] = 0; !problem_may_run(p, t, allocation[t]);)
            allocation[t]++;
    }
    return false;
}

static double best_of_all_s(const struct problem *p, const struct draft_options *how)
{
    host_id allocation[MOST_SMALL] = {-1};
    struct pass *pass = pass_create(p, how);
    double best_s = INFINITY;
    for (task_id t = 0; t < p->dag->n_tasks; t++)
        while (allocation[t] < 0 || !problem_may_run(p, t, allocation[t]))
            allocation[t]++;
    do
        best_s = fmin(best_s, __real_pass_length_below_s(pass, allocation, INFINITY));
    while (next_allocation(p, allocation));
    pass_free(pass);
    return best_s;
}

/* Returns whether the best is found without a search. */
static bool check_finds_best(const struct setting *s, enum naive_model model, enum technique technique,
                             enum approach approach)
{
    const struct problem p = setting_problem(s, model);
    task_id *list = priority_list(&p, "bottom_level");
    const struct draft_options how = {.technique = technique, .approach = approach, .list = list};
    char *text = mem_format("gics[technique=%s,approach=%s]", technique == TECHNIQUE_END ? "end" : "insertion",
                            naive_approach_names[approach]);
    double want_s = best_of_all_s(&p, &how), got_s = planned_s(s, model, text);
    CHECK(got_s <= want_s * tolerance);
    if (got_s > want_s * tolerance)
        fprintf(stderr, "%s of %s under %s: %.17g, the best is %.17g\n", text, s->dag.source, naive_model_names[model],
                got_s, want_s);
    double simple_s = fmin(planned_s(s, model, "list"), planned_s(s, model, "heft"));
    free(text);
    free(list);
    return simple_s <= want_s * tolerance;
}

static struct machine three_hosts(struct random_stream *r)
{
    struct machine m = small_machine_of_numbers(r, N_HOSTS, SMALL_REAL);
    for (int h = 0; h < N_HOSTS; h++)
        for (int dir = 0; dir < N_DIRECTIONS; dir++)
            machine_text_set_number(&m.hosts[h].involvement_ratio[dir], random_unit(r));
    return m;
}

static void it_finds_the_best_of_all_allocations(void)
{
    static const char *const graphs[] = {"layered[tasks=7,width=3,density=0.5]",
                                         "series_parallel[tasks=7]",
                                         "fork[branches=6,heterogeneity=0.5]",
                                         "join[branches=6,heterogeneity=0.5]",
                                         "fork_join[stages=1,branches=5,heterogeneity=0.5]",
                                         "in_tree[tasks=7,heterogeneity=0.5]",
                                         "out_tree[tasks=7,heterogeneity=0.5]",
                                         "chain[tasks=7,heterogeneity=0.5]"};
    enum { N_GRAPHS = sizeof graphs / sizeof graphs[0] };
    int n_simple = 0, n = 0;
    for (uint64_t i = 0; i < 10 * N_GRAPHS; i++)
        for (int model = 0; model < N_NAIVE_MODELS; model++, n++) {
            static const double ccrs[] = {0.1, 1, 10};
            struct random_stream r;
            struct setting s;
            struct dag g;
            struct err e = {0};
            random_init(&r, 63, i);
            CHECK_OK(dag_generate(graphs[i % N_GRAPHS], i, &g, &e), e);
            CHECK(g.n_tasks <= MOST_SMALL);
            setting_init(&s, g, three_hosts(&r));
            CHECK_OK(dag_set_ccr(&s.dag, &s.routes, ccrs[i % 3], &e), e);
            n_simple += check_finds_best(&s, (enum naive_model)model, i % 2 ? TECHNIQUE_END : TECHNIQUE_INSERTION,
                                         i % 4 ? APPROACH_ALLOC1 : (enum approach)(i / 4 % N_NAIVE_APPROACHES));
            setting_clear(&s);
        }
    CHECK(n_simple < n * 3 / 4); /* these cases need a search */
}

static void it_finds_the_best_allocation_to_unrelated_hosts(void)
{
    FOR_RANDOM_CASES (i, 60) {
        struct random_stream r;
        struct setting s;
        random_init(&r, 64, i);
        setting_init(&s, small_dag(&r, 7, false, SMALL_REAL), three_hosts(&r));
        small_costs(&s.costs, &r, 7, N_HOSTS, SMALL_REAL);
        check_finds_best(&s, (enum naive_model)(i % N_NAIVE_MODELS), i % 2 ? TECHNIQUE_END : TECHNIQUE_INSERTION,
                         APPROACH_ALLOC1);
        setting_clear(&s);
    }
}

/* ---- never longer ---- */

static void init_case(struct setting *s, struct random_stream *r, uint64_t number)
{
    random_init(r, 65, number);
    int n_hosts = small_int(r, 1, 5);
    setting_init(s, small_dag(r, small_int(r, 1, 16), false, SMALL_REAL), small_machine(r, n_hosts, SMALL_REAL));
    if (number % 3 == 0)
        small_costs(&s->costs, r, s->dag.n_tasks, n_hosts, SMALL_REAL);
}

static void there_are_no_gaps(void)
{
    int n_gaps = 0;
    FOR_RANDOM_CASES (i, 60) {
        struct random_stream r;
        struct setting s;
        struct schedule x;
        struct err e = {0};
        init_case(&s, &r, i);
        for (int is_compact = 0; is_compact < 2; is_compact++) {
            plan(&s, NAIVE_INVOLVEMENT,
                 is_compact ? "gics[approach=direct,evaluations=500]"
                            : "gics[approach=direct,evaluations=500,compact=off]",
                 NULL, &x);
            double length_s = schedule_length_s(&x);
            CHECK_OK(schedule_compact(&x, &e), e);
            CHECK(!is_compact || schedule_length_s(&x) == length_s);
            n_gaps += schedule_length_s(&x) < length_s;
            schedule_clear(&x);
        }
        setting_clear(&s);
    }
    CHECK(n_gaps > 0);
}

/* Not even if it ends after the first evaluation. */
static void it_never_loses_to_what_it_begins_with(void)
{
    static const char *const seeds[] = {"list[technique=insertion]", "heft", "max_min", "random[seed=3]", "dls"};
    enum { N_SEEDS = sizeof seeds / sizeof seeds[0] };
    FOR_RANDOM_CASES (i, 300) {
        struct random_stream r;
        struct setting s;
        enum naive_model model = (enum naive_model)(i % N_NAIVE_MODELS);
        init_case(&s, &r, i);
        const char *a = seeds[i % N_SEEDS], *b = seeds[(i / 3) % N_SEEDS];
        char *text = mem_format("gics[seeds=%s+%s,evaluations=%d,population=%d]", a, b, small_int(&r, 1, 30),
                                small_int(&r, 2, 8));
        double length_s = planned_s(&s, model, text);
        CHECK(length_s <= planned_s(&s, model, a) * tolerance);
        CHECK(length_s <= planned_s(&s, model, b) * tolerance);
        CHECK(length_s <= planned_s(&s, model, "list") * tolerance);
        const struct problem p = setting_problem(&s, model);
        CHECK(length_s <= problem_sequential_s(&p, NULL) * tolerance); /* INFINITY: there is none */
        free(text);
        setting_clear(&s);
    }
}

/* On p, all tasks take 6 s, the least; r is the best for b; q is the best for none, and c may not run there. */
static void the_first_pool_begins_as_the_paper_says(void)
{
    static const double costs_s[] = {1, 9, 9, 4, 9, 3, 1, INFINITY, 9}; /* a on p, q, r; b; c */
    static const host_id want[][3] = {{0, 0, 0}, {2, 2, 2}, {0, 0, 2}, {0, 1, 2}};
    struct setting s;
    setting_init(&s, dag_from_text("a:1 b:1 c:1 | a>b:100"), machine_star(3, 1, 1e4, 0, LINK_SHARED));
    s.costs.source = mem_strdup("costs.csv");
    s.costs.compute_s = mem_zalloc(9, sizeof(double));
    memcpy(s.costs.compute_s, costs_s, sizeof costs_s);
    begin_noting(3, 0);
    planned_s(&s, NAIVE_CLASSIC, "gics[evaluations=6,seeds=sequential+round_robin]");
    CHECK_INT(n_evaluations, 6);
    /* the sequential ones, that of list, that of round_robin; that of `sequential` was there before */
    for (size_t i = 0; i < sizeof want / sizeof want[0]; i++)
        CHECK_INT(memcmp(noted.first[i], want[i], sizeof want[i]), 0);
    begin_noting(0, 0);
    setting_clear(&s);
}

/* ---- seeds, ends ---- */

static void init_large(struct setting *s, uint64_t seed)
{
    struct dag g;
    struct err e = {0};
    CHECK_OK(dag_generate("layered[tasks=40]", seed, &g, &e), e);
    struct machine m = machine_star(4, 1e9, 1e8, 0, LINK_SPLITDUPLEX);
    for (int h = 0; h < 4; h++)
        for (int dir = 0; dir < N_DIRECTIONS; dir++)
            machine_text_set_number(&m.hosts[h].involvement_ratio[dir], 1);
    setting_init(s, g, m);
    CHECK_OK(dag_set_ccr(&s->dag, &s->routes, 0.5, &e), e);
}

/* Which of two parents every task of a child has its host from is constant except on one stretch of the list (the last
   place comes before the first); returns how many tasks differ from the parent that is nearer, -1: there are other
   hosts. */
static int count_crossed(const task_id *list, int n, const host_id *child, const host_id *a, const host_id *b)
{
    int n_from_a = 0, n_from_b = 0, n_changes = 0, last = 0, first = 0;
    for (int k = 0; k < n; k++) {
        task_id t = list[k];
        int from = (child[t] == a[t]) - (child[t] == b[t]); /* 0: both */
        if (child[t] != a[t] && child[t] != b[t])
            return -1;
        n_from_a += from > 0;
        n_from_b += from < 0;
        n_changes += from != 0 && last != 0 && from != last;
        last = from != 0 ? from : last;
        first = first != 0 ? first : from;
    }
    n_changes += last != first;
    CHECK(n_changes <= 2);
    return n_from_a < n_from_b ? n_from_a : n_from_b;
}

/* The pool has the sequential allocation and that of `list`; the third is their child. */
static void a_child_has_a_stretch_of_the_list_from_each_parent(void)
{
    int n_crossed = 0;
    FOR_RANDOM_CASES (i, 40) {
        struct setting s;
        init_large(&s, i);
        const struct problem p = setting_problem(&s, NAIVE_INVOLVEMENT);
        task_id *list = priority_list(&p, "bottom_level");
        char *text = mem_format("gics[population=2,mutation=0,crossover=1,evaluations=3,seed=%d]", (int)i);
        begin_noting(40, 2);
        planned_s(&s, NAIVE_INVOLVEMENT, text);
        CHECK_INT(n_evaluations, 3);
        n_crossed += count_crossed(list, 40, noted.first[2], noted.first[0], noted.first[1]) > 2;
        free(text);
        free(list);
        setting_clear(&s);
    }
    begin_noting(0, 0);
    CHECK(n_crossed >
          random_cases(5)); /* both parents are the same half of the time, and most stretches change few tasks */
}

static void the_pool_has_the_best_that_were_evaluated(void)
{
    for (uint64_t i = 0; i < 4; i++) {
        struct setting s;
        init_large(&s, i);
        begin_noting(40, MOST_NOTED_MEMBERS);
        double length_s = planned_s(&s, NAIVE_INVOLVEMENT, "gics[population=20,generations=20]");
        CHECK_INT(n_evaluations, 420);
        CHECK_INT(noted.n_wrong_bounds, 0);
        CHECK(length_s <= noted.best_s[0] * tolerance);
        setting_clear(&s);
    }
    begin_noting(0, 0);
}

static char *json_of(const struct setting *s, const char *text)
{
    struct schedule x;
    struct text json = {0};
    plan(s, NAIVE_INVOLVEMENT, text, NULL, &x);
    free(x.scheduler);
    x.scheduler = mem_strdup("gics");
    schedule_write_json(&x, &json);
    char *copy = mem_strdup(text_str(&json));
    text_clear(&json);
    schedule_clear(&x);
    return copy;
}

static void the_same_seed_gives_the_same_bytes(void)
{
    int n_other = 0;
    for (uint64_t i = 0; i < 10; i++) {
        struct setting s;
        init_large(&s, i);
        char *first = json_of(&s, "gics[generations=20,seed=5]"), *second = json_of(&s, "gics[generations=20,seed=5]");
        char *other = json_of(&s, "gics[generations=20,seed=6]");
        CHECK_TEXT(second, first);
        n_other += strcmp(first, other) != 0;
        free(first);
        free(second);
        free(other);
        setting_clear(&s);
    }
    CHECK(n_other > 5);
}

static void it_evaluates_as_often_as_asked(void)
{
    static const struct {
        const char *text;
        int n;
    } cases[] = {
        {"gics[evaluations=1]", 1},
        {"gics[evaluations=57]", 57},
        {"gics[evaluations=1234]", 1234},
        {"gics[generations=0,population=20]", 20},
        {"gics[generations=3,population=20]", 80},
        {"gics[generations=3,population=20,evaluations=81]", 80},
        {"gics[generations=3,population=20,evaluations=79]", 79},
        {"gics[generations=1,population=2,crossover=0,mutation=0]", 4},
        {"gics[generations=1,population=50,crossover=1,mutation=1000]", 100},
    };
    struct setting s;
    init_large(&s, 1);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        n_evaluations = 0;
        planned_s(&s, NAIVE_INVOLVEMENT, cases[i].text);
        CHECK_INT(n_evaluations, cases[i].n);
    }
    setting_clear(&s);
}

/* A schedule that reaches a lower bound cannot be improved. */
static void it_ends_at_the_lower_bound(void)
{
    struct setting s;
    setting_init(&s, dag_from_text("a:1 b:2 c:3 | a>b:1"), machine_from_text("p:1 | |"));
    n_evaluations = 0;
    CHECK_CLOSE(planned_s(&s, NAIVE_INVOLVEMENT, "gics"), 6, 0);
    CHECK_INT(n_evaluations, 1);
    setting_clear(&s);
}

static void nothing_is_evaluated_twice(void)
{
    struct setting s;
    setting_init(&s, dag_from_text("a:1 b:2 c:3 | a>b:1"), machine_star(3, 1, 1, 0.1, LINK_SHARED));
    n_evaluations = 0;
    CHECK_CLOSE(planned_s(&s, NAIVE_INVOLVEMENT, "gics[technique=end]"), 3, 0); /* the lower bound */
    CHECK(n_evaluations < 27);
    setting_clear(&s);
    setting_init(&s, dag_from_text("a:1 b:2 c:3 | a>b:1 a>c:1"), machine_star(3, 1, 1, 0.1, LINK_SHARED));
    s.machine.hosts[1].speed_flop_per_s = 1.5; /* the bound of the path is beyond reach */
    s.machine.hosts[2].speed_flop_per_s = 0.5;
    n_evaluations = 0;
    planned_s(&s, NAIVE_INVOLVEMENT, "gics");
    CHECK_INT(n_evaluations, 27);
    setting_clear(&s);
}

struct patience {
    int n_left;
};
static bool is_over(void *self)
{
    struct patience *p = self;
    return p->n_left-- <= 0;
}
static void show_nothing(void *self, const char *state)
{
    (void)self;
    (void)state;
}

static void whoever_waits_can_stop_it(void)
{
    struct setting s;
    init_large(&s, 2);
    double list_s = planned_s(&s, NAIVE_INVOLVEMENT, "list");
    for (int patience = 0; patience < 8; patience++) {
        struct patience p = {patience};
        const struct search_watch watch = {is_over, show_nothing, &p};
        struct schedule x;
        n_evaluations = 0;
        plan(&s, NAIVE_INVOLVEMENT, "gics[generations=1000000000]", &watch, &x);
        CHECK(schedule_length_s(&x) <= list_s * tolerance);
        CHECK(patience > 0 || n_evaluations == 0);
        CHECK(patience == 0 || n_evaluations > 0);
        schedule_clear(&x);
    }
    CHECK(planned_s(&s, NAIVE_INVOLVEMENT, "gics[generations=1000000000,seconds=0.05]") <= list_s * tolerance);
    setting_clear(&s);
}

static const struct test tests[] = {
    {"it finds the best of all allocations", it_finds_the_best_of_all_allocations},
    {"it finds the best allocation to unrelated hosts", it_finds_the_best_allocation_to_unrelated_hosts},
    {"there are no gaps", there_are_no_gaps},
    {"it never loses to what it begins with", it_never_loses_to_what_it_begins_with},
    {"the first pool begins as the paper says", the_first_pool_begins_as_the_paper_says},
    {"a child has a stretch of the list from each parent", a_child_has_a_stretch_of_the_list_from_each_parent},
    {"the pool has the best that were evaluated", the_pool_has_the_best_that_were_evaluated},
    {"the same seed gives the same bytes", the_same_seed_gives_the_same_bytes},
    {"it evaluates as often as asked", it_evaluates_as_often_as_asked},
    {"it ends at the lower bound", it_ends_at_the_lower_bound},
    {"nothing is evaluated twice", nothing_is_evaluated_twice},
    {"whoever waits can stop it", whoever_waits_can_stop_it},
};
TEST_MAIN(tests)
