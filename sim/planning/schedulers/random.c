/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Always the first ready task of the file, on a host drawn from those where it may run: what a method must beat.

   Time: tasks times hosts, and one booking per edge. */
#include "base/random.h"
#include "schedulers/core.h"

static const struct param params[] = {
    {"seed", PARAM_INTEGER, "", "1", 0, 1e15, NULL, "the same seed draws the same hosts"},
    CORE_PARAMS("end"),
    {0},
};

static host_id choose(struct core *c, task_id t)
{
    uint64_t n_allowed = 0;
    for (host_id h = 0; h < c->n_hosts; h++)
        n_allowed += problem_may_run(c->problem, t, h);
    uint64_t n_before = random_below(c->self, n_allowed);
    host_id h = 0;
    while (!problem_may_run(c->problem, t, h) || n_before-- > 0)
        h++;
    return h;
}

static enum err_code plan(const struct problem *p, const struct param_set *ps, const struct scheduler_inputs *in,
                          struct schedule *out, struct err *e)
{
    const struct core_call call = {"random", p, ps, in, out, e};
    struct random_stream r;
    random_init(&r, (uint64_t)param_integer(ps, "seed"), 0);
    return core_plan_sequence(&call, p->dag->order, false, choose, &r);
}

extern const struct scheduler scheduler_random;
const struct scheduler scheduler_random = {
    .name = "random",
    .summary = "in the order of the file, each task goes to a random host",
    .source = "a baseline of iasim",
    .params = params,
    .plan = plan,
};
