/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A replay with noise is a replay without of another graph on another platform: the works and sizes multiplied by the
   same draws, and the speeds. By both engines, in all worlds, on both kinds of links, with both kinds of waiting. */
#include "actors/actors.h"
#include "actors/replay_actors.h"
#include "base/mem.h"
#include "dag/dag_generate.h"
#include "fork_engine.h"
#include "plan/schedule_json.h"
#include "schedulers/scheduler.h"

enum { N_HOSTS = 4 };
static const char *const hosts[N_HOSTS] = {"a", "b", "c.d", "e=f"};

struct trial {
    const char *path; /* of the platform */
    const char *model, *world;
    enum replay_links links;
    enum replay_waiting waiting;
    enum replay_engine by;
    uint64_t seed;
    const char *noise; /* NULL: none */
    const char *draws; /* not NULL: what the graph is multiplied by */
    struct text *plan;
};

static char *platform_of(const double *speeds)
{
    struct text t = {0};
    text_addf(&t, "<?xml version='1.0'?><!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\"><platform "
                  "version=\"4.1\"><config><prop id=\"network/model\" value=\"CM02\"/>"
                  "<prop id=\"network/crosstraffic\" value=\"0\"/></config><zone id=\"z\" routing=\"Full\">\n");
    for (int h = 0; h < N_HOSTS; h++)
        text_addf(
            &t,
            "<host id=\"%s\" speed=\"%.17gf\"><prop id=\"ir_send\" value=\"%g\"/><prop id=\"ir_recv\" "
            "value=\"%g\"/><prop id=\"overhead_send\" value=\"0:0.001:1e-9;1e6:0.003:0\"/><prop id=\"overhead_recv\" "
            "value=\"0.002\"/><prop id=\"involvement_send\" value=\"0:0.3;1e6:0.1\"/><prop id=\"involvement_recv\" "
            "value=\"0.2\"/></host>\n",
            hosts[h], speeds[h], 0.02 * (h + 1), 0.05 - 0.01 * h);
    for (int h = 0; h < N_HOSTS; h++)
        text_addf(&t, "<link id=\"l%d\" bandwidth=\"%gBps\" latency=\"1ms\"/>\n", h, 1e7 / (h + 1));
    for (int a = 0; a < N_HOSTS; a++)
        for (int b = a + 1; b < N_HOSTS; b++)
            text_addf(&t, "<route src=\"%s\" dst=\"%s\"><link_ctn id=\"l%d\"/><link_ctn id=\"l%d\"/></route>\n",
                      hosts[a], hosts[b], a, b);
    text_addf(&t, "</zone></platform>\n");
    return text_take(&t);
}

static enum err_code make_graph(const struct trial *t, struct dag *g, struct err *e)
{
    return dag_generate("layered[tasks=24,width=5,work_flop=1e9,size_bytes=1e6]", t->seed, g, e);
}

/* ---- the plan ---- */

static void tell_plan(void *self, int fd)
{
    const struct trial *t = self;
    struct engine *engine;
    struct dag g;
    struct route_table routes;
    struct problem p = {.dag = &g, .routes = &routes};
    struct scheduler_choice choice;
    struct schedule s;
    struct text file = {0};
    struct err e = {0};
    if (make_graph(t, &g, &e) != ERR_NONE || engine_open(t->path, &engine, &e) != ERR_NONE ||
        route_table_init(&routes, p.machine = engine_machine(engine), &e) != ERR_NONE ||
        cost_model_find(t->model, &p.model, &e) != ERR_NONE || scheduler_choose("list", &choice, &e) != ERR_NONE ||
        scheduler_plan(&choice, &p, NULL, &s, &e) != ERR_NONE) {
        fprintf(stderr, "%s\n", e.text);
        abort();
    }
    schedule_write_json(&s, &file);
    tell(fd, file.data, file.size);
    schedule_clear(&s);
    scheduler_choice_clear(&choice);
    route_table_clear(&routes);
    dag_clear(&g);
    text_clear(&file);
}

/* ---- the replay ---- */

