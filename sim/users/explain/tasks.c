/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The shares of every task's time, not only of those on the chain: for pages and `iasim replay --details`, which show
   them at each task. */
#include "base/mem.h"
#include "explain/explain_state.h"

#include <stdlib.h>

static void add_taken(struct explain_tasks *to, size_t *n, const struct explainer *x, const struct share *share)
{
    MEM_GROW(to->list, *n, to->capacity);
    to->list[(*n)++] = (struct explain_taken){.edge = x->out->with[share->first_with].edge,
                                              .direction = share->cause == CAUSE_SLOWED_BY_SEND ? DIR_SEND : DIR_RECV,
                                              .taken_s = share->length_s};
}

static void add_task(struct explain_tasks *to, size_t *n, struct explainer *x, task_id t)
{
    struct shares shares = {0};
    struct span at = x->result->tasks[t];
    /* shares_of_task puts the flows there; they are copied at once, so one task's worth of memory is enough. */
    x->out->n_with = 0;
    if (at.finish_s > at.start_s)
        shares_of_task(x, t, at, &shares);
    for (const struct share *s = shares.list; s < shares.list + shares.n; s++) {
        if (s->cause == CAUSE_SLOW_HOST)
            to->slow_s[t] = s->length_s;
        else if (s->cause != CAUSE_COMPUTING)
            add_taken(to, n, x, s);
    }
    shares_clear(&shares);
}

void explain_tasks_find(const struct replay_record *record, const struct replay_result *result,
                        const struct world_model *world, struct explain_tasks *out)
{
    struct explanation none = {.plan = &record->plan};
    struct explainer x = {record, &record->plan, result, world, .out = &none};
    size_t n = 0, n_tasks = (size_t)record->plan.dag->n_tasks;
    *out = (struct explain_tasks){.start = mem_alloc((n_tasks + 1) * sizeof *out->start),
                                  .slow_s = mem_zalloc(n_tasks + 1, sizeof *out->slow_s)};
    explainer_init(&x);
    for (task_id t = 0; t < (task_id)n_tasks; t++) {
        out->start[t] = n;
        add_task(out, &n, &x, t);
    }
    out->start[n_tasks] = n;
    explainer_clear(&x);
    explanation_clear(&none);
}

void explain_tasks_clear(struct explain_tasks *x)
{
    free(x->list);
    free(x->start);
    free(x->slow_s);
    *x = (struct explain_tasks){0};
}
