/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The LogP family ([S] 8.1.3) as beliefs: what the sources say in closed form; all schedulers; the bounds; and what
   becomes of the models when their parameters vanish. */
#include "both.h"
#include "naive_logp.h"
#include "plan/bounds.h"
#include "small.h"

#include <math.h>

static const double tolerance = 1 + 1e-9;

/* ---- one message ---- */

struct figure { /* of a message that is sent at 1 */
    const char *model;
    double send_s, second_send_s, recv_start_s, recv_s;
};

/* a sends two messages of `bytes` to b's host. */
static void check_figure(const struct figure *x, double bytes)
{
    static const host_id hosts[] = {0, 1, 1};
    struct setting s;
    struct schedule plan_s;
    char *graph = mem_format("a:1 b:1 c:1 | a>b:%g a>c:%g", bytes, bytes);
    setting_init(&s, dag_from_text(graph), machine_clique(2, 1, 1, 0, LINK_SHARED));
    setting_plan(&s, model_of(x->model), "list", hosts, &plan_s);
    const struct planned_edge *edges = plan_s.edges;
    CHECK_CLOSE(edges[0].send.start_s, 1, 0);
    CHECK_CLOSE(edges[0].send.finish_s, 1 + x->send_s, 1e-12);
    CHECK_CLOSE(edges[1].send.start_s, 1 + x->second_send_s, 1e-12);
    CHECK_CLOSE(edges[0].recv.start_s, 1 + x->recv_start_s, 1e-12);
    CHECK_CLOSE(edges[0].recv.finish_s, 1 + x->recv_start_s + x->recv_s, 1e-12);
    CHECK(schedule_link_spans(&plan_s, 0) == NULL);
    check_valid(&plan_s);
    schedule_clear(&plan_s);
    setting_clear(&s);
    free(graph);
}

/* [S] Figure 8.5: a message of 6 M with L = 3, o = 2, g = 4, and then with o above g. LogP: six messages, one every
   max(o, g), the first arrives o + L after the start. LogGP: busy for o only; G per byte. Generalised LogP: o(6M) is
   14, and data arrive 9 before its end. */
static void three_timings_of_a_message_of_6_m(void)
{
    static const struct figure list[] = {
        {"logp[L=3,o=2,g=4,M=10]", 2 + 5 * 4, 6 * 4, 2 + 3, 2 + 5 * 4},
        {"logp[L=3,o=4,g=2,M=10]", 4 + 5 * 4, 6 * 4, 4 + 3, 4 + 5 * 4},
        {"loggp[L=3,o=2,g=4,G=0.5]", 2, 4 + 59 * 0.5, 2 + 3 + 59 * 0.5, 2},
        {"loggp[L=3,o=4,g=2,G=0.5]", 4, 4 + 59 * 0.5, 4 + 3 + 59 * 0.5, 4},
        {"glogp[L=0:3:-0.2,o=0:2:0.2,g=0:4:0.2]", 14, 16, 14 - 9, 14},
        {"glogp[L=-9,o=14,g=16]", 14, 16, 14 - 9, 14},
    };
    for (size_t i = 0; i < sizeof list / sizeof list[0]; i++)
        check_figure(&list[i], 60);
}

/* Data without bytes are a message; up to M they are one; less than a byte is a byte. */
static void small_messages(void)
{
    static const struct figure one = {"logp[L=3,o=2,g=4,M=10]", 2, 4, 5, 2};
    static const struct figure one_of_loggp = {"loggp[L=3,o=2,g=4,G=0.5]", 2, 4, 5, 2};
    static const struct figure without_m = {"logp[L=3,o=2,g=4]", 2, 4, 5, 2};
    static const struct figure step = {"glogp[L=3,o=0:2:0;1:3:0,g=4]", 2, 4, 5, 2};
    static const double sizes[] = {0, 0.25, 1};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        check_figure(&one, sizes[i]);
        check_figure(&one_of_loggp, sizes[i]);
        check_figure(&without_m, sizes[i]);
        check_figure(&step, sizes[i]);
    }
    check_figure(&one, 10);
    check_figure(&without_m, 1e9);
    check_figure(&(struct figure){"logp[L=3,o=2,g=4,M=10]", 6, 8, 5, 6}, 10.5);
    check_figure(&(struct figure){"loggp[L=3,o=2,g=4,G=0.5]", 2, 4.25, 5.25, 2}, 1.5);
}

