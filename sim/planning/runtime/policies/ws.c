/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "base/choose.h"
#include "base/mem.h"
#include "runtime/runtime_policy.h"
#include "runtime/runtime_steal.h"

#include <stdlib.h>
#include <string.h>

static const struct param params[] = {
    {"victim", PARAM_CHOICE, "", "loaded", 0, 0, "loaded|random",
     "from which queue a host takes: the one that should take longest, or one drawn at random"},
    {0}};

struct thief {
    struct runtime_steal steal;
    bool is_random;
};

static enum err_code begin(const struct runtime *r, const struct param_set *ps, void **state, struct err *e)
{
    (void)r, (void)e;
    struct thief *x = mem_zalloc(1, sizeof *x);
    x->is_random = strcmp(param_text(ps, "victim"), "random") == 0;
    *state = x;
    return ERR_NONE;
}

static host_id draw_victim(struct runtime *r, host_id to)
{
    uint64_t n = 0;
    for (host_id h = 0; h < (host_id)r->machine->n_hosts; h++)
        n += runtime_stealable(r, h, to) >= 0;
    uint64_t drawn = n > 0 ? random_below(&r->random, n) : 0;
    for (host_id h = 0; h < (host_id)r->machine->n_hosts && n > 0; h++)
        if (runtime_stealable(r, h, to) >= 0 && drawn-- == 0)
            return h;
    return -1;
}

static host_id victim(void *self, struct runtime *r, host_id to)
{
    const struct thief *x = self;
    host_id most = -1;
    if (x->is_random)
        return draw_victim(r, to);
    for (host_id h = 0; h < (host_id)r->machine->n_hosts; h++)
        if (runtime_stealable(r, h, to) >= 0 &&
            (most < 0 || choose_rounded(r->hosts[h].queued_s) > choose_rounded(r->hosts[most].queued_s)))
            most = h;
    return most;
}

static enum err_code decide(void *state, struct runtime *r, const struct runtime_event *events, size_t n, struct err *e)
{
    (void)e;
    struct thief *x = state;
    runtime_push_ready(&x->steal, r, events, n);
    runtime_steal_all(r, victim, x);
    return ERR_NONE;
}

extern const struct runtime_policy runtime_policy_ws;
const struct runtime_policy runtime_policy_ws = {
    .name = "ws",
    .summary = "work stealing: a host with nothing to do takes the last task of the most loaded queue",
    .source = "[Augonnet 2011], StarPU, ws",
    .params = params,
    .begin = begin,
    .end = free,
    .decide = decide,
};
