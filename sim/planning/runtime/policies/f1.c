/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "runtime/runtime_fair.h"

static const struct param params[] = {RUNTIME_PARAM_MODEL, {0}};

static enum err_code decide(void *state, struct runtime *r, const struct runtime_event *events, size_t n, struct err *e)
{
    return runtime_fair_decide(FAIR_BY_FINISH, state, r, events, n, e);
}

extern const struct runtime_policy runtime_policy_f1;
const struct runtime_policy runtime_policy_f1 = {
    .name = "f1",
    .summary = "jobs planned together when they come: next the one whose last planned task is slowed down most",
    .source = "[Zhao 2006], fairness policy F1",
    .params = params,
    .plans_jobs = true,
    .begin = runtime_fair_begin,
    .end = runtime_fair_end,
    .decide = decide,
};
