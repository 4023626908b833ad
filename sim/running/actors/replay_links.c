/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Exclusive links (doc/model.md, Replay): a transfer goes over one link of its route after the other, cut-through, and each of
   these hops is an actor that waits until the data may go on, and until the link is its own. Only dates, and the links'
   bandwidths and latencies at the moment: SimGrid's network shares links, so it carries none of this.

   A hop whose bandwidth changes is woken and looks at its dates again. Where the schedule has dates for links, their order is
   kept; else the first that comes is served first, once all that come at a date are known. */
#include "actors/actors_replay.h"
#include "base/instant.h"

#include <math.h>

static const struct script_edge *edge_of(const struct replay_hop *h)
{
    return &replay_now.script->edges[h->edge];
}

static double bytes_of(const struct replay_hop *h)
{
    return replay_now.script->amounts.bytes[h->edge];
}

static bool is_last(const struct replay_hop *h)
{
    return h->k + 1 == edge_of(h)->n_links;
}

static bool is_contended(const struct replay_hop *h)
{
    return replay_now.script->machine->links[edge_of(h)->links[h->k]].sharing != LINK_FATPIPE;
}

static int *owner_of_link(const struct replay_hop *h)
{
    return &replay_now.owner[edge_of(h)->links[h->k]];
}

/* ---- what the two hosts feel ---- */

static void feel(struct replay_hop *h)
{
    const struct layer_loads *loads = replay_now.given->loads;
    bool is_felt[] = {h->k == 0, is_last(h)};
    for (enum direction dir = DIR_SEND; dir < N_DIRECTIONS && loads != NULL; dir++)
        if (is_felt[dir])
            h->loads[dir] = loads->start(replay_end_of(h->edge, dir), dir == DIR_RECV, replay_end_of(h->edge, !dir));
}

static void feel_rate(const struct replay_hop *h)
{
    for (enum direction dir = DIR_SEND; dir < N_DIRECTIONS; dir++)
        if (h->loads[dir] != NULL)
            replay_now.given->loads->set_rate(h->loads[dir], h->dates.bytes_per_s);
}

static void feel_no_more(struct replay_hop *h)
{
    for (enum direction dir = DIR_SEND; dir < N_DIRECTIONS; dir++)
        if (h->loads[dir] != NULL)
            replay_now.given->loads->end(h->loads[dir]);
    h->loads[DIR_SEND] = h->loads[DIR_RECV] = NULL;
}

/* ---- dates ---- */

static double release_s(const struct replay_hop *h)
{
    return hop_release_s(&h[-1].dates, bytes_of(h), sg_link_get_bandwidth(h->link));
}

static void predict(struct replay_hop *h)
{
    const struct hop_dates *before = h->k > 0 ? &h[-1].dates : NULL;
    if (!hop_predict(&h->dates, before, replay_date_s(), sg_link_get_bandwidth(h->link)))
        return;
    feel_rate(h);
    if (is_last(h))
        replay_set_due(h->edge, h->dates.finish_s + h->dates.latency_s);
    else if (h[1].place >= 0)
        sleeper_wake(&h[1].sleeper);
}

/* ---- who has the link ---- */

/* First come, first served; at one date by the schedule's dates of the edge. */
static bool comes_before(const struct replay_hop *a, const struct replay_hop *b)
{
    const struct schedule *s = replay_now.script->schedule;
    const struct edge *x = &replay_now.script->dag->edges[a->edge], *y = &replay_now.script->dag->edges[b->edge];
    double dates[][2] = {{s->tasks[x->src].span.finish_s, s->tasks[y->src].span.finish_s},
                         {s->tasks[x->dst].span.start_s, s->tasks[y->dst].span.start_s}};
    if (!instant_has_come(a->released_s, b->released_s) || !instant_has_come(b->released_s, a->released_s))
        return a->released_s < b->released_s;
    for (size_t i = 0; i < sizeof dates / sizeof dates[0]; i++)
        if (dates[i][0] != dates[i][1])
            return dates[i][0] < dates[i][1];
    return a->id < b->id;
}

static bool waits_for_link(const struct replay_hop *h)
{
    return h->state == HOP_RELEASED && !h->may_go;
}

static bool is_served_in_turn(const struct replay_hop *h)
{
    return !replay_now.script->is_ordered && is_contended(h);
}

static void find_first_ones(void)
{
    for (int i = 0; i < replay_now.n_alive; i++) {
        const struct replay_hop *h = &replay_now.hops[replay_now.alive[i]];
        int *first = &replay_now.first[edge_of(h)->links[h->k]];
        if (waits_for_link(h) && is_served_in_turn(h) && *owner_of_link(h) < 0 &&
            (*first < 0 || comes_before(h, &replay_now.hops[*first])))
            *first = h->id;
    }
}

static bool may_have_link(const struct replay_hop *h)
{
    int before = replay_now.script->before[h->id];
    if (is_served_in_turn(h))
        return replay_now.first[edge_of(h)->links[h->k]] == h->id;
    return before < 0 || replay_now.hops[before].state == HOP_OVER;
}

