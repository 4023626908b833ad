/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* For policies that keep ready tasks in a list of their own until a host has nothing to do. */
#ifndef IASIM_RUNTIME_RUNTIME_POOL_H
#define IASIM_RUNTIME_RUNTIME_POOL_H

#include "runtime/runtime.h"

struct runtime_pool {
    work_id *list; /* in the order in which they became ready, then of their numbers */
    size_t n, capacity;
    double *rank_s; /* [work]; NULL: without ranks */
};

/* As `begin` of a policy; with ranks. `end` frees the pool. */
enum err_code runtime_pool_begin(const struct runtime *r, const struct param_set *ps, void **state, struct err *e);
enum err_code runtime_pool_begin_ranked(const struct runtime *r, const struct param_set *ps, void **state,
                                        struct err *e);
void runtime_pool_end(void *state);

void runtime_pool_add_ready(struct runtime_pool *x, const struct runtime_event *events, size_t n);
void runtime_pool_remove(struct runtime_pool *x, size_t at);

/* Upward ranks of all tasks of all jobs ([Topcuoglu 2002] 4.1): mean times over hosts, and over pairs of hosts for
   data. Fresh. */
double *runtime_ranks(const struct runtime *r);

/* It computes nothing, and nothing waits in its queue. */
static inline bool runtime_is_idle(const struct runtime *r, host_id h)
{
    return r->hosts[h].running < 0 && r->hosts[h].n_queued == 0;
}

bool runtime_has_idle(const struct runtime *r);

/* Of the jobs that have tasks in the pool, the place of the one with the highest rank of each, into `out` (room for the
   pool); returns how many. In the order of the jobs. */
size_t runtime_pool_heads(const struct runtime *r, const struct runtime_pool *x, size_t *out);

/* The host where a task would end first; of idle ones only if so asked. -1: there is none. */
host_id runtime_first_end(struct runtime *r, work_id w, bool only_idle);

#endif
