/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* `optimal` finds what trying everything finds, is never longer than any scheduler, and proves no more than is true. */
#include "naive_optimum.h"
#include "small.h"

static double planned_s(const struct setting *s, enum naive_model model, const char *scheduler, double *bound_s)
{
    struct naive_wish w = {.model = model};
    struct schedule x;
    struct err e = {0};
    enum err_code code = really_plan(s, &w, scheduler, &x, &e);
    CHECK_OK(code, e);
    if (code != ERR_NONE)
        return NAN;
    check_valid(&x);
    double length_s = schedule_length_s(&x);
    if (bound_s != NULL)
        *bound_s = x.lower_bound_s;
    schedule_clear(&x);
    return length_s;
}

/* The length, which must be proved. It begins with a bad schedule, so that the search has to find a better one
   itself. */
static double optimum_s(const struct setting *s, enum naive_model model)
{
    double bound_s = NAN, length_s = planned_s(s, model, "optimal[seeds=round_robin]", &bound_s);
    CHECK(bound_s == length_s);
    return length_s;
}

static void describe(const struct setting *s, enum naive_model model, uint64_t number)
{
    fprintf(stderr, "case %d: %d tasks, %zu hosts, %s%s\n", (int)number, s->dag.n_tasks, s->machine.n_hosts,
            naive_model_names[model], s->costs.compute_s != NULL ? ", unrelated" : "");
}

static enum naive_model init_case(struct setting *s, uint64_t seed, uint64_t number, int max_tasks, int max_hosts)
{
    struct random_stream r;
    random_init(&r, seed, number);
    enum small_kind kind = number % 2 ? SMALL_WHOLE : SMALL_REAL;
    int n_tasks = small_int(&r, 1, max_tasks), n_hosts = small_int(&r, 1, max_hosts);
    setting_init(s, small_dag(&r, n_tasks, random_below(&r, 2), kind), small_machine(&r, n_hosts, kind));
    if (random_below(&r, 4) == 0)
        small_costs(&s->costs, &r, n_tasks, n_hosts, kind);
    return (enum naive_model)random_below(&r, N_NAIVE_MODELS);
}

/* ---- the optimum ---- */

static void nothing_that_can_be_tried_is_shorter(void)
{
    enum { N_CASES = 200, N_STEPS = 300000 };
    int n_compared = 0;
    FOR_RANDOM_CASES (i, N_CASES) {
        struct setting s;
        enum naive_model model = init_case(&s, 41, i, 5, 3);
        double want_s = naive_optimum_s(&s, model, N_STEPS);
        if (!isnan(want_s)) {
            double got_s = optimum_s(&s, model);
            CHECK_CLOSE(got_s, want_s, 1e-11);
            if (!(fabs(got_s - want_s) <= 1e-11 * want_s))
                describe(&s, model, i);
            n_compared++;
        }
        setting_clear(&s);
    }
    CHECK(n_compared >= random_cases(N_CASES) / 2);
}

/* Each task may run on one host only, so that there is nothing but orders; several tasks on each host. */
static void no_order_is_forgotten(void)
{
    enum { N_CASES = 300, N_STEPS = 100000 };
    int n_compared = 0;
    FOR_RANDOM_CASES (i, N_CASES) {
        struct random_stream r;
        struct setting s;
        random_init(&r, 46, i);
        enum small_kind kind = i % 2 ? SMALL_WHOLE : SMALL_REAL;
        enum naive_model model = (enum naive_model)random_below(&r, N_NAIVE_MODELS);
        int n_tasks = small_int(&r, 5, 9), n_hosts = small_int(&r, 1, 3);
        setting_init(&s, small_dag(&r, n_tasks, true, kind), small_machine(&r, n_hosts, kind));
        small_costs(&s.costs, &r, n_tasks, n_hosts, kind);
        for (int t = 0; t < n_tasks; t++) {
            int only = small_int(&r, 0, n_hosts - 1);
            for (int h = 0; h < n_hosts; h++)
                s.costs.compute_s[t * n_hosts + h] = h == only ? small_number(&r, kind) : INFINITY;
        }
        double want_s = naive_optimum_s(&s, model, N_STEPS);
        if (!isnan(want_s)) {
            CHECK_CLOSE(optimum_s(&s, model), want_s, 1e-11);
            n_compared++;
        }
        setting_clear(&s);
    }
    CHECK(n_compared >= random_cases(N_CASES) / 5);
}

