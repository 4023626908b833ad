/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* IPPTS, improved predict priority task scheduling [Djigal 2021]: ready tasks by falling product of the mean predicted
   cost (rank.h) and the number of successors, an exit by its mean; each goes to the host where its finish plus the
   predicted cost of what follows is least.

   Time: one booking per entering edge and host. */
#include "schedulers/core.h"
#include "schedulers/rank.h"

#include <stdlib.h>

static const struct param params[] = {CORE_PARAM_EDGES, CORE_PARAMS("insertion"), {0}};

static void weigh_by_successors(const struct dag *g, double *priority)
{
    for (task_id t = 0; t < g->n_tasks; t++) {
        int n_successors = g->out_start[t + 1] - g->out_start[t];
        priority[t] *= n_successors > 0 ? n_successors : 1;
    }
}

/* Of a predicted cost, what follows the task. */
static void take_off_own_time(const struct problem *p, double *pcm)
{
    for (task_id t = 0; t < p->dag->n_tasks; t++)
        for (host_id h = 0; h < (host_id)p->machine->n_hosts; h++, pcm++)
            if (problem_may_run(p, t, h))
                *pcm -= problem_compute_s(p, t, h);
}

static enum err_code plan(const struct problem *p, const struct param_set *ps, const struct scheduler_inputs *in,
                          struct schedule *out, struct err *e)
{
    const struct core_call call = {"ippts", p, ps, in, out, e};
    double *pcm = rank_table(p, RANK_PCM, param_text(ps, "edges")), *priority = rank_means(p, pcm);
    weigh_by_successors(p->dag, priority);
    take_off_own_time(p, pcm);
    enum err_code code = core_plan_ahead(&call, priority, pcm);
    free(priority);
    free(pcm);
    return code;
}

extern const struct scheduler scheduler_ippts;
const struct scheduler scheduler_ippts = {
    .name = "ippts",
    .summary = "IPPTS: tasks with many successors first, each where its finish plus the cost of what follows is least",
    .source = "Djigal, Feng, Lu, Ge, IEEE TPDS 32(5), 2021",
    .params = params,
    .plan = plan,
};
