/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Every scheduler on graphs of every generator, on the shipped platforms and small random machines, under every belief:
   related and unrelated hosts, forbidden ones, tasks without work, edges without data, hosts of very different speed,
   one host. What it plans is valid, no shorter than any lower bound, and the same under involvement without costs as
   under contention.

   test_schedulers_campaign N FIRST takes N problems of each platform, from number FIRST. A fault is printed with what
   made it; the number of a problem and the platform determine it. */
#include "../schedulers/both.h"
#include "../schedulers/small.h"
#include "dag/dag_generate.h"
#include "fork_engine.h"
#include "plan/bounds.h"

enum { N_PROBLEMS = 4 }; /* for each platform */

/* ---- schedulers ---- */

static const char *const variants[] = {
    "list[technique=insertion,approach=entering]",
    "list[minimize=finish,priority=alap]",
    "heft[rank=worst]",
    "heft[rank=median,compact=off]",
    "etf[technique=insertion]",
    "two_phase[cluster=dsc,map=comm,approach=alloc3]",
    "two_phase[cluster=ez,map=load,approach=alloc2]",
    "two_phase[allocation_of=heft,technique=insertion]",
};
enum { N_VARIANTS = sizeof variants / sizeof variants[0] };

/* Searches end early. */
static const char *registered(size_t i)
{
    static const char *const shorter[][2] = {{"optimal", "optimal[nodes=300]"},
                                             {"gics", "gics[population=8,generations=4]"}};
    for (size_t k = 0; k < sizeof shorter / sizeof shorter[0]; k++)
        if (strcmp(schedulers[i]->name, shorter[k][0]) == 0)
            return shorter[k][1];
    return schedulers[i]->name;
}

/* NULL: there are no more. */
static const char *scheduler_number(size_t i)
{
    size_t n = 0;
    while (schedulers[n] != NULL)
        n++;
    return i < n ? registered(i) : i < n + N_VARIANTS ? variants[i - n] : NULL;
}

/* ---- problems ---- */

static const char *const generators[] = {
    "layered[tasks=20,width=4]",
    "layered[tasks=9,width=3,density=0.8]",
    "series_parallel[tasks=16]",
    "fork[branches=7]",
    "join[branches=7]",
    "fork_join[branches=4,stages=2]",
    "in_tree[tasks=12]",
    "out_tree[tasks=12,degree=3]",
    "chain[tasks=6]",
    "fft[points=4]",
    "gauss[size=4]",
    "lu[tiles=3]",
    "cholesky[tiles=3]",
    "stencil[width=3,steps=3]",
    "independent[tasks=9]",
};
enum { N_GENERATORS = sizeof generators / sizeof generators[0] };

static void every_generator_is_there(void)
{
    for (size_t i = 0; dag_generators[i] != NULL; i++) {
        size_t n = strlen(dag_generators[i]->name), k = 0;
        while (k < N_GENERATORS && (strncmp(generators[k], dag_generators[i]->name, n) != 0 || generators[k][n] != '['))
            k++;
        CHECK_TEXT(k < N_GENERATORS ? dag_generators[i]->name : "missing", dag_generators[i]->name);
    }
}

/* A number from 1e-6 to 1e6. */
static double far(struct random_stream *r)
{
    return pow(10, random_between(r, -6, 6));
}

static void make_graph(struct dag *out, struct random_stream *r, const struct route_table *routes)
{
    static const double ccrs[] = {0, 0.1, 1, 10, 1e-6, 1e6};
    struct err e = {0};
    double ccr = ccrs[random_below(r, 6)];
    uint64_t zeros = random_below(r, 4), far_apart = random_below(r, 5);
    CHECK_OK(dag_generate(generators[random_below(r, N_GENERATORS)], random_below(r, 1000), out, &e), e);
    for (task_id t = 0; t < out->n_tasks; t++)
        out->tasks[t].work_flop *= far_apart == 0 ? far(r) : zeros == 0 && random_below(r, 2) ? 0 : 1;
    for (edge_id k = 0; k < out->n_edges; k++)
        out->edges[k].size_bytes *= far_apart == 0 ? far(r) : zeros == 1 && random_below(r, 2) ? 0 : 1;
    if (ccr > 0 && dag_ccr(out, routes) > 0)
        CHECK_OK(dag_set_ccr(out, routes, ccr, &e), e);
}

/* Related; drawn around the mean; forbidden for about a third, and far apart. */
static void make_times(struct task_costs *out, struct random_stream *r, const struct dag *g, const struct machine *m)
{
    uint64_t kind = random_below(r, 3);
    *out = (struct task_costs){0};
    if (kind == 0)
        return;
    task_costs_draw(g, m, 2 * random_unit(r), r, out);
    for (task_id t = 0; t < g->n_tasks && kind == 2; t++) {
        size_t may = random_below(r, m->n_hosts);
        for (size_t h = 0; h < m->n_hosts; h++) {
            double *cell = &out->compute_s[(size_t)t * m->n_hosts + h];
            *cell = h != may && random_below(r, 3) == 0 ? INFINITY : *cell * (random_below(r, 20) ? 1 : far(r));
        }
    }
}

