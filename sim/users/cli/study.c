/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The order of simulations in an explanation. A process can simulate once (SimGrid), and an explanation needs several
   simulations: the replay itself, one in which the transfers of the chain run alone, and one for each what-if. So this
   process loads the platform once and forks a child for each; what they find is in memory that they share. The replay
   runs twice, first in a child only to learn what is on the chain. */
#include "cli/study.h"

#include "base/isolate.h"
#include "explain/alone.h"

#include <stdlib.h>
#include <string.h>

static enum err_code explain(const struct study *x, const double *alone_bytes_per_s, struct study_found *out,
                             struct err *e)
{
    struct replay_options how = *x->how;
    *out = (struct study_found){0};
    how.record = &out->record;
    enum err_code code = replay_run(x->engine, x->schedule, &how, &out->result, e);
    if (code == ERR_NONE)
        explain_find(&out->record, &out->result, how.world, alone_bytes_per_s, &out->explanation);
    return code;
}

enum err_code study_explain(const struct study *x, struct study_found *out, struct err *e)
{
    return explain(x, x->answers->alone_bytes_per_s, out, e);
}

void study_found_clear(struct study_found *f)
{
    explanation_clear(&f->explanation);
    replay_record_clear(&f->record);
    replay_result_clear(&f->result);
}

/* ---- in children ---- */

static void choose_what_ifs(const struct study *x, const struct explanation *found)
{
    struct what_if *list =
        what_if_choose(found, x->how->world, x->n_each, &x->answers->n_what_ifs, &x->answers->n_left_out);
    /* n_each is at most WHAT_IF_MOST, for which the array has room. */
    memcpy(x->answers->what_ifs, list, x->answers->n_what_ifs * sizeof *list);
    free(list);
}

/* The rates alone are not known yet, so the bandwidth of the slowest link stands for them (explain.h). That changes how
   the time of a transfer is divided among causes, not which items are on the chain. */
static enum err_code find_what_to_ask(void *self, struct err *e)
{
    const struct study *x = self;
    struct study_found found;
    const struct explanation *chain = &found.explanation;
    enum err_code code = explain(x, NULL, &found, e);
    if (code == ERR_NONE && x->n_each > 0)
        choose_what_ifs(x, chain);
    /* Asks for the rate of each edge on the chain whose time depends on it: 1 stands for it until it is measured, 0 for
       an edge that is not asked for. On exclusive links a transfer is always alone, so nothing is asked. */
    for (size_t i = 0; i < chain->n && !found.record.plan.is_exclusive; i++)
        if (chain->segments[i].cause == CAUSE_TRANSFER || chain->segments[i].cause == CAUSE_SHARING ||
            chain->segments[i].cause == CAUSE_SLOW_LINK)
            x->answers->alone_bytes_per_s[chain->segments[i].item.edge] = 1;
    study_found_clear(&found);
    return code;
}

/* One simulation for all edges, one after the other. */
static enum err_code measure_alone(void *self, struct err *e)
{
    const struct study *x = self;
    (void)e;
    explain_alone(x->engine, x->schedule, x->answers->alone_bytes_per_s);
    return ERR_NONE;
}

static enum err_code simulate_what_if(void *self, struct err *e)
{
    const struct study *x = self;
    return what_if_replay(x->engine, x->schedule, x->how, x->what_if, e);
}

/* A child's failure is not reported here: if the replay itself fails, this process will find out when it runs it;
   without rates the bandwidth stands for them; a what-if that fails says so in its own line. */
static void ask_children(struct study *x)
{
    if (isolate_run(find_what_to_ask, x, NULL) != ERR_NONE)
        return;
    if (isolate_run(measure_alone, x, NULL) != ERR_NONE)
        /* The marks of 1 would count as rates of 1 byte/s. */
        memset(x->answers->alone_bytes_per_s, 0, x->size - sizeof *x->answers);
    for (size_t i = 0; i < x->answers->n_what_ifs; i++) {
        struct err e = {0};
        x->what_if = &x->answers->what_ifs[i];
        if (isolate_run(simulate_what_if, x, &e) != ERR_NONE)
            err_describe(&e, x->what_if->error, sizeof x->what_if->error);
    }
    what_if_sort(x->answers->what_ifs, x->answers->n_what_ifs);
}

enum err_code study_ask(struct study *x, struct err *e)
{
    /* The struct, and a rate for each edge behind it. */
    x->size = sizeof *x->answers + (size_t)x->schedule->problem.dag->n_edges * sizeof(double);
    x->answers = isolate_shared(x->size);
    if (x->answers == NULL)
        return err_set(e, ERR_INTERNAL, "out of memory");
    ask_children(x);
    return ERR_NONE;
}

void study_close(struct study *x)
{
    if (x->answers != NULL)
        isolate_unshare(x->answers, x->size);
    x->answers = NULL;
}
