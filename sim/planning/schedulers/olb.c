/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* OLB, opportunistic load balancing [Braun 2001]: always the first ready task of the file, on the host whose last
   booking of any kind ends first.

   Time: tasks times hosts, and one booking per edge. */
#include "schedulers/core.h"

static const struct param params[] = {CORE_PARAMS("end"), {0}};

static host_id choose(struct core *c, task_id t)
{
    struct best best = BEST_NONE;
    for (host_id h = 0; h < c->n_hosts; h++)
        if (problem_may_run(c->problem, t, h))
            best_offer(&best, draft_end_s(c->draft, h), t, h);
    return best.host;
}

static enum err_code plan(const struct problem *p, const struct param_set *ps, const struct scheduler_inputs *in,
                          struct schedule *out, struct err *e)
{
    const struct core_call call = {"olb", p, ps, in, out, e};
    return core_plan_sequence(&call, p->dag->order, false, choose, NULL);
}

extern const struct scheduler scheduler_olb;
const struct scheduler scheduler_olb = {
    .name = "olb",
    .summary = "OLB: in the order of the file, each task goes to the host that is free first",
    .source = "Braun et al., JPDC 61(6), 2001",
    .params = params,
    .plan = plan,
};
