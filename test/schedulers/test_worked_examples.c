/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The examples by which papers explain their schedulers, on three unrelated hosts with a link of one byte per second
   between each two: the graph of [Topcuoglu 2002] figure 2, and that of [Arabnejad 2014] figure 1. On hosts that are
   alike: the graph of the survey [Kwok 1999]. */
#include "both.h"

enum { N_TASKS = 10, N_HOSTS = 3 };

static const char *const topcuoglu = "n1:0 n2:0 n3:0 n4:0 n5:0 n6:0 n7:0 n8:0 n9:0 n10:0 | "
                                     "n1>n2:18 n1>n3:12 n1>n4:9 n1>n5:11 n1>n6:14 n2>n8:19 n2>n9:16 n3>n7:23 "
                                     "n4>n8:27 n4>n9:23 n5>n9:13 n6>n8:15 n7>n10:17 n8>n10:11 n9>n10:13";
static const double topcuoglu_s[N_TASKS * N_HOSTS] = {14, 16, 9, 13, 19, 18, 11, 13, 19, 13, 8,  17, 12, 13, 10,
                                                      13, 16, 9, 7,  15, 11, 5,  11, 14, 18, 12, 20, 21, 7,  16};

static const char *const arabnejad = "T1:0 T2:0 T3:0 T4:0 T5:0 T6:0 T7:0 T8:0 T9:0 T10:0 | "
                                     "T1>T2:17 T1>T3:31 T1>T4:29 T1>T5:13 T1>T6:7 T2>T8:3 T2>T9:30 T3>T7:16 "
                                     "T4>T8:11 T4>T9:7 T5>T9:57 T6>T8:5 T7>T10:9 T8>T10:42 T9>T10:7";
static const double arabnejad_s[N_TASKS * N_HOSTS] = {22, 21, 36, 22, 18, 18, 32, 27, 43, 7,  10, 4, 29, 27, 35,
                                                      26, 17, 24, 14, 25, 30, 29, 23, 36, 15, 21, 8, 13, 16, 33};

static const char *const kwok =
    "n1:2 n2:3 n3:3 n4:4 n5:5 n6:4 n7:4 n8:4 n9:1 | n1>n2:4 n1>n3:1 n1>n4:1 n1>n5:1 n1>n7:10 "
    "n2>n6:1 n2>n7:1 n3>n8:1 n4>n8:1 n6>n9:5 n7>n9:6 n8>n9:5";
enum { N_KWOK_TASKS = 9 };

static void init_on(struct setting *s, struct dag dag, const double *costs_s, struct machine machine)
{
    setting_init(s, dag, machine);
    s->costs.source = mem_strdup("the paper's table");
    s->costs.compute_s = mem_alloc(N_TASKS * N_HOSTS * sizeof *costs_s);
    memcpy(s->costs.compute_s, costs_s, N_TASKS * N_HOSTS * sizeof *costs_s);
}

static void init(struct setting *s, const char *graph, const double *costs_s)
{
    init_on(s, dag_from_text(graph), costs_s, machine_clique(N_HOSTS, 1, 1, 0, LINK_FATPIPE));
}

static void plan(const struct setting *s, const char *scheduler, struct schedule *out)
{
    struct err e = {0};
    const struct naive_wish w = {.model = NAIVE_CLASSIC};
    CHECK_OK(really_plan(s, &w, scheduler, out, &e), e);
    check_valid(out);
}

static void check_length(const char *graph, const double *costs_s, const char *scheduler, double length_s)
{
    struct setting s;
    struct schedule x;
    init(&s, graph, costs_s);
    plan(&s, scheduler, &x);
    CHECK_CLOSE(schedule_length_s(&x), length_s, 0);
    schedule_clear(&x);
    setting_clear(&s);
}

