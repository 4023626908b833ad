/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Of each job the ready task with the highest upward rank; of these first the one of the job with the largest
   1 / (part of its tasks that is left) * 1 / (length of its critical path). It goes to the host where it ends first,
   busy ones counted, and waits in the queue there. While a host is free and tasks are ready. */
#include "base/choose.h"
#include "base/mem.h"
#include "runtime/runtime_policy.h"
#include "runtime/runtime_pool.h"

#include <math.h>
#include <stdlib.h>

static const struct param params[] = {RUNTIME_PARAM_MODEL, {0}};

/* A job's tasks that are in no queue and have not started are left. */
static double rank_of_job(const struct runtime *r, const struct runtime_pool *x, int job)
{
    const struct runtime_job *j = &r->jobs[job];
    int n_tasks = j->problem.dag->n_tasks, n_left = 0;
    double path_s = 0;
    for (task_id t = 0; t < n_tasks; t++) {
        n_left += r->works[j->first_work + t].state == WORK_KNOWN;
        path_s = fmax(path_s, x->rank_s[j->first_work + t]);
    }
    return 1 / ((double)n_left / n_tasks) / path_s;
}

struct head {
    work_id work;
    double rank;
};

static int by_rank(const void *a, const void *b)
{
    const struct head *x = a, *y = b;
    if (x->rank != y->rank)
        return x->rank > y->rank ? -1 : 1;
    return (x->work > y->work) - (x->work < y->work);
}

static void remove_work(struct runtime_pool *x, work_id w)
{
    size_t at = 0;
    while (x->list[at] != w)
        at++;
    runtime_pool_remove(x, at);
}

/* One task of each job has its turn before another one of the same job. */
static enum err_code decide(void *state, struct runtime *r, const struct runtime_event *events, size_t n, struct err *e)
{
    (void)e;
    struct runtime_pool *x = state;
    runtime_pool_add_ready(x, events, n);
    size_t *at = mem_alloc((x->n + 1) * sizeof *at);
    struct head *heads = mem_alloc((x->n + 1) * sizeof *heads);
    while (x->n > 0 && runtime_has_idle(r)) {
        size_t n_heads = runtime_pool_heads(r, x, at);
        for (size_t i = 0; i < n_heads; i++) {
            work_id w = x->list[at[i]];
            heads[i] = (struct head){w, choose_rounded(rank_of_job(r, x, r->works[w].job))};
        }
        qsort(heads, n_heads, sizeof *heads, by_rank);
        for (size_t i = 0; i < n_heads && runtime_has_idle(r); i++) {
            runtime_put(r, heads[i].work, runtime_first_end(r, heads[i].work, false), -1);
            remove_work(x, heads[i].work);
        }
    }
    free(heads);
    free(at);
    return ERR_NONE;
}

extern const struct runtime_policy runtime_policy_fdws;
const struct runtime_policy runtime_policy_fdws = {
    .name = "fdws",
    .summary = "of the highest ranks of all jobs, that of the job that is short and near its end; into queues",
    .source = "[Arabnejad 2012], fairness dynamic workflow scheduling",
    .params = params,
    .plans_jobs = true,
    .begin = runtime_pool_begin_ranked,
    .end = runtime_pool_end,
    .decide = decide,
};
