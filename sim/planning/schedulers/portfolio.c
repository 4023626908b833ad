/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Makes the schedules of several schedulers and keeps the shortest, among equals the first. Where hosts are unrelated
   and none may run all tasks, `sequential` is left out.

   Time: the sum of its parts. */
#include "schedulers/parts.h"

static const struct param params[] = {
    {"of", PARAM_TEXT, "", "heft+peft+ippts+list+sequential", 0, 0, NULL,
     "schedulers with their parameters, separated by +: heft+list[technique=insertion]+sequential"},
    {0},
};

extern const struct scheduler scheduler_portfolio;

static enum err_code plan(const struct problem *p, const struct param_set *ps, const struct scheduler_inputs *in,
                          struct schedule *out, struct err *e)
{
    const struct core_call call = {"portfolio", p, ps, in, out, e};
    schedule_clear(out); /* empty until a part is planned */
    return parts_plan(&scheduler_portfolio, &call, parts_keep_shorter, out);
}

const struct scheduler scheduler_portfolio = {
    .name = "portfolio",
    .summary = "the shortest schedule of several schedulers; by default never longer than the sequential one",
    .source = "a baseline of iasim",
    .params = params,
    .parts = "of",
    .plan = plan,
};
