/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Where messages occupy no processor, gap elimination changes nothing: the finish that was booked counts. Else
   provisional sends may vanish, so only what cannot vanish does: the path to the task with the hosts that are known,
   and what they are busy with. Models with formulas of their own are not judged. */
#include "schedulers/outlook.h"

#include "base/choose.h"
#include "base/mem.h"
#include "plan/span.h"

#include <float.h>
#include <stdlib.h>

struct outlook {
    const struct schedule *schedule;
    const struct scheduler_limit *limit;
    double *finish_s;  /* [task]: at least */
    double *busy_s;    /* [host]: at least */
    double safe_ratio; /* what is left of sums when all their roundings went down */
    bool has_ends, is_judged, is_too_long;
};

struct outlook *outlook_create(const struct schedule *s, const struct scheduler_limit *limit)
{
    const struct problem *p = &s->problem;
    if (limit == NULL)
        return NULL;
    struct outlook *o = mem_zalloc(1, sizeof *o);
    o->schedule = s;
    o->limit = limit;
    o->finish_s = mem_zalloc((size_t)p->dag->n_tasks, sizeof *o->finish_s);
    o->busy_s = mem_zalloc(p->machine->n_hosts, sizeof *o->busy_s);
    o->safe_ratio = 1 - 4 * DBL_EPSILON * (double)(p->dag->n_tasks + p->dag->n_edges + 4);
    o->has_ends = cost_has_ends(p->model);
    o->is_judged = !o->has_ends || (p->model->end == NULL && p->model->transit_s == NULL);
    return o;
}

void outlook_free(struct outlook *o)
{
    if (o == NULL)
        return;
    free(o->finish_s);
    free(o->busy_s);
    free(o);
}

/* Rounded like lengths are when they are compared, so that a schedule that would be just as long counts as too long. */
static void judge(struct outlook *o, double date_s)
{
    o->is_too_long |= choose_rounded(date_s * o->safe_ratio) >= choose_rounded(o->limit->length_s);
}

/* The earliest arrival of an edge between two hosts; both are busy with it. */
static double arrive_s(struct outlook *o, edge_id e, host_id src, host_id dst)
{
    const struct problem *p = &o->schedule->problem;
    const struct edge *edge = &p->dag->edges[e];
    size_t pair = (size_t)src * p->machine->n_hosts + (size_t)dst;
    struct cost_end send = problem_end(p, e, src, dst, DIR_SEND), recv = problem_end(p, e, src, dst, DIR_RECV);
    o->busy_s[src] += cost_end_busy_s(send);
    o->busy_s[dst] += cost_end_busy_s(recv);
    judge(o, o->busy_s[src]);
    return o->finish_s[edge->src] + send.overhead_s + edge->size_bytes / p->routes->slowest_bytes_per_s[pair] +
           p->routes->latency_s[pair] + recv.overhead_s;
}

void outlook_place(struct outlook *o, task_id t)
{
    if (o == NULL || !o->is_judged)
        return;
    const struct problem *p = &o->schedule->problem;
    const struct dag *g = p->dag;
    const struct planned_task *placed = &o->schedule->tasks[t];
    host_id h = placed->host;
    double ready_s = 0;
    for (int i = g->in_start[t]; i < g->in_start[t + 1] && o->has_ends; i++) {
        host_id src = o->schedule->tasks[g->edges[g->in[i]].src].host;
        ready_s = later_s(ready_s, src == h ? o->finish_s[g->edges[g->in[i]].src] : arrive_s(o, g->in[i], src, h));
    }
    o->finish_s[t] = o->has_ends ? ready_s + problem_compute_s(p, t, h) : placed->span.finish_s;
    o->busy_s[h] += problem_compute_s(p, t, h);
    judge(o, o->finish_s[t] + o->limit->after_s[t]);
    judge(o, o->busy_s[h]);
}

bool outlook_is_too_long(const struct outlook *o)
{
    return o != NULL && o->is_too_long;
}
