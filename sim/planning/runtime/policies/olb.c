/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "base/choose.h"
#include "runtime/runtime_policy.h"

#include <math.h>
static host_id host_of(struct runtime *r, work_id w)
{
    host_id best = -1;
    double least_s = INFINITY;
    for (host_id h = 0; h < (host_id)r->machine->n_hosts; h++) {
        double free_s = choose_rounded(runtime_free_s(r, h));
        if (isfinite(runtime_compute_s(r, w, h)) && (best < 0 || free_s < least_s)) {
            best = h;
            least_s = free_s;
        }
    }
    return best;
}

static const struct param params[] = {RUNTIME_PARAM_MODEL, {0}};

static enum err_code decide(void *state, struct runtime *r, const struct runtime_event *events, size_t n, struct err *e)
{
    (void)state, (void)e;
    runtime_put_ready(r, events, n, host_of);
    return ERR_NONE;
}

extern const struct runtime_policy runtime_policy_olb;
const struct runtime_policy runtime_policy_olb = {
    .name = "olb",
    .summary = "a ready task goes to the host that should be free first",
    .source = "[Maheswaran 1999], opportunistic load balancing",
    .params = params,
    .decide = decide,
};
