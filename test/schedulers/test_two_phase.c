/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Clusterings and two_phase: what their papers prove, on as many hosts as tasks, all alike, with links that are never
   contended: there each cluster has a host of its own. Then the parameters. */
#include "both.h"
#include "small.h"

enum { N_CASES = 200, MOST_TASKS = 7 };

static double length_of(const struct setting *s, const char *scheduler)
{
    struct schedule x;
    struct err e = {0};
    const struct naive_wish w = {.model = NAIVE_CLASSIC};
    CHECK_OK(really_plan(s, &w, scheduler, &x, &e), e);
    double length_s = schedule_length_s(&x);
    check_valid(&x);
    schedule_clear(&x);
    return length_s;
}

/* Takes ownership of the graph. */
static void init(struct setting *s, struct dag g)
{
    setting_init(s, g, machine_clique(g.n_tasks, 1, 1, 0, LINK_FATPIPE));
}

static double longest_path_s(const struct dag *g, task_id t)
{
    double below_s = 0;
    for (int i = g->out_start[t]; i < g->out_start[t + 1]; i++) {
        const struct edge *e = &g->edges[g->out[i]];
        below_s = fmax(below_s, e->size_bytes + longest_path_s(g, e->dst));
    }
    return g->tasks[t].work_flop + below_s;
}

/* [Yang 1994], [Sarkar 1989], [Kim 1988]: no step makes the schedule longer than that of the graph without clusters. */
static void no_clustering_is_longer_than_the_graph(void)
{
    FOR_RANDOM_CASES (i, N_CASES) {
        struct random_stream r;
        struct setting s;
        double longest_s = 0;
        random_init(&r, 6, i);
        init(&s, small_dag(&r, small_int(&r, 1, 14), true, i % 2 ? SMALL_WHOLE : SMALL_REAL));
        for (task_id t = 0; t < s.dag.n_tasks; t++)
            longest_s = fmax(longest_s, longest_path_s(&s.dag, t));
        CHECK(length_of(&s, "lc") <= longest_s * (1 + 1e-12));
        CHECK(length_of(&s, "ez") <= longest_s * (1 + 1e-12));
        CHECK(length_of(&s, "dsc") <= longest_s * (1 + 1e-12));
        setting_clear(&s);
    }
}

/* ---- optimal graphs ---- */

/* Task 0 before (fork) or after (join) all others. */
static struct dag star_graph(struct random_stream *r, int n_tasks, bool is_fork)
{
    struct dag g = {0};
    struct err e = {0};
    dag_init(&g, "star");
    for (int t = 0; t < n_tasks; t++) {
        char name[16];
        snprintf(name, sizeof name, "t%d", t);
        CHECK_OK(dag_add_task(&g, name, small_int(r, 0, 5), 0, NULL, &e), e);
    }
    for (int t = 1; t < n_tasks; t++)
        CHECK_OK(dag_add_edge(&g, is_fork ? 0 : t, is_fork ? t : 0, random_between(r, 0, 12), 0, &e), e);
    CHECK_OK(dag_seal(&g, &e), e);
    return g;
}

/* The shortest schedule of a fork or a join: some of the others share the host of task 0, the rest are alone. */
static double best_star_s(const struct dag *g)
{
    double best_s = INFINITY;
    for (unsigned local = 0; local < 1U << g->n_edges; local++) {
        double together_s = 0, longest_s = 0;
        for (int k = 0; k < g->n_edges; k++) {
            int other = g->edges[k].src == 0 ? g->edges[k].dst : g->edges[k].src;
            if (local >> k & 1)
                together_s += g->tasks[other].work_flop;
            else
                longest_s = fmax(longest_s, g->tasks[other].work_flop + g->edges[k].size_bytes);
        }
        best_s = fmin(best_s, g->tasks[0].work_flop + fmax(together_s, longest_s));
    }
    return best_s;
}

static void dsc_is_optimal_for_forks_and_joins(void)
{
    FOR_RANDOM_CASES (i, N_CASES) {
        struct random_stream r;
        struct setting s;
        random_init(&r, 7, i);
        init(&s, star_graph(&r, small_int(&r, 2, 9), i % 2));
        CHECK_CLOSE(length_of(&s, "dsc"), best_star_s(&s.dag), 1e-12);
        setting_clear(&s);
    }
}

