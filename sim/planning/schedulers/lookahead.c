/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Lookahead [Bittencourt 2010]: in the order of falling bottom levels, each task is placed on every host for trial, and goes
   to the one where the successor that can finish last finishes first; each successor is looked at alone, on its best host,
   with the data of those origins that are placed. An exit goes where it finishes first.

   Time: for each task on each host, one booking per edge that enters a successor, on each host: quadratic in the hosts. */
#include "schedulers/core.h"
#include "schedulers/priority.h"

#include <stdlib.h>

static const struct param params[] = {CORE_PARAMS("insertion"), {0}};

/* The latest of its successors' earliest finishes if `t` is on `h`; for an exit its own finish. If that is not before
   `enough_s`, it may be any date from `enough_s` on. */
static double look_ahead_s(const struct core *c, task_id t, host_id h, double enough_s)
{
    const struct dag *g = c->problem->dag;
    struct draft_mark mark = draft_mark(c->draft);
    double finish_s = draft_place(c->draft, t, h), latest_s = 0;
    for (int i = g->out_start[t]; i < g->out_start[t + 1] && latest_s < enough_s; i++)
        latest_s = fmax(latest_s, draft_least_date_s(c->draft, g->edges[g->out[i]].dst, DRAFT_LEAST_FINISH));
    draft_rollback(c->draft, mark);
    return g->out_start[t] == g->out_start[t + 1] ? finish_s : latest_s;
}

static host_id choose(struct core *c, task_id t)
{
    struct best best = BEST_NONE;
    for (host_id h = 0; h < c->n_hosts; h++)
        if (problem_may_run(c->problem, t, h))
            best_offer(&best, look_ahead_s(c, t, h, best.least), t, h);
    return best.host;
}

static enum err_code plan(const struct problem *p, const struct param_set *ps, const struct scheduler_inputs *in,
                          struct schedule *out, struct err *e)
{
    const struct core_call call = {"lookahead", p, ps, in, out, e};
    task_id *list = priority_list(p, "bottom_level");
    enum err_code code = core_plan_sequence(&call, list, true, choose, NULL);
    free(list);
    return code;
}

extern const struct scheduler scheduler_lookahead;
const struct scheduler scheduler_lookahead = {
    .name = "lookahead",
    .summary = "Lookahead: each task goes where its successors can finish first; quadratic in the hosts",
    .source = "Bittencourt, Sakellariou, Madeira, PDP 2010",
    .params = params,
    .plan = plan,
};