/* A fork, a join, a tree either way, or a fork and a join. Equal times and sizes are frequent. */
static struct dag small_shape(struct random_stream *r, int n_tasks)
{
    enum { FORK, JOIN, OUT_TREE, IN_TREE, FORK_JOIN, N_SHAPES };
    struct dag g = {0};
    struct err e = {0};
    int shape = small_int(r, 0, N_SHAPES - 1), most = small_int(r, 1, 3), last = n_tasks - 1;
    dag_init(&g, "shape");
    for (int t = 0; t < n_tasks; t++) {
        char name[16];
        snprintf(name, sizeof name, "t%d", t);
        CHECK_OK(dag_add_task(&g, name, small_int(r, random_below(r, 8) > 0, most), 0, NULL, &e), e);
    }
    for (int t = 1; t < n_tasks; t++) {
        int other = shape == OUT_TREE || shape == IN_TREE ? small_int(r, 0, t - 1) : 0;
        bool is_out = shape == FORK || shape == OUT_TREE || (shape == FORK_JOIN && t < last);
        if (is_out)
            CHECK_OK(dag_add_edge(&g, other, t, small_int(r, 0, most), 0, &e), e);
        if (!is_out || shape == FORK_JOIN)
            CHECK_OK(
                dag_add_edge(&g, is_out ? t : last - t, is_out ? last : last - other, small_int(r, 0, most), 0, &e), e);
    }
    CHECK_OK(dag_seal(&g, &e), e);
    return g;
}

/* As small_costs, with times that are often equal; most tasks may run on one host only, so that large cases can be
   tried. */
static void shape_costs(struct task_costs *c, struct random_stream *r, int n_tasks, int n_hosts)
{
    int most_free = small_int(r, 0, 3);
    small_costs(c, r, n_tasks, n_hosts, SMALL_WHOLE);
    for (int t = 0; t < n_tasks; t++) {
        int only = small_int(r, 0, n_hosts - 1), time_s = small_int(r, random_below(r, 8) > 0, 3);
        for (int h = 0; h < n_hosts; h++)
            c->compute_s[t * n_hosts + h] =
                h == only || t < most_free ? time_s + small_int(r, 0, 3) / 3 : (double)INFINITY;
    }
}

/* Where orders are fixed without being tried. */
static void forks_joins_and_trees_have_no_shorter_schedule(void)
{
    enum { N_CASES = 400, N_STEPS = 100000 };
    int n_compared = 0;
    FOR_RANDOM_CASES (i, N_CASES) {
        struct random_stream r;
        struct setting s;
        random_init(&r, 49, i);
        enum naive_model model = (enum naive_model)random_below(&r, N_NAIVE_MODELS);
        int n_tasks = small_int(&r, 4, 9), n_hosts = small_int(&r, 1, 3);
        setting_init(&s, small_shape(&r, n_tasks), small_machine(&r, n_hosts, SMALL_WHOLE));
        if (n_tasks > 5 || random_below(&r, 2))
            shape_costs(&s.costs, &r, n_tasks, n_hosts);
        double want_s = naive_optimum_s(&s, model, N_STEPS);
        if (!isnan(want_s)) {
            double got_s = optimum_s(&s, model);
            CHECK_CLOSE(got_s, want_s, 1e-11);
            if (!(fabs(got_s - want_s) <= 1e-11 * want_s))
                describe(&s, model, i);
            n_compared++;
        }
        setting_clear(&s);
    }
    CHECK(n_compared >= random_cases(N_CASES) / 4);
}

static void check_text_case(const char *graph, struct machine m, enum naive_model model, double want_s)
{
    struct setting s;
    setting_init(&s, dag_from_text(graph), m);
    CHECK_CLOSE(optimum_s(&s, model), want_s, 1e-12);
    setting_clear(&s);
}

