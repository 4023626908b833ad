/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* All tasks in sequence on the fastest host: the baseline that a parallel schedule must beat. */
#include "plan/draft.h"
#include "schedulers/scheduler.h"

#include <math.h>

/* For the message: there is one, because no host may run all tasks. */
static task_id forbidden_task(const struct problem *p, host_id h)
{
    task_id t = 0;
    while (problem_may_run(p, t, h))
        t++;
    return t;
}

static enum err_code plan(const struct problem *p, const struct param_set *params, const struct scheduler_inputs *in,
                          struct schedule *out, struct err *e)
{
    const task_id *order = in->order != NULL ? in->order : p->dag->order;
    host_id fastest;
    (void)params;
    if (in->allocation != NULL)
        return err_set(e, ERR_INPUT,
                       "scheduler sequential does not take an allocation: all tasks go to the fastest host");
    if (isinf(problem_sequential_s(p, &fastest)))
        return err_set_at(e, ERR_INPUT, p->costs->source, 0,
                          "scheduler sequential: no host may run all tasks; '%s' may not run on '%s', for example",
                          p->dag->tasks[forbidden_task(p, 0)].name, p->machine->hosts[0].name);
    struct draft *d = draft_create(out, TECHNIQUE_END);
    /* no edges are booked: all are local */
    for (int k = 0; k < p->dag->n_tasks; k++)
        draft_task(d, order[k], fastest, k > 0 ? out->tasks[order[k - 1]].span.finish_s : 0);
    draft_free(d);
    return ERR_NONE;
}

extern const struct scheduler scheduler_sequential;
const struct scheduler scheduler_sequential = {
    .name = "sequential",
    .summary = "all tasks on the fastest host, in the order of the file",
    .source = "[S] 4.4",
    .plan = plan,
};
