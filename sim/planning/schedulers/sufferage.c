/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Sufferage [Maheswaran 1999]: of all ready tasks, the one that would lose most if it did not get its best host, which
   it gets. What it would lose is the difference between its second earliest and its earliest finish; infinite where a
   task has only one host.

   Time: at most one booking per entering edge of each ready task, on each host, for each task that is placed; without
   contention few hosts are tried again (core_try). */
#include "schedulers/core.h"

static const struct param params[] = {CORE_PARAMS("end"), {0}};

/* The earliest finish of a task, and its host; *loss_s: by how much the second earliest is later. */
static struct best first_finish(const struct core *c, task_id t, double *loss_s)
{
    struct best best = BEST_NONE;
    double first_s = INFINITY, second_s = INFINITY;
    for (host_id h = 0; h < c->n_hosts; h++) {
        double finish_s = core_try(c, t, h).finish_s;
        best_offer(&best, finish_s, t, h);
        second_s = fmin(second_s, fmax(first_s, finish_s));
        first_s = fmin(first_s, finish_s);
    }
    bool is_tie = choose_rounded(first_s) == choose_rounded(second_s); /* the last bits are no loss */
    *loss_s = is_tie ? 0 : second_s - first_s;
    return best;
}

static struct best choose(struct core *c)
{
    struct best best = BEST_NONE;
    for (int i = 0; i < c->n_ready; i++) {
        double loss_s;
        struct best first = first_finish(c, c->ready[i], &loss_s);
        best_offer(&best, -loss_s, first.task, first.host);
    }
    return best;
}

static enum err_code plan(const struct problem *p, const struct param_set *ps, const struct scheduler_inputs *in,
                          struct schedule *out, struct err *e)
{
    const struct core_call call = {"sufferage", p, ps, in, out, e};
    return core_plan_dynamic(&call, choose, NULL);
}

extern const struct scheduler scheduler_sufferage;
const struct scheduler scheduler_sufferage = {
    .name = "sufferage",
    .summary = "Sufferage: the ready task that would lose most without its best host; quadratic in the tasks",
    .source = "Maheswaran et al., JPDC 59(2), 1999",
    .params = params,
    .plan = plan,
};
