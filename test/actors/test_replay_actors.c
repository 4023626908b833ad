/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A replay by SimGrid actors against the state machine on the engine: the same random schedules in all worlds, on both kinds of
   links, with both kinds of waiting; every date, and what every host did. Where one refuses a schedule, so does the other.
   test_replay_actors N FIRST runs N replays, from number FIRST. */
#include "actors/actors.h"
#include "actors/replay_actors.h"
#include "replay_trial.h"
#include "schedulers/scheduler.h"

struct told { /* of one engine, and then its dates */
    enum err_code code;
    struct err e;
    double makespan_s;
    size_t n_tasks, n_edges, n_hosts;
};

struct work {
    const struct trial *trial;
    enum replay_engine by;
};

static enum err_code plan(const struct trial *t, struct problem *p, struct schedule *s, struct err *e)
{
    struct scheduler_choice choice = {0};
    enum err_code code = cost_model_find(t->model, &p->model, e);
    if (code == ERR_NONE)
        code = scheduler_choose(t->scheduler, &choice, e);
    if (code == ERR_NONE)
        code = scheduler_plan(&choice, p, &(struct scheduler_inputs){.allocation = make_allocation(t, p)}, s, e);
    scheduler_choice_clear(&choice);
    if (code == ERR_NONE && t->reverses_an_edge)
        reverse_an_edge(s);
    return code;
}

static enum err_code run(const struct work *w, const struct dag *g, struct replay_result *r, struct err *e)
{
    struct engine *engine;
    struct route_table routes;
    struct schedule s = {0};
    struct problem p = {.dag = g, .routes = &routes};
    struct replay_options options = {.links = w->trial->links, .waiting = w->trial->waiting, .schedule_path = "plan"};
    enum err_code code = w->by == REPLAY_ACTORS ? actors_prepare(e) : ERR_NONE;
    if (code == ERR_NONE)
        code = engine_open(w->trial->platform_path, &engine, e);
    if (code == ERR_NONE)
        code = route_table_init(&routes, p.machine = engine_machine(engine), e);
    if (code != ERR_NONE)
        return code;
    code = world_find(w->trial->world, &options.world, e);
    if (code == ERR_NONE)
        code = plan(w->trial, &p, &s, e);
    if (code == ERR_NONE)
        code = replay_run_by(w->by, engine, &s, &options, r, e);
    schedule_clear(&s);
    route_table_clear(&routes);
    return code;
}

static void tell_outcome(void *self, int fd)
{
    const struct work *w = self;
    struct dag g = {0};
    struct replay_result r = {0};
    struct told x = {0};
    make_graph(w->trial, &g);
    x.code = run(w, &g, &r, &x.e);
    x.makespan_s = r.makespan_s;
    x.n_tasks = r.n_tasks;
    x.n_edges = r.n_edges;
    x.n_hosts = r.n_hosts;
    tell(fd, &x, sizeof x);
    tell(fd, r.tasks, r.n_tasks * sizeof *r.tasks);
    tell(fd, r.edges, r.n_edges * sizeof *r.edges);
    tell(fd, r.hosts, r.n_hosts * sizeof *r.hosts);
    replay_result_clear(&r);
    dag_clear(&g);
}

/* ---- comparing ---- */

/* All figures behind the outcome are doubles. A date is compared with itself, what hosts did with the makespan. */
static bool same_figures(const struct told *got, const struct told *want, char what[200])
{
    size_t n_dates = 2 * want->n_tasks + 6 * want->n_edges, n = n_dates + 3 * want->n_hosts;
    const double *a = (const double *)(got + 1), *b = (const double *)(want + 1);
    for (size_t i = 0; i < n; i++) {
        double least = i < n_dates ? 1e-9 * fabs(b[i]) + 1e-15 * want->makespan_s : 1e-9 * want->makespan_s;
        if (isnan(a[i]) != isnan(b[i]) || fabs(a[i] - b[i]) > least) {
            snprintf(what, 200, "figure %zu of %zu tasks, %zu edges: %.17g, expected %.17g", i, want->n_tasks,
                     want->n_edges, a[i], b[i]);
            return false;
        }
    }
    return true;
}

