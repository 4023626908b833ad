/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Makes a baseline: the pool runs the scenario, and the results are kept in memory by their turn. */
#include "baseline/baseline.h"

#include "scenario/turn.h"
#include "sweep/sweep_run.h"

#include <inttypes.h>

struct make {
    struct baseline *b;
    const struct scenario *s;
    const struct baseline_options *o;
    struct baseline_progress progress;
    uint64_t next;
};

static enum err_code next(void *self, uint64_t *turn, enum pool_supply *supply, struct err *e)
{
    struct make *m = self;
    (void)e;
    /* All turns in order; there is nothing to resume, since nothing is stored on the way. */
    *supply = m->next < turn_count(m->s) ? POOL_TURN : POOL_END;
    *turn = m->next;
    m->next += *supply == POOL_TURN;
    return ERR_NONE;
}

static enum err_code done(void *self, const struct pool_result *result, struct err *e)
{
    struct make *m = self;
    /* Each result goes to the place of its turn, so the order in which workers answer does not matter. */
    struct baseline_run *run = &m->b->runs[result->turn];
    (void)e;
    m->progress.n_done++;
    m->progress.n_failed += result->error != NULL;
    if (result->error != NULL)
        run->error = run_readable(result->error);
    for (size_t i = 0; i < m->b->n_metrics && result->error == NULL; i++)
        /* Chosen metrics only, found by their number in the experiment's list. */
        run->figures[i] = result->metrics[m->b->metrics[i].id];
    return ERR_NONE;
}

static enum err_code pause(void *self, struct err *e)
{
    struct make *m = self;
    (void)e;
    if (m->o->progress != NULL)
        m->o->progress(m->o->progress_self, &m->progress);
    return ERR_NONE;
}

/* Adds a run for each turn, in order. */
static void add_runs(struct baseline *b, const struct scenario *s)
{
    for (uint64_t i = 0; i < turn_count(s); i++) {
        const struct turn t = turn_at(s, i);
        struct baseline_run *run = baseline_add_run(b);
        run->replication = t.replication;
        turn_key(s, t.point, run->key);
        /* A parameter that is not given has no value, in a file as well. */
        for (size_t p = 0; run_params(s->experiment)[p].name != NULL; p++)
            run->values[p] = turn_value(s, t.point, p) != NULL ? turn_value(s, t.point, p)->text : NULL;
    }
}

enum err_code baseline_make(struct baseline *b, const struct scenario *s, const struct baseline_options *options,
                            struct err *e)
{
    struct make m = {.b = b, .s = s, .o = options, .progress = {.n_total = turn_count(s)}};
    const struct pool_client client = {&m, next, done, pause};
    if (turn_count(s) > BASELINE_MAX_RUNS)
        return err_set_at(e, ERR_INPUT, s->path, 0,
                          "%" PRIu64 " runs are too many for a baseline, which has at most %d; choose fewer with --set",
                          turn_count(s), BASELINE_MAX_RUNS);
    add_runs(b, s);
    /* Whether the programs that points need are there. */
    enum err_code code = run_check_machine(s->experiment, e);
    if (code == ERR_NONE)
        code = pool_run(s, &options->pool, &client, e);
    /* Without a path: the points of a scenario cannot be there twice, so there is no line to name. */
    return code == ERR_NONE ? baseline_seal(b, NULL, e) : code;
}
