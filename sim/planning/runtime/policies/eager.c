/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* One list of ready tasks for all hosts, in the order in which they became ready: a host that has nothing to do takes
   the first that it may run. */
#include "base/mem.h"
#include "runtime/runtime_policy.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct waiting {
    work_id *list;
    size_t n, capacity;
};

static enum err_code begin(const struct runtime *r, const struct param_set *ps, void **state, struct err *e)
{
    (void)r, (void)ps, (void)e;
    *state = mem_zalloc(1, sizeof(struct waiting));
    return ERR_NONE;
}

static void end(void *state)
{
    struct waiting *x = state;
    if (x != NULL)
        free(x->list);
    free(x);
}

static void give(struct waiting *x, struct runtime *r, host_id h)
{
    for (size_t i = 0; i < x->n; i++)
        if (isfinite(runtime_compute_s(r, x->list[i], h))) {
            runtime_put(r, x->list[i], h, -1);
            x->n--;
            memmove(&x->list[i], &x->list[i + 1], (x->n - i) * sizeof *x->list);
            return;
        }
}

static enum err_code decide(void *state, struct runtime *r, const struct runtime_event *events, size_t n, struct err *e)
{
    (void)e;
    struct waiting *x = state;
    for (size_t i = 0; i < n; i++) {
        if (events[i].kind != EVENT_READY)
            continue;
        MEM_GROW(x->list, x->n, x->capacity);
        x->list[x->n++] = events[i].work;
    }
    for (host_id h = 0; h < (host_id)r->machine->n_hosts && x->n > 0; h++)
        if (r->hosts[h].running < 0 && r->hosts[h].n_queued == 0)
            give(x, r, h);
    return ERR_NONE;
}

extern const struct runtime_policy runtime_policy_eager;
const struct runtime_policy runtime_policy_eager = {
    .name = "eager",
    .summary = "ready tasks wait in one list; a host with nothing to do takes the first",
    .source = "StarPU, eager",
    .begin = begin,
    .end = end,
    .decide = decide,
};