static void change_hosts(struct machine *m, struct random_stream *r)
{
    bool is_far = random_below(r, 4) == 0, occupies = random_below(r, 3) > 0;
    for (size_t h = 0; h < m->n_hosts; h++) {
        m->hosts[h].speed_flop_per_s *= is_far ? far(r) : 1;
        for (int dir = 0; dir < N_DIRECTIONS && occupies; dir++) {
            machine_text_set_number(&m->hosts[h].overhead_s[dir], random_below(r, 3) ? random_unit(r) * 1e-3 : 0);
            machine_text_set_number(&m->hosts[h].involvement_ratio[dir], random_below(r, 3) ? random_unit(r) : 1);
        }
    }
}

/* ---- judging ---- */

struct tally {
    unsigned long n_plans, n_refused, n_faults;
};

struct trial {
    const struct problem *problem;
    const char *platform, *scheduler;
    unsigned long number;
    struct tally *tally;
};

static void fault(const struct trial *x, const char *what, double value)
{
    x->tally->n_faults++;
    fprintf(stderr, "%s, problem %lu, %s under %s on %s: %s (%.17g)\n", x->platform, x->number, x->scheduler,
            x->problem->model->name, x->problem->dag->source, what, value);
}

static void judge(const struct trial *x, const struct schedule *s)
{
    const struct problem *p = x->problem;
    struct text json = {0};
    struct check_result found = {0};
    struct err e = {0};
    double length_s = schedule_length_s(s), most_s = length_s * (1 + 1e-9);
    schedule_write_json(s, &json);
    if (check_schedule_text(text_str(&json), json.size, "schedule", p->dag, p->machine, p->costs, &found, &e) !=
        ERR_NONE)
        fault(x, e.text, 0);
    if (found.n > 0)
        fault(x, found.list[0].text, (double)found.n);
    if (problem_communication_bound_s(p) > most_s || problem_critical_path_s(p) > most_s ||
        problem_work_bound_s(p) > most_s || s->lower_bound_s > most_s)
        fault(x, "shorter than a lower bound", length_s);
    check_result_clear(&found);
    text_clear(&json);
}

/* False: refused, which only a scheduler may that needs a host for all tasks. */
static bool plan_it(const struct trial *x, struct schedule *out)
{
    struct scheduler_choice choice = {0};
    struct err e = {0};
    enum err_code code = scheduler_choose(x->scheduler, &choice, &e);
    if (code == ERR_NONE)
        code = scheduler_plan(&choice, x->problem, NULL, out, &e);
    scheduler_choice_clear(&choice);
    x->tally->n_plans += code == ERR_NONE;
    x->tally->n_refused += code != ERR_NONE;
    if (code != ERR_NONE && isfinite(problem_sequential_s(x->problem, NULL)))
        fault(x, e.text, 0);
    return code == ERR_NONE;
}

static bool same_tasks(const struct schedule *a, const struct schedule *b)
{
    double allowed_s = 1e-9 * schedule_length_s(a);
    bool is_same = true;
    for (int t = 0; t < a->problem.dag->n_tasks; t++)
        is_same = is_same && a->tasks[t].host == b->tasks[t].host &&
                  fabs(a->tasks[t].span.start_s - b->tasks[t].span.start_s) <= allowed_s &&
                  fabs(a->tasks[t].span.finish_s - b->tasks[t].span.finish_s) <= allowed_s;
    return is_same;
}

/* With all schedulers, under one belief. If messages cost processors nothing, involvement is contention. */
static void judge_all(struct trial *x, struct problem *p, const char *model, bool are_messages_free)
{
    struct err e = {0};
    for (size_t i = 0; (x->scheduler = scheduler_number(i)) != NULL; i++) {
        struct schedule s, other;
        CHECK_OK(cost_model_find(model, &p->model, &e), e);
        if (!plan_it(x, &s))
            continue;
        judge(x, &s);
        if (are_messages_free && strcmp(model, "involvement") == 0) {
            CHECK_OK(cost_model_find("contention", &p->model, &e), e);
            if (plan_it(x, &other)) {
                if (!same_tasks(&s, &other))
                    fault(x, "involvement that costs nothing is another plan than contention",
                          schedule_length_s(&other));
                schedule_clear(&other);
            }
        }
        schedule_clear(&s);
    }
}

static void try_problem(struct machine *m, const char *platform, unsigned long number, struct tally *tally)
{
    static const char *const models[] = {"classic", "contention", "involvement"};
    struct random_stream r;
    struct route_table routes;
    struct dag g;
    struct task_costs costs;
    struct err e = {0};
    random_init(&r, number, 31);
    CHECK_OK(route_table_init(&routes, m, &e), e);
    make_graph(&g, &r, &routes);
    change_hosts(m, &r);
    bool are_messages_free = random_below(&r, 3) == 0;
    if (are_messages_free)
        small_make_communication_free_for_hosts(m);
    make_times(&costs, &r, &g, m);
    struct problem p = {.dag = &g, .machine = m, .routes = &routes, .costs = costs.compute_s != NULL ? &costs : NULL};
    struct trial x = {&p, platform, NULL, number, tally};
    for (int i = 0; i < 3; i++)
        judge_all(&x, &p, models[i], are_messages_free);
    task_costs_clear(&costs);
    dag_clear(&g);
    route_table_clear(&routes);
}

