/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* DLS, dynamic level scheduling [Sih 1993]: of all ready tasks and all hosts, the pair with the highest dynamic level,
   the computation bottom level less the start, plus what the host gains on the usual time of the task. Usual is the
   median over the hosts where it may run, in the level as well; `rank` may say otherwise.

   Time: at most one booking per entering edge of each ready task, on each host, for each task that is placed; without
   contention few hosts are tried again (core_try). */
#include "schedulers/core.h"

#include <stdlib.h>

static const struct param params[] = {CORE_PARAM_RANK("median"), CORE_PARAMS("end"), {0}};

struct costs {
    double *task_s, *level_s; /* [task]: the usual time; computation bottom level */
};

static struct best choose(struct core *c)
{
    const struct costs *x = c->self;
    struct best best = BEST_NONE;
    for (int i = 0; i < c->n_ready; i++)
        for (host_id h = 0; h < c->n_hosts; h++) {
            task_id t = c->ready[i];
            double start_s = core_try(c, t, h).start_s;
            double level_s = x->level_s[t] - start_s + (x->task_s[t] - problem_compute_s(c->problem, t, h));
            best_offer(&best, -level_s, t, h);
        }
    return best;
}

static enum err_code plan(const struct problem *p, const struct param_set *ps, const struct scheduler_inputs *in,
                          struct schedule *out, struct err *e)
{
    const struct core_call call = {"dls", p, ps, in, out, e};
    const char *rank = param_text(ps, "rank");
    double *edge_s;
    struct costs x = {.level_s = core_computation_levels(p, rank)};
    core_rank_costs(p, rank, "links", &x.task_s, &edge_s);
    enum err_code code = core_plan_dynamic(&call, choose, &x);
    free(edge_s);
    free(x.task_s);
    free(x.level_s);
    return code;
}

extern const struct scheduler scheduler_dls;
const struct scheduler scheduler_dls = {
    .name = "dls",
    .summary = "DLS: of all ready tasks and hosts, the pair with the highest dynamic level; quadratic in the tasks",
    .source = "Sih, Lee, IEEE TPDS 4(2), 1993",
    .params = params,
    .plan = plan,
};