/* [Culler 1993], figure 3: to 8 processors with L = 6, g = 4, o = 2, in 24; with the properties of hosts as with
   parameters. */
static void optimal_broadcast_ends_at_24(void)
{
    static const host_id hosts[] = {0, 1, 2, 3, 4, 5, 6, 7};
    static const double there_s[] = {0, 10, 14, 18, 22, 20, 24, 24};
    static const char *const models[] = {"logp[L=6,o=2,g=4]", "logp", "loggp", "glogp", "loggp[L=6,o=2,g=4,G=99]"};
    for (size_t i = 0; i < sizeof models / sizeof models[0]; i++) {
        struct setting s;
        struct schedule x;
        setting_init(&s, dag_from_text("a:0 b:0 c:0 d:0 e:0 f:0 g:0 h:0 | a>b:1 a>c:1 a>d:1 a>e:1 b>f:1 b>g:1 c>h:1"),
                     machine_clique(8, 1, 1, 0, LINK_SHARED));
        machine_text_set_all(&s.machine, "logp_L", "6");
        machine_text_set_all(&s.machine, "logp_o", "2");
        machine_text_set_all(&s.machine, "logp_g", "4");
        setting_plan(&s, model_of(models[i]), "list[technique=end]", hosts, &x);
        for (int t = 0; t < 8; t++)
            CHECK_CLOSE(x.tasks[t].span.start_s, there_s[t], 0);
        check_valid(&x);
        schedule_clear(&x);
        setting_clear(&s);
    }
}

/* ---- against the sources' formulas ---- */

struct owner {
    struct machine *machine;
    host_id host;
};

static void set_property(void *self, const char *id, const char *value)
{
    const struct owner *x = self;
    struct err e = {0};
    CHECK_OK(machine_set_host_property(x->machine, x->host, id, value, &e), e);
}

static void give(struct machine *m, const struct naive_logp_host *hosts, enum naive_logp family)
{
    for (host_id h = 0; h < (host_id)m->n_hosts; h++) {
        struct owner x = {m, h};
        naive_logp_properties(&hosts[h], family, set_property, &x);
    }
}

struct occupied {
    host_id host;
    double start_s, finish_s;
};

static int by_start(const void *a, const void *b)
{
    const struct occupied *x = a, *y = b;
    if (x->host != y->host)
        return x->host - y->host;
    if (x->start_s != y->start_s)
        return x->start_s < y->start_s ? -1 : 1;
    return (x->finish_s > y->finish_s) - (x->finish_s < y->finish_s);
}

static void check_apart(struct occupied *list, size_t n)
{
    if (n > 0)
        qsort(list, n, sizeof *list, by_start);
    for (size_t i = 1; i < n; i++)
        if (list[i].host == list[i - 1].host && list[i].finish_s > list[i].start_s)
            CHECK(list[i].start_s >= list[i - 1].finish_s - 1e-9 * list[i].finish_s);
}

/* Durations, receives and ports of a schedule, by the formulas of naive_logp.h. */
static void check_by_formulas(const struct schedule *x, enum naive_logp family, const struct naive_logp_host *hosts)
{
    const struct dag *g = x->problem.dag;
    struct occupied *ports[2] = {mem_alloc(((size_t)g->n_edges + 1) * sizeof **ports),
                                 mem_alloc(((size_t)g->n_edges + 1) * sizeof **ports)};
    size_t n = 0;
    for (edge_id e = 0; e < g->n_edges; e++) {
        const struct planned_edge *edge = &x->edges[e];
        host_id src = x->tasks[g->edges[e].src].host, dst = x->tasks[g->edges[e].dst].host;
        if (!edge->is_remote)
            continue;
        struct naive_message want = naive_logp_message(family, &hosts[src], &hosts[dst], g->edges[e].size_bytes);
        double slack_s = 1e-9 * (1 + edge->recv.finish_s);
        CHECK_CLOSE(edge->send.finish_s, edge->send.start_s + want.send_s, slack_s);
        CHECK_CLOSE(edge->recv.finish_s, edge->recv.start_s + want.recv_s, slack_s);
        CHECK(edge->recv.start_s >= edge->send.start_s + want.until_recv_s - slack_s);
        ports[0][n] = (struct occupied){src, edge->send.start_s, edge->send.start_s + want.send_port_s};
        ports[1][n++] =
            (struct occupied){dst, edge->recv.start_s - want.recv_port_before_s, edge->recv.start_s + want.recv_port_s};
    }
    for (int dir = 0; dir < 2; dir++) {
        check_apart(ports[dir], n);
        free(ports[dir]);
    }
}

