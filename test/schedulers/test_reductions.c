/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Properties of list schedules for any graph: a model becomes another one if its extra costs are 0, an approach becomes
   another one if there is nothing to reserve, compaction is idempotent, and irrelevant changes have no effect. */
#include "both.h"
#include "plan/bounds.h"
#include "small.h"

enum { N_CASES = 400, MOST_TASKS = 20 };

static struct random_stream stream_of_case(int i)
{
    struct random_stream r;
    random_init(&r, 3, (uint64_t)i);
    return r;
}

static enum small_kind kind_of_case(int i)
{
    return i % 2 ? SMALL_REAL : SMALL_WHOLE;
}

static void init_case(struct setting *s, int i)
{
    struct random_stream r = stream_of_case(i);
    struct dag g = small_dag(&r, small_int(&r, 1, MOST_TASKS), random_below(&r, 2), kind_of_case(i));
    setting_init(s, g, small_machine(&r, small_int(&r, 1, 5), kind_of_case(i)));
}

/* Goes through all combinations, and then through them again. */
static struct naive_wish wish_of_case(int i, enum naive_model model, bool with_allocation, const int *hosts)
{
    struct naive_wish w = {.model = model, .inserts = i / 2 % 2, .minimizes_finish = i / 4 % 2};
    w.approach = (enum naive_approach)(i % (with_allocation ? N_NAIVE_APPROACHES : NAIVE_ALLOC1));
    if (w.approach >= NAIVE_ALLOC1)
        w.allocation = hosts;
    return w;
}

static void spread_tasks(const struct setting *s, int i, int *hosts)
{
    for (int t = 0; t < s->dag.n_tasks; t++)
        hosts[t] = (t * 7 + i) % (int)s->machine.n_hosts;
}

static bool plan(const struct setting *s, const struct naive_wish *w, struct schedule *out)
{
    struct err e = {0};
    enum err_code code = really_plan(s, w, NULL, out, &e);
    CHECK_OK(code, e);
    return code == ERR_NONE;
}

static bool is_near(struct span a, struct span b, double tolerance_s)
{
    return fabs(a.start_s - b.start_s) <= tolerance_s && fabs(a.finish_s - b.finish_s) <= tolerance_s;
}

static bool are_tasks_same(const struct schedule *a, const struct schedule *b, double tolerance_s)
{
    for (int t = 0; t < a->problem.dag->n_tasks; t++)
        if (a->tasks[t].host != b->tasks[t].host || !is_near(a->tasks[t].span, b->tasks[t].span, tolerance_s))
            return false;
    return true;
}

/* Links, if both have them; sends and receives, if both have them. */
static bool are_edges_same(const struct schedule *a, const struct schedule *b, double tolerance_s)
{
    bool have_ends = cost_has_ends(a->problem.model) && cost_has_ends(b->problem.model);
    for (int e = 0; e < a->problem.dag->n_edges; e++) {
        const struct planned_edge *x = &a->edges[e], *y = &b->edges[e];
        const struct span *p = schedule_link_spans(a, e), *q = schedule_link_spans(b, e);
        size_t n;
        schedule_route(a, e, &n);
        if (x->is_remote != y->is_remote)
            return false;
        if (x->is_remote && have_ends &&
            !(is_near(x->send, y->send, tolerance_s) && is_near(x->recv, y->recv, tolerance_s)))
            return false;
        for (size_t k = 0; k < n && p != NULL && q != NULL; k++)
            if (!is_near(p[k], q[k], tolerance_s))
                return false;
    }
    return true;
}

static bool are_plans_same(const struct schedule *a, const struct schedule *b, double tolerance_s)
{
    return are_tasks_same(a, b, tolerance_s) && are_edges_same(a, b, tolerance_s);
}

static void check_same(const struct setting *s, const struct naive_wish *one, const struct naive_wish *other,
                       double tolerance_ratio)
{
    struct schedule a, b;
    if (!plan(s, one, &a))
        return;
    if (plan(s, other, &b)) {
        CHECK(are_plans_same(&a, &b, tolerance_ratio * schedule_length_s(&a)));
        schedule_clear(&b);
    }
    schedule_clear(&a);
}

/* ---- models ---- */

