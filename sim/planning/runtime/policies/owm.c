/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Of each job the ready task with the highest rank; of these the one with the highest rank first. It goes to the host
   where it ends first, counting busy ones; if that host is busy it waits, and the next one has its turn. */
#include "base/choose.h"
#include "base/mem.h"
#include "runtime/runtime_policy.h"
#include "runtime/runtime_pool.h"

#include <stdlib.h>

static const struct param params[] = {RUNTIME_PARAM_MODEL, {0}};

/* The first of the heads by falling rank that can go; false: none. */
static bool give_one(struct runtime *r, struct runtime_pool *x, size_t *heads)
{
    size_t n = runtime_pool_heads(r, x, heads);
    for (; n > 0; n--) {
        size_t best = 0;
        for (size_t i = 1; i < n; i++)
            if (choose_rounded(x->rank_s[x->list[heads[i]]]) > choose_rounded(x->rank_s[x->list[heads[best]]]))
                best = i;
        host_id h = runtime_first_end(r, x->list[heads[best]], false);
        if (h >= 0 && runtime_is_idle(r, h)) {
            runtime_put(r, x->list[heads[best]], h, -1);
            runtime_pool_remove(x, heads[best]);
            return true;
        }
        for (size_t i = best; i + 1 < n; i++) /* the others stay in the order of their jobs */
            heads[i] = heads[i + 1];
    }
    return false;
}

static enum err_code decide(void *state, struct runtime *r, const struct runtime_event *events, size_t n, struct err *e)
{
    (void)e;
    struct runtime_pool *x = state;
    runtime_pool_add_ready(x, events, n);
    size_t *heads = mem_alloc((x->n + 1) * sizeof *heads);
    while (x->n > 0 && runtime_has_idle(r) && give_one(r, x, heads))
        continue;
    free(heads);
    return ERR_NONE;
}

extern const struct runtime_policy runtime_policy_owm;
const struct runtime_policy runtime_policy_owm = {
    .name = "owm",
    .summary = "of the highest ranks of all jobs the highest first, where it ends first; it waits for a busy host",
    .source = "[Hsu 2011], online workflow management",
    .params = params,
    .plans_jobs = true,
    .begin = runtime_pool_begin_ranked,
    .end = runtime_pool_end,
    .decide = decide,
};
