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

extern const struct runtime_policy runtime_policy_dmdar;
const struct runtime_policy runtime_policy_dmdar = {
    .name = "dmdar",
    .summary = "as dmda; of a queue the first task whose data are there starts",
    .source = "[Augonnet 2011], StarPU, dmdar",
    .takes_ready_first = true,
    .params = params,
    .decide = decide,
};
