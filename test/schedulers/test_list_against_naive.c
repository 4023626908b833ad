/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The list scheduler against the naive one of naive_list.h: thousands of random graphs on random machines, under every
   model, approach, technique, choice of host, with and without gaps, task by task and edge by edge. */
#include "both.h"
#include "small.h"

enum { N_CASES = 4000, MOST_TASKS = 16 };
static struct naive naive; /* too large for the stack of a test */

/* A random topological order; the caller provides the array. */
static void random_order(struct random_stream *r, const struct dag *g, int *order)
{
    bool is_listed[NAIVE_TASKS] = {false};
    for (int i = 0; i < g->n_tasks;) {
        int t = small_int(r, 0, g->n_tasks - 1);
        bool is_ready = !is_listed[t];
        for (int k = g->in_start[t]; k < g->in_start[t + 1]; k++)
            is_ready = is_ready && is_listed[g->edges[g->in[k]].src];
        if (is_ready) {
            is_listed[t] = true;
            order[i++] = t;
        }
    }
}

static void init_case(struct setting *s, struct random_stream *r, enum small_kind kind)
{
    /* numbers of hosts whose means are exact when the numbers are whole */
    int n_hosts = kind == SMALL_WHOLE ? 1 << small_int(r, 0, 2) : small_int(r, 1, 5);
    struct dag g = small_dag(r, small_int(r, 1, MOST_TASKS), random_below(r, 2), kind);
    setting_init(s, g, small_machine(r, n_hosts, kind));
}

/* Whether one byte takes, on average over the links in use, a time of few binary digits: then bottom levels are
   exact. */
static bool has_exact_levels(const struct setting *s)
{
    double scaled = ldexp(route_table_mean_link_s(&s->routes, 1), 20);
    return scaled == floor(scaled);
}

static struct naive_wish random_wish(struct random_stream *r, const struct dag *g, size_t n_hosts, int *order,
                                     int *hosts)
{
    struct naive_wish w = {.model = (enum naive_model)random_below(r, N_NAIVE_MODELS),
                           .approach = (enum naive_approach)random_below(r, N_NAIVE_APPROACHES),
                           .inserts = random_below(r, 2),
                           .minimizes_finish = random_below(r, 2),
                           .compacts = random_below(r, 2)};
    if (random_below(r, 2))
        w.edge_order = (enum naive_edge_order)random_below(r, N_NAIVE_EDGE_ORDERS);
    if (random_below(r, 4)) /* the model with the most rules has most of the cases */
        w.model = NAIVE_INVOLVEMENT;
    for (int t = 0; t < g->n_tasks; t++)
        hosts[t] = small_int(r, 0, (int)n_hosts - 1);
    if (w.approach >= NAIVE_ALLOC1)
        w.allocation = hosts;
    random_order(r, g, order);
    if (random_below(r, 3) == 0)
        w.order = order;
    return w;
}

static void print_steps(const struct steps *s)
{
    if (s->n == 0)
        fprintf(stderr, s->is_given ? " %g" : " -", s->number);
    for (size_t i = 0; i < s->n; i++)
        fprintf(stderr, "%s%g:%g:%g", i ? ";" : " ", s->list[i].above_bytes, s->list[i].constant, s->list[i].per_byte);
}

static void print_costs(const struct steps *overhead_s, const struct steps *involvement_ratio)
{
    fprintf(stderr, " o");
    print_steps(&overhead_s[DIR_SEND]);
    print_steps(&overhead_s[DIR_RECV]);
    fprintf(stderr, " i");
    print_steps(&involvement_ratio[DIR_SEND]);
    print_steps(&involvement_ratio[DIR_RECV]);
    fprintf(stderr, "\n");
}

