/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Exclusive links: a link carries one transfer at a time ([S] 7.1). SimGrid cannot hold one link of a route, so these
   transfers are our own: dates, and the links' bandwidths and latencies as SimGrid has them at the moment. No protocol
   factor of SimGrid's network models is applied.

       link 1   |======|            a hop occupies its link for bytes / bandwidth, once the one before it on this link
       link 2      ...|=========|   is over. Cut-through: hop k may begin lat_{k-1} after
       arrival                  lat |       max(start_{k-1}, finish_{k-1} - zeta_k)

   Where dates order a link (a schedule of links), that order is kept; else, first come, first served, at one date by
   the schedule's dates of the edge. A FATPIPE carries all that come. Bytes 0, or a route without links: only
   latency.

   While a hop is in progress its bandwidth may change: what remains goes on at the new one. So `finish_s` is a
   prediction that holds unless something changes, and with it everything that follows from it; a hop is not over
   before its bytes can have come over the link before. A hop on a link that is down or goes down fails; one without
   bandwidth waits.

   To the world, a hop on the first link is a flow that leaves the source, one on the last link a flow that enters the
   destination, at the hop's rate, while it is in progress. */
#include "base/mem.h"
#include "engine/hop_dates.h"
#include "engine/replay_state.h"

#include <math.h>
#include <stdlib.h>

enum hop_state { HOP_BEFORE, HOP_RELEASED, HOP_GOES, HOP_OVER };

struct hop {
    enum hop_state state;
    double released_s;
    struct hop_dates dates;
    struct engine_load *loads[N_DIRECTIONS];
};

struct link_state {
    step_id current;                     /* -1: free */
    step_id first_waiting, last_waiting; /* where the schedule gives no order; by `next` */
    bool may_grant;
};

struct hops {
    struct hop *hops; /* [step - first_hop[0]] */
    struct link_state *links;
    step_id *next, *previous; /* [step - first_hop[0]]: in the queue of a link */
    link_id *to_grant;
    size_t n_to_grant;
    edge_id *active; /* from the start of the first hop to the arrival */
    int *place;      /* [edge]: in active */
    int n_active;
    bool links_have_changed;
};

struct hops *hops_create(const struct replay_plan *p)
{
    size_t n = (size_t)(p->n_steps - p->first_hop[0]) + 1, n_edges = (size_t)p->dag->n_edges + 1;
    struct hops *x = mem_zalloc(1, sizeof *x);
    x->hops = mem_zalloc(n, sizeof *x->hops);
    x->links = mem_zalloc(p->machine->n_links + 1, sizeof *x->links);
    for (size_t l = 0; l < p->machine->n_links; l++)
        x->links[l] = (struct link_state){-1, -1, -1, false};
    x->to_grant = mem_alloc((p->machine->n_links + 1) * sizeof *x->to_grant);
    x->next = mem_alloc(n * sizeof *x->next);
    x->previous = mem_alloc(n * sizeof *x->previous);
    x->active = mem_alloc(n_edges * sizeof *x->active);
    x->place = mem_alloc(n_edges * sizeof *x->place);
    return x;
}

void hops_free(struct hops *x)
{
    if (x == NULL)
        return;
    free(x->hops);
    free(x->links);
    free(x->to_grant);
    free(x->next);
    free(x->previous);
    free(x->active);
    free(x->place);
    free(x);
}

/* ---- where a hop is ---- */

/* The hops of an edge lie side by side: [-1] is the link before. */
static struct hop *hop_at(const struct replay *r, step_id s)
{
    return &r->hops->hops[s - r->plan.first_hop[0]];
}

static link_id link_of(const struct replay *r, step_id s)
{
    size_t n;
    edge_id e = step_edge(&r->plan, s);
    return schedule_route(r->plan.schedule, e, &n)[s - r->plan.first_hop[e]];
}

static bool is_first(const struct replay *r, step_id s)
{
    return s == r->plan.first_hop[step_edge(&r->plan, s)];
}

static bool is_last(const struct replay *r, step_id s)
{
    return s + 1 == r->plan.first_hop[step_edge(&r->plan, s) + 1];
}