bool replay_links_give(void)
{
    bool any = false;
    find_first_ones();
    for (int i = 0; i < replay_now.n_alive; i++) {
        struct replay_hop *h = &replay_now.hops[replay_now.alive[i]];
        if (!waits_for_link(h) || !may_have_link(h))
            continue;
        replay_now.first[edge_of(h)->links[h->k]] = -1;
        *owner_of_link(h) = h->id;
        h->may_go = true;
        any = sleeper_wake(&h->sleeper) || any;
    }
    return any;
}

/* A hop that a change of its link concerns is woken. */
static bool look_at_hop(struct replay_hop *h)
{
    if (h->state == HOP_GOES && !one_sided_link_is_on(h->link)) {
        replay_fail_transfer(h->edge);
        return true;
    }
    bool depends = h->state == HOP_BEFORE || h->state == HOP_GOES;
    return depends && sg_link_get_bandwidth(h->link) != h->dates.bandwidth_bytes_per_s && sleeper_wake(&h->sleeper);
}

bool replay_links_look(bool has_changed)
{
    bool any = false;
    for (int i = 0; i < replay_now.n_alive && has_changed; i++)
        any = look_at_hop(&replay_now.hops[replay_now.alive[i]]) || any;
    return any;
}

/* ---- a hop ---- */

static void take_leave(struct replay_hop *h)
{
    int moved = replay_now.alive[--replay_now.n_alive];
    replay_now.alive[h->place] = moved;
    replay_now.hops[moved].place = h->place;
    h->place = -1;
}

static void wait_for_data(struct replay_hop *h)
{
    while (h->k > 0 && !instant_has_come(release_s(h), replay_date_s())) {
        h->dates.bandwidth_bytes_per_s = sg_link_get_bandwidth(h->link);
        sleeper_wait(&h->sleeper, release_s(h));
    }
    h->state = HOP_RELEASED;
    h->released_s = replay_date_s();
}

static void hop(int argc, char **argv);

static void spawn_hop(struct replay_hop *h)
{
    h->place = replay_now.n_alive;
    replay_now.alive[replay_now.n_alive++] = h->id;
    replay_spawn("hop", replay_end_of(h->edge, DIR_SEND), hop, h);
}

static void carry_over_link(struct replay_hop *h)
{
    h->state = HOP_GOES;
    hop_begin(&h->dates, replay_date_s(), bytes_of(h), sg_link_get_latency(h->link));
    if (h->k == 0) {
        replay_now.out->edges[h->edge].transfer.start_s = h->dates.start_s;
        replay_under_way(h->edge);
    }
    feel(h);
    predict(h);
    if (!is_last(h))
        spawn_hop(h + 1);
    while (!instant_has_come(h->dates.finish_s, replay_date_s())) {
        sleeper_wait(&h->sleeper, h->dates.finish_s);
        predict(h);
    }
}

static void end_hop(struct replay_hop *h)
{
    h->state = HOP_OVER;
    h->dates.finish_s = replay_date_s();
    feel_no_more(h);
    if (*owner_of_link(h) == h->id)
        *owner_of_link(h) = -1;
    if (!is_last(h))
        return;
    if (h->dates.latency_s > 0)
        sg_actor_sleep_for(h->dates.latency_s);
    replay_not_under_way(h->edge);
    replay_arrive(h->edge);
}

/* The actor. */
static void hop(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    struct replay_hop *h = sg_actor_self_get_data();
    sg_actor_on_exit(replay_transfer_failed, &replay_now.edges[h->edge]);
    wait_for_data(h);
    while (!h->may_go)
        sleeper_wait(&h->sleeper, INFINITY);
    if (!one_sided_link_is_on(h->link)) {
        replay_fail_transfer(h->edge);
        return;
    }
    carry_over_link(h);
    take_leave(h);
    end_hop(h);
}

/* ---- transfers that occupy no link ---- */

static bool are_links_on(edge_id e)
{
    const struct script_edge *x = &replay_now.script->edges[e];
    for (int k = 0; k < x->n_links; k++)
        if (!one_sided_link_is_on(replay_now.links[x->links[k]]))
            return false;
    return true;
}

/* The latencies of its links; where the world says how long data are under way, that. */
static double under_way_s(edge_id e)
{
    const struct script_edge *x = &replay_now.script->edges[e];
    if (replay_now.script->has_transit)
        return fmax(0, x->transit_s);
    double latency_s = x->n_links == 0 ? x->latency_s : 0;
    for (int k = 0; k < x->n_links; k++)
        latency_s += sg_link_get_latency(replay_now.links[x->links[k]]);
    return latency_s;
}

/* An actor. */
static void pass(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    struct replay_edge *x = sg_actor_self_get_data();
    edge_id e = (edge_id)(x - replay_now.edges);
    sg_actor_on_exit(replay_transfer_failed, x);
    replay_under_way(e);
    sg_actor_sleep_for(under_way_s(e));
    replay_not_under_way(e);
    replay_arrive(e);
}

void replay_links_carry(edge_id e)
{
    const struct script_edge *x = &replay_now.script->edges[e];
    if (x->has_hops) {
        spawn_hop(&replay_now.hops[x->first_hop]);
        return;
    }
    replay_now.out->edges[e].transfer.start_s = replay_date_s();
    if (!replay_now.script->has_transit && !are_links_on(e))
        replay_fail_transfer(e);
    else if (under_way_s(e) > 0)
        replay_spawn("pass", replay_end_of(e, DIR_SEND), pass, &replay_now.edges[e]);
    else
        replay_arrive(e);
}
