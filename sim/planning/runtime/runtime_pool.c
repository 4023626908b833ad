/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "runtime/runtime_pool.h"

#include "base/choose.h"
#include "base/mem.h"
#include "dag/levels.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

double *runtime_ranks(const struct runtime *r)
{
    double *rank_s = mem_alloc(((size_t)r->n_works + 1) * sizeof *rank_s);
    for (int j = 0; j < r->n_jobs; j++) {
        const struct problem *p = &r->jobs[j].problem;
        double *task_s = mem_alloc(((size_t)p->dag->n_tasks + 1) * sizeof *task_s);
        double *edge_s = mem_alloc(((size_t)p->dag->n_edges + 1) * sizeof *edge_s);
        problem_mean_costs(p, task_s, edge_s);
        problem_pair_costs(p, edge_s);
        dag_bottom_levels(p->dag, task_s, edge_s, rank_s + r->jobs[j].first_work);
        free(task_s);
        free(edge_s);
    }
    return rank_s;
}

enum err_code runtime_pool_begin(const struct runtime *r, const struct param_set *ps, void **state, struct err *e)
{
    (void)r, (void)ps, (void)e;
    *state = mem_zalloc(1, sizeof(struct runtime_pool));
    return ERR_NONE;
}

enum err_code runtime_pool_begin_ranked(const struct runtime *r, const struct param_set *ps, void **state,
                                        struct err *e)
{
    runtime_pool_begin(r, ps, state, e);
    ((struct runtime_pool *)*state)->rank_s = runtime_ranks(r);
    return ERR_NONE;
}

void runtime_pool_end(void *state)
{
    struct runtime_pool *x = state;
    if (x != NULL) {
        free(x->list);
        free(x->rank_s);
    }
    free(x);
}

void runtime_pool_add_ready(struct runtime_pool *x, const struct runtime_event *events, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (events[i].kind != EVENT_READY)
            continue;
        MEM_GROW(x->list, x->n, x->capacity);
        x->list[x->n++] = events[i].work;
    }
}

void runtime_pool_remove(struct runtime_pool *x, size_t at)
{
    x->n--;
    memmove(&x->list[at], &x->list[at + 1], (x->n - at) * sizeof *x->list);
}

bool runtime_has_idle(const struct runtime *r)
{
    for (host_id h = 0; h < (host_id)r->machine->n_hosts; h++)
        if (runtime_is_idle(r, h))
            return true;
    return false;
}

static int by_job(const void *a, const void *b, void *runtime)
{
    const struct runtime_pool *x = ((void **)runtime)[1];
    const struct runtime *r = ((void **)runtime)[0];
    const size_t *i = a, *k = b;
    int ji = r->works[x->list[*i]].job, jk = r->works[x->list[*k]].job;
    if (ji != jk)
        return ji < jk ? -1 : 1;
    double ri = choose_rounded(x->rank_s[x->list[*i]]), rk = choose_rounded(x->rank_s[x->list[*k]]);
    if (ri != rk)
        return ri > rk ? -1 : 1;
    return (x->list[*i] > x->list[*k]) - (x->list[*i] < x->list[*k]);
}

size_t runtime_pool_heads(const struct runtime *r, const struct runtime_pool *x, size_t *out)
{
    const void *both[2] = {r, x};
    size_t n = 0;
    for (size_t i = 0; i < x->n; i++)
        out[i] = i;
    qsort_r(out, x->n, sizeof *out, by_job, both);
    for (size_t i = 0; i < x->n; i++)
        if (n == 0 || r->works[x->list[out[i]]].job != r->works[x->list[out[n - 1]]].job)
            out[n++] = out[i];
    return n;
}

host_id runtime_first_end(struct runtime *r, work_id w, bool only_idle)
{
    host_id best = -1;
    double least_s = INFINITY;
    for (host_id h = 0; h < (host_id)r->machine->n_hosts; h++) {
        if ((only_idle && !runtime_is_idle(r, h)) || !isfinite(runtime_compute_s(r, w, h)))
            continue;
        double finish_s = choose_rounded(runtime_finish_s(r, w, h));
        if (finish_s < least_s) {
            best = h;
            least_s = finish_s;
        }
    }
    return best;
}