static bool is_contended(const struct replay *r, link_id l)
{
    return r->plan.machine->links[l].sharing != LINK_FATPIPE;
}

/* Edges in progress are all that changes of hosts and links can touch: those cost O(hops in progress), not
   O(edges). */
static void activate(struct replay *r, edge_id e)
{
    struct hops *x = r->hops;
    r->out->edges[e].transfer.start_s = engine_now_s(r->engine);
    x->place[e] = x->n_active;
    x->active[x->n_active++] = e;
}

static void arrive(struct replay *r, edge_id e)
{
    struct hops *x = r->hops;
    edge_id moved = x->active[--x->n_active];
    x->active[x->place[e]] = moved;
    x->place[moved] = x->place[e];
    replay_arrived(r, e);
}

bool hops_are_in_progress(const struct hops *x)
{
    return x->n_active > 0;
}

/* ---- what it is to the two processors ---- */

static void start_loads(struct replay *r, step_id s)
{
    edge_id e = step_edge(&r->plan, s);
    struct hop *h = hop_at(r, s);
    host_id hosts[] = {edge_host(&r->plan, e, DIR_SEND), edge_host(&r->plan, e, DIR_RECV)};
    bool is_felt[] = {is_first(r, s), is_last(r, s)};
    for (enum direction dir = DIR_SEND; dir < N_DIRECTIONS && r->world->speed_factor_ratio != NULL; dir++)
        if (is_felt[dir])
            h->loads[dir] = engine_load_start(r->engine, hosts[dir], dir, hosts[!dir]);
}

static void rate_changed(struct replay *r, const struct hop *h)
{
    for (enum direction dir = DIR_SEND; dir < N_DIRECTIONS; dir++)
        if (h->loads[dir] != NULL)
            engine_load_set_rate(r->engine, h->loads[dir], h->dates.bytes_per_s);
}

static void end_loads(struct replay *r, struct hop *h)
{
    for (enum direction dir = DIR_SEND; dir < N_DIRECTIONS; dir++)
        if (h->loads[dir] != NULL)
            engine_load_end(r->engine, h->loads[dir]);
}

/* ---- dates ---- */

static void predict_finish(struct replay *r, step_id s)
{
    struct hop *h = hop_at(r, s);
    const struct hop_dates *before = is_first(r, s) ? NULL : &h[-1].dates;
    if (!hop_predict(&h->dates, before, engine_now_s(r->engine), engine_link_bytes_per_s(r->engine, link_of(r, s))))
        return;
    rate_changed(r, h);
    replay_note_rate(r, s, h->dates.bytes_per_s);
    step_timers_set(&r->timers, s, h->dates.finish_s);
}

/* The next hop is released by the timer of its step; a change of a link moves it. */
static void predict_release(struct replay *r, step_id s)
{
    double size_bytes = r->plan.amounts.bytes[step_edge(&r->plan, s)];
    double bandwidth_bytes_per_s = engine_link_bytes_per_s(r->engine, link_of(r, s));
    double release_s = hop_release_s(&hop_at(r, s)[-1].dates, size_bytes, bandwidth_bytes_per_s);
    step_timers_set(&r->timers, s, fmax(release_s, engine_now_s(r->engine)));
}

/* All that depends on the present of an edge in progress: its hops, the release of the next one, its receive. */
static void predict(struct replay *r, edge_id e)
{
    const struct replay_plan *p = &r->plan;
    if (!edge_has_links(p, e))
        return;
    for (step_id s = p->first_hop[e]; s < p->first_hop[e + 1]; s++) {
        const struct hop *h = hop_at(r, s);
        if (h->state == HOP_BEFORE)
            predict_release(r, s);
        /* what comes after it depends on when it starts, which is not known */
        if (h->state == HOP_BEFORE || h->state == HOP_RELEASED)
            return;
        if (h->state == HOP_GOES)
            predict_finish(r, s);
        if (h->state == HOP_GOES && is_last(r, s))
            replay_recv_due_at(r, e, h->dates.finish_s + h->dates.latency_s);
    }
}

/* ---- a hop ---- */

