/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* As dmda, with each queue sorted by upward rank ([Topcuoglu 2002] 4.1): mean times over hosts, and over pairs of hosts
   for data. */
#include "base/choose.h"
#include "runtime/runtime_policy.h"
#include "runtime/runtime_pool.h"

#include <stdlib.h>

static const struct param params[] = {RUNTIME_PARAM_MODEL, {0}};

static enum err_code begin(const struct runtime *r, const struct param_set *ps, void **state, struct err *e)
{
    (void)ps, (void)e;
    *state = runtime_ranks(r);
    return ERR_NONE;
}

static enum err_code decide(void *state, struct runtime *r, const struct runtime_event *events, size_t n, struct err *e)
{
    (void)e;
    const double *rank_s = state;
    for (size_t i = 0; i < n; i++) {
        work_id w = events[i].work;
        host_id h = events[i].kind == EVENT_READY ? runtime_best_host(r, w, true) : -1;
        if (h < 0)
            continue;
        work_id before = runtime_first(r, h);
        while (before >= 0 && choose_rounded(rank_s[before]) >= choose_rounded(rank_s[w]))
            before = runtime_behind(r, before);
        runtime_put(r, w, h, before);
    }
    return ERR_NONE;
}

extern const struct runtime_policy runtime_policy_dmdas;
const struct runtime_policy runtime_policy_dmdas = {
    .name = "dmdas",
    .summary = "as dmda, with each queue in the order of upward ranks",
    .source = "[Augonnet 2011], StarPU, dmdas; [Topcuoglu 2002] 4.1",
    .params = params,
    .plans_jobs = true,
    .begin = begin,
    .end = free,
    .decide = decide,
};