/* ---- platforms ---- */

/* Those with routes between all hosts: all but kreaseck-fork. */
static const char *const platforms[] = {
    "kreaseck-lab",     "kreaseck-sites",   "sinnen-bus",       "sinnen-cluster", "sinnen-hetero", "sinnen-smp-bus",
    "sinnen-star-full", "sinnen-star-half", "sinnen-threshold", "sinnen-torus",   "star-8",
};

struct kept { /* of each host, changed by a problem */
    double speed_flop_per_s;
    struct steps overhead_s[N_DIRECTIONS], involvement_ratio[N_DIRECTIONS];
};

static void copy_steps(struct steps *to, const struct steps *from)
{
    steps_clear(to);
    *to = *from;
    to->list = from->n > 0 ? mem_alloc(from->n * sizeof *to->list) : NULL;
    if (from->n > 0)
        memcpy(to->list, from->list, from->n * sizeof *to->list);
}

static void keep_hosts(struct machine *m, struct kept *kept, bool gives_back)
{
    for (size_t h = 0; h < m->n_hosts; h++) {
        struct host *x = &m->hosts[h];
        *(gives_back ? &x->speed_flop_per_s : &kept[h].speed_flop_per_s) =
            gives_back ? kept[h].speed_flop_per_s : x->speed_flop_per_s;
        for (int dir = 0; dir < N_DIRECTIONS; dir++) {
            struct steps *overhead_s = &kept[h].overhead_s[dir], *ratio = &kept[h].involvement_ratio[dir];
            copy_steps(gives_back ? &x->overhead_s[dir] : overhead_s, gives_back ? overhead_s : &x->overhead_s[dir]);
            copy_steps(gives_back ? &x->involvement_ratio[dir] : ratio,
                       gives_back ? ratio : &x->involvement_ratio[dir]);
        }
    }
}

static void try_platform(void *name, int fd)
{
    struct engine *engine;
    struct err e = {0};
    struct tally tally = {0};
    char *path = mem_format(PROJECT_DIR "/platforms/%s.xml", (const char *)name);
    if (engine_open(path, &engine, &e) != ERR_NONE)
        abort();
    struct machine m = *engine_machine(engine); /* hosts are shared, and given back what they had */
    struct kept *kept = mem_zalloc(m.n_hosts, sizeof *kept);
    keep_hosts(&m, kept, false);
    FOR_RANDOM_CASES (i, N_PROBLEMS) {
        try_problem(&m, name, i, &tally);
        keep_hosts(&m, kept, true);
    }
    for (size_t i = 0; i < 2 * m.n_hosts; i++) {
        steps_clear(&kept[i / 2].overhead_s[i % 2]);
        steps_clear(&kept[i / 2].involvement_ratio[i % 2]);
    }
    free(kept);
    free(path);
    tell(fd, &tally, sizeof tally);
}

static void every_scheduler_on_every_platform(void)
{
    for (size_t i = 0; i < sizeof platforms / sizeof platforms[0]; i++) {
        struct text said = {0};
        struct tally tally = {0};
        char *name = mem_strdup(platforms[i]);
        CHECK_INT(in_child(try_platform, name, 86400, &said), ENDED_WELL);
        if (said.size == sizeof tally)
            memcpy(&tally, said.data, sizeof tally);
        CHECK(tally.n_plans > 0);
        CHECK_INT(tally.n_faults, 0);
        fprintf(stderr, "%s: %lu plans, %lu refused, %lu faults\n", name, tally.n_plans, tally.n_refused,
                tally.n_faults);
        text_clear(&said);
        free(name);
    }
}

static void every_scheduler_on_random_machines(void)
{
    struct tally tally = {0};
    FOR_RANDOM_CASES (i, 4 * N_PROBLEMS) {
        struct random_stream r;
        random_init(&r, i, 32);
        struct machine m = small_machine(&r, small_int(&r, 1, 5), i % 2 ? SMALL_WHOLE : SMALL_REAL);
        try_problem(&m, "a random machine", i, &tally);
        machine_text_clear(&m);
    }
    fprintf(stderr, "random machines: %lu plans, %lu refused, %lu faults\n", tally.n_plans, tally.n_refused,
            tally.n_faults);
    CHECK_INT(tally.n_faults, 0);
}

static const struct test tests[] = {
    {"every generator is there", every_generator_is_there},
    {"every scheduler on every platform", every_scheduler_on_every_platform},
    {"every scheduler on random machines", every_scheduler_on_random_machines},
};

TEST_MAIN(tests)