static void start_hop(struct replay *r, step_id s)
{
    struct hop *h = hop_at(r, s);
    link_id l = link_of(r, s);
    edge_id e = step_edge(&r->plan, s);
    if (!engine_link_is_up(r->engine, l)) {
        replay_fail(r, s);
        return;
    }
    h->state = HOP_GOES;
    hop_begin(&h->dates, engine_now_s(r->engine), r->plan.amounts.bytes[e], engine_link_latency_s(r->engine, l));
    if (is_contended(r, l))
        r->hops->links[l].current = s;
    if (is_first(r, s))
        activate(r, e);
    start_loads(r, s);
    predict(r, e);
}

/* Links are given away only when all that is released at this date is known (hops_grant): by then the queue has its
   order. */
static void let_grant(struct hops *x, link_id l)
{
    if (!x->links[l].may_grant)
        x->to_grant[x->n_to_grant++] = l;
    x->links[l].may_grant = true;
}

static void end_hop(struct replay *r, step_id s)
{
    struct hop *h = hop_at(r, s);
    link_id l = link_of(r, s);
    double now_s = engine_now_s(r->engine);
    h->state = HOP_OVER;
    h->dates.finish_s = now_s;
    replay_note_rate(r, s, 0);
    end_loads(r, h);
    if (is_contended(r, l)) {
        r->hops->links[l].current = -1;
        let_grant(r->hops, l);
    }
    if (r->plan.after[s] >= 0)
        replay_satisfy(r, r->plan.after[s]);
    if (is_last(r, s) && h->dates.latency_s > 0)
        step_timers_set(&r->timers, s, now_s + h->dates.latency_s);
    else if (is_last(r, s))
        arrive(r, step_edge(&r->plan, s));
}

/* The latencies of its links; of a route without links, its own. False: a link is down. */
static bool take_latencies(struct replay *r, edge_id e, double *latency_s)
{
    size_t n;
    const link_id *links = schedule_route(r->plan.schedule, e, &n);
    if (n == 0)
        *latency_s = replay_route_latency_s(&r->plan, e);
    for (size_t k = 0; k < n; k++) {
        if (!engine_link_is_up(r->engine, links[k]))
            return false;
        *latency_s += engine_link_latency_s(r->engine, links[k]);
    }
    return true;
}

/* An edge that occupies no link. */
static void pass(struct replay *r, step_id s)
{
    edge_id e = step_edge(&r->plan, s);
    struct hop *h = hop_at(r, s);
    if (r->plan.has_transit) {
        h->dates.latency_s = fmax(0, r->plan.passages[e].transit_s);
    } else if (!take_latencies(r, e, &h->dates.latency_s)) {
        replay_fail(r, s);
        return;
    }
    activate(r, e);
    h->state = HOP_OVER;
    if (h->dates.latency_s > 0)
        step_timers_set(&r->timers, s, engine_now_s(r->engine) + h->dates.latency_s);
    else
        arrive(r, e);
}

void hops_timer(struct replay *r, step_id s)
{
    struct hop *h = hop_at(r, s);
    switch (h->state) {
    case HOP_BEFORE:
        h->state = HOP_RELEASED;
        replay_satisfy(r, s);
        break;
    case HOP_RELEASED:
        break;
    case HOP_GOES:
        end_hop(r, s);
        break;
    case HOP_OVER:
        arrive(r, step_edge(&r->plan, s));
        break;
    }
}

/* ---- first come, first served ---- */

static bool comes_before(const struct replay *r, step_id a, step_id b)
{
    const struct schedule *s = r->plan.schedule;
    edge_id x = step_edge(&r->plan, a), y = step_edge(&r->plan, b);
    const struct edge *edges = r->plan.dag->edges;
    double dates[][2] = {{hop_at(r, a)->released_s, hop_at(r, b)->released_s},
                         {s->tasks[edges[x].src].span.finish_s, s->tasks[edges[y].src].span.finish_s},
                         {s->tasks[edges[x].dst].span.start_s, s->tasks[edges[y].dst].span.start_s}};
    for (size_t i = 0; i < sizeof dates / sizeof dates[0]; i++)
        if (dates[i][0] != dates[i][1])
            return dates[i][0] < dates[i][1];
    return a < b;
}

