/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "runtime/runtime_policy.h"

static host_id host_of(struct runtime *r, work_id w)
{
    return runtime_best_host(r, w, false);
}

static const struct param params[] = {RUNTIME_PARAM_MODEL, {0}};

static enum err_code decide(void *state, struct runtime *r, const struct runtime_event *events, size_t n, struct err *e)
{
    (void)state, (void)e;
    runtime_put_ready(r, events, n, host_of);
    return ERR_NONE;
}

extern const struct runtime_policy runtime_policy_dm;
const struct runtime_policy runtime_policy_dm = {
    .name = "dm",
    .summary = "a ready task goes where it should end first, if data cost nothing",
    .source = "[Augonnet 2011], StarPU, dm",
    .params = params,
    .decide = decide,
};