/* Both name a circle; which one, if there are several, is left to them. */
static bool same_refusal(const struct told *got, const struct told *want)
{
    static const char words[] = "the schedule cannot be carried out because its order waits for itself: ";
    return got->code == ERR_INPUT && want->code == ERR_INPUT && strncmp(got->e.text, words, strlen(words)) == 0 &&
           strncmp(want->e.text, words, strlen(words)) == 0 && strstr(got->e.text, " before it ") != NULL;
}

static int n_refused;

static void check_trial(const struct trial *t)
{
    struct text said[2] = {0};
    char what[200] = "";
    bool ok = true;
    for (enum replay_engine by = REPLAY_EVENTS; by <= REPLAY_ACTORS; by++)
        ok = in_child(tell_outcome, &(struct work){t, by}, 60, &said[by]) == ENDED_WELL && ok;
    const struct told *want = (const void *)said[REPLAY_EVENTS].data, *got = (const void *)said[REPLAY_ACTORS].data;
    if (ok && want->code == ERR_NONE)
        ok = got->code == ERR_NONE && said[0].size == said[1].size && same_figures(got, want, what);
    else if (ok)
        ok = same_refusal(got, want) && ++n_refused;
    CU_ASSERT(ok);
    if (!ok)
        fprintf(stderr, "trial %lu, platform %d, %s in %s, %s, %s links, %s: '%s', expected '%s' %s\n",
                (unsigned long)t->number, (int)t->shape, t->model, t->world, t->scheduler,
                t->links == REPLAY_FLUID ? "fluid" : "exclusive", t->waiting == REPLAY_ACTIVE ? "active" : "passive",
                got != NULL ? got->e.text : "crash", want != NULL ? want->e.text : "crash", what);
    text_clear(&said[0]);
    text_clear(&said[1]);
}

/* ---- random replays ---- */

static unsigned long n_trials = 120, first;

static void both_engines_agree_on_every_date(void)
{
    static const char *const models[] = {"classic", "contention", "involvement"};
    static const char *const worlds[] = {"none", "interference", "involvement"};
    static const char *const allocated[] = {"list[approach=alloc1]", "list[approach=alloc2]", "list[approach=alloc3]"};
    n_refused = 0;
    for (uint64_t i = first; i < first + n_trials; i++) {
        struct trial t = {.number = i};
        struct random_stream r;
        random_init(&r, i, 4);
        t.model = models[random_below(&r, 3)];
        t.world = worlds[random_below(&r, 3)];
        t.links = random_below(&r, 2) ? REPLAY_EXCLUSIVE : REPLAY_FLUID;
        t.waiting = random_below(&r, 2) ? REPLAY_ACTIVE : REPLAY_PASSIVE;
        t.shape = (enum shape)random_below(&r, N_SHAPES);
        t.scheduler = random_below(&r, 3) ? ways[random_below(&r, N_WAYS)] : allocated[random_below(&r, 3)];
        t.has_latency = random_below(&r, 2);
        t.has_overhead = random_below(&r, 2);
        t.has_steps = i % 3 == 0;
        t.has_interference = true;
        t.has_tiny_edges = random_below(&r, 8) == 0;
        t.reverses_an_edge = random_below(&r, 8) == 0;
        char *path = write_platform(&t);
        t.platform_path = path;
        check_trial(&t);
        free(path);
    }
    CU_ASSERT(n_refused > 0 || n_trials < 100);
    printf("%lu replays, %d refused by both\n", n_trials, n_refused);
}

static const struct test tests[] = {
    {"both engines agree on every date", both_engines_agree_on_every_date},
};

int main(int argc, char **argv)
{
    if (argc > 1)
        n_trials = strtoul(argv[1], NULL, 10);
    if (argc > 2)
        first = strtoul(argv[2], NULL, 10);
    return test_main(__FILE__, tests, sizeof tests / sizeof tests[0]);
}