/* All edges lead towards task 0, and every task works at least as long as any message takes. */
static struct dag coarse_in_tree(struct random_stream *r, int n_tasks)
{
    struct dag g = {0};
    struct err e = {0};
    dag_init(&g, "tree");
    for (int t = 0; t < n_tasks; t++) {
        char name[16];
        snprintf(name, sizeof name, "t%d", t);
        CHECK_OK(dag_add_task(&g, name, random_between(r, 3, 9), 0, NULL, &e), e);
    }
    for (int t = 1; t < n_tasks; t++)
        CHECK_OK(dag_add_edge(&g, t, small_int(r, 0, t - 1), random_between(r, 0, 3), 0, &e), e);
    CHECK_OK(dag_seal(&g, &e), e);
    return g;
}

/* Makes every clustering of the tasks from `t` on: each joins one of the clusters so far, or opens one. */
static double best_clustering_s(const struct dag *g, const task_id *list, int *of, int t, int n_clusters)
{
    double best_s = INFINITY;
    if (t < g->n_tasks) {
        for (of[t] = 0; of[t] <= n_clusters; of[t]++)
            best_s = fmin(best_s, best_clustering_s(g, list, of, t + 1, n_clusters + (of[t] == n_clusters)));
        return best_s;
    }
    double finish_s[MOST_TASKS], free_s[MOST_TASKS] = {0}, length_s = 0;
    for (int k = 0; k < g->n_tasks; k++) {
        task_id at = list[k];
        double start_s = free_s[of[at]];
        for (int i = g->in_start[at]; i < g->in_start[at + 1]; i++) {
            const struct edge *e = &g->edges[g->in[i]];
            start_s = fmax(start_s, finish_s[e->src] + (of[e->src] == of[at] ? 0 : e->size_bytes));
        }
        finish_s[at] = free_s[of[at]] = start_s + g->tasks[at].work_flop;
        length_s = fmax(length_s, finish_s[at]);
    }
    return length_s;
}

static void dsc_is_optimal_for_coarse_in_trees(void)
{
    FOR_RANDOM_CASES (i, N_CASES) {
        struct random_stream r;
        struct setting s;
        int of[MOST_TASKS];
        random_init(&r, 8, i);
        init(&s, coarse_in_tree(&r, small_int(&r, 1, MOST_TASKS)));
        double best_s = best_clustering_s(&s.dag, s.dag.order, of, 0, 0), dsc_s = length_of(&s, "dsc");
        CHECK_CLOSE(dsc_s, fmin(best_s, dsc_s), 1e-12); /* never longer */
        setting_clear(&s);
    }
}

/* ---- rules ---- */

static bool share_a_host(const char *graph, const char *scheduler, const char *one, const char *other)
{
    struct setting s;
    struct schedule x;
    struct err e = {0};
    const struct naive_wish w = {.model = NAIVE_CLASSIC};
    init(&s, dag_from_text(graph));
    CHECK_OK(really_plan(&s, &w, scheduler, &x, &e), e);
    bool share = x.tasks[dag_task_id(&s.dag, one)].host == x.tasks[dag_task_id(&s.dag, other)].host;
    schedule_clear(&x);
    setting_clear(&s);
    return share;
}

/* When x is examined, y waits for u, which is examined later. y's path (30 seconds) is longer than x's (23 seconds),
   and y could start earlier with a; so x must not join a. If b's data arrive as late as a's, y gains nothing, and x
   may. */
static void dsc_leaves_a_cluster_to_a_longer_path(void)
{
    CHECK(!share_a_host("a:2 b:2 u:1 x:15 y:20 | a>y:8 b>y:7 u>y:0 a>x:6", "dsc", "a", "x"));
    CHECK(share_a_host("a:2 b:2 u:1 x:15 y:20 | a>y:8 b>y:7 u>y:0 a>x:6", "dsc", "a", "y"));
    CHECK(share_a_host("a:2 b:2 u:1 x:15 y:20 | a>y:8 b>y:8 u>y:0 a>x:6", "dsc", "a", "x"));
    CHECK(share_a_host("b:2 a:2 u:1 x:15 y:20 | b>y:8 a>y:8 u>y:0 a>x:6", "dsc", "a", "x"));
    CHECK(!share_a_host("p:1 b:2 q:1 d:2 a:2 u:1 x:15 y:20 | p>b:20 q>d:20 b>y:5 d>y:5 a>y:8 u>y:0 a>x:6", "dsc", "a",
                        "x"));
    CHECK(share_a_host("a:2 b:2 u:1 x:25 y:13 | a>y:8 b>y:7 u>y:0 a>x:6", "dsc", "a", "x")); /* x's is longer */
}

