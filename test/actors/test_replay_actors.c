/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A replay by SimGrid actors against the state machine on the engine: the same random schedules in all worlds, on both
   kinds of links, with all kinds of waiting; every date, and what every host did. Where one refuses a schedule, so
   does the other. The worlds are iasim's and one more, whose messages have all that a cost model may ask for: overhead,
   involvement, a port, and a time under way. test_replay_actors N FIRST runs N replays, from number FIRST. */
#include "actors/actors.h"
#include "actors/replay_actors.h"
#include "logp_hosts.h"
#include "replay_trial.h"
#include "schedulers/scheduler.h"

struct told { /* of one engine, and then its dates */
    enum err_code code;
    struct err e;
    double makespan_s;
    size_t n_tasks, n_edges, n_hosts;
};

/* ---- a world of its own ---- */

/* A receive begins while data are under way, but not before their send. */
static struct cost_end own_end(const struct cost_model *self, const struct machine *m, host_id src, host_id dst,
                               enum direction dir, link_id link, double bytes)
{
    double size_s = bytes * 2e-7, n_th = dir == DIR_SEND ? src : dst;
    (void)self;
    (void)m;
    (void)link;
    return (struct cost_end){.overhead_s = dir == DIR_SEND ? 0.1 * n_th : 0.05,
                             .involvement_s = dir == DIR_SEND ? 0.3 * size_s : 0.15 * size_s * n_th,
                             .port_s = size_s + 0.2 * n_th};
}

static double own_transit_s(const struct cost_model *self, const struct machine *m, host_id src, host_id dst,
                            double bytes)
{
    (void)self;
    (void)m;
    (void)dst;
    return bytes * 2e-7 - 0.02 * src;
}

static const struct cost_model own_model = {.name = "own",
                                            .summary = "overhead, involvement, ports and a time under way",
                                            .source = "",
                                            .books_processors = true,
                                            .books_ports = true,
                                            .end = own_end,
                                            .transit_s = own_transit_s};
static const struct world_model own_world = {
    .name = "own", .summary = "charges the model own", .source = "", .charges = &own_model};

struct work {
    const struct trial *trial;
    enum replay_engine by;
};

static enum naive_logp family_of(const struct trial *t)
{
    return (enum naive_logp)(t->number % N_NAIVE_LOGP);
}

/* Whether the belief is the world: there a compacted plan comes out. */
static bool is_as_planned(const struct trial *t)
{
    return strcmp(t->model, t->world) == 0 &&
           (t->world == naive_logp_names[family_of(t)] || strcmp(t->world, "own") == 0) &&
           t->waiting == REPLAY_PASSIVE && !t->reverses_an_edge && !t->has_tiny_edges;
}

static enum err_code compare_with_plan(const struct schedule *s, const struct replay_result *r, struct err *e)
{
    for (size_t t = 0; t < r->n_tasks; t++)
        if (fabs(r->tasks[t].start_s - s->tasks[t].span.start_s) > 1e-9 * r->makespan_s)
            return err_set(e, ERR_INTERNAL, "task %zu began at %.17g, not at %.17g as planned", t, r->tasks[t].start_s,
                           s->tasks[t].span.start_s);
    return ERR_NONE;
}

static enum err_code run(const struct work *w, struct planned *x, struct replay_result *r, struct err *e)
{
    const struct trial *t = w->trial;
    struct replay_options options = {.links = t->links,
                                     .waiting = t->waiting,
                                     .progress = t->number / 2 % 2 ? REPLAY_HARDWARE : REPLAY_CALLS,
                                     .eager_bytes = t->number % 5 == 0 ? 1e5 : 0,
                                     .schedule_path = "plan"};
    struct naive_logp_host hosts[MAX_LOGP_HOSTS];
    enum err_code code = w->by == REPLAY_ACTORS ? actors_prepare(e) : ERR_NONE;
    if (code == ERR_NONE)
        code = open_trial(t, x, e);
    if (code != ERR_NONE)
        return code;
    give_logp_hosts(t, family_of(t), x->problem.machine, hosts);
    code = world_find(t->world, &options.world, e);
    if (code == ERR_NONE)
        code = plan_trial(t, x, e);
    if (code == ERR_NONE && t->reverses_an_edge)
        reverse_an_edge(&x->schedule);
    if (code == ERR_NONE && is_as_planned(t))
        code = schedule_compact(&x->schedule, e);
    if (code == ERR_NONE)
        code = replay_run_by(w->by, x->engine, &x->schedule, &options, r, e);
    return code == ERR_NONE && is_as_planned(t) ? compare_with_plan(&x->schedule, r, e) : code;
}

