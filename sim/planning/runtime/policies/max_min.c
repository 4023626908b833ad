/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "runtime/runtime_batch.h"

static const struct param params[] = {RUNTIME_PARAM_EVERY, RUNTIME_PARAM_MODEL, {0}};

static enum err_code begin(const struct runtime *r, const struct param_set *ps, void **state, struct err *e)
{
    (void)r;
    return runtime_batch_begin("max_min", ps, state, e);
}

extern const struct runtime_policy runtime_policy_max_min;
const struct runtime_policy runtime_policy_max_min = {
    .name = "max_min",
    .summary = "batch mode: of all tasks that have not begun, first the one whose earliest end is latest",
    .source = "[Maheswaran 1999], batch mode",
    .params = params,
    .begin = begin,
    .end = runtime_batch_end,
    .decide = runtime_batch_decide,
};
