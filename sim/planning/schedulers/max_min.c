/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Max-Min [Ibarra 1977, algorithm E; Braun 2001]: of all ready tasks, the one whose earliest finish is latest, where it
   finishes first.

   Time: at most one booking per entering edge of each ready task, on each host, for each task that is placed; without
   contention few hosts are tried again (core_try). */
#include "schedulers/core.h"

static const struct param params[] = {CORE_PARAMS("end"), {0}};

static struct best choose(struct core *c)
{
    struct best best = BEST_NONE;
    for (int i = 0; i < c->n_ready; i++) {
        struct best first = BEST_NONE;
        for (host_id h = 0; h < c->n_hosts; h++)
            best_offer(&first, core_try(c, c->ready[i], h).finish_s, c->ready[i], h);
        best_offer(&best, -first.least, first.task, first.host);
    }
    return best;
}

static enum err_code plan(const struct problem *p, const struct param_set *ps, const struct scheduler_inputs *in,
                          struct schedule *out, struct err *e)
{
    const struct core_call call = {"max_min", p, ps, in, out, e};
    return core_plan_dynamic(&call, choose, NULL);
}

extern const struct scheduler scheduler_max_min;
const struct scheduler scheduler_max_min = {
    .name = "max_min",
    .summary =
        "Max-Min: the ready task whose earliest finish is latest, where it finishes first; quadratic in the tasks",
    .source = "Ibarra, Kim, J. ACM 24(2), 1977; Braun et al., JPDC 61(6), 2001",
    .params = params,
    .plan = plan,
};
