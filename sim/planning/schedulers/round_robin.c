/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Always the first ready task of the file, on the next host in turn where it may run.

   Time: tasks times hosts, and one booking per edge. */
#include "schedulers/core.h"

static const struct param params[] = {CORE_PARAMS("end"), {0}};

static host_id choose(struct core *c, task_id t)
{
    host_id *next = c->self, h = *next;
    while (!problem_may_run(c->problem, t, h))
        h = (h + 1) % c->n_hosts;
    *next = (h + 1) % c->n_hosts;
    return h;
}

static enum err_code plan(const struct problem *p, const struct param_set *ps, const struct scheduler_inputs *in,
                          struct schedule *out, struct err *e)
{
    const struct core_call call = {"round_robin", p, ps, in, out, e};
    host_id next = 0;
    return core_plan_sequence(&call, p->dag->order, false, choose, &next);
}

extern const struct scheduler scheduler_round_robin;
const struct scheduler scheduler_round_robin = {
    .name = "round_robin",
    .summary = "in the order of the file, each task goes to the next host in turn",
    .source = "a baseline of iasim",
    .params = params,
    .plan = plan,
};