/* All schedulers: valid by the validator and by the formulas, not shorter than the bound and than the best schedule. */
static void check_all_schedulers(const struct setting *s, enum naive_logp family, const struct naive_logp_host *hosts,
                                 bool is_optimal_known)
{
    struct problem p = {
        .dag = &s->dag, .machine = &s->machine, .routes = &s->routes, .model = model_of(naive_logp_names[family])};
    double bound_s = problem_communication_bound_s(&p), best_s = 0;
    struct schedule x;
    if (is_optimal_known) {
        setting_plan(s, p.model, "optimal[nodes=20000]", NULL, &x);
        best_s = x.lower_bound_s;
        schedule_clear(&x);
    }
    for (size_t k = 0; schedulers[k] != NULL; k++) {
        const char *name = schedulers[k]->name;
        setting_plan(s, p.model,
                     strcmp(name, "optimal") == 0     ? "optimal[nodes=300]"
                     : strcmp(name, "gics") == 0      ? "gics[population=6,generations=3]"
                     : strcmp(name, "foresight") == 0 ? "foresight[evaluations=100]"
                                                      : name,
                     NULL, &x);
        check_valid(&x);
        check_by_formulas(&x, family, hosts);
        CHECK(schedule_length_s(&x) * tolerance >= bound_s);
        CHECK(schedule_length_s(&x) * tolerance >= best_s);
        schedule_clear(&x);
    }
}

static void every_scheduler_plans_under_them(void)
{
    FOR_RANDOM_CASES (i, 90) {
        struct random_stream r;
        struct setting s;
        struct naive_logp_host hosts[4];
        random_init(&r, 120, i);
        enum naive_logp family = (enum naive_logp)(i % N_NAIVE_LOGP);
        enum small_kind kind = i % 2 ? SMALL_WHOLE : SMALL_REAL;
        int n_tasks = small_int(&r, 2, i % 4 == 0 ? 6 : 11);
        setting_init(&s, small_dag(&r, n_tasks, false, kind), small_machine(&r, small_int(&r, 2, 4), kind));
        naive_logp_draw(hosts, s.machine.n_hosts, family, kind == SMALL_WHOLE, &r);
        give(&s.machine, hosts, family);
        check_all_schedulers(&s, family, hosts, i % 4 == 0);
        setting_clear(&s);
    }
}

/* Where all hosts cost the same, one pair stands for all: an abbreviation that changes nothing. */
static void one_pair_of_hosts_stands_for_all(void)
{
    int n_uniform = 0;
    FOR_RANDOM_CASES (i, 150) {
        struct random_stream r;
        struct setting s;
        struct naive_logp_host hosts[4];
        random_init(&r, 123, i);
        enum naive_logp family = (enum naive_logp)(i % N_NAIVE_LOGP);
        setting_init(&s, small_dag(&r, 9, false, SMALL_REAL), small_machine(&r, small_int(&r, 3, 4), SMALL_REAL));
        naive_logp_draw(hosts, s.machine.n_hosts, family, false, &r);
        for (size_t h = 1; h < s.machine.n_hosts && i % 2; h++) { /* only M and G differ */
            hosts[h].L = hosts[0].L;
            hosts[h].o = hosts[0].o;
            hosts[h].g = hosts[0].g;
        }
        give(&s.machine, hosts, family);
        struct cost_model plain = *model_of(naive_logp_names[family]);
        struct problem p = {.dag = &s.dag, .machine = &s.machine, .routes = &s.routes, .model = &plain};
        double task_s[9], edge_s[36], other_s[36], bound_s = problem_communication_bound_s(&p);
        problem_mean_costs(&p, task_s, edge_s);
        n_uniform += cost_is_uniform(&plain, &s.machine);
        plain.is_uniform = NULL;
        problem_mean_costs(&p, task_s, other_s);
        CHECK_CLOSE(problem_communication_bound_s(&p), bound_s, 1e-12 * bound_s);
        for (edge_id e = 0; e < s.dag.n_edges; e++)
            CHECK_CLOSE(edge_s[e], other_s[e], 1e-12 * other_s[e]);
        setting_clear(&s);
    }
    CHECK(n_uniform > random_cases(20) && n_uniform < random_cases(130));
}