static void multiply_graph(const struct trial *t, const struct schedule *s, struct dag *g)
{
    struct noise n;
    CHECK_OK(noise_parse(t->draws, t->seed, &n, NULL), (struct err){0});
    for (task_id x = 0; x < g->n_tasks; x++) {
        struct noise_source work = noise_source_of(&n, NOISE_WORK, hosts[s->tasks[x].host], g->tasks[x].name, NULL);
        g->tasks[x].work_flop *= noise_draw(&work, 0);
    }
    for (edge_id x = 0; x < g->n_edges; x++) {
        struct edge *edge = &g->edges[x];
        struct noise_source size = noise_source_of(&n, NOISE_SIZE, hosts[s->tasks[edge->dst].host],
                                                   g->tasks[edge->src].name, g->tasks[edge->dst].name);
        edge->size_bytes *= noise_draw(&size, 0);
    }
    noise_clear(&n);
}

static enum err_code replay(const struct trial *t, struct dag *g, struct replay_result *r, struct err *e)
{
    struct engine *engine;
    struct route_table routes;
    struct problem p = {.dag = g, .routes = &routes};
    struct schedule s;
    struct noise noise = {0};
    struct replay_options how = {.links = t->links, .waiting = t->waiting, .noise = t->noise != NULL ? &noise : NULL};
    enum err_code code = t->by == REPLAY_ACTORS ? actors_prepare(e) : ERR_NONE;
    if (code == ERR_NONE)
        code = engine_open(t->path, &engine, e);
    if (code == ERR_NONE && t->noise != NULL)
        code = noise_parse(t->noise, t->seed, &noise, e);
    if (code == ERR_NONE)
        code = route_table_init(&routes, p.machine = engine_machine(engine), e);
    if (code == ERR_NONE)
        code = world_find(t->world, &how.world, e);
    if (code == ERR_NONE)
        code = schedule_parse_json(t->plan->data, t->plan->size, "plan", &p, &s, e);
    if (code != ERR_NONE)
        return code;
    if (t->draws != NULL)
        multiply_graph(t, &s, g);
    code = replay_run_by(t->by, engine, &s, &how, r, e);
    schedule_clear(&s);
    route_table_clear(&routes);
    noise_clear(&noise);
    return code;
}

static void tell_replay(void *self, int fd)
{
    const struct trial *t = self;
    struct replay_result r = {0};
    struct dag g = {0};
    struct err e = {0};
    if (make_graph(t, &g, &e) != ERR_NONE || replay(t, &g, &r, &e) != ERR_NONE) {
        fprintf(stderr, "%s\n", e.text);
        abort();
    }
    tell(fd, &r.makespan_s, sizeof r.makespan_s);
    tell(fd, r.tasks, r.n_tasks * sizeof *r.tasks);
    tell(fd, r.edges, r.n_edges * sizeof *r.edges);
    tell(fd, r.hosts, r.n_hosts * sizeof *r.hosts);
    replay_result_clear(&r);
    dag_clear(&g);
}

static struct text dates_of(const struct trial *t)
{
    struct text dates = {0};
    CHECK_INT(in_child(tell_replay, (void *)t, 60, &dates), ENDED_WELL);
    return dates;
}

/* ---- comparing ---- */

static double largest_difference(const struct text *a, const struct text *b)
{
    const double *x = (const void *)a->data, *y = (const void *)b->data;
    double largest = a->size == b->size && a->size > 0 ? 0 : INFINITY;
    for (size_t i = 0; i < a->size / sizeof *x && largest < INFINITY; i++)
        if (isnan(x[i]) != isnan(y[i]))
            largest = INFINITY;
        else if (!isnan(x[i]))
            largest = fmax(largest, fabs(x[i] - y[i]) / y[0]); /* of the makespan */
    return largest;
}