/* All of these follow by hand. */
static void closed_forms(void)
{
    /* A chain stays on one host. */
    check_text_case("a:3 b:2 c:4 | a>b:1 b>c:1", machine_bus(3, 1, 1, 0), NAIVE_CLASSIC, 9);
    /* 4 + 3 = 3 + 2 + 2: longest processing time first gives 8. */
    check_text_case("a:3 b:3 c:2 d:2 e:2", machine_bus(2, 1, 1, 0), NAIVE_CONTENTION, 6);
    check_text_case("a:4 b:4 c:3 d:3 e:3 f:3", machine_bus(2, 1, 1, 0), NAIVE_CLASSIC, 10);
    /* A fork on one bus of bandwidth 1: a, then one of the two children elsewhere after a message of 2: 1 + 2 + 3. */
    check_text_case("a:1 b:3 c:3 | a>b:2 a>c:2", machine_bus(3, 1, 1, 0), NAIVE_CONTENTION, 6);
    /* Under classic three hosts are no better: the message is the same; with messages of 1, and 4 children of 3 on 4
       hosts, classic 1 + 1 + 3, but on one bus the third message ends at 4. One host does two of the children: 1 + 3 +
       3; or the bus brings b at 2, c at 3, d at 4 (ends at 7). */
    check_text_case("a:1 b:3 c:3 d:3 e:3 | a>b:1 a>c:1 a>d:1 a>e:1", machine_bus(4, 1, 1, 0), NAIVE_CLASSIC, 5);
    check_text_case("a:1 b:3 c:3 d:3 e:3 | a>b:1 a>c:1 a>d:1 a>e:1", machine_bus(4, 1, 1, 0), NAIVE_CONTENTION, 7);
    /* A join of messages that are too long: one after the other on one host. */
    check_text_case("a:2 b:2 c:2 d:1 | a>d:9 b>d:9 c>d:9", machine_bus(3, 1, 1, 0), NAIVE_CLASSIC, 7);
    /* Both messages at once on a link that is not contended; one after the other, 1 + 2 + 2 + 4 would be 9. */
    check_text_case("a:1 b:4 c:4 d:4 | a>b:2 a>c:2 a>d:2",
                    machine_from_text("p:1 q:1 r:1 | l:1,fatpipe | p-q:l p-r:l q-r:l"), NAIVE_CONTENTION, 7);
    check_text_case("a:0", machine_bus(2, 1, 1, 0), NAIVE_INVOLVEMENT, 0);
    check_text_case("a:0 b:0 c:0 | a>b:0 b>c:0", machine_bus(2, 1, 1, 0), NAIVE_INVOLVEMENT, 0);
}

/* [S] 8.3.1: where a message takes its origin's processor longer than the shortest child, a fork stays on one host. */
static void a_fork_whose_sends_cost_more_than_they_save_is_sequential(void)
{
    struct machine m = machine_star(4, 1, 1, 0, LINK_SPLITDUPLEX);
    machine_text_set_all(&m, "involvement_send", "1");
    machine_text_set_all(&m, "overhead_send", "0.5");
    check_text_case("a:1 b:2 c:2 d:2 | a>b:2 a>c:2 a>d:2", m, NAIVE_INVOLVEMENT, 7);
}

/* The first host is not the one to begin on: from a, both messages pass l, or the fast link cannot be used. */
static void hosts_that_only_look_alike_are_not_exchanged(void)
{
    static const struct {
        const char *graph, *machine;
        double want_s;
    } cases[] = {
        {"r:1 x:4 y:4 z:4 | r>x:3 r>y:3 r>z:3", "a:1 b:1 c:1 | l:1 m:1 | a-b:l a-c:l b-c:m", 8},
        {"r:1 x:4 y:4 z:4 | r>x:3 r>y:3 r>z:3", "a:1 b:1 c:1 | l:1 m:1,fatpipe | a-b:l a-c:l b-c:m", 8},
        {"r:1 x:4 y:4 | r>x:2 r>y:2", "a:1 b:1 c:1 | l:1 m:1 n:4 | a-b:l a-c:m b-c:n", 5.5},
        {"r:1 x:4 y:4 | r>x:2 r>y:2", "a:1 b:1 c:1 | l:1,2 m:1,2 n:1 | a-b:l a-c:m b-c:n", 7},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct setting s;
        setting_init(&s, dag_from_text(cases[i].graph), machine_from_text(cases[i].machine));
        CHECK_CLOSE(optimum_s(&s, NAIVE_CONTENTION), cases[i].want_s, 1e-12);
        CHECK_CLOSE(naive_optimum_s(&s, NAIVE_CONTENTION, 1000000), cases[i].want_s, 1e-12);
        setting_clear(&s);
    }
}

