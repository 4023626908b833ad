/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What holds for every schedule: over random graphs, platforms and ways to schedule. Each case is a child that makes a
   platform, a graph and a schedule from a number, carries it out and says by how much the claim is missed (1e-9 of the
   length is allowed):
   - in the world of its belief, on exclusive links, a schedule comes out as its compaction;
   - in `none`, on links that are not shared, it comes out as the classic plan (contention, and fluid links, are the
     same there);
   - interference with IR = involvement / bandwidth steals the time that involvement books, and every host's busy,
     stolen and idle time are the makespan together;
   - edges too short to be seen in the dates change none of that: what is planned with gaps is a valid schedule, its
     compaction too, never longer, and a second compaction changes nothing;
   - an order that waits for itself is an error that names the circle. */
#include "plan/check.h"
#include "plan/schedule_json.h"
#include "replay_trial.h"
#include "schedulers/scheduler.h"

/* ---- a trial ---- */

static void compare_spans(struct verdict *v, struct span got, struct span want, double length_s, const char *what,
                          int number)
{
    compare_dates(v, got.start_s, want.start_s, length_s, what, number);
    compare_dates(v, got.finish_s, want.finish_s, length_s, what, number);
}

static void compare_with_plan(struct verdict *v, const struct schedule *s, const struct replay_result *r)
{
    const struct dag *g = s->problem.dag;
    double length_s = schedule_length_s(s);
    compare_dates(v, r->makespan_s, length_s, length_s, "makespan", 0);
    for (task_id t = 0; t < g->n_tasks; t++)
        compare_spans(v, r->tasks[t], s->tasks[t].span, length_s, "task", t);
    for (edge_id e = 0; e < g->n_edges; e++) {
        if (!s->edges[e].is_remote)
            continue;
        if (cost_has_ends(s->problem.model)) {
            compare_spans(v, r->edges[e].send, s->edges[e].send, length_s, "send", e);
            compare_spans(v, r->edges[e].recv, s->edges[e].recv, length_s, "recv", e);
        } else {
            compare_dates(v, r->edges[e].transfer.finish_s, schedule_arrival_s(s, e), length_s, "arrival", e);
        }
        const struct span *spans = schedule_link_spans(s, e);
        if (spans != NULL)
            compare_dates(v, r->edges[e].transfer.start_s, spans[0].start_s, length_s, "start on the first link", e);
    }
}

/* Together they are the makespan; and each byte takes its part of the processors. */
static void compare_hosts(struct verdict *v, const struct trial *t, const struct schedule *s,
                          const struct replay_result *r)
{
    const struct problem *p = &s->problem;
    double length_s = r->makespan_s;
    for (host_id h = 0; h < (host_id)r->n_hosts; h++) {
        const struct replayed_host *x = &r->hosts[h];
        double busy_s = 0, booked_s = 0;
        for (task_id i = 0; i < p->dag->n_tasks; i++)
            busy_s += s->tasks[i].host == h ? problem_compute_s(p, i, h) : 0;
        for (edge_id e = 0; e < p->dag->n_edges; e++) {
            const struct edge *edge = &p->dag->edges[e];
            host_id src = s->tasks[edge->src].host, dst = s->tasks[edge->dst].host;
            struct problem involved = *p;
            cost_model_find("involvement", &involved.model, NULL);
            for (enum direction dir = DIR_SEND; dir < N_DIRECTIONS && src != dst; dir++)
                if (h == (dir == DIR_SEND ? src : dst))
                    booked_s += cost_end_busy_s(problem_end(&involved, e, src, dst, dir));
        }
        compare_dates(v, x->busy_s, busy_s, length_s, "busy time of host", h);
        compare_dates(v, x->stolen_s, strcmp(t->world, "none") == 0 ? 0 : booked_s, length_s, "stolen time of host", h);
        compare_dates(v, x->busy_s + x->stolen_s + x->idle_s, length_s, length_s, "all time of host", h);
    }
}

/* An error that names a circle is what is wanted: it is told as success. */
static enum err_code replay_reversed(struct engine *engine, struct schedule *s, const struct replay_options *options,
                                     struct verdict *v)
{
    struct replay_result r;
    struct err e = {0};
    if (!reverse_an_edge(s))
        return ERR_NONE;
    enum err_code code = replay_run(engine, s, options, &r, &e);
    v->is_refused = true;
    if (code == ERR_INPUT && strstr(e.text, "has a cycle: ") != NULL && strstr(e.text, " before it ") != NULL)
        return ERR_NONE;
    return err_set(&v->e, ERR_INTERNAL, "of an order against the graph: %s", code == ERR_NONE ? "carried out" : e.text);
}

