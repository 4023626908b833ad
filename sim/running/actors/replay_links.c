/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Exclusive links (doc/model.md, Replay): a transfer goes over one link of its route after the other, cut-through, and
   each of these hops is an actor that waits until the data may go on, and until the link is its own. Only dates, and
   the links' bandwidths and latencies at the moment: SimGrid's network shares links, so it carries none of this.

   A hop whose bandwidth changes is woken and looks at its dates again. Where the schedule has dates for links, their
   order is kept; else the first that comes is served first, once all that come at a date are known.

   Hops of one edge are neighbours in the array: h[-1] is the link before, h[1] the one behind. */
#include "actors/actors_replay.h"
#include "base/instant.h"

#include <math.h>

static double bytes_of(const struct replay_hop *h)
{
    return h->run->plan->amounts.bytes[h->edge];
}

static bool is_first(const struct replay_hop *h)
{
    return h->step == h->run->plan->first_hop[h->edge];
}

static bool is_last(const struct replay_hop *h)
{
    return h->step + 1 == h->run->plan->first_hop[h->edge + 1];
}

static bool is_contended(const struct replay_hop *h)
{
    return h->run->plan->machine->links[h->link_id].sharing != LINK_FATPIPE;
}

/* ---- what the two hosts feel: because SimGrid does not carry these bytes, the layer must be told at which rate
   they pass. The sender's processor feels the first link, the receiver's the last one ---- */

static void feel(struct replay_hop *h)
{
    const struct layer_loads *loads = h->run->given->loads;
    const struct replay_plan *p = h->run->plan;
    bool is_felt[] = {is_first(h), is_last(h)};
    for (enum direction dir = DIR_SEND; dir < N_DIRECTIONS && loads != NULL; dir++)
        if (is_felt[dir])
            h->loads[dir] = loads->start(edge_host(p, h->edge, dir), dir == DIR_RECV, edge_host(p, h->edge, !dir));
}

static void feel_rate(const struct replay_hop *h)
{
    for (enum direction dir = DIR_SEND; dir < N_DIRECTIONS; dir++)
        if (h->loads[dir] != NULL)
            h->run->given->loads->set_rate(h->loads[dir], h->dates.bytes_per_s);
}

static void feel_no_more(struct replay_hop *h) /* NULL again: it may be called for a hop that nobody feels */
{
    for (enum direction dir = DIR_SEND; dir < N_DIRECTIONS; dir++)
        if (h->loads[dir] != NULL)
            h->run->given->loads->end(h->loads[dir]);
    h->loads[DIR_SEND] = h->loads[DIR_RECV] = NULL;
}

/* ---- dates ---- */

/* When the data may go on to this link, by what is known of the one before. It changes with that one's prediction. */
static double release_s(const struct replay_hop *h)
{
    return hop_release_s(&h[-1].dates, bytes_of(h), sg_link_get_bandwidth(h->link));
}

/* Called after each wake-up. The next hop depends on this one's finish and is woken in turn, so a change travels
   along the route at one date. */
static void predict(struct replay_hop *h)
{
    const struct hop_dates *before = is_first(h) ? NULL : &h[-1].dates;
    if (!hop_predict(&h->dates, before, replay_date_s(), sg_link_get_bandwidth(h->link)))
        return;
    feel_rate(h);
    if (is_last(h))
        replay_set_due(h->run, h->edge, h->dates.finish_s + h->dates.latency_s);
    else if (h[1].place >= 0)
        sleeper_wake(&h[1].sleeper);
}

/* ---- who has the link ---- */

/* First come, first served; at one date by the schedule's dates of the edge, then by number. The order is total, so it
   does not depend on who asks first. */
static bool comes_before(const struct replay_hop *a, const struct replay_hop *b)
{
    const struct planned_task *tasks = a->run->plan->schedule->tasks;
    const struct edge *x = &a->run->plan->dag->edges[a->edge], *y = &a->run->plan->dag->edges[b->edge];
    double dates[][2] = {{tasks[x->src].span.finish_s, tasks[y->src].span.finish_s},
                         {tasks[x->dst].span.start_s, tasks[y->dst].span.start_s}};
    /* One instant: dates that differ by rounding are the same arrival. */
    if (!instant_has_come(a->released_s, b->released_s) || !instant_has_come(b->released_s, a->released_s))
        return a->released_s < b->released_s;
    for (size_t i = 0; i < sizeof dates / sizeof dates[0]; i++)
        if (dates[i][0] != dates[i][1])
            return dates[i][0] < dates[i][1];
    return a->step < b->step;
}