static void involvement_without_costs_is_contention(void)
{
    for (int i = 0; i < N_CASES; i++) {
        struct setting s;
        int hosts[MOST_TASKS];
        init_case(&s, i);
        small_make_communication_free_for_hosts(&s.machine);
        spread_tasks(&s, i, hosts);
        struct naive_wish involvement = wish_of_case(i, NAIVE_INVOLVEMENT, true, hosts), contention = involvement;
        contention.model = NAIVE_CONTENTION;
        check_same(&s, &involvement, &contention, 0);
        setting_clear(&s);
    }
}

static size_t most_hops(const struct setting *s)
{
    size_t most = 0, n, n_hosts = s->machine.n_hosts;
    for (size_t k = 0; k < n_hosts * n_hosts; k++) {
        route_links(&s->routes, (host_id)(k / n_hosts), (host_id)(k % n_hosts), &n);
        most = n > most ? n : most;
    }
    return most;
}

/* Cut-through on one or two links without contention takes the time of the slower link plus all latencies. This is not
   so with more links: on a fast link between two slow ones the data start late (Definition 7.9), and so on the last
   one. */
static void contention_on_unshared_links_is_classic(void)
{
    int n_done = 0;
    for (int i = 0; n_done < N_CASES; i++) {
        struct setting s;
        int hosts[MOST_TASKS];
        init_case(&s, 2 * i); /* whole numbers: no rounding */
        for (size_t l = 0; l < s.machine.n_links; l++)
            s.machine.links[l].sharing = LINK_FATPIPE;
        spread_tasks(&s, i, hosts);
        struct naive_wish contention = wish_of_case(i, NAIVE_CONTENTION, true, hosts), classic = contention;
        classic.model = NAIVE_CLASSIC;
        if (most_hops(&s) <= 2) {
            check_same(&s, &contention, &classic, 0);
            n_done++;
        }
        setting_clear(&s);
    }
}

/* Also if links can be contended but are not: a chain has one transfer at a time. */
static void a_chain_knows_no_contention_on_one_hop(void)
{
    for (int i = 0; i < N_CASES; i++) {
        struct random_stream r = stream_of_case(i);
        struct setting s;
        struct dag g = {0};
        struct err e = {0};
        int hosts[MOST_TASKS], n = small_int(&r, 1, MOST_TASKS);
        dag_init(&g, "chain");
        for (int t = 0; t < n; t++) {
            char name[16];
            snprintf(name, sizeof name, "t%d", t);
            CHECK_OK(dag_add_task(&g, name, small_number(&r, SMALL_WHOLE), 0, NULL, &e), e);
            if (t > 0)
                CHECK_OK(dag_add_edge(&g, t - 1, t, small_number(&r, SMALL_WHOLE), 0, &e), e);
        }
        CHECK_OK(dag_seal(&g, &e), e);
        struct machine m = machine_text_hosts(small_int(&r, 1, 5), 1);
        small_clique(&m, &r, SMALL_WHOLE);
        setting_init(&s, g, m);
        spread_tasks(&s, i, hosts);
        struct naive_wish contention = wish_of_case(i, NAIVE_CONTENTION, true, hosts), classic = contention;
        classic.model = NAIVE_CLASSIC;
        check_same(&s, &contention, &classic, 0);
        setting_clear(&s);
    }
}

/* ---- gaps ---- */

/* [S] 8.3.1: gap elimination is a repetition of the scheduling with the allocation that came out. With the end
   technique that is what alloc1 does. */
static void direct_without_gaps_is_alloc1_with_its_allocation(void)
{
    for (int i = 0; i < N_CASES; i++) {
        struct setting s;
        struct schedule direct, again;
        int hosts[MOST_TASKS];
        init_case(&s, i);
        struct naive_wish w = {.model = (enum naive_model)(i / 2 % N_NAIVE_MODELS), .minimizes_finish = i / 6 % 2};
        w.compacts = true;
        if (plan(&s, &w, &direct)) {
            for (int t = 0; t < s.dag.n_tasks; t++)
                hosts[t] = direct.tasks[t].host;
            struct naive_wish given = w;
            given.approach = NAIVE_ALLOC1;
            given.allocation = hosts;
            given.compacts = false;
            if (plan(&s, &given, &again)) {
                CHECK(are_plans_same(&direct, &again, 1e-12 * schedule_length_s(&direct)));
                schedule_clear(&again);
            }
            schedule_clear(&direct);
        }
        setting_clear(&s);
    }
}