static enum err_code expect_valid(const struct schedule *s, struct err *e)
{
    struct text json = {0};
    struct check_result found = {0};
    schedule_write_json(s, &json);
    enum err_code code = check_schedule_text(text_str(&json), json.size, "plan", s->problem.dag, s->problem.machine,
                                             s->problem.costs, &found, e);
    if (code == ERR_NONE && found.n > 0)
        code = err_set(e, ERR_INTERNAL, "invalid: %s", found.list[0].text);
    check_result_clear(&found);
    text_clear(&json);
    return code;
}

static enum err_code compact_twice(struct schedule *s, struct err *e)
{
    struct text once = {0}, twice = {0};
    double before_s = schedule_length_s(s);
    enum err_code code = expect_valid(s, e);
    if (code == ERR_NONE)
        code = schedule_compact(s, e);
    schedule_write_json(s, &once);
    if (code == ERR_NONE)
        code = expect_valid(s, e);
    if (code == ERR_NONE && schedule_length_s(s) > before_s)
        code = err_set(e, ERR_INTERNAL, "compaction: %.17g before, then %.17g", before_s, schedule_length_s(s));
    if (code == ERR_NONE)
        code = schedule_compact(s, e);
    schedule_write_json(s, &twice);
    if (code == ERR_NONE && strcmp(text_str(&once), text_str(&twice)) != 0)
        code = err_set(e, ERR_INTERNAL, "a second compaction changes something");
    text_clear(&once);
    text_clear(&twice);
    return code;
}

static enum err_code replay_and_compare(struct engine *engine, const struct trial *t, struct schedule *s,
                                        const struct replay_options *options, struct verdict *v)
{
    struct replay_result r = {0};
    enum err_code code = t->has_tiny_edges ? compact_twice(s, &v->e) : ERR_NONE;
    if (code == ERR_NONE)
        code = replay_run(engine, s, options, &r, &v->e);
    if (code == ERR_NONE)
        code = schedule_compact(s, &v->e);
    if (code != ERR_NONE)
        return code;
    if (!t->ties_interference)
        compare_with_plan(v, s, &r);
    compare_hosts(v, t, s, &r);
    replay_result_clear(&r);
    return ERR_NONE;
}

static enum err_code try_trial(const struct trial *t, struct planned *x, struct verdict *v)
{
    struct replay_options options = {.links = t->links};
    enum err_code code = open_and_plan(t, x, &v->e);
    if (code == ERR_NONE)
        code = world_find(t->world, &options.world, &v->e);
    if (code != ERR_NONE)
        return code;
    return t->reverses_an_edge ? replay_reversed(x->engine, &x->schedule, &options, v)
                               : replay_and_compare(x->engine, t, &x->schedule, &options, v);
}

static int n_refused; /* since a test has set it to 0 */

/* On each platform that a bit of `shapes` stands for, with each scheduler. */
static void check_all(struct trial t, unsigned shapes, uint64_t n_each)
{
    FOR_RANDOM_CASES (i, n_each * N_SHAPES * N_WAYS) {
        t.number = i;
        t.shape = (enum shape)(i % N_SHAPES);
        t.scheduler = ways[i / N_SHAPES % N_WAYS];
        t.has_latency = !t.ties_interference && i % 3 > 0;
        t.has_overhead = !t.ties_interference && i % 4 > 0;
        if (!(shapes & 1U << t.shape))
            continue;
        char *path = write_platform(&t);
        t.platform_path = path;
        n_refused += check_verdict(&t, try_trial).is_refused;
        free(path);
    }
}

enum { ALL_SHAPES = (1 << N_SHAPES) - 1, N_EACH = 2 };

static void a_schedule_in_the_world_of_its_belief_is_its_compaction(void)
{
    check_all((struct trial){.model = "involvement", .world = "involvement", .links = REPLAY_EXCLUSIVE}, ALL_SHAPES,
              N_EACH);
    check_all((struct trial){.model = "contention", .world = "none", .links = REPLAY_EXCLUSIVE}, ALL_SHAPES, N_EACH);
}

static void so_it_is_where_costs_depend_on_the_size(void)
{
    check_all(
        (struct trial){.model = "involvement", .world = "involvement", .links = REPLAY_EXCLUSIVE, .has_steps = true},
        ALL_SHAPES, N_EACH);
    check_all((struct trial){.model = "involvement", .world = "involvement", .links = REPLAY_FLUID, .has_steps = true},
              1 << FATPIPES, N_EACH);
}

