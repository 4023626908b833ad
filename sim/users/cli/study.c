/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "cli/study.h"

#include "base/isolate.h"
#include "explain/alone.h"

#include <stdlib.h>
#include <string.h>

static enum err_code explain(const struct study *x, const double *alone_bytes_per_s, struct replay_result *result,
                             struct replay_record *record, struct explanation *out, struct err *e)
{
    struct replay_options how = *x->how;
    how.record = record;
    enum err_code code = replay_run(x->engine, x->schedule, &how, result, e);
    if (code == ERR_NONE)
        explain_find(record, result, how.world, alone_bytes_per_s, out);
    return code;
}

enum err_code study_explain(const struct study *x, struct replay_result *result, struct replay_record *record,
                            struct explanation *out, struct err *e)
{
    return explain(x, x->answers->alone_bytes_per_s, result, record, out, e);
}

/* ---- in children; before a rate is measured, 1 stands for it ---- */

static void choose_what_ifs(const struct study *x, const struct explanation *found)
{
    struct what_if *list =
        what_if_choose(found, x->how->world, x->n_each, &x->answers->n_what_ifs, &x->answers->n_left_out);
    memcpy(x->answers->what_ifs, list, x->answers->n_what_ifs * sizeof *list);
    free(list);
}

static enum err_code find_what_to_ask(void *self, struct err *e)
{
    const struct study *x = self;
    struct replay_result result = {0};
    struct replay_record record = {0};
    struct explanation found = {0};
    enum err_code code = explain(x, NULL, &result, &record, &found, e);
    if (code == ERR_NONE && x->n_each > 0)
        choose_what_ifs(x, &found);
    for (size_t i = 0; i < found.n && !record.plan.is_exclusive; i++)
        if (found.segments[i].cause == CAUSE_TRANSFER || found.segments[i].cause == CAUSE_SHARING ||
            found.segments[i].cause == CAUSE_SLOW_LINK)
            x->answers->alone_bytes_per_s[found.segments[i].item.edge] = 1;
    explanation_clear(&found);
    replay_record_clear(&record);
    replay_result_clear(&result);
    return code;
}

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

/* Why a replay fails is found again by this process. */
static void ask_children(struct study *x)
{
    if (isolate_run(find_what_to_ask, x, NULL) != ERR_NONE)
        return;
    if (isolate_run(measure_alone, x, NULL) != ERR_NONE)
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