static bool waits_for_link(const struct replay_hop *h)
{
    return h->state == HOP_RELEASED && !h->may_go;
}

/* A fat pipe carries any number of transfers at once, and a schedule with links has an order of its own. */
static bool is_served_in_turn(const struct replay_hop *h)
{
    return !h->run->plan->schedule->problem.model->books_links && is_contended(h);
}

/* The first of each link, in one pass over all who wait. Time: O(hops alive). */
static void find_first_ones(struct replay_run *r)
{
    for (int i = 0; i < r->n_alive; i++) {
        struct replay_hop *h = r->alive[i], **first = &r->first[h->link_id];
        if (waits_for_link(h) && is_served_in_turn(h) && r->owner[h->link_id] == NULL &&
            (*first == NULL || comes_before(h, *first)))
            *first = h;
    }
}

/* In the schedule's order the hop before it on this link must be over; it may not even be alive yet. */
static bool may_have_link(const struct replay_hop *h)
{
    const struct replay_run *r = h->run;
    step_id before = r->plan->before[h->step];
    if (is_served_in_turn(h))
        return r->first[h->link_id] == h;
    return before < 0 || r->hops[before - r->plan->first_hop[0]].state == HOP_OVER;
}

bool replay_links_give(struct replay_run *r)
{
    bool any = false;
    find_first_ones(r);
    for (int i = 0; i < r->n_alive; i++) {
        struct replay_hop *h = r->alive[i];
        if (!waits_for_link(h) || !may_have_link(h))
            continue;
        r->first[h->link_id] = NULL;
        r->owner[h->link_id] = h;
        h->may_go = true;
        any = sleeper_wake(&h->sleeper) || any; /* it waits for its link, not in carry_over_link */
    }
    return any;
}

/* A hop that a change of its link concerns is woken: one that computes its release from the bandwidth, or is being
   carried. One that waits for its link will read the bandwidth when it has it. */
static bool look_at_hop(struct replay_hop *h)
{
    if (h->state == HOP_GOES && !one_sided_link_is_on(h->link)) {
        replay_fail_transfer(h->run, h->edge);
        return true;
    }
    bool depends = h->state == HOP_BEFORE || h->state == HOP_GOES;
    return depends && sg_link_get_bandwidth(h->link) != h->dates.bandwidth_bytes_per_s && sleeper_wake(&h->sleeper);
}

bool replay_links_look(struct replay_run *r, bool has_changed)
{
    bool any = false;
    for (int i = 0; i < r->n_alive && has_changed; i++)
        any = look_at_hop(r->alive[i]) || any;
    return any;
}

/* ---- a hop ---- */

/* The last of those alive moves into its place. */
static void take_leave(struct replay_hop *h)
{
    struct replay_run *r = h->run;
    struct replay_hop *moved = r->alive[--r->n_alive];
    r->alive[h->place] = moved;
    moved->place = h->place;
    h->place = -1;
}

/* The release date moves while the link before changes its rate; hence the loop. */
static void wait_for_data(struct replay_hop *h)
{
    while (!is_first(h) && !instant_has_come(release_s(h), replay_date_s())) {
        h->dates.bandwidth_bytes_per_s = sg_link_get_bandwidth(h->link);
        sleeper_wait(&h->sleeper, release_s(h));
    }
    h->state = HOP_RELEASED;
    h->released_s = replay_date_s();
}

static void hop(int argc, char **argv);

static void spawn_hop(struct replay_hop *h)
{
    struct replay_run *r = h->run;
    h->place = r->n_alive;
    r->alive[r->n_alive++] = h;
    replay_spawn(r, "hop", edge_host(r->plan, h->edge, DIR_SEND), hop, h);
}

