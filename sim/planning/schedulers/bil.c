/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* BIL, best imaginary level [Oh 1996]: with r ready tasks and p hosts, the task whose min(r, p)-th smallest best
   imaginary makespan (its start plus its level, rank.h) is largest goes to the host where its makespan is least, after
   w max(r/p - 1, 0) has been added where tasks queue. Where a task may not run, its makespan is infinite.

   Time: at most one booking per entering edge of each ready task, on each host, for each task that is placed; without
   contention few hosts are tried again (core_try). */
#include "base/mem.h"
#include "schedulers/core.h"
#include "schedulers/rank.h"

#include <stdlib.h>

static const struct param params[] = {CORE_PARAM_EDGES, CORE_PARAMS("insertion"), {0}};

struct levels {
    double *bil;    /* [task * n_hosts + host] */
    double *bim;    /* [host]: of the current task */
    double *sorted; /* the same, sorted */
};

static void find_bim(const struct core *c, task_id t)
{
    const struct levels *x = c->self;
    for (host_id h = 0; h < c->n_hosts; h++)
        x->bim[h] = core_try(c, t, h).start_s + x->bil[(size_t)t * (size_t)c->n_hosts + (size_t)h];
}

static task_id choose_task(const struct core *c)
{
    const struct levels *x = c->self;
    int k = c->n_ready < c->n_hosts ? c->n_ready : c->n_hosts;
    struct best best = BEST_NONE;
    for (int i = 0; i < c->n_ready; i++) {
        find_bim(c, c->ready[i]);
        for (host_id h = 0; h < c->n_hosts; h++)
            x->sorted[h] = x->bim[h];
        qsort(x->sorted, (size_t)c->n_hosts, sizeof *x->sorted, choose_ascending);
        best_offer(&best, -x->sorted[k - 1], c->ready[i], 0);
    }
    return best.task;
}

static struct best choose(struct core *c)
{
    const struct levels *x = c->self;
    task_id t = choose_task(c);
    double queue = fmax((double)c->n_ready / c->n_hosts - 1, 0);
    struct best best = BEST_NONE;
    find_bim(c, t);
    for (host_id h = 0; h < c->n_hosts; h++)
        if (problem_may_run(c->problem, t, h))
            best_offer(&best, x->bim[h] + problem_compute_s(c->problem, t, h) * queue, t, h);
    return best;
}

static enum err_code plan(const struct problem *p, const struct param_set *ps, const struct scheduler_inputs *in,
                          struct schedule *out, struct err *e)
{
    const struct core_call call = {"bil", p, ps, in, out, e};
    size_t n = p->machine->n_hosts;
    struct levels x = {rank_table(p, RANK_BIL, param_text(ps, "edges")), mem_alloc(n * sizeof *x.bim),
                       mem_alloc(n * sizeof *x.sorted)};
    enum err_code code = core_plan_dynamic(&call, choose, &x);
    free(x.sorted);
    free(x.bim);
    free(x.bil);
    return code;
}

extern const struct scheduler scheduler_bil;
const struct scheduler scheduler_bil = {
    .name = "bil",
    .summary = "BIL: the ready task that depends most on its best hosts goes first; quadratic in the tasks",
    .source = "Oh, Ha, Euro-Par 1996",
    .params = params,
    .plan = plan,
};