/* What looks like a fork or a join, but where the order matters. Task by task the one host on which it may run;
   under involvement its processor is busy while it sends. */
static void orders_that_only_look_fixed_are_tried(void)
{
    static const struct {
        const char *graph, *hosts;
        enum naive_model model;
        double want_s;
    } cases[] = {
        /* b is shorter, so its message leaves first: 1 + 5 + 5 + 1. */
        {"a:3 b:1 y:1 | a>y:5 b>y:5", "001", NAIVE_CONTENTION, 12},
        /* a has the larger message: 1 + 5, then b's 1 while y computes. */
        {"a:1 b:1 y:4 z:1 | a>y:5 b>z:1", "0012", NAIVE_INVOLVEMENT, 10},
        /* t waits for r until 2, and sends until 4 before the send of u, which ends at 8: z and y end at 14. */
        {"u:1 r:1 t:1 y:6 z:10 | u>y:4 r>t:1 t>z:1", "01021", NAIVE_INVOLVEMENT, 14},
        /* Both sends of u, which end at 5 and 9, keep the processor from t: 9 + 5 + 1 + 2. */
        {"t:5 u:1 y:6 z:6 x:2 | u>y:4 u>z:4 t>x:1", "00121", NAIVE_INVOLVEMENT, 17},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct setting s;
        setting_init(&s, dag_from_text(cases[i].graph), machine_star(3, 1, 1, 0, LINK_SPLITDUPLEX));
        machine_text_set_all(&s.machine, "involvement_send", "1");
        size_t n_hosts = s.machine.n_hosts, n = (size_t)s.dag.n_tasks * n_hosts;
        s.costs.source = mem_strdup("costs.csv");
        s.costs.compute_s = mem_alloc(n * sizeof *s.costs.compute_s);
        for (size_t k = 0; k < n; k++)
            s.costs.compute_s[k] = (size_t)(cases[i].hosts[k / n_hosts] - '0') == k % n_hosts
                                       ? s.dag.tasks[k / n_hosts].work_flop
                                       : (double)INFINITY;
        CHECK_CLOSE(optimum_s(&s, cases[i].model), cases[i].want_s, 1e-12);
        CHECK_CLOSE(naive_optimum_s(&s, cases[i].model, 1000000), cases[i].want_s, 1e-12);
        setting_clear(&s);
    }
}

/* A job shop is a graph of chains without data whose tasks may run on one host only: what is left are the orders. */
static void the_job_shop_of_fisher_and_thompson_takes_55(void)
{
    enum { N_JOBS = 6, N_MACHINES = 6 };
    static const int shop[N_JOBS][2 * N_MACHINES] = {
        {2, 1, 0, 3, 1, 6, 3, 7, 5, 3, 4, 6}, {1, 8, 2, 5, 4, 10, 5, 10, 0, 10, 3, 4},
        {2, 5, 3, 4, 5, 8, 0, 9, 1, 1, 4, 7}, {1, 5, 0, 5, 2, 5, 3, 3, 4, 8, 5, 9},
        {2, 9, 1, 3, 4, 5, 5, 4, 0, 3, 3, 1}, {1, 3, 3, 3, 5, 9, 0, 10, 4, 4, 2, 1},
    };
    struct text words = {0};
    struct setting s;
    for (int t = 0; t < N_JOBS * N_MACHINES; t++)
        text_addf(&words, "t%d:1 ", t);
    text_addf(&words, "|");
    for (int t = 0; t < N_JOBS * N_MACHINES; t++)
        if (t % N_MACHINES > 0)
            text_addf(&words, " t%d>t%d:0", t - 1, t);
    setting_init(&s, dag_from_text(text_str(&words)), machine_bus(N_MACHINES, 1, 1, 0));
    s.costs.source = mem_strdup("costs.csv");
    s.costs.compute_s = mem_alloc(N_JOBS * N_MACHINES * N_MACHINES * sizeof *s.costs.compute_s);
    for (int t = 0; t < N_JOBS * N_MACHINES; t++)
        for (int h = 0; h < N_MACHINES; h++) {
            const int *step = &shop[t / N_MACHINES][2 * (t % N_MACHINES)];
            s.costs.compute_s[t * N_MACHINES + h] = step[0] == h ? (double)step[1] : INFINITY;
        }
    for (int model = 0; model < N_NAIVE_MODELS; model++)
        CHECK_CLOSE(optimum_s(&s, (enum naive_model)model), 55, 1e-12);
    setting_clear(&s);
    text_clear(&words);
}