static void print_case(const struct setting *s, const struct naive_wish *w)
{
    char *text = wish_text(w);
    fprintf(stderr, "%s under %s%s on\n", text, naive_model_names[w->model], w->order ? " with an order" : "");
    free(text);
    for (size_t h = 0; h < s->machine.n_hosts; h++) {
        const struct host *x = &s->machine.hosts[h];
        fprintf(stderr, "  %s:%g", x->name, x->speed_flop_per_s);
        print_costs(x->overhead_s, x->involvement_ratio);
    }
    for (size_t l = 0; l < s->machine.n_links; l++) {
        const struct link *x = &s->machine.links[l];
        fprintf(stderr, "  %s:%g,%g sharing %d", x->name, x->bandwidth_bytes_per_s, x->latency_s, x->sharing);
        print_costs(x->overhead_s, x->involvement_ratio);
    }
    for (int t = 0; t < s->dag.n_tasks; t++)
        fprintf(stderr, "  %s:%g%s", s->dag.tasks[t].name, s->dag.tasks[t].work_flop,
                t + 1 < s->dag.n_tasks ? "" : "\n");
    for (int e = 0; e < s->dag.n_edges; e++)
        fprintf(stderr, "  %s>%s:%g", s->dag.tasks[s->dag.edges[e].src].name, s->dag.tasks[s->dag.edges[e].dst].name,
                s->dag.edges[e].size_bytes);
    fprintf(stderr, "\n");
}

struct tally {
    int n_same, n_decided_by_rounding;
};

/* Dates that are equal except for rounding may be ordered differently by different operations: such a case is
   skipped. */
static void run_case(int i, enum small_kind kind, struct tally *tally)
{
    struct random_stream r;
    struct setting s;
    struct schedule real;
    struct comparison c;
    struct err e = {0};
    int order[NAIVE_TASKS], hosts[NAIVE_TASKS];
    random_init(&r, 1, (uint64_t)(2 * i + (int)kind));
    init_case(&s, &r, kind);
    struct naive_wish w = random_wish(&r, &s.dag, s.machine.n_hosts, order, hosts);
    if (kind == SMALL_WHOLE && !has_exact_levels(&s))
        w.order = order;
    w.is_aligned = kind == SMALL_WHOLE && w.model == NAIVE_INVOLVEMENT && random_below(&r, 3) == 0;
    w.compacts = w.compacts && !w.is_aligned; /* there, nothing moves */
    naive_list(&naive, &s.dag, &s.machine, w);
    enum err_code code = really_plan(&s, &w, NULL, &real, &e);
    CHECK_OK(code, e);
    if (code == ERR_NONE) {
        check_valid(&real);
        bool same = are_same(&naive, &real, 1e-12, &c);
        bool is_close = kind == SMALL_REAL && (naive.narrowest_date < 1e-12 || naive.narrowest_level < 1e-12);
        tally->n_same += same;
        tally->n_decided_by_rounding += !same && is_close;
        if (!same && !is_close) {
            CHECK_TEXT(c.what, "the same");
            print_case(&s, &w);
        }
        schedule_clear(&real);
    }
    naive_clear(&naive);
    setting_clear(&s);
}

static void run_cases(enum small_kind kind)
{
    struct tally tally = {0, 0};
    FOR_RANDOM_CASES (i, N_CASES)
        run_case((int)i, kind, &tally);
    CHECK(tally.n_same + tally.n_decided_by_rounding == random_cases(N_CASES));
    CHECK(tally.n_decided_by_rounding <= random_cases(N_CASES) / 100);
    fprintf(stderr, "%d plans are the same; rounding decided in %d others\n", tally.n_same,
            tally.n_decided_by_rounding);
}

static void whole_numbers_with_many_ties(void)
{
    run_cases(SMALL_WHOLE);
}

static void real_numbers(void)
{
    run_cases(SMALL_REAL);
}

static const struct test tests[] = {
    {"whole numbers with many ties", whole_numbers_with_many_ties},
    {"real numbers", real_numbers},
};
TEST_MAIN(tests)
