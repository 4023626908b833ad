/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A task waits on a host for each entering edge, and for groups of them, of which the last to come counts:

       one edge     departs, takes at least the time on the slowest link and the latency, then the overhead of the
                    receive
       queues       all that departs at or after a date follows each other on the last link, if every route to the host
                    ends with one that serves one message at a time; and on the processor, which all must be received by

   So the edges are taken by falling departure, and each is the first of such a group. A departure is the start of the
   send if that is booked, else the finish of the origin, and the first gap of the only link by which data leave that
   host.

   Time: entering edges times hosts, without any booking. */
#include "plan/draft_bounds.h"

#include "base/mem.h"
#include "plan/draft_own.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

struct departure {
    edge_id edge;
    double date_s;
};

struct draft_bounds {
    const struct draft *draft;
    struct departure *departures; /* of the current task */
    double *last_s_per_byte; /* [host]: of the only link by which data reach it, if messages take turns there; else 0 */
    double *ready_s, *queued_s, *received_s; /* [host] */
    bool *gains_room;                        /* [host]: a try there removes a send from its processor */
};

bool draft_bounds_apply(const struct cost_model *model)
{
    return !cost_is_plain_delay(model) && model->end == NULL && model->transit_s == NULL;
}

/* A FATPIPE carries all at once, so nothing queues there. */
static bool takes_turns(const struct problem *p, link_id l)
{
    return l >= 0 && p->model->books_links && p->machine->links[l].sharing != LINK_FATPIPE;
}

/* Only where all routes to a host end with one link can messages from anywhere be added up on it. */
static void find_last_links(struct draft_bounds *b)
{
    const struct problem *p = &b->draft->s->problem;
    size_t *start;
    link_id *links;
    route_table_end_links(p->routes, DIR_RECV, &start, &links);
    for (size_t h = 0; h < p->machine->n_hosts; h++)
        if (start[h + 1] == start[h] + 1 && takes_turns(p, links[start[h]]))
            b->last_s_per_byte[h] = 1 / p->machine->links[links[start[h]]].bandwidth_bytes_per_s;
    free(start);
    free(links);
}

static size_t most_entering(const struct dag *g)
{
    int most = 0;
    for (task_id t = 0; t < g->n_tasks; t++)
        most = g->in_start[t + 1] - g->in_start[t] > most ? g->in_start[t + 1] - g->in_start[t] : most;
    return (size_t)most;
}

struct draft_bounds *draft_bounds_create(const struct draft *d)
{
    size_t n_hosts = d->s->problem.machine->n_hosts;
    struct draft_bounds *b = mem_zalloc(1, sizeof *b);
    b->draft = d;
    b->departures = mem_alloc((most_entering(d->s->problem.dag) + 1) * sizeof *b->departures);
    /* one block for four arrays, of which three are cleared together in draft_bounds_find */
    b->last_s_per_byte = mem_zalloc(4 * n_hosts, sizeof *b->last_s_per_byte);
    b->ready_s = b->last_s_per_byte + n_hosts;
    b->queued_s = b->ready_s + n_hosts;
    b->received_s = b->queued_s + n_hosts;
    b->gains_room = mem_alloc(n_hosts * sizeof *b->gains_room);
    find_last_links(b);
    return b;
}

void draft_bounds_free(struct draft_bounds *b)
{
    if (b == NULL)
        return;
    free(b->departures);
    free(b->last_s_per_byte);
    free(b->gains_room);
    free(b);
}

/* ---- departures ---- */

/* The earliest date at which the data of an edge can be on their way, wherever they go. */
static double departure_s(const struct draft_bounds *b, edge_id e)
{
    const struct draft *d = b->draft;
    const struct problem *p = &d->s->problem;
    const struct edge *edge = &p->dag->edges[e];
    const struct planned_task *origin = &d->s->tasks[edge->src];
    size_t first = d->first_start[origin->host];
    link_id link =
        d->first_start[origin->host + 1] == first + 1 ? d->first_links[first] : -1; /* -1: not always the same */
    bool has_ends = cost_has_ends(p->model);
    double date_s = has_ends && d->with_origin.send ? d->s->edges[e].send.start_s : origin->span.finish_s;
    /* with several first links the overhead is not known here; leaving it out keeps the bound below */
    if (has_ends && link >= 0)
        date_s += cost_end(p->model, p->machine, origin->host, -1, DIR_SEND, link, edge->size_bytes).overhead_s;
    if (d->with_origin.links || !takes_turns(p, link))
        return date_s;
    double duration_s = edge->size_bytes / p->machine->links[link].bandwidth_bytes_per_s;
    /* where it may be lost (span.h) it waits for nothing */
    if (span_is_lost_at(timeline_end_s(d->timelines, problem_link(p, link)), duration_s / 2))
        return date_s;
    return timeline_fit(d->timelines, problem_link(p, link), date_s, duration_s);
}

