/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Hosts of one speed are a kind. A task's gain on a kind is its time on the best other kind over its time there; a host
   takes of all ready tasks the one with the largest gain, of equal ones the first that became ready. With two kinds
   that is the published rule: the fast ones take from one end of the list by speed-up, the slow ones from the other. A
   host that needs k times what the fastest kind needs takes nothing while fewer than k tasks wait for each host of that
   kind (StarPU's slow factor).

   The time of a task counts its data, as the belief says. Hosts here are related: without data all tasks have the same
   speed-up, so only where their data are tells them apart; then the rule sends tasks with much work and few data to
   come to fast hosts. Differs from the papers: no task is killed to run again on a faster host (spoliation). */
#include "base/choose.h"
#include "base/mem.h"
#include "runtime/runtime_policy.h"
#include "runtime/runtime_pool.h"

#include <math.h>
#include <stdlib.h>

static const struct param params[] = {
    {"slow", PARAM_CHOICE, "", "on", 0, 0, "on|off", "whether slow hosts leave the last tasks to the fastest kind"},
    RUNTIME_PARAM_MODEL,
    {0}};

struct kinds {
    struct runtime_pool *pool;
    int *kind_of; /* [host] */
    int n, fastest, n_fastest;
    bool has_slow;
    double *kind_s; /* [kind]: of a task, on the best host of each */
};

static enum err_code begin(const struct runtime *r, const struct param_set *ps, void **state, struct err *e)
{
    const struct machine *m = r->machine;
    struct kinds *x = mem_zalloc(1, sizeof *x);
    void *pool;
    runtime_pool_begin(r, ps, &pool, e);
    *state = x;
    x->pool = pool;
    x->has_slow = param_is_on(ps, "slow");
    x->kind_of = mem_alloc(m->n_hosts * sizeof *x->kind_of);
    x->kind_s = mem_alloc(m->n_hosts * sizeof *x->kind_s);
    double fastest = 0;
    for (size_t h = 0; h < m->n_hosts; h++) {
        size_t same = 0;
        while (m->hosts[same].speed_flop_per_s != m->hosts[h].speed_flop_per_s)
            same++;
        x->kind_of[h] = same < h ? x->kind_of[same] : x->n++;
        if (m->hosts[h].speed_flop_per_s > fastest) {
            fastest = m->hosts[h].speed_flop_per_s;
            x->fastest = x->kind_of[h];
            x->n_fastest = 0;
        }
        x->n_fastest += x->kind_of[h] == x->fastest;
    }
    return ERR_NONE;
}

static void end(void *state)
{
    struct kinds *x = state;
    if (x != NULL) {
        runtime_pool_end(x->pool);
        free(x->kind_of);
        free(x->kind_s);
    }
    free(x);
}

/* The gain of a task on a host; `slow` is how many times its time on the fastest kind it needs there. */
static double gain(struct kinds *x, struct runtime *r, work_id w, host_id h, double *slow)
{
    double other_s = INFINITY, here_s = runtime_data_s(r, w, h) - r->now_s + runtime_compute_s(r, w, h);
    for (int k = 0; k < x->n; k++)
        x->kind_s[k] = INFINITY;
    for (host_id i = 0; i < (host_id)r->machine->n_hosts; i++) {
        double s = runtime_data_s(r, w, i) - r->now_s + runtime_compute_s(r, w, i);
        x->kind_s[x->kind_of[i]] = fmin(x->kind_s[x->kind_of[i]], s);
    }
    for (int k = 0; k < x->n; k++)
        if (k != x->kind_of[h])
            other_s = fmin(other_s, x->kind_s[k]);
    *slow = here_s / x->kind_s[x->fastest];
    return x->n > 1 && here_s > 0 ? other_s / here_s : 1;
}

static void give(struct kinds *x, struct runtime *r, host_id h)
{
    double most = -1;
    size_t at = 0;
    for (size_t i = 0; i < x->pool->n; i++) {
        work_id w = x->pool->list[i];
        if (!isfinite(runtime_compute_s(r, w, h)))
            continue;
        double slow, value = choose_rounded(gain(x, r, w, h, &slow));
        bool leaves = x->has_slow && x->kind_of[h] != x->fastest && (double)x->pool->n < slow * x->n_fastest;
        if (!leaves && value > most) {
            most = value;
            at = i;
        }
    }
    if (most < 0)
        return;
    runtime_put(r, x->pool->list[at], h, -1);
    runtime_pool_remove(x->pool, at);
}

/* The fastest kind first. */
static enum err_code decide(void *state, struct runtime *r, const struct runtime_event *events, size_t n, struct err *e)
{
    (void)e;
    struct kinds *x = state;
    host_id n_hosts = (host_id)r->machine->n_hosts;
    runtime_pool_add_ready(x->pool, events, n);
    for (host_id i = 0; i < 2 * n_hosts && x->pool->n > 0; i++) {
        host_id h = i % n_hosts;
        if ((x->kind_of[h] == x->fastest) == (i < n_hosts) && runtime_is_idle(r, h))
            give(x, r, h);
    }
    return ERR_NONE;
}

extern const struct runtime_policy runtime_policy_heteroprio;
const struct runtime_policy runtime_policy_heteroprio = {
    .name = "heteroprio",
    .summary = "a host with nothing to do takes the ready task that gains most from its kind of host",
    .source = "[Augonnet 2011], StarPU, heteroprio; [Agullo 2016]; [Beaumont 2017]",
    .params = params,
    .begin = begin,
    .end = end,
    .decide = decide,
};