/* Their gaps are left, so that compaction has something to do. */
static const char *const tiny_ways[] = {
    "list[compact=off]",
    "list[compact=off,technique=insertion]",
    "list[compact=off,approach=entering]",
    "list[compact=off,approach=entering,technique=insertion,minimize=finish]",
    "list[compact=off,approach=alloc1]",
    "list[compact=off,approach=alloc1,technique=insertion]",
    "list[compact=off,approach=alloc2]",
    "list[compact=off,approach=alloc2,technique=insertion]",
    "list[compact=off,approach=alloc3]",
    "list[compact=off,approach=alloc3,technique=insertion]",
};

static void edges_that_are_lost_in_the_dates_cost_nothing(void)
{
    static const struct trial beliefs[] = {{.model = "involvement", .world = "involvement"},
                                           {.model = "contention", .world = "none"}};
    enum { N_TINY_WAYS = sizeof tiny_ways / sizeof tiny_ways[0] };
    FOR_RANDOM_CASES (i, 6 * N_TINY_WAYS) {
        struct trial t = beliefs[i / 2 % 2];
        t.number = i;
        t.shape = (enum shape)(i % N_SHAPES);
        t.scheduler = tiny_ways[i / 3 % N_TINY_WAYS];
        t.links = REPLAY_EXCLUSIVE;
        t.has_tiny_edges = t.has_overhead = true;
        t.has_latency = i % 2;
        char *path = write_platform(&t);
        t.platform_path = path;
        n_refused += check_verdict(&t, try_trial).is_refused;
        free(path);
    }
}

static void without_contention_the_classic_belief_is_right(void)
{
    check_all((struct trial){.model = "classic", .world = "none", .links = REPLAY_EXCLUSIVE}, 1 << FATPIPES, N_EACH);
    check_all((struct trial){.model = "classic", .world = "none", .links = REPLAY_FLUID}, 1 << FATPIPES, N_EACH);
    check_all((struct trial){.model = "contention", .world = "none", .links = REPLAY_FLUID}, 1 << FATPIPES, N_EACH);
    check_all((struct trial){.model = "involvement", .world = "involvement", .links = REPLAY_FLUID}, 1 << FATPIPES,
              N_EACH);
}

static void interference_steals_what_involvement_books(void)
{
    static const char *const worlds[] = {"interference", "involvement", "none"};
    static const char *const models[] = {"classic", "contention", "involvement"};
    for (size_t w = 0; w < 3; w++)
        for (size_t m = 0; m < 3; m++)
            check_all(
                (struct trial){
                    .model = models[m], .world = worlds[w], .links = REPLAY_EXCLUSIVE, .ties_interference = true},
                1 << STAR_SPLIT | 1 << MESH, 2);
    /* flows that share a link have its bandwidth together */
    for (size_t m = 0; m < 3; m++)
        check_all(
            (struct trial){
                .model = models[m], .world = "interference", .links = REPLAY_FLUID, .ties_interference = true},
            1 << STAR_SPLIT, 2);
}

static void an_order_against_the_graph_is_refused_with_its_circle(void)
{
    static const char *const models[] = {"classic", "contention", "involvement"};
    n_refused = 0;
    for (size_t m = 0; m < 3; m++) {
        check_all((struct trial){.model = models[m], .world = "none", .reverses_an_edge = true}, 1 << STAR_SPLIT, 2);
        check_all(
            (struct trial){
                .model = models[m], .world = "involvement", .links = REPLAY_EXCLUSIVE, .reverses_an_edge = true},
            1 << BUS, 2);
    }
    /* two of three: others may have no two such tasks */
    CU_ASSERT(3 * n_refused >= 2 * 6 * random_cases(2 * N_SHAPES * N_WAYS) / N_SHAPES);
}

#define TEST(name)                                                                                                     \
    {                                                                                                                  \
#name, name                                                                                                    \
    }
static const struct test tests[] = {
    TEST(a_schedule_in_the_world_of_its_belief_is_its_compaction),
    TEST(so_it_is_where_costs_depend_on_the_size),
    TEST(edges_that_are_lost_in_the_dates_cost_nothing),
    TEST(without_contention_the_classic_belief_is_right),
    TEST(interference_steals_what_involvement_books),
    TEST(an_order_against_the_graph_is_refused_with_its_circle),
};
TEST_MAIN(tests)