/* From the back: who is released now comes after all who were released earlier, so only those of this date are
   passed. */
static void queue(struct replay *r, step_id s, link_id l)
{
    struct hops *x = r->hops;
    struct link_state *link = &x->links[l];
    step_id first = r->plan.first_hop[0], before = link->last_waiting;
    hop_at(r, s)->released_s = engine_now_s(r->engine);
    while (before >= 0 && comes_before(r, s, before))
        before = x->previous[before - first];
    step_id *next_of_before = before >= 0 ? &x->next[before - first] : &link->first_waiting;
    step_id after = *next_of_before;
    *next_of_before = s;
    x->previous[s - first] = before;
    x->next[s - first] = after;
    *(after >= 0 ? &x->previous[after - first] : &link->last_waiting) = s;
    let_grant(x, l);
}

bool hops_grant(struct replay *r)
{
    struct hops *x = r->hops;
    bool any = false;
    for (size_t i = 0; i < x->n_to_grant; i++) {
        struct link_state *link = &x->links[x->to_grant[i]];
        step_id s = link->first_waiting;
        link->may_grant = false;
        if (link->current >= 0 || s < 0)
            continue;
        link->first_waiting = x->next[s - r->plan.first_hop[0]];
        *(link->first_waiting >= 0 ? &x->previous[link->first_waiting - r->plan.first_hop[0]] : &link->last_waiting) =
            -1;
        start_hop(r, s);
        any = true;
    }
    x->n_to_grant = 0;
    return any;
}

static bool are_hosts_up(const struct replay *r, edge_id e)
{
    return engine_host_is_up(r->engine, edge_host(&r->plan, e, DIR_SEND)) &&
           engine_host_is_up(r->engine, edge_host(&r->plan, e, DIR_RECV));
}

void hops_begin(struct replay *r, step_id s)
{
    /* where the schedule orders the link, this hop has waited for the one before it: nothing to queue for */
    bool is_ordered = r->plan.schedule->problem.model->books_links;
    hop_at(r, s)->state = HOP_RELEASED;
    if (is_first(r, s) && !are_hosts_up(r, step_edge(&r->plan, s)))
        replay_fail(r, s);
    else if (!edge_has_links(&r->plan, step_edge(&r->plan, s)))
        pass(r, s);
    else if (is_ordered || !is_contended(r, link_of(r, s)))
        start_hop(r, s);
    else
        queue(r, s, link_of(r, s));
}

/* ---- changes ---- */

void hops_host_down(struct replay *r, host_id h)
{
    const struct hops *x = r->hops;
    for (int i = 0; i < x->n_active; i++)
        for (enum direction dir = DIR_SEND; dir < N_DIRECTIONS; dir++)
            if (edge_host(&r->plan, x->active[i], dir) == h)
                replay_fail(r, r->plan.first_hop[x->active[i]]);
}

void hops_link_changed(struct replay *r, link_id l)
{
    struct hops *x = r->hops;
    x->links_have_changed = true;
    for (int i = 0; i < x->n_active && !engine_link_is_up(r->engine, l); i++) {
        edge_id e = x->active[i];
        for (step_id s = r->plan.first_hop[e]; s < r->plan.first_hop[e + 1]; s++)
            if (hop_at(r, s)->state == HOP_GOES && link_of(r, s) == l)
                replay_fail(r, s);
    }
}

void hops_retime(struct replay *r)
{
    struct hops *x = r->hops;
    for (int i = 0; i < x->n_active && x->links_have_changed; i++)
        predict(r, x->active[i]);
    x->links_have_changed = false;
}

edge_id hops_find_stopped(const struct replay *r, link_id *link)
{
    for (int i = 0; i < r->hops->n_active; i++) {
        edge_id e = r->hops->active[i];
        for (step_id s = r->plan.first_hop[e]; s < r->plan.first_hop[e + 1] && edge_has_links(&r->plan, e); s++)
            if (hop_at(r, s)->state == HOP_GOES && isinf(hop_at(r, s)->dates.finish_s)) {
                *link = link_of(r, s);
                return e;
            }
    }
    return -1;
}