/* Section 4.1 and figure 3 (a). */
static void heft_places_its_paper_s_tasks(void)
{
    static const struct {
        int host;
        double start_s, finish_s;
    } want[N_TASKS] = {{2, 0, 9},   {0, 27, 40}, {2, 9, 28},  {1, 18, 26}, {2, 28, 38},
                       {1, 26, 42}, {2, 38, 49}, {0, 57, 62}, {1, 56, 68}, {1, 73, 80}};
    struct setting s;
    struct schedule x;
    init(&s, topcuoglu, topcuoglu_s);
    plan(&s, "heft", &x);
    for (int t = 0; t < N_TASKS; t++) {
        CHECK_INT(x.tasks[t].host, want[t].host);
        CHECK_CLOSE(x.tasks[t].span.start_s, want[t].start_s, 0);
        CHECK_CLOSE(x.tasks[t].span.finish_s, want[t].finish_s, 0);
    }
    schedule_clear(&x);
    setting_clear(&s);
}

/* Figure 3 (b): the critical path n1, n2, n9, n10 is on the second host. */
static void cpop_places_its_paper_s_critical_path(void)
{
    struct setting s;
    struct schedule x;
    init(&s, topcuoglu, topcuoglu_s);
    plan(&s, "cpop", &x);
    static const int path[] = {0, 1, 8, 9};
    for (int i = 0; i < 4; i++)
        CHECK_INT(x.tasks[path[i]].host, 1);
    CHECK_CLOSE(schedule_length_s(&x), 86, 0);
    schedule_clear(&x);
    setting_clear(&s);
}

/* Figure 3 of [Arabnejad 2014]. */
static void peft_lookahead_and_heft_are_as_long_as_peft_s_paper_says(void)
{
    check_length(arabnejad, arabnejad_s, "peft", 122);
    check_length(arabnejad, arabnejad_s, "lookahead", 127);
    check_length(arabnejad, arabnejad_s, "heft", 133);
}

/* Between each two hosts the link of one byte per second, and twenty that take no time worth mentioning. */
static struct machine machine_with_fast_links(void)
{
    struct text text = {0};
    text_addf(&text, "p1:1 p2:1 p3:1 |");
    for (int l = 0; l < 3; l++)
        for (int k = 0; k <= 20; k++)
            text_addf(&text, " l%d_%d:%s,0,fatpipe", l, k, k == 0 ? "1" : "1e30");
    for (int l = 0; l < 3; l++) {
        static const char *const pairs[] = {"p1-p2", "p1-p3", "p2-p3"};
        text_addf(&text, "%s%s:", l == 0 ? " | " : " ", pairs[l]);
        for (int k = 0; k <= 20; k++)
            text_addf(&text, "%sl%d_%d", k > 0 ? "," : "", l, k);
    }
    struct machine m = machine_from_text(text_str(&text));
    text_clear(&text);
    return m;
}

/* The cost of an edge is that of a message between two hosts, over however many links (and the paper says 80 and
   86). */
static void routes_of_many_links_change_no_paper_s_example(void)
{
    static const struct {
        const char *scheduler;
        double length_s;
    } cases[] = {{"heft", 80}, {"cpop", 86}, {"peft", 85}, {"lookahead", 76}, {"heft[edges=links]", 91}};
    struct setting s;
    init_on(&s, dag_from_text(topcuoglu), topcuoglu_s, machine_with_fast_links());
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct schedule x;
        plan(&s, cases[i].scheduler, &x);
        CHECK_CLOSE(schedule_length_s(&x), cases[i].length_s, 1e-9);
        schedule_clear(&x);
    }
    setting_clear(&s);
}

static double length_s_of(const struct setting *s, const char *scheduler)
{
    struct schedule x;
    plan(s, scheduler, &x);
    double length_s = schedule_length_s(&x);
    schedule_clear(&x);
    return length_s;
}

/* A message that takes so many seconds costs the same whether bytes or latency take them. */
static void latency_costs_what_bytes_cost(void)
{
    static const char *const names[] = {"heft",  "cpop",      "mcp", "peft", "ppts",
                                        "ippts", "lookahead", "bil", "lc",   "dsc"};
    static const double costs_s[] = {5, 20};
    for (size_t k = 0; k < 2; k++) {
        struct setting bytes, latency;
        struct dag slow = dag_from_text(topcuoglu), empty = dag_from_text(topcuoglu);
        for (edge_id e = 0; e < slow.n_edges; e++) {
            slow.edges[e].size_bytes = costs_s[k];
            empty.edges[e].size_bytes = 0;
        }
        init_on(&bytes, slow, topcuoglu_s, machine_clique(N_HOSTS, 1, 1, 0, LINK_FATPIPE));
        init_on(&latency, empty, topcuoglu_s, machine_clique(N_HOSTS, 1, 1, costs_s[k], LINK_FATPIPE));
        for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
            CHECK_CLOSE(length_s_of(&latency, names[i]), length_s_of(&bytes, names[i]), 0);
        setting_clear(&latency);
        setting_clear(&bytes);
    }
}

