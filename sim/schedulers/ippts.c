/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* IPPTS, improved predict priority task scheduling [Djigal 2021]: ready tasks by falling product of the mean predicted cost
   (rank.h) and the number of successors, an exit by its mean; each goes to the host where its finish plus the predicted
   cost of what follows is least.

   Time: one booking per entering edge and host. */
#include "schedulers/core.h"
#include "schedulers/priority.h"
#include "schedulers/rank.h"

#include <stdlib.h>

static const struct param params[] = {CORE_PARAMS("insertion"), {0}};

static host_id choose(struct core *c, task_id t)
{
    const double *pcm = (const double *)c->self + (size_t)t * (size_t)c->n_hosts;
    struct best best = BEST_NONE;
    for (host_id h = 0; h < c->n_hosts; h++)
        if (problem_may_run(c->problem, t, h)) {
            double ahead_s = pcm[h] - problem_compute_s(c->problem, t, h);
            best_offer(&best, draft_try(c->draft, t, h).finish_s + ahead_s, t, h);
        }
    return best.host;
}

static enum err_code plan(const struct problem *p, const struct param_set *ps, const struct scheduler_inputs *in,
                          struct schedule *out, struct err *e)
{
    const struct core_call call = {"ippts", p, ps, in, out, e};
    double *pcm = rank_table(p, RANK_PCM), *priority = rank_means(p, pcm);
    for (task_id t = 0; t < p->dag->n_tasks; t++) {
        int n_successors = p->dag->out_start[t + 1] - p->dag->out_start[t];
        priority[t] *= n_successors > 0 ? n_successors : 1;
    }
    task_id *order = priority_list_of(p->dag, priority);
    enum err_code code = core_plan_sequence(&call, order, false, choose, pcm);
    free(order);
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
