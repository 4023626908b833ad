/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The lower bound that counts communication: closed forms, and no schedule that any order, allocation and approach of
   list scheduling finds is shorter. */
#include "plan/bounds.h"

#include "both.h"
#include "small.h"

static double bound_s(const struct setting *s, enum naive_model model)
{
    struct problem p = setting_problem(s, model);
    return problem_communication_bound_s(&p);
}

/* `want_s`: under classic, contention and involvement. `costs` NULL: work / speed. */
static void check_bound(const char *graph, const char *machine, const char *costs, const double *want_s)
{
    struct setting s;
    struct err e = {0};
    setting_init(&s, dag_from_text(graph), machine_from_text(machine));
    if (costs != NULL)
        CHECK_OK(task_costs_parse(costs, strlen(costs), "costs", &s.dag, &s.machine, &s.costs, &e), e);
    for (int model = 0; model < N_NAIVE_MODELS; model++)
        CHECK_CLOSE(bound_s(&s, (enum naive_model)model), want_s[model], 1e-14);
    setting_clear(&s);
}

#define HOST_O ",overhead_send=1,overhead_recv=1"
#define HOST_I ",involvement_send=1,involvement_recv=1"

/* In each case some schedule is as short as that, except where the comment says otherwise. */
static void closed_forms(void)
{
    static const struct {
        const char *graph, *machine, *costs;
        double want_s[N_NAIVE_MODELS];
    } cases[] = {
        /* one host */
        {"a:3 b:5 | a>b:9", "p:2" HOST_O " | |", NULL, {4, 4, 4}},
        /* a chain stays on one host, the faster one */
        {"a:3 b:5 | a>b:9", "p:1 q:2 | l:1 | p-q:l", NULL, {4, 4, 4}},
        /* a fork: one child is remote, 1 + D + 4; D is 2, 2, and 2 + o_s + o_r */
        {"a:1 b:4 c:4 | a>b:2 a>c:2", "p:1" HOST_O " q:1" HOST_O " | l:1 | p-q:l", NULL, {7, 7, 9}},
        {"a:1 b:4 c:4 | a>b:2 a>c:2", "p:1" HOST_I " q:1" HOST_I " | l:1 | p-q:l", NULL, {7, 7, 7}},
        /* both children stay if D is longer than a child */
        {"a:1 b:4 c:4 | a>b:5 a>c:5", "p:1 q:1 | l:1 | p-q:l", NULL, {9, 9, 9}},
        /* a join, the same backwards */
        {"a:4 b:4 c:1 | a>c:2 b>c:2", "p:1" HOST_O " q:1" HOST_O " | l:1 | p-q:l", NULL, {7, 7, 9}},
        /* sends that last as long as the children (involvement): nothing is won by any of the 3 hosts */
        {"r:1 a:2 b:2 c:2 | r>a:2 r>b:2 r>c:2",
         "p:1" HOST_I " q:1" HOST_I " s:1" HOST_I " | l:1,0,fatpipe | p-q:l q-s:l p-s:l",
         NULL,
         {5, 5, 7}},
        /* and receives */
        {"a:2 b:2 c:2 r:1 | a>r:2 b>r:2 c>r:2",
         "p:1" HOST_I " q:1" HOST_I " s:1" HOST_I " | l:1,0,fatpipe | p-q:l q-s:l p-s:l",
         NULL,
         {5, 5, 7}},
        /* hosts where tasks must run: a on p, b on q; the route has two links and latency; o_s = o_r = 1 */
        {"a:0 b:0 | a>b:6",
         "p:1" HOST_O " q:1" HOST_O " | l:2,0.25 m:3,0.5 | p-q:l,m",
         "task,p,q\na,3,\nb,,4\n",
         {10.75, 10.75, 12.75}},
        /* all work at all speeds; two components need no message */
        {"a:4 b:8", "p:1" HOST_O " q:2" HOST_O " | l:1 | p-q:l", NULL, {4, 4, 4}},
        /* Not reached: 2 hosts share work 16 and, for one edge, o_s + o_r. */
        {"r:0 a:4 b:4 c:4 d:4 | r>a:0 r>b:0 r>c:0 r>d:0", "p:1" HOST_O " q:1" HOST_O " | l:1 | p-q:l", NULL, {8, 8, 9}},
        /* Nor here: the slow host's messages are worth its speed: (16 + 1 * 2) / (3 + 1). */
        {"r:0 a:4 b:4 c:4 d:4 | r>a:0 r>b:0 r>c:0 r>d:0",
         "p:3" HOST_O " q:1" HOST_O " | l:1 | p-q:l",
         NULL,
         {4, 4, 4.5}},
        /* one host is better than (4 + 10) / 2 */
        {"r:0 a:1 b:1 c:1 d:1 | r>a:10 r>b:10 r>c:10 r>d:10",
         "p:1" HOST_I " q:1" HOST_I " | l:1 | p-q:l",
         NULL,
         {4, 4, 4}},
        /* r and its children stay together: 13, though all work is 17 and no path longer than 5 */
        {"r:1 a:4 b:4 c:4 x:2 y:2 | r>a:99 r>b:99 r>c:99", "p:1 q:1 s:1 | l:1 | p-q:l q-s:l p-s:l", NULL, {13, 13, 13}},
        {"a:0 b:0 | a>b:0", "p:1 q:1 | l:1 | p-q:l", NULL, {0, 0, 0}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        check_bound(cases[i].graph, cases[i].machine, cases[i].costs, cases[i].want_s);
}

/* LogP on any machine: L under way, and o at both ends. */
static void a_model_with_formulas_of_its_own(void)
{
    struct setting s;
    struct err e = {0};
    setting_init(&s, dag_from_text("a:1 b:4 c:4 | a>b:2 a>c:2"), machine_star(3, 1, 1, 0, LINK_SHARED));
    struct problem p = setting_problem(&s, NAIVE_CLASSIC);
    CHECK_OK(cost_model_find("logp[L=0.5,o=0.75,g=1]", &p.model, &e), e);
    CHECK_CLOSE(problem_communication_bound_s(&p), 1 + 0.75 + 0.5 + 0.75 + 4, 1e-15);
    setting_clear(&s);
}

/* ---- all schedules of small problems that list scheduling can make ---- */

struct search {
    const struct setting *s;
    enum naive_model model;
    task_id order[8];
    host_id allocation[8];
    double shortest_s;
};

static void try_approaches(struct search *x)
{
    static const char *const lists[] = {"list[approach=alloc1]", "list[approach=alloc2,technique=insertion]",
                                        "list[approach=alloc3]"};
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        struct naive_wish w = {.model = x->model, .order = x->order, .allocation = x->allocation};
        struct schedule plan;
        struct err e = {0};
        enum err_code code = really_plan(x->s, &w, lists[i], &plan, &e);
        CHECK_OK(code, e);
        if (code != ERR_NONE)
            continue;
        x->shortest_s = fmin(x->shortest_s, schedule_length_s(&plan));
        schedule_clear(&plan);
    }
}

static bool may_follow(const struct search *x, int n_placed, task_id t)
{
    const struct dag *g = &x->s->dag;
    bool is_free = true;
    for (int i = 0; i < n_placed; i++)
        is_free = is_free && x->order[i] != t;
    for (int i = g->in_start[t]; i < g->in_start[t + 1]; i++) {
        bool is_placed = false;
        for (int k = 0; k < n_placed; k++)
            is_placed = is_placed || x->order[k] == g->edges[g->in[i]].src;
        is_free = is_free && is_placed;
    }
    return is_free;
}

static void try_orders(struct search *x, int n_placed)
{
    struct problem p = setting_problem(x->s, x->model);
    if (n_placed == p.dag->n_tasks) {
        try_approaches(x);
        return;
    }
    for (task_id t = 0; t < p.dag->n_tasks; t++)
        for (host_id h = 0; may_follow(x, n_placed, t) && h < (host_id)p.machine->n_hosts; h++)
            if (problem_may_run(&p, t, h)) {
                x->order[n_placed] = t;
                x->allocation[t] = h;
                try_orders(x, n_placed + 1);
            }
}

static void no_schedule_is_shorter(void)
{
    int n_reached = 0, n = 0;
    FOR_RANDOM_CASES (i, 240) {
        struct random_stream r;
        struct setting s;
        random_init(&r, 12, i);
        enum small_kind kind = i % 2 ? SMALL_WHOLE : SMALL_REAL;
        int n_hosts = small_int(&r, 2, 3), n_tasks = small_int(&r, 1, n_hosts == 2 ? 5 : 4);
        setting_init(&s, small_dag(&r, n_tasks, true, kind), small_machine(&r, n_hosts, kind));
        if (i % 3 == 0)
            small_costs(&s.costs, &r, n_tasks, n_hosts, kind);
        for (int model = 0; model < N_NAIVE_MODELS; model++) {
            struct search x = {.s = &s, .model = (enum naive_model)model, .shortest_s = INFINITY};
            struct problem p = setting_problem(&s, x.model);
            double lowest_s = problem_communication_bound_s(&p);
            try_orders(&x, 0);
            CHECK(lowest_s <= x.shortest_s * (1 + 1e-12));
            CHECK(lowest_s >= problem_critical_path_s(&p) * (1 - 1e-12));
            CHECK(lowest_s >= problem_work_bound_s(&p) * (1 - 1e-12));
            n_reached += lowest_s >= x.shortest_s * (1 - 1e-12);
            n++;
        }
        setting_clear(&s);
    }
    fprintf(stderr, "%d of %d are reached\n", n_reached, n);
    CHECK(n_reached > n / 2);
}

/* Under involvement, large random problems against the list scheduler. */
static void no_list_schedule_of_a_larger_graph_is_shorter(void)
{
    FOR_RANDOM_CASES (i, 600) {
        struct random_stream r;
        struct setting s;
        struct schedule plan;
        struct err e = {0};
        random_init(&r, 13, i);
        enum small_kind kind = i % 2 ? SMALL_WHOLE : SMALL_REAL;
        int n_hosts = small_int(&r, 1, 6), n_tasks = small_int(&r, 1, 40);
        setting_init(&s, small_dag(&r, n_tasks, true, kind), small_machine(&r, n_hosts, kind));
        if (i % 3 == 0)
            small_costs(&s.costs, &r, n_tasks, n_hosts, kind);
        struct naive_wish w = {.model = (enum naive_model)(i % N_NAIVE_MODELS)};
        CHECK_OK(really_plan(&s, &w, "portfolio", &plan, &e), e);
        CHECK(bound_s(&s, w.model) <= schedule_length_s(&plan) * (1 + 1e-12));
        schedule_clear(&plan);
        setting_clear(&s);
    }
}

static const struct test tests[] = {
    {"closed forms", closed_forms},
    {"a model with formulas of its own", a_model_with_formulas_of_its_own},
    {"no schedule is shorter", no_schedule_is_shorter},
    {"no list schedule of a larger graph is shorter", no_list_schedule_of_a_larger_graph_is_shorter},
};
TEST_MAIN(tests)