static void init_scaled(struct setting *s, uint64_t number, double scale)
{
    struct random_stream r;
    random_init(&r, 10, number);
    struct dag g = small_dag(&r, small_int(&r, 1, 14), true, SMALL_WHOLE);
    struct machine m = machine_clique(4, 1, small_power(&r, SMALL_WHOLE), 0, LINK_SHARED);
    for (task_id t = 0; t < g.n_tasks; t++)
        g.tasks[t].work_flop *= scale;
    dag_scale_edges(&g, scale);
    for (size_t h = 0; h < m.n_hosts; h++) {
        m.hosts[h].speed_flop_per_s = small_power(&r, SMALL_WHOLE);
        for (int dir = 0; dir < N_DIRECTIONS; dir++) {
            machine_text_set_number(&m.hosts[h].overhead_s[dir], small_part(&r, SMALL_WHOLE) * scale);
            machine_text_set_number(&m.hosts[h].involvement_ratio[dir], small_part(&r, SMALL_WHOLE));
        }
    }
    setting_init(s, g, m);
}

/* Sums of tenths are not exact; that must not decide anything. */
static void tenths_are_chosen_like_whole_numbers(void)
{
    static const char *const names[] = {"lc", "ez", "dsc", "two_phase[cluster=none,map=comm]", "bsa[technique=end]"};
    FOR_RANDOM_CASES (i, 5 * N_CASES) {
        struct setting s[2];
        const struct naive_wish w = {.model = (enum naive_model)(i % N_NAIVE_MODELS)};
        init_scaled(&s[0], i, 1);
        init_scaled(&s[1], i, 0.1);
        for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
            struct schedule whole, tenths;
            struct err e = {0};
            CHECK_OK(really_plan(&s[0], &w, names[k], &whole, &e), e);
            CHECK_OK(really_plan(&s[1], &w, names[k], &tenths, &e), e);
            for (task_id t = 0; t < s[0].dag.n_tasks; t++)
                CHECK_INT(tenths.tasks[t].host, whole.tasks[t].host);
            schedule_clear(&whole);
            schedule_clear(&tenths);
        }
        setting_clear(&s[0]);
        setting_clear(&s[1]);
    }
}

/* ---- parameters ---- */

static void check_same(const struct setting *s, enum naive_model model, const char *one, const char *other)
{
    struct schedule a, b;
    struct err e = {0};
    struct text a_json = {0}, b_json = {0};
    const struct naive_wish w = {.model = model};
    CHECK_OK(really_plan(s, &w, one, &a, &e), e);
    CHECK_OK(really_plan(s, &w, other, &b, &e), e);
    free(b.scheduler);
    b.scheduler = mem_strdup(one);
    schedule_write_json(&a, &a_json);
    schedule_write_json(&b, &b_json);
    CHECK_TEXT(text_str(&b_json), text_str(&a_json));
    text_clear(&a_json);
    text_clear(&b_json);
    schedule_clear(&a);
    schedule_clear(&b);
}

static void random_setting(struct setting *s, uint64_t number)
{
    struct random_stream r;
    random_init(&r, 9, number);
    setting_init(s, small_dag(&r, small_int(&r, 1, 14), true, SMALL_REAL), small_machine(&r, 4, SMALL_REAL));
}

static void clusterings_are_names_for_two_phase(void)
{
    FOR_RANDOM_CASES (i, 30) {
        struct setting s;
        random_setting(&s, i);
        enum naive_model model = (enum naive_model)(i % N_NAIVE_MODELS);
        check_same(&s, model, "lc", "two_phase[cluster=lc]");
        check_same(&s, model, "ez[map=comm]", "two_phase[cluster=ez,map=comm]");
        check_same(&s, model, "dsc[approach=alloc3,technique=insertion,compact=off]",
                   "two_phase[approach=alloc3,technique=insertion,compact=off]");
        setting_clear(&s);
    }
}

