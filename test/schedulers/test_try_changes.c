/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* If a draft says that nothing has changed for a try, the try returns the same bits as before: under all models,
   approaches and techniques, after placements and rollbacks. And the host that a draft chooses is the first with the
   least date of all tries, none of which undercuts its bound. */
#include "base/choose.h"
#include "both.h"
#include "plan/draft_bounds.h"
#include "plan/draft_own.h"
#include "small.h"

struct known {
    struct span span;
    uint64_t n_changes;
    bool is_known;
};

struct tally {
    int n_kept, n_changed, n_wrong, n_wrong_hosts, n_above;
};

/* ahead_s: of each host; NULL: 0. */
static host_id best_of_tries(struct draft *d, task_id t, enum draft_least least, const double *ahead_s, host_id n_hosts)
{
    double best = INFINITY;
    host_id host = 0;
    for (host_id h = 0; h < n_hosts; h++) {
        struct span span = draft_try(d, t, h);
        double date_s = least == DRAFT_LEAST_START ? span.start_s : span.finish_s;
        double value = choose_rounded(date_s + (ahead_s != NULL ? ahead_s[h] : 0));
        host = value < best ? h : host;
        best = value < best ? value : best;
    }
    return host;
}

static void choose_all(struct draft *d, const struct problem *p, struct tally *tally)
{
    static const double ahead_s[] = {2, 0, 1, 0.5, 1};
    host_id n_hosts = (host_id)p->machine->n_hosts;
    for (task_id t = 0; t < p->dag->n_tasks; t++) {
        if (!draft_is_ready(d, t))
            continue;
        const double *bound_s = d->bounds != NULL ? draft_bounds_find(d->bounds, t) : NULL;
        for (host_id h = 0; h < n_hosts && bound_s != NULL; h++)
            tally->n_above += choose_rounded(bound_s[h]) > choose_rounded(draft_try(d, t, h).start_s);
        for (enum draft_least least = DRAFT_LEAST_START; least <= DRAFT_LEAST_FINISH; least++)
            tally->n_wrong_hosts += draft_choose_host(d, t, least) != best_of_tries(d, t, least, NULL, n_hosts);
        tally->n_wrong_hosts +=
            draft_choose_host_ahead(d, t, ahead_s) != best_of_tries(d, t, DRAFT_LEAST_FINISH, ahead_s, n_hosts);
    }
}

static void try_all(struct draft *d, const struct problem *p, struct known *known, struct tally *tally)
{
    for (task_id t = 0; t < p->dag->n_tasks; t++)
        for (host_id h = 0; draft_is_ready(d, t) && h < (host_id)p->machine->n_hosts; h++) {
            struct known *x = &known[t * (int)p->machine->n_hosts + h];
            struct span now = draft_try(d, t, h);
            if (x->is_known && !draft_try_has_changed(d, t, h, x->n_changes)) {
                tally->n_kept++;
                tally->n_wrong += memcmp(&now, &x->span, sizeof now) != 0;
            } else if (x->is_known) {
                tally->n_changed += memcmp(&now, &x->span, sizeof now) != 0;
            }
            *x = (struct known){now, draft_n_changes(d), true};
        }
}

static task_id random_ready(const struct draft *d, const struct dag *g, struct random_stream *r)
{
    task_id t = (task_id)random_below(r, (uint64_t)g->n_tasks);
    for (int i = 0; i < g->n_tasks; i++, t = (t + 1) % g->n_tasks)
        if (draft_is_ready(d, t))
            return t;
    return -1;
}

/* Places tasks at random, now and then the last ones again elsewhere. */
static void play(struct draft *d, const struct problem *p, struct random_stream *r, struct tally *tally)
{
    size_t n = (size_t)p->dag->n_tasks * p->machine->n_hosts;
    struct known *known = mem_zalloc(n, sizeof *known);
    int n_rollbacks = 3;
    struct draft_mark mark = draft_mark(d);
    for (task_id t; (t = random_ready(d, p->dag, r)) >= 0;) {
        host_id h = (host_id)random_below(r, p->machine->n_hosts);
        try_all(d, p, known, tally);
        if (random_below(r, 3) == 0)
            mark = draft_mark(d);
        while (!problem_may_run(p, t, h))
            h = (h + 1) % (host_id)p->machine->n_hosts;
        draft_place(d, t, h);
        try_all(d, p, known, tally);
        choose_all(d, p, tally);
        if (random_below(r, 4) > 0 || n_rollbacks-- <= 0)
            continue;
        draft_rollback(d, mark);
        for (task_id k = 0; k < p->dag->n_tasks; k++) /* their origins may now be elsewhere */
            for (size_t i = 0; i < p->machine->n_hosts && !draft_is_ready(d, k); i++)
                known[(size_t)k * p->machine->n_hosts + i].is_known = false;
    }
    free(known);
}

static void what_has_not_changed_is_the_same(void)
{
    struct tally tally = {0};
    struct err e = {0};
    FOR_RANDOM_CASES (i, 2000) {
        struct random_stream r;
        struct setting s;
        struct schedule plan;
        random_init(&r, 41, i);
        enum small_kind kind = i % 2 ? SMALL_WHOLE : SMALL_REAL;
        int n_hosts = small_int(&r, 1, 5), n_tasks = small_int(&r, 1, 14);
        setting_init(&s, small_dag(&r, n_tasks, true, kind), small_machine(&r, n_hosts, kind));
        if (i % 3 == 0)
            small_costs(&s.costs, &r, n_tasks, n_hosts, kind);
        struct problem p = setting_problem(&s, (enum naive_model)(i % N_NAIVE_MODELS));
        if (i % 5 == 0)
            CHECK_OK(cost_model_find(i % 2 ? "logp[L=1,o=0.5,g=1]" : "logp[L=1,o=0,g=1]", &p.model, &e), e);
        schedule_init(&plan, &p);
        struct draft *d =
            draft_create_by(&plan, &(struct draft_options){.technique = i % 4 < 2 ? TECHNIQUE_END : TECHNIQUE_INSERTION,
                                                           .approach = i % 7 ? APPROACH_DIRECT : APPROACH_ENTERING});
        play(d, &p, &r, &tally);
        draft_free(d);
        schedule_clear(&plan);
        setting_clear(&s);
    }
    fprintf(stderr, "%d tries kept, %d others changed\n", tally.n_kept, tally.n_changed);
    CHECK_INT(tally.n_wrong, 0);
    CHECK_INT(tally.n_wrong_hosts, 0);
    CHECK_INT(tally.n_above, 0);
    CHECK(tally.n_kept > 5 * random_cases(2000) && tally.n_changed > 5 * random_cases(2000));
}

static const struct test tests[] = {
    {"what has not changed is the same", what_has_not_changed_is_the_same},
};
TEST_MAIN(tests)