static void gaps_come_only_from_edges_that_were_removed(void)
{
    for (int i = 0; i < N_CASES; i++) {
        struct setting s;
        int hosts[MOST_TASKS];
        init_case(&s, i);
        spread_tasks(&s, i, hosts);
        enum naive_model model = (enum naive_model)(i / 8 % N_NAIVE_MODELS);
        struct naive_wish loose = wish_of_case(i, model, true, hosts), compact;
        if (loose.approach == NAIVE_DIRECT && model == NAIVE_INVOLVEMENT)
            loose.approach = NAIVE_ENTERING;
        compact = loose;
        compact.compacts = true;
        check_same(&s, &loose, &compact, 1e-12);
        setting_clear(&s);
    }
}

static void check_compaction(struct schedule *s)
{
    struct err e = {0};
    struct text texts[2] = {{0}, {0}};
    for (int k = 0; k < 2; k++) {
        double length_before_s = schedule_length_s(s);
        CHECK_OK(schedule_compact(s, &e), e);
        CHECK(schedule_length_s(s) <= length_before_s * (1 + 1e-15));
        schedule_write_json(s, &texts[k]);
    }
    CHECK_TEXT(text_str(&texts[1]), text_str(&texts[0]));
    text_clear(&texts[0]);
    text_clear(&texts[1]);
}

static void compaction_is_never_longer_and_a_second_time_changes_nothing(void)
{
    int n_shorter = 0;
    for (int i = 0; i < N_CASES; i++) {
        struct setting s;
        struct schedule x, loose;
        init_case(&s, i);
        struct naive_wish w = {.model = NAIVE_INVOLVEMENT, .inserts = i / 2 % 2, .minimizes_finish = i / 4 % 2};
        if (plan(&s, &w, &x)) {
            double length_s = schedule_length_s(&x);
            check_compaction(&x);
            check_valid(&x);
            n_shorter += schedule_length_s(&x) < length_s * (1 - 1e-9);
            if (plan(&s, &w, &loose)) {
                for (int t = 0; t < s.dag.n_tasks; t++) {
                    CHECK_INT(x.tasks[t].host, loose.tasks[t].host);
                    CHECK(x.tasks[t].span.start_s <= loose.tasks[t].span.start_s + 1e-12 * length_s);
                }
                schedule_clear(&loose);
            }
            schedule_clear(&x);
        }
        setting_clear(&s);
    }
    CHECK(n_shorter > N_CASES / 20); /* otherwise this proves little */
}

/* At 1e9 s a double cannot represent 1e-9 s: steps with equal dates follow the order of the graph, not of the file. */
static void times_too_short_to_show_keep_the_order_of_the_graph(void)
{
    static const char *const graphs[] = {"b:1e-9 a:1e-9 z:1e9 | z>a:0 a>b:0", "b:1e-9 a:1e-9 z:1e9 | z>a:1 a>b:1",
                                         "c:1e-9 b:1e-9 a:1e-9 z:1e9 | z>a:1e-9 a>b:1e-9 z>b:1e-9 b>c:1e-9 a>c:0"};
    for (int i = 0; i < 3 * 3 * 16; i++) {
        int hosts[] = {0, i / 9 % 2, i / 18 % 2, 0};
        struct setting s;
        struct schedule x;
        struct machine m = machine_star(2, 1, 1, 0, LINK_SHARED);
        machine_text_set_all(&m, "involvement_send", "1");
        machine_text_set_all(&m, "involvement_recv", "0.5");
        setting_init(&s, dag_from_text(graphs[i % 3]), m);
        struct naive_wish w = {.model = (enum naive_model)(i / 3 % 3), .compacts = true, .inserts = i / 72};
        if (i / 36 % 2) {
            w.approach = NAIVE_ALLOC2;
            w.allocation = hosts;
        }
        if (plan(&s, &w, &x)) {
            check_valid(&x);
            schedule_clear(&x);
        }
        setting_clear(&s);
    }
}

/* ---- one host, twice the costs ---- */

static void one_host_is_sequential(void)
{
    for (int i = 0; i < N_CASES; i++) {
        struct random_stream r = stream_of_case(i);
        struct setting s;
        struct schedule listed, sequential;
        struct err e = {0};
        int hosts[MOST_TASKS] = {0};
        struct dag g = small_dag(&r, small_int(&r, 1, MOST_TASKS), true, kind_of_case(i));
        setting_init(&s, g, small_machine(&r, 1, kind_of_case(i)));
        struct naive_wish w = wish_of_case(i, (enum naive_model)(i / 8 % N_NAIVE_MODELS), true, hosts);
        w.compacts = true;
        struct problem p = setting_problem(&s, w.model);
        double sum_s = dag_work_flop(&s.dag) / s.machine.hosts[0].speed_flop_per_s;
        if (plan(&s, &w, &listed)) {
            CHECK_CLOSE(schedule_length_s(&listed), sum_s, 1e-12);
            CHECK_CLOSE(problem_sequential_s(&p, NULL), sum_s, 1e-12);
            schedule_clear(&listed);
        }
        struct naive_wish any = {.model = w.model};
        if (really_plan(&s, &any, "sequential", &sequential, &e) == ERR_NONE) {
            CHECK_CLOSE(schedule_length_s(&sequential), sum_s, 1e-12);
            schedule_clear(&sequential);
        }
        setting_clear(&s);
    }
}