static void the_hosts_of_another_scheduler_are_those_of_its_schedule(void)
{
    FOR_RANDOM_CASES (i, 30) {
        struct setting s;
        struct schedule first, second;
        struct err e = {0};
        const struct naive_wish w = {.model = (enum naive_model)(i % N_NAIVE_MODELS)};
        random_setting(&s, i);
        CHECK_OK(really_plan(&s, &w, "list[approach=entering,technique=insertion]", &first, &e), e);
        CHECK_OK(
            really_plan(&s, &w, "two_phase[allocation_of=list[approach=entering,technique=insertion]]", &second, &e),
            e);
        for (task_id t = 0; t < s.dag.n_tasks; t++)
            CHECK_INT(second.tasks[t].host, first.tasks[t].host);
        schedule_clear(&first);
        schedule_clear(&second);
        setting_clear(&s);
    }
}

static bool count_looks(void *n_looks)
{
    ++*(int *)n_looks;
    return true;
}

static void ignore_line(void *self, const char *line)
{
    (void)self;
    (void)line;
}

/* Ctrl-C reaches the scheduler that decides the hosts. */
static void a_search_for_the_hosts_can_be_stopped(void)
{
    int n_looks = 0;
    const struct search_watch watch = {.is_stopped = count_looks, .show = ignore_line, .self = &n_looks};
    const struct scheduler_inputs in = {.watch = &watch};
    struct setting s;
    struct scheduler_choice choice;
    struct schedule x;
    struct err e = {0};
    random_setting(&s, 3);
    struct problem p = setting_problem(&s, NAIVE_INVOLVEMENT);
    CHECK_OK(scheduler_choose("two_phase[allocation_of=gics[evaluations=100000]]", &choice, &e), e);
    CHECK_OK(scheduler_plan(&choice, &p, &in, &x, &e), e);
    CHECK(n_looks > 0);
    check_valid(&x);
    schedule_clear(&x);
    scheduler_choice_clear(&choice);
    setting_clear(&s);
}

static void check_refused(const char *scheduler, const struct naive_wish *w, const char *words)
{
    struct setting s;
    struct schedule x;
    struct err e = {0};
    setting_init(&s, dag_from_text("a:1 b:2 | a>b:1"), machine_clique(2, 1, 1, 0, LINK_SHARED));
    CHECK_INT(really_plan(&s, w, scheduler, &x, &e), ERR_INPUT);
    CHECK_CONTAINS(e.text, words);
    setting_clear(&s);
}

static void contradictions_are_refused(void)
{
    static const int order[] = {0, 1}, allocation[] = {0, 1};
    const struct naive_wish plain = {.model = NAIVE_CLASSIC}, ordered = {.order = order},
                            placed = {.allocation = allocation};
    check_refused("two_phase[cluster=lc,allocation_of=heft]", &plain,
                  "two_phase[cluster=lc] contradicts allocation_of");
    check_refused("two_phase[map=comm,allocation_of=heft]", &plain, "two_phase[map=comm] contradicts allocation_of");
    check_refused("two_phase[allocation_of=heft+mcp]", &plain, "2 schedulers; it takes the hosts of one");
    check_refused("two_phase[allocation_of=hefd]", &plain, "unknown scheduler 'hefd'");
    check_refused("two_phase[approach=direct]", &plain, "alloc1");
    check_refused("two_phase[cluster=md]", &plain, "none");
    check_refused("lc[cluster=ez]", &plain, "cluster");
    check_refused("two_phase", &ordered, "does not take an order");
    check_refused("two_phase[allocation_of=heft]", &placed, "does not take an allocation");
    check_refused("dsc", &placed, "does not take an allocation");
    check_refused("bsa", &ordered, "does not take an order");
}

/* ---- costs that know more ---- */

/* The hosts of `scheduler` under involvement; with `factor` for all edges. Both processors are involved for `ratio` of
   the transfer; the machine is a bus of 4 hosts or has a link for each pair. */
