/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "runtime/runtime_policy.h"

#include <math.h>

/* Each host that may run it is as likely as any other. */
static host_id host_of(struct runtime *r, work_id w)
{
    uint64_t n = 0;
    for (host_id h = 0; h < (host_id)r->machine->n_hosts; h++)
        n += isfinite(runtime_compute_s(r, w, h)) ? 1 : 0;
    uint64_t drawn = n > 0 ? random_below(&r->random, n) : 0;
    for (host_id h = 0; h < (host_id)r->machine->n_hosts && n > 0; h++)
        if (isfinite(runtime_compute_s(r, w, h)) && drawn-- == 0)
            return h;
    return -1;
}

static enum err_code decide(void *state, struct runtime *r, const struct runtime_event *events, size_t n, struct err *e)
{
    (void)state, (void)e;
    runtime_put_ready(r, events, n, host_of);
    return ERR_NONE;
}

extern const struct runtime_policy runtime_policy_random;
const struct runtime_policy runtime_policy_random = {
    .name = "random",
    .summary = "a ready task goes to a host drawn at random",
    .source = "[Augonnet 2011], StarPU, random",
    .decide = decide,
};
