/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* One list of ready tasks for all hosts, in the order in which they became ready: a host that has nothing to do takes
   the first that it may run. */
#include "runtime/runtime_policy.h"
#include "runtime/runtime_pool.h"

#include <math.h>

static void give(struct runtime_pool *x, struct runtime *r, host_id h)
{
    for (size_t i = 0; i < x->n; i++)
        if (isfinite(runtime_compute_s(r, x->list[i], h))) {
            runtime_put(r, x->list[i], h, -1);
            runtime_pool_remove(x, i);
            return;
        }
}

static enum err_code decide(void *state, struct runtime *r, const struct runtime_event *events, size_t n, struct err *e)
{
    (void)e;
    struct runtime_pool *x = state;
    runtime_pool_add_ready(x, events, n);
    for (host_id h = 0; h < (host_id)r->machine->n_hosts && x->n > 0; h++)
        if (runtime_is_idle(r, h))
            give(x, r, h);
    return ERR_NONE;
}

extern const struct runtime_policy runtime_policy_eager;
const struct runtime_policy runtime_policy_eager = {
    .name = "eager",
    .summary = "ready tasks wait in one list; a host with nothing to do takes the first",
    .source = "[Augonnet 2011], StarPU, eager",
    .begin = runtime_pool_begin,
    .end = runtime_pool_end,
    .decide = decide,
};