static void plan_hosts(uint64_t i, bool is_bus, double factor, double ratio, const char *scheduler, host_id *hosts)
{
    struct random_stream r;
    struct setting s;
    struct schedule x;
    char *text = mem_format("%g", ratio);
    random_init(&r, 150, i);
    struct dag g = small_dag(&r, 12, true, SMALL_WHOLE);
    for (edge_id e = 0; e < g.n_edges; e++)
        g.edges[e].size_bytes *= factor;
    setting_init(&s, g, is_bus ? machine_bus(4, 1, 1, 0) : machine_clique(4, 1, 1, 0, LINK_FATPIPE));
    machine_text_set_all(&s.machine, "involvement_send", text);
    machine_text_set_all(&s.machine, "involvement_recv", text);
    setting_plan(&s, model_of("involvement"), scheduler, NULL, &x);
    for (task_id t = 0; t < 12; t++)
        hosts[t] = x.tasks[t].host;
    schedule_clear(&x);
    setting_clear(&s);
    free(text);
}

/* s: the time of all edges over the longest path, as the same graph has it; on a bus every edge meets all others. */
static double edges_at_once(uint64_t i)
{
    struct random_stream r;
    double longest_s = 0, sum_s = 0;
    random_init(&r, 150, i);
    struct dag g = small_dag(&r, 12, true, SMALL_WHOLE);
    for (task_id t = 0; t < g.n_tasks; t++)
        longest_s = fmax(longest_s, longest_path_s(&g, t));
    for (edge_id e = 0; e < g.n_edges; e++)
        sum_s += g.edges[e].size_bytes;
    dag_clear(&g);
    return longest_s > 0 ? fmax(1, sum_s / longest_s) : 1;
}

static bool are_equal(const host_id *a, const host_id *b)
{
    return memcmp(a, b, 12 * sizeof *a) == 0;
}

/* Where both are involved all the time, an edge costs three times its transfer; on a bus, s times; with both, s + 1
   times where each is involved for half of it. Clusters are then those of a graph with as much larger edges. */
static void costs_that_know_more_are_larger_edges(void)
{
    static const char *const names[] = {"lc", "ez", "dsc"};
    int n_changed = 0;
    FOR_RANDOM_CASES (i, 60)
        for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
            host_id want[12], got[12], plain[12];
            char *involved = mem_format("%s[map=comm,aware=involvement]", names[k]);
            char *contended = mem_format("%s[map=comm,aware=contention]", names[k]);
            char *both = mem_format("%s[map=comm,aware=both]", names[k]);
            char *none = mem_format("%s[map=comm]", names[k]);
            plan_hosts(i, false, 3, 0, none, want);
            plan_hosts(i, false, 1, 1, involved, got);
            plan_hosts(i, false, 1, 1, none, plain);
            CHECK(are_equal(want, got));
            n_changed += !are_equal(plain, got);
            plan_hosts(i, true, edges_at_once(i), 1, none, want);
            plan_hosts(i, true, 1, 1, contended, got);
            CHECK(are_equal(want, got));
            plan_hosts(i, true, edges_at_once(i) + 1, 0.5, none, want);
            plan_hosts(i, true, 1, 0.5, both, got);
            CHECK(are_equal(want, got));
            plan_hosts(i, false, 1, 1, contended, got); /* links that take no turns */
            CHECK(are_equal(plain, got));
            free(involved);
            free(contended);
            free(both);
            free(none);
        }
    CHECK(n_changed > random_cases(10));
}

static const struct test tests[] = {
    {"costs that know more are larger edges", costs_that_know_more_are_larger_edges},
    {"no clustering is longer than the graph", no_clustering_is_longer_than_the_graph},
    {"DSC is optimal for forks and joins", dsc_is_optimal_for_forks_and_joins},
    {"DSC is optimal for coarse in-trees", dsc_is_optimal_for_coarse_in_trees},
    {"DSC leaves a cluster to a longer path", dsc_leaves_a_cluster_to_a_longer_path},
    {"tenths are chosen like whole numbers", tenths_are_chosen_like_whole_numbers},
    {"clusterings are names for two_phase", clusterings_are_names_for_two_phase},
    {"the hosts of another scheduler are those of its schedule",
     the_hosts_of_another_scheduler_are_those_of_its_schedule},
    {"a search for the hosts can be stopped", a_search_for_the_hosts_can_be_stopped},
    {"contradictions are refused", contradictions_are_refused},
};
TEST_MAIN(tests)