static void tell_outcome(void *self, int fd)
{
    struct planned planned = {0};
    struct replay_result r = {0};
    struct told x = {0};
    x.code = run(self, &planned, &r, &x.e);
    x.makespan_s = r.makespan_s;
    x.n_tasks = r.n_tasks;
    x.n_edges = r.n_edges;
    x.n_hosts = r.n_hosts;
    tell(fd, &x, sizeof x);
    tell(fd, r.tasks, r.n_tasks * sizeof *r.tasks);
    tell(fd, r.edges, r.n_edges * sizeof *r.edges);
    tell(fd, r.hosts, r.n_hosts * sizeof *r.hosts);
    replay_result_clear(&r);
    close_trial(&planned);
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
    static const char words[] = "the schedule cannot be carried out because its order has a cycle: ";
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
                t->links == REPLAY_FLUID ? "fluid" : "exclusive",
                t->waiting == REPLAY_ACTIVE       ? "active"
                : t->waiting == REPLAY_RENDEZVOUS ? "rendezvous"
                                                  : "passive",
                got != NULL ? got->e.text : "crash", want != NULL ? want->e.text : "crash", what);
    text_clear(&said[0]);
    text_clear(&said[1]);
}

/* ---- random replays ---- */

enum { N_TRIALS = 80 };

static void both_engines_agree_on_every_date(void)
{
    static const char *const models[] = {"classic", "contention", "involvement", "own"};
    static const char *const worlds[] = {"none", "interference", "involvement", "own"};
    static const char *const allocated[] = {"list[approach=alloc1]", "list[approach=alloc2]", "list[approach=alloc3]"};
    n_refused = 0;
    FOR_RANDOM_CASES (i, N_TRIALS) {
        struct trial t = {.number = i};
        struct random_stream r;
        random_init(&r, i, 4);
        uint64_t model = random_below(&r, 5), world = random_below(&r, 6);
        t.model = model < 4 ? models[model] : naive_logp_names[family_of(&t)];
        t.world = world < 4 ? worlds[world] : naive_logp_names[family_of(&t)];
        if (i % 4 == 0)
            t.model = t.world = i % 8 == 0 ? "own" : naive_logp_names[family_of(&t)];
        t.links = random_below(&r, 2) ? REPLAY_EXCLUSIVE : REPLAY_FLUID;
        t.waiting = random_below(&r, 2) ? REPLAY_ACTIVE : REPLAY_PASSIVE;
        if (i % 3 == 1) {
            t.waiting = REPLAY_RENDEZVOUS;
            t.links = REPLAY_FLUID;
            t.world = worlds[world % 3];
            t.model = models[model % 3];
        }
        t.shape = (enum shape)random_below(&r, N_SHAPES);
        t.scheduler = random_below(&r, 3) ? ways[random_below(&r, N_WAYS)] : allocated[random_below(&r, 3)];
        t.has_latency = random_below(&r, 2);
        t.has_overhead = random_below(&r, 2);
        t.has_steps = i % 3 == 0;
        t.has_interference = true;
        t.has_tiny_edges = random_below(&r, 8) == 0 && t.waiting != REPLAY_RENDEZVOUS;
        t.reverses_an_edge = random_below(&r, 8) == 0;
        char *path = write_platform(&t);
        t.platform_path = path;
        check_trial(&t);
        free(path);
    }
    CU_ASSERT(n_refused > 0 || random_cases(N_TRIALS) < 100);
    printf("%d refused by both\n", n_refused);
}

static const struct test tests[] = {
    {"both engines agree on every date", both_engines_agree_on_every_date},
};

int main(void)
{
    cost_model_register(&own_model, NULL);
    world_register(&own_world, NULL);
    return test_main(__FILE__, tests, sizeof tests / sizeof tests[0]);
}
