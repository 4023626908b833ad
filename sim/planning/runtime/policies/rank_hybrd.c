/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* While a host is free and a task is ready: if all ready tasks are of one job, the one with the highest rank, else the
   one with the lowest, so that short jobs and jobs near their end are not delayed by new ones; it goes to the free host
   where it ends first. */
#include "base/choose.h"
#include "runtime/runtime_policy.h"
#include "runtime/runtime_pool.h"

static const struct param params[] = {RUNTIME_PARAM_MODEL, {0}};

static size_t next_of(const struct runtime *r, const struct runtime_pool *x)
{
    bool is_one_job = true;
    size_t best = 0;
    for (size_t i = 1; i < x->n; i++)
        is_one_job = is_one_job && r->works[x->list[i]].job == r->works[x->list[0]].job;
    for (size_t i = 1; i < x->n; i++) {
        double rank = choose_rounded(x->rank_s[x->list[i]]), of_best = choose_rounded(x->rank_s[x->list[best]]);
        if (rank != of_best ? is_one_job == (rank > of_best) : x->list[i] < x->list[best])
            best = i;
    }
    return best;
}

static enum err_code decide(void *state, struct runtime *r, const struct runtime_event *events, size_t n, struct err *e)
{
    (void)e;
    struct runtime_pool *x = state;
    runtime_pool_add_ready(x, events, n);
    while (x->n > 0) {
        size_t i = next_of(r, x);
        host_id h = runtime_first_end(r, x->list[i], true);
        if (h < 0)
            break;
        runtime_put(r, x->list[i], h, -1);
        runtime_pool_remove(x, i);
    }
    return ERR_NONE;
}

extern const struct runtime_policy runtime_policy_rank_hybrd;
const struct runtime_policy runtime_policy_rank_hybrd = {
    .name = "rank_hybrd",
    .summary = "of ready tasks of one job the highest rank first, of several jobs the lowest; to free hosts",
    .source = "[Yu 2008], RANK_HYBD",
    .params = params,
    .plans_jobs = true,
    .begin = runtime_pool_begin_ranked,
    .end = runtime_pool_end,
    .decide = decide,
};