/* ---- reductions ---- */

static void check_same(const struct schedule *a, const struct schedule *b)
{
    for (task_id t = 0; t < a->problem.dag->n_tasks; t++) {
        CHECK_INT(a->tasks[t].host, b->tasks[t].host);
        CHECK_CLOSE(a->tasks[t].span.start_s, b->tasks[t].span.start_s, 1e-12);
        CHECK_CLOSE(a->tasks[t].span.finish_s, b->tasks[t].span.finish_s, 1e-12);
    }
}

static bool is_too_slow_here(const char *name)
{
    return strcmp(name, "optimal") == 0 || strcmp(name, "gics") == 0 || strcmp(name, "foresight") == 0;
}

static void compare_schedulers(const struct setting *s, const char *one, const char *other)
{
    for (size_t k = 0; schedulers[k] != NULL; k++) {
        struct schedule a, b;
        if (is_too_slow_here(schedulers[k]->name))
            continue;
        setting_plan(s, model_of(one), schedulers[k]->name, NULL, &a);
        setting_plan(s, model_of(other), schedulers[k]->name, NULL, &b);
        check_same(&a, &b);
        schedule_clear(&b);
        schedule_clear(&a);
    }
}

/* Without o and g (and G, which occupies ports) data come L(c) later and occupy nothing: classic on links that take as
   long, here a quarter of a second per byte. That is L = 1 if all data have four bytes. */
static void without_overhead_and_gap_they_are_classic(void)
{
    FOR_RANDOM_CASES (i, 30) {
        struct random_stream r;
        struct setting s;
        random_init(&r, 121, i);
        setting_init(&s, small_dag(&r, 9, false, SMALL_WHOLE), machine_clique(3, 1, 4, 0, LINK_SHARED));
        for (edge_id e = 0; e < s.dag.n_edges; e++)
            s.dag.edges[e].size_bytes += 1;
        compare_schedulers(&s, "glogp[L=0:0:0.25]", "classic");
        for (edge_id e = 0; e < s.dag.n_edges; e++)
            s.dag.edges[e].size_bytes = 4;
        compare_schedulers(&s, "logp[L=1]", "classic");
        compare_schedulers(&s, "logp[L=1,M=0.5]", "classic");
        compare_schedulers(&s, "loggp[L=1]", "classic");
        compare_schedulers(&s, "glogp[L=1]", "classic");
        setting_clear(&s);
    }
}

/* Of one message, and without G, the three are one model. */
static void they_are_one_model_for_one_message(void)
{
    FOR_RANDOM_CASES (i, 20) {
        struct random_stream r;
        struct setting s;
        random_init(&r, 122, i);
        enum small_kind kind = i % 2 ? SMALL_WHOLE : SMALL_REAL;
        setting_init(&s, small_dag(&r, 10, false, kind), small_machine(&r, 3, kind));
        compare_schedulers(&s, "logp[L=1.5,o=0.5,g=2]", "loggp[L=1.5,o=0.5,g=2]");
        compare_schedulers(&s, "logp[L=1.5,o=0.5,g=2]", "glogp[L=1.5,o=0.5,g=2]");
        compare_schedulers(&s, "logp[L=1.5,o=0.5,g=2,M=100]", "glogp[L=1.5,o=0:0.5:0,g=0:2:0;1:2:0]");
        setting_clear(&s);
    }
}

/* ---- parameters and properties ---- */

static void parameters_take_the_place_of_properties(void)
{
    struct setting s;
    struct schedule x;
    static const host_id hosts[] = {0, 1};
    setting_init(&s, dag_from_text("a:1 b:1 | a>b:60"), machine_clique(2, 1, 1, 0, LINK_SHARED));
    machine_text_set_all(&s.machine, "logp_L", "-5");
    machine_text_set_all(&s.machine, "logp_o", "0:1:0.5;100:7:0");
    machine_text_set_all(&s.machine, "logp_g", "9");
    setting_plan(&s, model_of("glogp"), "list", hosts, &x);
    CHECK_CLOSE(x.edges[0].send.finish_s, 1 + 31, 0);
    CHECK_CLOSE(x.edges[0].recv.start_s, 1 + 31 - 5, 0);
    schedule_clear(&x);
    setting_plan(&s, model_of("glogp[o=8]"), "list", hosts, &x);
    CHECK_CLOSE(x.edges[0].send.finish_s, 1 + 8, 0);
    CHECK_CLOSE(x.edges[0].recv.start_s, 1 + 8 - 5, 0);
    schedule_clear(&x);
    setting_clear(&s);
}