/* ---- against the others ---- */

static void no_scheduler_is_shorter(void)
{
    enum { N_CASES = 60 };
    FOR_RANDOM_CASES (i, N_CASES) {
        struct setting s;
        enum naive_model model = init_case(&s, 42, i, 7, 4);
        double least_s = optimum_s(&s, model);
        for (int k = 0; schedulers[k] != NULL; k++) {
            bool has_none = s.costs.compute_s != NULL && strcmp(schedulers[k]->name, "sequential") == 0;
            if (!has_none)
                CHECK(least_s <= planned_s(&s, model, schedulers[k]->name, NULL) * (1 + 1e-12));
        }
        setting_clear(&s);
    }
}

static void a_search_that_is_ended_early_proves_less(void)
{
    enum { N_CASES = 150 };
    int n_open = 0;
    FOR_RANDOM_CASES (i, N_CASES) {
        struct setting s;
        enum naive_model model = init_case(&s, 43, i, 7, 4);
        double least_s = optimum_s(&s, model), bound_s = 0;
        double length_s = planned_s(&s, model, "optimal[nodes=2,seeds=round_robin]", &bound_s);
        CHECK(bound_s <= least_s * (1 + 1e-11) && least_s <= length_s * (1 + 1e-12));
        CHECK(bound_s <= length_s);
        n_open += bound_s < length_s;
        setting_clear(&s);
    }
    CHECK(n_open > random_cases(N_CASES) / 10);
}

/* ---- symmetries ---- */

/* Hosts in another order, whether they are alike or not. */
static void the_order_of_hosts_changes_nothing(void)
{
    static const char *const words[] = {"a:1 b:1 c:1 d:1", "d:1 b:1 a:1 c:1", "c:1 d:1 b:1 a:1"};
    static const char *const others[] = {"a:1 b:2 c:2 d:1", "b:2 d:1 c:2 a:1", "d:1 c:2 a:1 b:2"};
    const char *links = " | l:1 m:2,0.25,split n:1 | a-b:l a-c:m_UP a-d:n,l b-c:l,m_UP b-d:n c-d:m_DOWN,n";
    for (int i = 0; i < 24; i++) {
        double first_s = 0;
        for (int k = 0; k < 3; k++) {
            struct random_stream r;
            struct setting s;
            random_init(&r, 44, (uint64_t)i);
            char *text = mem_format("%s%s", i % 2 ? words[k] : others[k], links);
            setting_init(&s, small_dag(&r, 6, true, SMALL_REAL), machine_from_text(text));
            machine_text_set_all(&s.machine, "overhead_send", "0.25");
            machine_text_set_all(&s.machine, "involvement_recv", "0.5");
            double length_s = optimum_s(&s, (enum naive_model)(i % N_NAIVE_MODELS));
            first_s = k == 0 ? length_s : first_s;
            CHECK_CLOSE(length_s, first_s, 1e-11);
            setting_clear(&s);
            free(text);
        }
    }
}

