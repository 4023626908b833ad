/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* ETF, earliest task first [Hwang 1989]: of all ready tasks and all hosts, the pair that starts first; among equals the
   task with the larger computation bottom level.

   Time: at most one booking per entering edge of each ready task, on each host, for each task that is placed; without
   contention few hosts are tried again (core_try). */
#include "schedulers/core.h"

#include <stdlib.h>

static const struct param params[] = {CORE_PARAMS("end"), {0}};

static struct best choose(struct core *c)
{
    const double *level_s = c->self;
    struct best best = BEST_NONE;
    for (int i = 0; i < c->n_ready; i++)
        for (host_id h = 0; h < c->n_hosts; h++) {
            task_id t = c->ready[i];
            best_offer_by(&best, core_try(c, t, h).start_s, -level_s[t], t, h);
        }
    return best;
}

static enum err_code plan(const struct problem *p, const struct param_set *ps, const struct scheduler_inputs *in,
                          struct schedule *out, struct err *e)
{
    const struct core_call call = {"etf", p, ps, in, out, e};
    double *level_s = core_computation_levels(p, "mean");
    enum err_code code = core_plan_dynamic(&call, choose, level_s);
    free(level_s);
    return code;
}

extern const struct scheduler scheduler_etf;
const struct scheduler scheduler_etf = {
    .name = "etf",
    .summary = "ETF: of all ready tasks and hosts, the pair that starts first; quadratic in the tasks",
    .source = "Hwang, Chow, Anger, Lee, SIAM J. Comput. 18(2), 1989",
    .params = params,
    .plan = plan,
};
