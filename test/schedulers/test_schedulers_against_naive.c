/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Every list scheduler against its naive twin of naive_schedulers.h: random graphs on random machines, related and
   unrelated hosts with forbidden ones, under every model, task by task and edge by edge. */
#include "both.h"
#include "naive_clusterings.h"
#include "small.h"

enum { N_CASES = 250, MOST_TASKS = 14 };
static struct naive naive; /* too large for the stack of a test */

/* The schedulers that have a naive twin; of parameters of their own, each value that makes a rule. `list` is compared
   in test_list_against_naive.c. A scheduler that is not named here is not compared. */
static const char *const compared[] = {"heft",
                                       "heft[rank=median]",
                                       "heft[rank=best,edges=links]",
                                       "heft[rank=worst]",
                                       "cpop",
                                       "cpop[edges=links]",
                                       "hlfet",
                                       "mcp",
                                       "etf",
                                       "dls",
                                       "dls[rank=mean]",
                                       "peft",
                                       "peft[edges=links]",
                                       "ppts",
                                       "ippts",
                                       "lookahead",
                                       "bil",
                                       "min_min",
                                       "max_min",
                                       "sufferage",
                                       "mct",
                                       "met",
                                       "olb",
                                       "random",
                                       "random[seed=7]",
                                       "round_robin",
                                       "two_phase",
                                       "two_phase[cluster=lc]",
                                       "two_phase[cluster=ez,map=comm]",
                                       "two_phase[cluster=none,approach=alloc2]",
                                       "two_phase[map=comm,approach=alloc3]",
                                       "two_phase[allocation_of=heft]",
                                       "lc",
                                       "lc[map=comm,approach=alloc2]",
                                       "ez",
                                       "dsc",
                                       "dsc[map=comm,edges=links]",
                                       "bsa"};

static void init_case(struct setting *s, struct random_stream *r, enum small_kind kind)
{
    /* numbers of hosts whose means are exact when the numbers are whole */
    int n_hosts = kind == SMALL_WHOLE ? 1 << small_int(r, 0, 2) : small_int(r, 1, 5);
    struct dag g = small_dag(r, small_int(r, 1, MOST_TASKS), random_below(r, 2), kind);
    setting_init(s, g, small_machine(r, n_hosts, kind));
    if (random_below(r, 2))
        small_costs(&s->costs, r, s->dag.n_tasks, n_hosts, kind);
}

static char *full_text(const char *name, const struct naive_wish *w)
{
    bool has_own = strchr(name, '[') != NULL;
    return mem_format("%.*s%ctechnique=%s,compact=%s]", (int)strlen(name) - has_own, name, has_own ? ',' : '[',
                      w->inserts ? "insertion" : "end", w->compacts ? "on" : "off");
}

/* Any tree whose edges lead to one task, with cheap tasks and costly edges, on unrelated hosts now and then. */
static void init_tree(struct setting *s, struct random_stream *r, enum small_kind kind)
{
    struct dag g = {0};
    struct err e = {0};
    int n_tasks = small_int(r, 2, MOST_TASKS), n_hosts = kind == SMALL_WHOLE ? 4 : 3;
    dag_init(&g, "tree");
    for (int t = 0; t < n_tasks; t++) {
        char name[16];
        snprintf(name, sizeof name, "t%d", t);
        CHECK_OK(dag_add_task(&g, name, small_number(r, kind), 0, NULL, &e), e);
    }
    for (int t = 1; t < n_tasks; t++)
        CHECK_OK(dag_add_edge(&g, t, small_int(r, t / 3, t - 1), 3 * small_number(r, kind), 0, &e), e);
    CHECK_OK(dag_seal(&g, &e), e);
    setting_init(s, g, small_machine(r, n_hosts, kind));
    if (random_below(r, 2))
        small_costs(&s->costs, r, s->dag.n_tasks, n_hosts, kind);
}

struct tally {
    int n_same, n_decided_by_rounding;
};

/* Dates that are equal except for rounding may be ordered differently by different operations: such a case is
   skipped. */
