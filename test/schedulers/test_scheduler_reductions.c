/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Where two problems are the same, every scheduler makes the same plan: involvement that costs nothing is contention,
   contention without shared links is classic, and times of unrelated hosts may be those of related ones. */
#include "both.h"
#include "small.h"

enum { N_CASES = 40 };

static void init_case(struct setting *s, struct random_stream *r, uint64_t number)
{
    random_init(r, 4, number);
    enum small_kind kind = number % 2 ? SMALL_WHOLE : SMALL_REAL;
    int n_hosts = small_int(r, 1, 5);
    setting_init(s, small_dag(r, small_int(r, 1, 14), true, kind), small_machine(r, n_hosts, kind));
}

/* The same hosts and the same dates of tasks. */
static void check_same_tasks(const char *scheduler, const struct schedule *a, const struct schedule *b)
{
    double allowed_s = 1e-12 * schedule_length_s(a);
    for (int t = 0; t < a->problem.dag->n_tasks; t++) {
        bool is_same = a->tasks[t].host == b->tasks[t].host &&
                       fabs(a->tasks[t].span.start_s - b->tasks[t].span.start_s) <= allowed_s &&
                       fabs(a->tasks[t].span.finish_s - b->tasks[t].span.finish_s) <= allowed_s;
        CHECK_TEXT(is_same ? "the same" : scheduler, "the same");
    }
}

/* Plans two settings, which may be one, with every scheduler. */
static void check_same(const struct setting *s, enum naive_model model, const struct setting *s2,
                       enum naive_model model2)
{
    for (int i = 0; schedulers[i] != NULL; i++) {
        const struct naive_wish w = {.model = model}, w2 = {.model = model2};
        struct schedule a, b;
        struct err e = {0};
        enum err_code code = really_plan(s, &w, schedulers[i]->name, &a, &e);
        CHECK_OK(code, e);
        if (code != ERR_NONE)
            continue;
        code = really_plan(s2, &w2, schedulers[i]->name, &b, &e);
        CHECK_OK(code, e);
        if (code == ERR_NONE) {
            check_same_tasks(schedulers[i]->name, &a, &b);
            schedule_clear(&b);
        }
        schedule_clear(&a);
    }
}

static void involvement_that_costs_nothing_is_contention(void)
{
    FOR_RANDOM_CASES (i, N_CASES) {
        struct random_stream r;
        struct setting s;
        init_case(&s, &r, i);
        small_make_communication_free_for_hosts(&s.machine);
        check_same(&s, NAIVE_INVOLVEMENT, &s, NAIVE_CONTENTION);
        setting_clear(&s);
    }
}

/* Routes of one link that is never contended. */
static void contention_without_shared_links_is_classic(void)
{
    FOR_RANDOM_CASES (i, N_CASES) {
        struct random_stream r;
        struct setting s;
        random_init(&r, 5, i);
        enum small_kind kind = i % 2 ? SMALL_WHOLE : SMALL_REAL;
        int n_hosts = small_int(&r, 1, 5);
        struct machine m = machine_clique(n_hosts, 1, small_power(&r, kind), small_part(&r, kind), LINK_FATPIPE);
        for (int h = 0; h < n_hosts; h++)
            m.hosts[h].speed_flop_per_s = small_power(&r, kind);
        setting_init(&s, small_dag(&r, small_int(&r, 1, 14), true, kind), m);
        check_same(&s, NAIVE_CONTENTION, &s, NAIVE_CLASSIC);
        setting_clear(&s);
    }
}

static void related_times_given_as_costs_change_nothing(void)
{
    FOR_RANDOM_CASES (i, N_CASES) {
        struct random_stream r, r2;
        struct setting s, given;
        size_t n;
        init_case(&s, &r, i);
        init_case(&given, &r2, i);
        n = given.machine.n_hosts;
        given.costs.source = mem_strdup("costs.csv");
        given.costs.compute_s = mem_zalloc((size_t)given.dag.n_tasks * n, sizeof(double));
        for (size_t k = 0; k < (size_t)given.dag.n_tasks * n; k++)
            given.costs.compute_s[k] = given.dag.tasks[k / n].work_flop / given.machine.hosts[k % n].speed_flop_per_s;
        for (int t = 0; t < given.dag.n_tasks; t++) /* what is left of a task: nothing */
            given.dag.tasks[t].work_flop = 0;
        enum naive_model model = (enum naive_model)(i % N_NAIVE_MODELS);
        check_same(&s, model, &given, model);
        setting_clear(&given);
        setting_clear(&s);
    }
}

static const struct test tests[] = {
    {"involvement that costs nothing is contention", involvement_that_costs_nothing_is_contention},
    {"contention without shared links is classic", contention_without_shared_links_is_classic},
    {"related times given as costs change nothing", related_times_given_as_costs_change_nothing},
};
TEST_MAIN(tests)