/* A task alone has the level 2 w - w(host) on an empty host. That of `a` is 4 everywhere; `b` takes 1, 1 and 10: 1 by
   the median, 7 by the mean. The task with the higher level takes the first host, the other one the second. */
static void dls_takes_the_median_over_hosts(void)
{
    static const double costs_s[2 * N_HOSTS] = {4, 4, 4, 1, 1, 10};
    static const char *const names[] = {"dls", "dls[rank=mean]"};
    struct setting s;
    setting_init(&s, dag_from_text("a:0 b:0"), machine_clique(N_HOSTS, 1, 1, 0, LINK_FATPIPE));
    s.costs.source = mem_strdup("two tasks");
    s.costs.compute_s = mem_alloc(sizeof costs_s);
    memcpy(s.costs.compute_s, costs_s, sizeof costs_s);
    for (int i = 0; i < 2; i++) {
        struct schedule x;
        plan(&s, names[i], &x);
        CHECK_INT(x.tasks[0].host, i);
        CHECK_INT(x.tasks[1].host, 1 - i);
        schedule_clear(&x);
    }
    setting_clear(&s);
}

/* On a host for each task. */
static void clusterings_are_as_long_as_the_survey_says(void)
{
    struct setting s;
    struct schedule x;
    setting_init(&s, dag_from_text(kwok), machine_clique(N_KWOK_TASKS, 1, 1, 0, LINK_FATPIPE));
    plan(&s, "lc", &x);
    CHECK_CLOSE(schedule_length_s(&x), 19, 0);
    schedule_clear(&x);
    plan(&s, "ez", &x);
    CHECK_CLOSE(schedule_length_s(&x), 18, 0);
    schedule_clear(&x);
    setting_clear(&s);
}

/* The critical path is n1, n7, n9. Tasks may run on the first host only, so they stay there, in the order of the
   list. */
static void bsa_lists_the_survey_s_tasks_in_its_order(void)
{
    static const char *const names[N_KWOK_TASKS] = {"n1", "n2", "n7", "n4", "n3", "n8", "n6", "n9", "n5"};
    struct setting s;
    struct schedule x;
    double at_s = 0;
    setting_init(&s, dag_from_text(kwok), machine_clique(2, 1, 1, 0, LINK_FATPIPE));
    s.costs.source = mem_strdup("one host");
    s.costs.compute_s = mem_alloc(2 * N_KWOK_TASKS * sizeof(double));
    for (int t = 0; t < N_KWOK_TASKS; t++) {
        s.costs.compute_s[2 * t] = s.dag.tasks[t].work_flop;
        s.costs.compute_s[2 * t + 1] = INFINITY;
    }
    plan(&s, "bsa", &x);
    for (int k = 0; k < N_KWOK_TASKS; k++) {
        task_id t = dag_task_id(&s.dag, names[k]);
        CHECK_CLOSE(x.tasks[t].span.start_s, at_s, 0);
        at_s = x.tasks[t].span.finish_s;
    }
    schedule_clear(&x);
    setting_clear(&s);
}

static const struct test tests[] = {
    {"HEFT places its paper's tasks", heft_places_its_paper_s_tasks},
    {"CPOP places its paper's critical path", cpop_places_its_paper_s_critical_path},
    {"PEFT, Lookahead and HEFT are as long as PEFT's paper says",
     peft_lookahead_and_heft_are_as_long_as_peft_s_paper_says},
    {"routes of many links change no paper's example", routes_of_many_links_change_no_paper_s_example},
    {"latency costs what bytes cost", latency_costs_what_bytes_cost},
    {"DLS takes the median over hosts", dls_takes_the_median_over_hosts},
    {"clusterings are as long as the survey says", clusterings_are_as_long_as_the_survey_says},
    {"BSA lists the survey's tasks in its order", bsa_lists_the_survey_s_tasks_in_its_order},
};
TEST_MAIN(tests)