static void check_trial(struct trial *t, const char *noise)
{
    struct noise n;
    struct text plan = {0};
    double speeds[N_HOSTS] = {1e9, 2e9, 1.5e9, 1e9};
    char *text = platform_of(speeds), *believed = file_with("believed.xml", text);
    free(text);
    CHECK_OK(noise_parse(noise, t->seed, &n, NULL), (struct err){0});
    for (int h = 0; h < N_HOSTS; h++)
        speeds[h] *= noise_rate_ratio(&n, hosts[h]);
    noise_clear(&n);
    text = platform_of(speeds);
    char *real = file_with("real.xml", text);
    free(text);
    t->path = believed;
    t->plan = &plan;
    CHECK_INT(in_child(tell_plan, t, 60, &plan), ENDED_WELL);
    struct text plain = dates_of(t);
    t->noise = noise;
    struct text got = dates_of(t);
    t->noise = NULL;
    t->draws = noise;
    t->path = real;
    struct text want = dates_of(t);
    double difference = largest_difference(&got, &want);
    if (!(difference <= 1e-12))
        fprintf(stderr, "seed %lu, noise %s, %s in %s, links %d, waiting %d, engine %d: difference %g\n",
                (unsigned long)t->seed, noise, t->model, t->world, t->links, t->waiting, t->by, difference);
    CHECK(difference <= 1e-12);
    CHECK(largest_difference(&plain, &want) > 1e-3);
    text_clear(&plan);
    text_clear(&plain);
    text_clear(&got);
    text_clear(&want);
    free(believed);
    free(real);
}

/* A plan under classic has no dates for links. The order of its receives follows from the believed sizes, which another
   graph does not have; so its sizes stay. Exclusive links whose order is kept may wait for active senders in a circle:
   there plans are classic. */
static void noise_is_another_graph_on_another_platform(void)
{
    static const char *const worlds[] = {"none", "interference", "involvement"};
    static const char *const models[] = {"contention", "involvement"};
    static const char *const noises[] = {"size=1,work=0", "size=0.5", "work=0.3,size=0.7,rate=0.2",
                                         "size.c.d=2,work.a=1,rate.e=f=0.5,size=0.1", "work=3,size=3"};
    static const char *const noises_of_work[] = {"work=0.5", "rate=0.3", "work=2,rate.a=1"};
    uint64_t seed = 0;
    for (int world = 0; world < 3; world++)
        for (int how = 0; how < 8; how++) {
            struct trial t = {.world = worlds[world], .model = models[seed % 2], .seed = ++seed};
            t.links = how % 2 == 0 ? REPLAY_FLUID : REPLAY_EXCLUSIVE;
            t.waiting = how / 2 % 2 == 0 ? REPLAY_PASSIVE : REPLAY_ACTIVE;
            t.by = how / 4 == 0 ? REPLAY_EVENTS : REPLAY_ACTORS;
            bool is_classic = t.links == REPLAY_EXCLUSIVE && t.waiting == REPLAY_ACTIVE;
            if (is_classic)
                t.model = "classic";
            check_trial(&t, is_classic ? noises_of_work[seed % 3] : noises[seed % 5]);
        }
}

/* Ports, and times under way that follow from the sizes. */
static void so_it_is_where_data_are_under_way_for_a_time_of_the_worlds_own(void)
{
    static const char *const worlds[] = {"logp[L=0.2,o=0.01,g=0.02,M=3e5]", "loggp[L=0.1,o=0.02,g=0.03,G=1e-7]"};
    for (uint64_t seed = 200; seed < 204; seed++) {
        struct trial t = {.world = worlds[seed % 2], .model = worlds[seed % 2], .seed = seed};
        check_trial(&t, "work=0.3,size=0.7,rate=0.2");
    }
}

static void both_engines_draw_the_same(void)
{
    char *text = platform_of((const double[]){1e9, 2e9, 1e9, 1e9}), *path = file_with("one.xml", text);
    free(text);
    for (uint64_t seed = 100; seed < 110; seed++) {
        struct text plan = {0};
        struct trial t = {.path = path, .world = "involvement", .model = "classic", .seed = seed, .plan = &plan};
        CHECK_INT(in_child(tell_plan, &t, 60, &plan), ENDED_WELL);
        t.noise = "work=1,size=2,rate=0.5";
        struct text events = dates_of(&t);
        t.by = REPLAY_ACTORS;
        struct text actors_said = dates_of(&t);
        CHECK(largest_difference(&actors_said, &events) <= 1e-9);
        text_clear(&plan);
        text_clear(&events);
        text_clear(&actors_said);
    }
    free(path);
}

static const struct test tests[] = {
    {"noise is another graph on another platform", noise_is_another_graph_on_another_platform},
    {"so it is where data are under way for a time of the world's own",
     so_it_is_where_data_are_under_way_for_a_time_of_the_worlds_own},
    {"both engines draw the same", both_engines_draw_the_same},
};
TEST_MAIN(tests)
