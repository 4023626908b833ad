/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The hosts of all tasks, one task after the other, depth first; when all are known, the orders (optimal_orders.c). So no
   schedule is met twice ([Orr 2020]).

   Every allocation is tried, except where no schedule with it can end by the deadline, and except for those that are alike
   to one that is tried. Of all allocations that become one another by exchanging hosts that are alike and tasks that are alike,
   the one that is first in lexicographic order (tasks in the order in which they are tried, hosts by number) is never left out:
   - a task goes to an empty host only if that is the first empty one of those that are alike. Else exchanging the
     two would give an allocation that comes earlier.
   - a task goes to no host before that of its twin, which was tried earlier. Else exchanging the two tasks would.
   Both rules leave the first of all in place, so they hold together. */
#include "schedulers/optimal.h"

#include "base/mem.h"

#include <stdlib.h>

struct allocating {
    struct hunt *hunt;
    struct orders *orders;
    struct levels *levels; /* [task + 1]: before it is tried */
    int *host;             /* [task] */
};

/* Hosts that task t, the next, may be tried on. */
static uint64_t candidates(const struct allocating *x, int t)
{
    const struct facts *f = x->hunt->facts;
    uint64_t hosts = x->levels[t].hosts[t], used = 0, alike_seen = 0;
    for (int u = 0; u < t; u++)
        used |= UINT64_C(1) << x->host[u];
    for (int h = 0; h < f->n_hosts; h++) {
        bool is_empty = (used >> h & 1) == 0;
        if (is_empty && (alike_seen >> f->alike[h] & 1) != 0)
            hosts &= ~(UINT64_C(1) << h);
        if (is_empty)
            alike_seen |= UINT64_C(1) << f->alike[h];
    }
    if (f->twin[t] >= 0)
        hosts &= ~((UINT64_C(1) << x->host[f->twin[t]]) - 1);
    return hosts;
}

static bool is_possible(struct allocating *x, int t, int h)
{
    struct levels *now = &x->levels[t], *next = &x->levels[t + 1];
    levels_copy(next, now);
    next->hosts[t] = UINT64_C(1) << h;
    return levels_narrow(next, x->hunt->deadline_s) && orders_set(x->orders, next);
}

static void try_task(struct allocating *x, int t)
{
    int n_tasks = x->hunt->facts->n_tasks;
    if (t == n_tasks) {
        orders_search(x->orders);
        return;
    }
    for (uint64_t left = candidates(x, t); left != 0 && hunt_step(x->hunt); left &= left - 1) {
        x->host[t] = __builtin_ctzll(left);
        if (is_possible(x, t, x->host[t]))
            try_task(x, t + 1);
    }
}

void optimal_search(struct hunt *x)
{
    size_t n = (size_t)x->facts->n_tasks;
    struct allocating a = {x, orders_create(x), mem_alloc((n + 1) * sizeof *a.levels), mem_alloc(n * sizeof *a.host)};
    for (size_t t = 0; t <= n; t++)
        levels_init(&a.levels[t], x->facts);
    if (levels_narrow(&a.levels[0], x->deadline_s))
        try_task(&a, 0);
    for (size_t t = 0; t <= n; t++)
        levels_clear(&a.levels[t]);
    orders_free(a.orders);
    free(a.levels);
    free(a.host);
}