static void twice_the_work_and_the_data_take_twice_as_long(void)
{
    for (int i = 0; i < N_CASES; i++) {
        struct setting s;
        struct schedule once, twice;
        int hosts[MOST_TASKS];
        init_case(&s, i);
        small_make_proportional(&s.machine);
        route_table_clear(&s.routes); /* it holds latencies, and so do the routes that it asks for */
        struct machine_text_routes *routes = s.machine.route_context;
        for (size_t k = 0; k < routes->n_hosts * routes->n_hosts; k++)
            routes->routes[k].latency_s = 0;
        struct err e = {0};
        CHECK_OK(route_table_init(&s.routes, &s.machine, &e), e);
        spread_tasks(&s, i, hosts);
        struct naive_wish w = wish_of_case(i, (enum naive_model)(i / 8 % N_NAIVE_MODELS), true, hosts);
        if (plan(&s, &w, &once)) {
            for (int t = 0; t < s.dag.n_tasks; t++)
                s.dag.tasks[t].work_flop *= 2;
            dag_scale_edges(&s.dag, 2);
            if (plan(&s, &w, &twice)) {
                for (int t = 0; t < s.dag.n_tasks; t++) {
                    CHECK_INT(twice.tasks[t].host, once.tasks[t].host);
                    CHECK_CLOSE(twice.tasks[t].span.start_s, 2 * once.tasks[t].span.start_s, 0);
                    CHECK_CLOSE(twice.tasks[t].span.finish_s, 2 * once.tasks[t].span.finish_s, 0);
                }
                schedule_clear(&twice);
            }
            schedule_clear(&once);
        }
        setting_clear(&s);
    }
}

/* ---- what does not matter, what must always hold ---- */

static struct dag with_edges_backwards(const struct dag *g)
{
    struct dag out = {0};
    struct err e = {0};
    dag_init(&out, g->source);
    for (int t = 0; t < g->n_tasks; t++)
        CHECK_OK(dag_add_task(&out, g->tasks[t].name, g->tasks[t].work_flop, 0, NULL, &e), e);
    for (int k = g->n_edges - 1; k >= 0; k--)
        CHECK_OK(dag_add_edge(&out, g->edges[k].src, g->edges[k].dst, g->edges[k].size_bytes, 0, &e), e);
    CHECK_OK(dag_seal(&out, &e), e);
    return out;
}

static void the_order_of_edges_in_the_file_does_not_matter(void)
{
    for (int i = 0; i < N_CASES; i++) {
        struct setting s;
        struct schedule one, other;
        int hosts[MOST_TASKS];
        init_case(&s, i);
        spread_tasks(&s, i, hosts);
        struct naive_wish w = wish_of_case(i, (enum naive_model)(i / 8 % N_NAIVE_MODELS), true, hosts);
        if (plan(&s, &w, &one)) {
            struct dag first = s.dag;
            s.dag = with_edges_backwards(&first);
            if (plan(&s, &w, &other)) {
                CHECK(are_tasks_same(&one, &other, 0));
                schedule_clear(&other);
            }
            dag_clear(&s.dag);
            s.dag = first;
            schedule_clear(&one);
        }
        setting_clear(&s);
    }
}

static void check_bounds(const struct schedule *s)
{
    const struct problem *p = &s->problem;
    double longest_s = schedule_length_s(s) * (1 + 1e-12);
    CHECK(problem_critical_path_s(p) <= longest_s);
    CHECK(problem_work_bound_s(p) <= longest_s);
    CHECK(problem_communication_bound_s(p) <= longest_s);
}

