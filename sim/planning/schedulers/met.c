/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* MET, minimum execution time [Braun 2001]: always the first ready task of the file, on the host that computes it
   fastest, however busy that is.

   Time: tasks times hosts, and one booking per edge. */
#include "schedulers/core.h"

static const struct param params[] = {CORE_PARAMS("end"), {0}};

static host_id choose(struct core *c, task_id t)
{
    struct best best = BEST_NONE;
    for (host_id h = 0; h < c->n_hosts; h++)
        best_offer(&best, problem_compute_s(c->problem, t, h), t, h);
    return best.host;
}

static enum err_code plan(const struct problem *p, const struct param_set *ps, const struct scheduler_inputs *in,
                          struct schedule *out, struct err *e)
{
    const struct core_call call = {"met", p, ps, in, out, e};
    return core_plan_sequence(&call, p->dag->order, false, choose, NULL);
}

extern const struct scheduler scheduler_met;
const struct scheduler scheduler_met = {
    .name = "met",
    .summary = "MET: in the order of the file, each task goes to the host that computes it fastest",
    .source = "Braun et al., JPDC 61(6), 2001",
    .params = params,
    .plan = plan,
};
