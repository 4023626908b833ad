/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Makes the schedules of several schedulers and keeps the shortest, among equals the first. Where hosts are unrelated and
   none may run all tasks, `sequential` is left out.

   Time: the sum of its parts. */
#include "schedulers/core.h"

#include <stdlib.h>
#include <string.h>

static const struct param params[] = {
    {"of", PARAM_TEXT, "", "heft+peft+ippts+list+sequential", 0, 0, NULL,
     "schedulers with their parameters, separated by +: heft+list[technique=insertion]+sequential"},
    {0},
};

extern const struct scheduler scheduler_portfolio;

static bool is_left_out(const struct scheduler_choice *part, const struct problem *p)
{
    return strcmp(part->scheduler->name, "sequential") == 0 && isinf(problem_sequential_s(p, NULL));
}

static enum err_code plan_parts(const struct problem *p, const struct scheduler_choice *parts, size_t n,
                                const struct scheduler_inputs *in, struct schedule *out, struct err *e)
{
    enum err_code code = ERR_NONE;
    size_t n_left_out = 0;
    schedule_clear(out); /* empty until a part is planned */
    for (size_t i = 0; i < n && code == ERR_NONE; i++) {
        struct schedule x;
        n_left_out += is_left_out(&parts[i], p);
        if (is_left_out(&parts[i], p) && n_left_out < n) /* if there is nothing else, it says why */
            continue;
        code = scheduler_plan(&parts[i], p, in, &x, e);
        if (code == ERR_NONE)
            core_keep_shorter(out, &x);
    }
    return code;
}

static enum err_code plan(const struct problem *p, const struct param_set *ps, const struct scheduler_inputs *in,
                          struct schedule *out, struct err *e)
{
    struct scheduler_choice *parts;
    size_t n;
    if (core_refuse_inputs("portfolio", in, e) != ERR_NONE ||
        scheduler_choose_parts(&scheduler_portfolio, ps, &parts, &n, e) != ERR_NONE)
        return ERR_INPUT;
    enum err_code code = plan_parts(p, parts, n, in, out, e);
    scheduler_clear_parts(parts, n);
    return code;
}

const struct scheduler scheduler_portfolio = {
    .name = "portfolio",
    .summary = "the shortest schedule of several schedulers; by default never longer than the sequential one",
    .source = "a baseline of iasim",
    .params = params,
    .parts = "of",
    .plan = plan,
};
