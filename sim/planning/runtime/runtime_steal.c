/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "runtime/runtime_steal.h"

#include "runtime/runtime_pool.h"

#include <math.h>

/* Where its last predecessor has ended; -1: it has none. */
static host_id releaser(const struct runtime *r, work_id w)
{
    const struct runtime_job *j = &r->jobs[r->works[w].job];
    const struct dag *g = j->problem.dag;
    task_id t = runtime_task(r, w);
    const struct runtime_work *last = NULL;
    for (int i = g->in_start[t]; i < g->in_start[t + 1]; i++) {
        const struct runtime_work *from = &r->works[j->first_work + g->edges[g->in[i]].src];
        if (last == NULL || from->finish_s > last->finish_s || (from->finish_s == last->finish_s && from > last))
            last = from;
    }
    return last != NULL ? last->host : -1;
}

void runtime_push_ready(struct runtime_steal *x, struct runtime *r, const struct runtime_event *events, size_t n)
{
    host_id n_hosts = (host_id)r->machine->n_hosts;
    for (size_t i = 0; i < n; i++) {
        if (events[i].kind != EVENT_READY)
            continue;
        work_id w = events[i].work;
        host_id h = releaser(r, w);
        if (h < 0) {
            h = x->next;
            x->next = (x->next + 1) % n_hosts;
        }
        for (host_id k = 0; k < n_hosts && !isfinite(runtime_compute_s(r, w, h)); k++)
            h = (h + 1) % n_hosts;
        runtime_put(r, w, h, -1);
    }
}

work_id runtime_stealable(const struct runtime *r, host_id from, host_id to)
{
    const struct runtime_host *x = &r->hosts[from];
    work_id first = runtime_first(r, from);
    if (from == to)
        return -1;
    for (item_id i = x->last; i >= 0; i = r->previous[i])
        if (i < r->n_works && (i != first || x->running >= 0) && isfinite(runtime_compute_s(r, i, to)))
            return i;
    return -1;
}

void runtime_steal_all(struct runtime *r, host_id (*victim)(void *self, struct runtime *r, host_id to), void *self)
{
    for (host_id h = 0; h < (host_id)r->machine->n_hosts; h++) {
        host_id from = runtime_is_idle(r, h) ? victim(self, r, h) : -1;
        if (from >= 0)
            runtime_put(r, runtime_stealable(r, from, h), h, -1);
    }
}