static void compare(const struct setting *s, const struct naive_wish *w, const char *name, struct tally *tally)
{
    struct schedule real;
    struct comparison c;
    struct err e = {0};
    int drawn[NAIVE_TASKS];
    char *text = full_text(name, w);
    enum err_code code = really_plan(s, w, text, &real, &e);
    CHECK_OK(code, e);
    for (int t = 0; code == ERR_NONE && t < s->dag.n_tasks; t++)
        drawn[t] = real.tasks[t].host;
    if (code == ERR_NONE) {
        if (naive_is_clustered(name))
            naive_clustered_schedule(&naive, &s->dag, &s->machine, *w, name);
        else
            naive_schedule(&naive, &s->dag, &s->machine, *w, name, drawn);
        bool same = are_same(&naive, &real, 1e-12, &c);
        bool is_close = naive.narrowest_date < 1e-12 || naive.narrowest_level < 1e-12;
        tally->n_same += same;
        tally->n_decided_by_rounding += !same && is_close;
        if (!same && !is_close) {
            fprintf(stderr, "%s under %s%s, %d tasks, %zu hosts\n", text, naive_model_names[w->model],
                    w->costs_s ? " with costs" : "", s->dag.n_tasks, s->machine.n_hosts);
            CHECK_TEXT(c.what, "the same");
        }
        check_valid(&real);
        schedule_clear(&real);
        naive_clear(&naive);
    }
    free(text);
}

static void run_cases(const char *name, enum small_kind kind, struct tally *tally)
{
    FOR_RANDOM_CASES (i, N_CASES) {
        struct random_stream r;
        struct setting s;
        random_init(&r, 2, 2 * i + kind);
        init_case(&s, &r, kind);
        struct naive_wish w = {.model = (enum naive_model)random_below(&r, N_NAIVE_MODELS),
                               .inserts = random_below(&r, 2),
                               .compacts = random_below(&r, 2),
                               .costs_s = s.costs.compute_s};
        if (random_below(&r, 3) == 0) /* the model with the most rules has most of the cases */
            w.model = NAIVE_INVOLVEMENT;
        compare(&s, &w, name, tally);
        setting_clear(&s);
    }
}

/* Joins, for which DSC has a rule of its own. */
static void trees(void)
{
    struct tally tally = {0, 0};
    FOR_RANDOM_CASES (i, 4 * N_CASES) {
        enum small_kind kind = i % 2 ? SMALL_WHOLE : SMALL_REAL;
        struct random_stream r;
        struct setting s;
        random_init(&r, 3, i);
        init_tree(&s, &r, kind);
        struct naive_wish w = {.model = (enum naive_model)(i % N_NAIVE_MODELS), .compacts = true};
        w.costs_s = s.costs.compute_s;
        compare(&s, &w, "dsc", &tally);
        setting_clear(&s);
    }
    CHECK_INT(tally.n_same + tally.n_decided_by_rounding, random_cases(4 * N_CASES));
    CHECK(tally.n_decided_by_rounding <= random_cases(N_CASES) / 25);
}

static void run_all(enum small_kind kind)
{
    struct tally tally = {0, 0};
    int n = sizeof compared / sizeof compared[0];
    for (int i = 0; i < n; i++)
        run_cases(compared[i], kind, &tally);
    CHECK_INT(tally.n_same + tally.n_decided_by_rounding, n * random_cases(N_CASES));
    CHECK(tally.n_decided_by_rounding <= n * random_cases(N_CASES) / 100);
    fprintf(stderr, "%d plans are the same; rounding decided in %d others\n", tally.n_same,
            tally.n_decided_by_rounding);
}

static void whole_numbers_with_many_ties(void)
{
    run_all(SMALL_WHOLE);
}

static void real_numbers(void)
{
    run_all(SMALL_REAL);
}

static const struct test tests[] = {
    {"whole numbers with many ties", whole_numbers_with_many_ties},
    {"real numbers", real_numbers},
    {"DSC on trees", trees},
};
TEST_MAIN(tests)
