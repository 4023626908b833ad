/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Min-Min [Ibarra 1977, algorithm D; Braun 2001]: of all ready tasks and all hosts, the pair that finishes first.

   Time: at most one booking per entering edge of each ready task, on each host, for each task that is placed; without
   contention few hosts are tried again (core_try). */
#include "schedulers/core.h"

static const struct param params[] = {CORE_PARAMS("end"), {0}};

static struct best choose(struct core *c)
{
    struct best best = BEST_NONE;
    for (int i = 0; i < c->n_ready; i++)
        for (host_id h = 0; h < c->n_hosts; h++)
            best_offer(&best, core_try(c, c->ready[i], h).finish_s, c->ready[i], h);
    return best;
}

static enum err_code plan(const struct problem *p, const struct param_set *ps, const struct scheduler_inputs *in,
                          struct schedule *out, struct err *e)
{
    const struct core_call call = {"min_min", p, ps, in, out, e};
    return core_plan_dynamic(&call, choose, NULL);
}

extern const struct scheduler scheduler_min_min;
const struct scheduler scheduler_min_min = {
    .name = "min_min",
    .summary = "Min-Min: the ready task that can finish first, where it does; quadratic in the tasks",
    .source = "Ibarra, Kim, J. ACM 24(2), 1977; Braun et al., JPDC 61(6), 2001",
    .params = params,
    .plan = plan,
};