static void check_refused(const char *id, const char *value, const char *believed, const char *why)
{
    struct setting s;
    struct err e = {0};
    struct schedule x;
    struct scheduler_choice choice;
    setting_init(&s, dag_from_text("a:1 b:1 | a>b:60"), machine_clique(2, 1, 1, 0, LINK_SHARED));
    machine_text_set_all(&s.machine, id, value);
    struct problem p = {.dag = &s.dag, .machine = &s.machine, .routes = &s.routes, .model = model_of(believed)};
    CHECK_OK(scheduler_choose("list", &choice, &e), e);
    CHECK_INT(scheduler_plan(&choice, &p, NULL, &x, &e), ERR_INPUT);
    CHECK_TEXT(e.text, why);
    scheduler_choice_clear(&choice);
    setting_clear(&s);
}

static void what_makes_no_sense_to_a_model_is_refused(void)
{
    const char *negative = "host 'p0': logp_L is -3; model %s takes 0 or more, only glogp takes a negative latency";
    const char *steps = "host 'p0': logp_o has steps; model %s takes a number, only glogp takes steps";
    for (int i = 0; i < 2; i++) {
        char *one = mem_format(negative, naive_logp_names[i]), *other = mem_format(steps, naive_logp_names[i]);
        check_refused("logp_L", "-3", naive_logp_names[i], one);
        check_refused("logp_o", "0:1:0", naive_logp_names[i], other);
        free(other);
        free(one);
    }
    check_refused(
        "logp_L", "-3", "glogp[o=2]",
        "host 'p0': logp_L is -3 for 60 bytes, but logp_o of host 'p0' is only 2; model glogp takes no L below "
        "-o, because data would arrive before they are sent");
    check_refused("logp_o", "2", "glogp[L=-3]",
                  "L is -3 for 60 bytes, but logp_o of host 'p0' is only 2; L must not be below -o, because data would "
                  "arrive before they are sent");
    check_refused(
        "logp_L", "-3", "glogp[L=-1,o=0:0.5:0]",
        "L is -1 for 60 bytes, but o is only 0.5; L must not be below -o, because data would arrive before they "
        "are sent");
}

static void a_warning_asks_for_properties_or_parameters(void)
{
    struct machine m = machine_clique(2, 1, 1, 0, LINK_SHARED);
    char *sentence = cost_model_warning(model_of("logp"), &m);
    CHECK_CONTAINS(sentence,
                   "no host or link has a property that model logp reads (logp_L, logp_o, logp_g), so communication "
                   "costs the processors nothing, and takes no time; set it for all hosts with parameters in "
                   "brackets, as in logp[L=1e-5,o=2e-6,g=4e-6]");
    free(sentence);
    CHECK(cost_model_warning(model_of("logp[L=1]"), &m) == NULL);
    machine_text_set_all(&m, "logp_g", "1");
    CHECK(cost_model_warning(model_of("glogp"), &m) == NULL);
    machine_text_clear(&m);
}

static const struct test tests[] = {
    {"three timings of a message of 6 M", three_timings_of_a_message_of_6_m},
    {"small messages", small_messages},
    {"optimal broadcast ends at 24", optimal_broadcast_ends_at_24},
    {"every scheduler plans under them", every_scheduler_plans_under_them},
    {"one pair of hosts stands for all", one_pair_of_hosts_stands_for_all},
    {"without overhead and gap they are classic", without_overhead_and_gap_they_are_classic},
    {"they are one model for one message", they_are_one_model_for_one_message},
    {"parameters take the place of properties", parameters_take_the_place_of_properties},
    {"what makes no sense to a model is refused", what_makes_no_sense_to_a_model_is_refused},
    {"a warning asks for properties or parameters", a_warning_asks_for_properties_or_parameters},
};
TEST_MAIN(tests)