static int by_falling_date(const void *a, const void *b)
{
    const struct departure *x = a, *y = b;
    return x->date_s != y->date_s ? (x->date_s < y->date_s) - (x->date_s > y->date_s) : x->edge - y->edge;
}

/* ---- arrivals ---- */

/* What an edge, and with it all that departs later, needs before the task can start on each host. Sums stand for
   queues: with the edges by falling departure, x->date_s is the earliest departure of all that is in them, so what they
   add up to cannot be over before date_s plus the sum. */
static void delay(struct draft_bounds *b, const struct departure *x)
{
    const struct problem *p = &b->draft->s->problem;
    const struct edge *edge = &p->dag->edges[x->edge];
    const struct planned_task *origin = &b->draft->s->tasks[edge->src];
    size_t n_hosts = p->machine->n_hosts;
    const double *slowest = p->routes->slowest_bytes_per_s + (size_t)origin->host * n_hosts;
    const double *latency_s = p->routes->latency_s + (size_t)origin->host * n_hosts;
    bool has_ends = cost_has_ends(p->model);
    for (size_t h = 0; h < n_hosts; h++) {
        /* local: nothing is sent, but its data are not there before its origin has finished (below) */
        if ((host_id)h == origin->host)
            continue;
        double transit_s = edge->size_bytes / slowest[h] + latency_s[h];
        b->queued_s[h] += edge->size_bytes * b->last_s_per_byte[h];
        if (has_ends) {
            struct cost_end end = problem_end(p, x->edge, origin->host, (host_id)h, DIR_RECV);
            b->received_s[h] += cost_end_busy_s(end);
            transit_s = later_s(transit_s + end.overhead_s, b->received_s[h]);
        }
        double arrival_s = x->date_s + later_s(transit_s, b->queued_s[h]);
        b->ready_s[h] = later_s(b->ready_s[h], arrival_s);
    }
    b->ready_s[origin->host] = later_s(b->ready_s[origin->host], origin->span.finish_s);
}

/* The first gap for the task; where a try gains room, or the task may be lost, just when its data are ready. A bound
   may be too low, never too high: where a try sees more room than the timelines show, no gap is looked for. */
static void fit(struct draft_bounds *b, task_id t, int n)
{
    const struct problem *p = &b->draft->s->problem;
    const double safe = 1 - 4 * DBL_EPSILON * (8 + n); /* a try adds the same terms in another order */
    for (host_id h = 0; h < (host_id)p->machine->n_hosts; h++) {
        double duration_s = problem_compute_s(p, t, h);
        b->ready_s[h] *= safe;
        if (!b->gains_room[h] && problem_may_run(p, t, h) &&
            !span_is_lost_at(timeline_end_s(b->draft->timelines, problem_processor(h)), duration_s / 2))
            b->ready_s[h] = timeline_fit(b->draft->timelines, problem_processor(h), b->ready_s[h], duration_s);
    }
}

const double *draft_bounds_find(struct draft_bounds *b, task_id t)
{
    const struct draft *d = b->draft;
    const struct dag *g = d->s->problem.dag;
    size_t n_hosts = d->s->problem.machine->n_hosts;
    const edge_id *entering = d->entering + g->in_start[t];
    int n = d->n_entering[t];
    memset(b->ready_s, 0, 3 * n_hosts * sizeof *b->ready_s); /* and those that follow it */
    memset(b->gains_room, 0, n_hosts * sizeof *b->gains_room);
    for (int i = 0; i < n; i++) {
        b->departures[i] = (struct departure){entering[i], departure_s(b, entering[i])};
        /* under `direct` a try there removes the edge's provisional send */
        b->gains_room[d->s->tasks[g->edges[entering[i]].src].host] = true;
    }
    qsort(b->departures, (size_t)n, sizeof *b->departures, by_falling_date);
    for (int i = 0; i < n; i++)
        delay(b, &b->departures[i]);
    fit(b, t, n);
    return b->ready_s;
}
