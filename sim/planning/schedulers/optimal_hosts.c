/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The hosts of all tasks, one task after the other, depth first; when all are known, the orders (optimal_orders.c). So
   no schedule is met twice ([Orr 2020]).

   Every allocation is tried, except where no schedule with it can end by the deadline, and except for those that are
   alike to one that is tried. Of all allocations that become one another by exchanging hosts that are alike and tasks
   that are alike, the one that is first in lexicographic order (tasks in the order in which they are tried, hosts by
   number) is never left out:

   - a task goes to an empty host only if that is the first empty one of those that are alike. Else exchanging the two
     would give an allocation that comes earlier;
   - a task goes to no host before that of its twin, which was tried earlier. Else exchanging the two tasks would.

   Both rules leave the first of all in place, so they hold together. */
#include "schedulers/optimal.h"

#include "base/choose.h"
#include "base/mem.h"

#include <stdlib.h>

enum { MAX_ROUNDS = 4 }; /* of levels and orders, which make one another narrower */

struct allocating {
    struct hunt *hunt;
    struct orders *orders;
    struct levels *levels; /* [place + 1]: before the task at this place is tried */
    int *task, *place;     /* the tasks in the order in which they are tried; the place of each task */
    int *host;             /* [place] */
};

/* Hosts that the next task, at place k, may be tried on. */
static uint64_t candidates(const struct allocating *x, int k)
{
    const struct facts *f = x->hunt->facts;
    int t = x->task[k];
    uint64_t hosts = x->levels[k].hosts[t], used = 0, alike_seen = 0;
    for (int i = 0; i < k; i++)
        used |= UINT64_C(1) << x->host[i];
    for (int h = 0; h < f->n_hosts; h++) {
        bool is_empty = (used >> h & 1) == 0;
        if (is_empty && (alike_seen >> f->alike[h] & 1) != 0)
            hosts &= ~(UINT64_C(1) << h);
        if (is_empty)
            alike_seen |= UINT64_C(1) << f->alike[h];
    }
    if (f->twin[t] >= 0 && x->place[f->twin[t]] < k)
        hosts &= ~((UINT64_C(1) << x->host[x->place[f->twin[t]]]) - 1);
    return hosts;
}

static bool is_possible(struct allocating *x, int k)
{
    struct levels *now = &x->levels[k], *next = &x->levels[k + 1];
    levels_copy(next, now);
    next->hosts[x->task[k]] = UINT64_C(1) << x->host[k];
    bool is_possible = true, has_changed = true;
    for (int i = 0; i < MAX_ROUNDS && is_possible && has_changed; i++) {
        is_possible = levels_narrow(next, x->hunt->deadline_s) && orders_set(x->orders, next);
        has_changed = is_possible && orders_raise_floors(x->orders, next);
    }
    return is_possible;
}

/* The host on which the task could end the schedule first. */
static int most_promising(const struct levels *l, int t, uint64_t hosts)
{
    const struct facts *f = l->facts;
    int best = -1;
    double best_s = INFINITY;
    for (uint64_t left = hosts; left != 0; left &= left - 1) {
        int h = __builtin_ctzll(left), at = t * f->n_hosts + h;
        double length_s = choose_rounded(l->head_s[at] + f->compute_s[at] + l->tail_s[at]);
        if (best < 0 || length_s < best_s) {
            best = h;
            best_s = length_s;
        }
    }
    return best;
}

static void try_task(struct allocating *x, int k)
{
    if (k == x->hunt->facts->n_tasks) {
        orders_search(x->orders);
        return;
    }
    for (uint64_t left = candidates(x, k); left != 0 && hunt_step(x->hunt);) {
        x->host[k] = most_promising(&x->levels[k], x->task[k], left);
        left &= ~(UINT64_C(1) << x->host[k]);
        if (is_possible(x, k))
            try_task(x, k + 1);
    }
}

/* Long tasks, and tasks whose edges take long, come first: their hosts say most about the dates of the others. Twins
   stay in their order, because their times are the same. */
static void order_tasks(struct allocating *x)
{
    const struct facts *f = x->hunt->facts;
    double time_s[OPTIMAL_MAX_TASKS], n_pairs = (double)f->n_hosts * f->n_hosts;
    for (int t = 0; t < f->n_tasks; t++) {
        double sum_s = 0;
        for (uint64_t left = f->may_run[t]; left != 0; left &= left - 1)
            sum_s += facts_compute_s(f, t, __builtin_ctzll(left));
        time_s[t] = sum_s / __builtin_popcountll(f->may_run[t]);
    }
    for (int e = 0; e < f->n_edges; e++) {
        double sum_s = 0;
        for (int g = 0; g < f->n_hosts; g++)
            for (int h = 0; h < f->n_hosts; h++)
                sum_s += facts_delay_s(f, e, g, h);
        time_s[f->edges[e].src] += sum_s / n_pairs;
        time_s[f->edges[e].dst] += sum_s / n_pairs;
    }
    for (int t = 0; t < f->n_tasks; t++) {
        int k = t;
        time_s[t] = choose_rounded(time_s[t]);
        for (; k > 0 && time_s[x->task[k - 1]] < time_s[t]; k--)
            x->task[k] = x->task[k - 1];
        x->task[k] = t;
    }
    for (int k = 0; k < f->n_tasks; k++)
        x->place[x->task[k]] = k;
}

void optimal_search(struct hunt *x)
{
    size_t n = (size_t)x->facts->n_tasks;
    struct allocating a = {.hunt = x, .orders = orders_create(x), .levels = mem_alloc((n + 1) * sizeof *a.levels)};
    a.task = mem_alloc(n * sizeof *a.task);
    a.place = mem_alloc(n * sizeof *a.place);
    a.host = mem_alloc(n * sizeof *a.host);
    order_tasks(&a);
    for (size_t t = 0; t <= n; t++)
        levels_init(&a.levels[t], x->facts);
    if (levels_narrow(&a.levels[0], x->deadline_s))
        try_task(&a, 0);
    for (size_t t = 0; t <= n; t++)
        levels_clear(&a.levels[t]);
    orders_free(a.orders);
    free(a.levels);
    free(a.task);
    free(a.place);
    free(a.host);
}
