/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The host where a task starts or finishes first, without a try on every host where one can be avoided. */
#include "base/choose.h"
#include "plan/draft_bounds.h"
#include "plan/draft_own.h"

#include <assert.h>
#include <math.h>

/* If the model books nothing but tasks, all hosts are evaluated together, edge by edge. One pass over hosts for each
   edge, without branches and with arrays that do not overlap: the compiler can make it vector code. It replaces a try
   on each host. */
static void find_ready_everywhere(struct draft *d, task_id t)
{
    const struct problem *p = &d->s->problem;
    const struct dag *g = p->dag;
    size_t n_hosts = p->machine->n_hosts;
    for (size_t h = 0; h < n_hosts; h++)
        d->ready_s[h] = problem_release_s(p, t, (host_id)h);
    for (int i = g->in_start[t]; i < g->in_start[t] + d->n_entering[t]; i++) {
        const struct edge *edge = &g->edges[d->entering[i]];
        const struct planned_task *origin = &d->s->tasks[edge->src];
        const double *restrict slowest = p->routes->slowest_bytes_per_s + (size_t)origin->host * n_hosts;
        const double *restrict latency_s = p->routes->latency_s + (size_t)origin->host * n_hosts;
        double *restrict ready_s = d->ready_s, departure_s = origin->span.finish_s, bytes = edge->size_bytes;
        for (size_t h = 0; h < n_hosts; h++) { /* to the same host: infinitely fast, without latency */
            double arrival_s = departure_s + bytes / slowest[h] + latency_s[h];
            ready_s[h] = arrival_s > ready_s[h] ? arrival_s : ready_s[h];
        }
    }
}

/* What is chosen by: the start, or the finish plus what may follow it on the host. */
struct aim {
    enum draft_least least;
    const double *ahead_s; /* [host]; NULL: nothing */
};

struct found {
    double value; /* rounded */
    host_id host;
};

/* In the form in which schedulers that try all hosts compare, so that both choose the same host. */
static double value_of(const struct draft *d, task_id t, host_id h, const struct aim *aim, double start_s)
{
    double date_s = start_s + (aim->least == DRAFT_LEAST_FINISH ? problem_compute_s(&d->s->problem, t, h) : 0);
    return choose_rounded(date_s + (aim->ahead_s != NULL ? aim->ahead_s[h] : 0));
}

/* Tries a host; a date that cannot win any more is not found to the end. */
static void try_host(struct draft *d, task_id t, host_id h, const struct aim *aim, struct found *best)
{
    double enough_s = best->value - (aim->least == DRAFT_LEAST_FINISH ? problem_compute_s(&d->s->problem, t, h) : 0) -
                      (aim->ahead_s != NULL ? aim->ahead_s[h] : 0);
    if (h < best->host)                       /* it wins among equals, which must be found exactly */
        enough_s += fabs(best->value) * 1e-9; /* far more than values lose when they are rounded */
    double value = value_of(d, t, h, aim, draft_try_start(d, t, h, enough_s));
    if (value < best->value || (value == best->value && h < best->host && value < INFINITY))
        *best = (struct found){value, h};
}

/* The host with the least bound first, then the others that may still win. A good first host makes `best` low, so that
   the bounds of most others, and the tries of the rest, end early. A host whose bound equals the best value can only
   win by its number. */
static void find_by_bounds(struct draft *d, task_id t, const struct aim *aim, struct found *best)
{
    const struct problem *p = &d->s->problem;
    host_id n_hosts = (host_id)p->machine->n_hosts, first = -1;
    const double *bound_s = draft_bounds_find(d->bounds, t);
    double *value = d->ready_s;
    for (host_id h = 0; h < n_hosts; h++) {
        value[h] = problem_may_run(p, t, h) ? value_of(d, t, h, aim, bound_s[h]) : INFINITY;
        first = value[h] < INFINITY && (first < 0 || value[h] < value[first]) ? h : first;
    }
    if (first >= 0)
        try_host(d, t, first, aim, best);
    for (host_id h = 0; h < n_hosts; h++)
        if (h != first &&
            (value[h] < best->value || (value[h] == best->value && h < best->host && value[h] < INFINITY)))
            try_host(d, t, h, aim, best);
}

static void find_without_bounds(struct draft *d, task_id t, const struct aim *aim, struct found *best)
{
    const struct problem *p = &d->s->problem;
    bool is_plain = cost_is_plain_delay(p->model);
    if (is_plain)
        find_ready_everywhere(d, t);
    for (host_id h = 0; h < (host_id)p->machine->n_hosts; h++) {
        if (!problem_may_run(p, t, h))
            continue;
        double value = is_plain ? value_of(d, t, h, aim, draft_fit_task(d, t, h, d->ready_s[h])) : INFINITY;
        if (!is_plain)
            try_host(d, t, h, aim, best);
        else if (value < best->value)
            *best = (struct found){value, h};
    }
}

static host_id find_host(struct draft *d, task_id t, const struct aim *aim)
{
    struct found best = {INFINITY, (host_id)d->s->problem.machine->n_hosts};
    assert(d->s->tasks[t].host < 0);
    /* with `end` the processor's last finish ends hopeless tries for less (busy_until_s) */
    if (d->bounds != NULL && d->technique == TECHNIQUE_INSERTION)
        find_by_bounds(d, t, aim, &best);
    else
        find_without_bounds(d, t, aim, &best);
    return best.value < INFINITY ? best.host : 0;
}

host_id draft_choose_host(struct draft *d, task_id t, enum draft_least least)
{
    assert(draft_is_ready(d, t));
    return find_host(d, t, &(struct aim){.least = least});
}

host_id draft_choose_host_early(struct draft *d, task_id t, enum draft_least least)
{
    return find_host(d, t, &(struct aim){.least = least});
}

host_id draft_choose_host_ahead(struct draft *d, task_id t, const double *ahead_s)
{
    assert(draft_is_ready(d, t));
    return find_host(d, t, &(struct aim){DRAFT_LEAST_FINISH, ahead_s});
}
