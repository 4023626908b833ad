/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* As dmda, with each queue sorted by upward rank ([Topcuoglu 2002] 4.1): mean times over hosts, and over pairs of hosts
   for data. */
#include "base/choose.h"
#include "base/mem.h"
#include "runtime/runtime_policy.h"

#include <math.h>
#include <stdlib.h>

static void rank_job(const struct runtime_job *j, double *rank_s)
{
    const struct problem *p = &j->problem;
    const struct dag *g = p->dag;
    double *task_s = mem_alloc(((size_t)g->n_tasks + 1) * sizeof *task_s);
    double *edge_s = mem_alloc(((size_t)g->n_edges + 1) * sizeof *edge_s);
    problem_mean_costs(p, task_s, edge_s);
    problem_pair_costs(p, edge_s);
    for (int i = g->n_tasks; i-- > 0;) {
        task_id t = g->order[i];
        double below_s = 0;
        for (int k = g->out_start[t]; k < g->out_start[t + 1]; k++) {
            edge_id e = g->out[k];
            below_s = fmax(below_s, edge_s[e] + rank_s[j->first_work + g->edges[e].dst]);
        }
        rank_s[j->first_work + t] = task_s[t] + below_s;
    }
    free(task_s);
    free(edge_s);
}

static enum err_code begin(const struct runtime *r, const struct param_set *ps, void **state, struct err *e)
{
    (void)ps, (void)e;
    double *rank_s = mem_alloc(((size_t)r->n_works + 1) * sizeof *rank_s);
    for (int j = 0; j < r->n_jobs; j++)
        rank_job(&r->jobs[j], rank_s);
    *state = rank_s;
    return ERR_NONE;
}

static enum err_code decide(void *state, struct runtime *r, const struct runtime_event *events, size_t n, struct err *e)
{
    (void)e;
    const double *rank_s = state;
    for (size_t i = 0; i < n; i++) {
        work_id w = events[i].work;
        host_id h = events[i].kind == EVENT_READY ? runtime_best_host(r, w, true) : -1;
        if (h < 0)
            continue;
        work_id before = runtime_first(r, h);
        while (before >= 0 && choose_rounded(rank_s[before]) >= choose_rounded(rank_s[w]))
            before = runtime_behind(r, before);
        runtime_put(r, w, h, before);
    }
    return ERR_NONE;
}

extern const struct runtime_policy runtime_policy_dmdas;
const struct runtime_policy runtime_policy_dmdas = {
    .name = "dmdas",
    .summary = "as dmda, with each queue in the order of upward ranks",
    .source = "StarPU, dmdas; [Topcuoglu 2002] 4.1",
    .plans_jobs = true,
    .begin = begin,
    .end = free,
    .decide = decide,
};
