/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "runtime/runtime_fair.h"

static const struct param params[] = {RUNTIME_PARAM_MODEL, {0}};

static enum err_code decide(void *state, struct runtime *r, const struct runtime_event *events, size_t n, struct err *e)
{
    return runtime_fair_decide(FAIR_BY_CONCURRENT, state, r, events, n, e);
}

extern const struct runtime_policy runtime_policy_f2;
const struct runtime_policy runtime_policy_f2 = {
    .name = "f2",
    .summary = "as f1, with all slowdowns taken at the date of the last decision",
    .source = "[Zhao 2006], fairness policy F2",
    .params = params,
    .plans_jobs = true,
    .begin = runtime_fair_begin,
    .end = runtime_fair_end,
    .decide = decide,
};
