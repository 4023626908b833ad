/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Near is what a byte reaches soon: the route with the least latency, of equal ones the one with the highest bandwidth.
   StarPU's tasks may have priorities; ours have none. */
#include "base/mem.h"
#include "runtime/runtime_policy.h"
#include "runtime/runtime_steal.h"

#include <stdlib.h>

struct thief {
    struct runtime_steal steal;
    host_id *near; /* [host * (n_hosts - 1)]: all others, the nearest first */
};

struct distance {
    double latency_s, s_per_byte;
    host_id host;
};

static int by_distance(const void *a, const void *b)
{
    const struct distance *x = a, *y = b;
    if (x->latency_s != y->latency_s)
        return x->latency_s < y->latency_s ? -1 : 1;
    if (x->s_per_byte != y->s_per_byte)
        return x->s_per_byte < y->s_per_byte ? -1 : 1;
    return x->host - y->host;
}

static enum err_code begin(const struct runtime *r, const struct param_set *ps, void **state, struct err *e)
{
    (void)ps, (void)e;
    size_t n = r->machine->n_hosts, k = 0;
    struct thief *x = mem_zalloc(1, sizeof *x);
    struct distance *list = mem_alloc(n * sizeof *list);
    x->near = mem_alloc(n * n * sizeof *x->near);
    for (size_t h = 0; h < n; h++, k = 0) {
        for (size_t from = 0; from < n; from++)
            if (from != h)
                list[k++] = (struct distance){r->routes->latency_s[from * n + h],
                                              1 / r->routes->slowest_bytes_per_s[from * n + h], (host_id)from};
        qsort(list, k, sizeof *list, by_distance);
        for (size_t i = 0; i < k; i++)
            x->near[h * (n - 1) + i] = list[i].host;
    }
    free(list);
    *state = x;
    return ERR_NONE;
}

static void end(void *state)
{
    struct thief *x = state;
    if (x != NULL)
        free(x->near);
    free(x);
}

static host_id victim(void *self, struct runtime *r, host_id to)
{
    const struct thief *x = self;
    size_t n = r->machine->n_hosts - 1;
    for (size_t i = 0; i < n; i++)
        if (runtime_stealable(r, x->near[(size_t)to * n + i], to) >= 0)
            return x->near[(size_t)to * n + i];
    return -1;
}

static enum err_code decide(void *state, struct runtime *r, const struct runtime_event *events, size_t n, struct err *e)
{
    (void)e;
    struct thief *x = state;
    runtime_push_ready(&x->steal, r, events, n);
    runtime_steal_all(r, victim, x);
    return ERR_NONE;
}

extern const struct runtime_policy runtime_policy_lws;
const struct runtime_policy runtime_policy_lws = {
    .name = "lws",
    .summary = "work stealing by locality: a host with nothing to do takes the last task of the nearest queue",
    .source = "[Augonnet 2011], StarPU, lws",
    .begin = begin,
    .end = end,
    .decide = decide,
};