static void plan_and_check(struct setting *s, int i, int *hosts)
{
    struct schedule x;
    struct naive_wish w = wish_of_case(i, (enum naive_model)(i / 8 % N_NAIVE_MODELS), true, hosts);
    w.compacts = i / 24 % 2;
    if (!plan(s, &w, &x))
        return;
    check_bounds(&x);
    check_valid(&x);
    schedule_clear(&x);
}

static void no_plan_is_shorter_than_the_bounds_and_all_are_valid(void)
{
    for (int i = 0; i < 4 * N_CASES; i++) {
        struct setting s;
        int hosts[MOST_TASKS];
        init_case(&s, i);
        spread_tasks(&s, i, hosts);
        plan_and_check(&s, i, hosts);
        setting_clear(&s);
    }
}

/* Sizes, speeds and dates that differ by twenty orders of magnitude. */
static void any_magnitude_gives_valid_plans(void)
{
    for (int i = 0; i < 2 * N_CASES; i++) {
        struct random_stream r = stream_of_case(i);
        struct setting s;
        int hosts[MOST_TASKS];
        init_case(&s, i);
        for (int t = 0; t < s.dag.n_tasks; t++)
            s.dag.tasks[t].work_flop *= pow(10, small_int(&r, -10, 10));
        for (int e = 0; e < s.dag.n_edges; e++)
            s.dag.edges[e].size_bytes *= pow(10, small_int(&r, -10, 10));
        spread_tasks(&s, i, hosts);
        plan_and_check(&s, i, hosts);
        setting_clear(&s);
    }
}

static void every_priority_gives_valid_plans(void)
{
    static const char *const priorities[] = {"bottom_level", "top_level", "t_plus_b_level", "computation_bottom_level",
                                             "alap"};
    for (int i = 0; i < 2 * N_CASES; i++) {
        struct setting s;
        struct schedule x;
        struct err e = {0};
        struct naive_wish w = {.model = (enum naive_model)(i / 10 % N_NAIVE_MODELS)};
        init_case(&s, i);
        char *text = mem_format("list[priority=%s,technique=%s]", priorities[i % 5], i / 5 % 2 ? "end" : "insertion");
        enum err_code code = really_plan(&s, &w, text, &x, &e);
        CHECK_OK(code, e);
        if (code == ERR_NONE) {
            check_bounds(&x);
            check_valid(&x);
            schedule_clear(&x);
        }
        free(text);
        setting_clear(&s);
    }
}

static void the_same_call_gives_the_same_bytes(void)
{
    for (int i = 0; i < N_CASES; i++) {
        struct setting s;
        struct text texts[2] = {{0}, {0}};
        int hosts[MOST_TASKS];
        init_case(&s, i);
        spread_tasks(&s, i, hosts);
        struct naive_wish w = wish_of_case(i, (enum naive_model)(i / 8 % N_NAIVE_MODELS), true, hosts);
        for (int k = 0; k < 2; k++) {
            struct schedule x;
            if (plan(&s, &w, &x)) {
                schedule_write_json(&x, &texts[k]);
                schedule_clear(&x);
            }
        }
        CHECK_TEXT(text_str(&texts[1]), text_str(&texts[0]));
        text_clear(&texts[0]);
        text_clear(&texts[1]);
        setting_clear(&s);
    }
}

static const struct test tests[] = {
    {"involvement without costs is contention", involvement_without_costs_is_contention},
    {"contention on unshared links is classic", contention_on_unshared_links_is_classic},
    {"a chain knows no contention on one hop", a_chain_knows_no_contention_on_one_hop},
    {"direct without gaps is alloc1 with its allocation", direct_without_gaps_is_alloc1_with_its_allocation},
    {"gaps come only from edges that were removed", gaps_come_only_from_edges_that_were_removed},
    {"compaction is never longer, and a second time changes nothing",
     compaction_is_never_longer_and_a_second_time_changes_nothing},
    {"times too short to show keep the order of the graph", times_too_short_to_show_keep_the_order_of_the_graph},
    {"one host is sequential", one_host_is_sequential},
    {"twice the work and the data take twice as long", twice_the_work_and_the_data_take_twice_as_long},
    {"the order of edges in the file does not matter", the_order_of_edges_in_the_file_does_not_matter},
    {"no plan is shorter than the bounds, and all are valid", no_plan_is_shorter_than_the_bounds_and_all_are_valid},
    {"any magnitude gives valid plans", any_magnitude_gives_valid_plans},
    {"every priority gives valid plans", every_priority_gives_valid_plans},
    {"the same call gives the same bytes", the_same_call_gives_the_same_bytes},
};
TEST_MAIN(tests)