static void independent_tasks(struct setting *s, int n_tasks, int n_hosts)
{
    struct random_stream r;
    struct text words = {0};
    random_init(&r, 45, 0);
    for (int t = 0; t < n_tasks; t++)
        text_addf(&words, "t%d:%d ", t, small_int(&r, 1, 5));
    setting_init(s, dag_from_text(text_str(&words)), machine_bus(n_hosts, 1, 1, 0));
    text_clear(&words);
}

static void too_many_tasks_are_searched_without_proof(void)
{
    struct naive_wish w = {.model = NAIVE_INVOLVEMENT};
    struct err e = {0};
    struct random_stream r;
    struct schedule x;
    struct setting s;
    random_init(&r, 47, 0);
    setting_init(&s, small_dag(&r, 70, true, SMALL_REAL), machine_bus(3, 1, 1, 0));
    CHECK_OK(really_plan(&s, &w, "optimal[seeds=heft,nodes=7000]", &x, &e), e);
    CHECK(schedule_length_s(&x) <= planned_s(&s, w.model, "heft", NULL));
    CHECK(schedule_length_s(&x) <= planned_s(&s, w.model, "foresight[evaluations=100]", NULL));
    CHECK(x.lower_bound_s > 0 && x.lower_bound_s < schedule_length_s(&x));
    CHECK_CONTAINS(x.note, "70 tasks");
    schedule_clear(&x);
    setting_clear(&s);
}

/* 60 tasks of whole seconds on 4 hosts: the bound is the work of one host, rounded up to seconds; no search is
   needed. */
static void bounds_are_rounded_up_to_whole_dates(void)
{
    for (int n_tasks = 20; n_tasks <= 70; n_tasks += 5) {
        struct setting s;
        double bound_s, length_s;
        independent_tasks(&s, n_tasks, 4);
        length_s = planned_s(&s, NAIVE_CONTENTION, "optimal[nodes=1]", &bound_s);
        CHECK_CLOSE(length_s, ceil(dag_work_flop(&s.dag) / 4), 1e-12);
        CHECK_CLOSE(bound_s, length_s, 0);
        setting_clear(&s);
    }
}

static void what_is_not_proved_is_said(void)
{
    struct naive_wish w = {.model = NAIVE_INVOLVEMENT};
    struct err e = {0};
    struct random_stream r;
    struct schedule x;
    struct setting s;
    random_init(&r, 48, 0);
    setting_init(&s, small_dag(&r, 30, true, SMALL_REAL), machine_bus(4, 1, 1, 0));
    CHECK_OK(really_plan(&s, &w, "optimal[nodes=5]", &x, &e), e);
    CHECK_CONTAINS(x.note, "5 nodes");
    CHECK(schedule_length_s(&x) <= planned_s(&s, w.model, "foresight", NULL));
    CHECK(schedule_length_s(&x) <= planned_s(&s, w.model, "gics", NULL));
    schedule_clear(&x);
    setting_clear(&s);
}

static const struct test tests[] = {
    {"nothing that can be tried is shorter", nothing_that_can_be_tried_is_shorter},
    {"no order is forgotten", no_order_is_forgotten},
    {"forks, joins and trees have no shorter schedule", forks_joins_and_trees_have_no_shorter_schedule},
    {"closed forms", closed_forms},
    {"a fork whose sends cost more than they save is sequential",
     a_fork_whose_sends_cost_more_than_they_save_is_sequential},
    {"the job shop of Fisher and Thompson takes 55", the_job_shop_of_fisher_and_thompson_takes_55},
    {"hosts that only look alike are not exchanged", hosts_that_only_look_alike_are_not_exchanged},
    {"orders that only look fixed are tried", orders_that_only_look_fixed_are_tried},
    {"no scheduler is shorter", no_scheduler_is_shorter},
    {"a search that is ended early proves less", a_search_that_is_ended_early_proves_less},
    {"the order of hosts changes nothing", the_order_of_hosts_changes_nothing},
    {"too many tasks are searched without proof", too_many_tasks_are_searched_without_proof},
    {"bounds are rounded up to whole dates", bounds_are_rounded_up_to_whole_dates},
    {"what is not proved is said", what_is_not_proved_is_said},
};
TEST_MAIN(tests)
