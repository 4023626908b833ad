/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "runtime/runtime_policy.h"

static host_id host_of(struct runtime *r, work_id w)
{
    return runtime_best_host(r, w, true);
}

static const struct param params[] = {RUNTIME_PARAM_MODEL, {0}};

static enum err_code decide(void *state, struct runtime *r, const struct runtime_event *events, size_t n, struct err *e)
{
    (void)state, (void)e;
    runtime_put_ready(r, events, n, host_of);
    return ERR_NONE;
}

extern const struct runtime_policy runtime_policy_dmda;
const struct runtime_policy runtime_policy_dmda = {
    .name = "dmda",
    .summary = "a ready task goes where it should end first, with its data counted",
    .source = "[Augonnet 2011], StarPU, dmda",
    .params = params,
    .decide = decide,
};