static void carry_over_link(struct replay_hop *h)
{
    h->state = HOP_GOES;
    hop_begin(&h->dates, replay_date_s(), bytes_of(h), sg_link_get_latency(h->link));
    if (is_first(h)) {
        h->run->out->edges[h->edge].transfer.start_s = h->dates.start_s;
        replay_under_way(h->run, h->edge);
    }
    /* A load starts at rate 0; predict sets the first rate. */
    feel(h);
    predict(h);
    /* The next hop exists from the moment this one starts, because cut-through lets it start before this one ends. */
    if (!is_last(h))
        spawn_hop(h + 1);
    /* finish_s may move both ways while it waits. */
    while (!instant_has_come(h->dates.finish_s, replay_date_s())) {
        sleeper_wait(&h->sleeper, h->dates.finish_s);
        predict(h);
    }
}

static void end_hop(struct replay_hop *h)
{
    struct replay_run *r = h->run;
    h->state = HOP_OVER;
    h->dates.finish_s = replay_date_s();
    feel_no_more(h);
    if (r->owner[h->link_id] == h)
        r->owner[h->link_id] = NULL;
    if (!is_last(h))
        return;
    /* The latency of the last link is after its last byte; that of the others is in hop_release_s. */
    if (h->dates.latency_s > 0)
        sg_actor_sleep_for(h->dates.latency_s);
    replay_not_under_way(r, h->edge);
    replay_arrive(r, h->edge);
}

/* The actor. */
static void hop(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    struct replay_hop *h = sg_actor_self_get_data();
    sg_actor_on_exit(replay_transfer_failed, &h->run->edges[h->edge]);
    wait_for_data(h);
    while (!h->may_go)
        sleeper_wait(&h->sleeper, INFINITY);
    /* A link may have failed while the hop waited for it. */
    if (!one_sided_link_is_on(h->link)) {
        replay_fail_transfer(h->run, h->edge);
        return;
    }
    carry_over_link(h);
    /* No longer alive, but the latency of the last link may still pass. */
    take_leave(h);
    end_hop(h);
}

/* ---- transfers that occupy no link ---- */

/* A transfer of no bytes crosses no link, yet a link that is down stops it. */
static bool are_links_on(const struct replay_run *r, edge_id e)
{
    size_t n;
    const link_id *links = links_of(r, e, &n);
    for (size_t k = 0; k < n; k++)
        if (!one_sided_link_is_on(r->links[links[k]]))
            return false;
    return true;
}

/* The latencies of its links; where the world says how long data are under way, that. */
static double under_way_s(const struct replay_run *r, edge_id e)
{
    size_t n;
    const link_id *links = links_of(r, e, &n);
    if (r->plan->has_transit)
        return fmax(0, r->plan->passages[e].transit_s);
    /* Without links the route may still have a latency (a zone's); with links it is the sum of theirs at this
       moment. */
    double latency_s = n == 0 ? r->given->route_latency_s(r->plan, e) : 0;
    for (size_t k = 0; k < n; k++)
        latency_s += sg_link_get_latency(r->links[links[k]]);
    return latency_s;
}

/* An actor. */
static void pass(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    struct replay_edge *x = sg_actor_self_get_data();
    edge_id e = edge_of(x);
    sg_actor_on_exit(replay_transfer_failed, x);
    replay_under_way(x->run, e);
    sg_actor_sleep_for(under_way_s(x->run, e));
    replay_not_under_way(x->run, e);
    replay_arrive(x->run, e);
}

void replay_links_carry(struct replay_run *r, edge_id e)
{
    struct replay_hop *first = &r->hops[r->plan->first_hop[e] - r->plan->first_hop[0]];
    /* No hops: no bytes, no links, or a time under way of the world's own. */
    if (first->link != NULL) {
        spawn_hop(first);
        return;
    }
    r->out->edges[e].transfer.start_s = replay_date_s();
    if (!r->plan->has_transit && !are_links_on(r, e))
        replay_fail_transfer(r, e);
    else if (under_way_s(r, e) > 0)
        replay_spawn(r, "pass", edge_host(r->plan, e, DIR_SEND), pass, &r->edges[e]);
    else
        replay_arrive(r, e);
}
