/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Transfers one after the other on the empty network: what a transfer gets is then its rate alone, with all that
   SimGrid's model does to it (bandwidth factors, TCP's window), which a formula over the links would miss. */
#include "explain/alone.h"

#include <math.h>

struct alone {
    struct engine *engine;
    const struct schedule *schedule;
    double *bytes_per_s;   /* [edge] */
    edge_id next, current; /* -1: none */
    struct engine_comm *comm;
};

static host_id end_of(const struct alone *x, edge_id e, enum direction dir)
{
    const struct edge *edge = &x->schedule->problem.dag->edges[e];
    return x->schedule->tasks[dir == DIR_SEND ? edge->src : edge->dst].host;
}

/* By how much a profile has changed the slowest link of the route. A transfer that is measured here at another date
   than in the replay meets other events of profiles; dividing by this takes them out. */
static double left_ratio(const struct alone *x, edge_id e)
{
    size_t n;
    const link_id *links = schedule_route(x->schedule, e, &n);
    double now = INFINITY, platform = INFINITY;
    for (size_t k = 0; k < n; k++) {
        now = fmin(now, engine_link_bytes_per_s(x->engine, links[k]));
        platform = fmin(platform, x->schedule->problem.machine->links[links[k]].bandwidth_bytes_per_s);
    }
    return n > 0 ? now / platform : 1;
}

static void on_rate(void *self, void *tag)
{
    struct alone *x = self;
    (void)tag;
    double rate = engine_comm_rate_bytes_per_s(x->comm);
    /* The first positive rate. Later changes are profiles' events. */
    if (x->bytes_per_s[x->current] == 0 && rate > 0)
        x->bytes_per_s[x->current] = rate / left_ratio(x, x->current);
}

static void on_ended(void *self, void *tag, enum engine_end end)
{
    struct alone *x = self;
    (void)tag;
    (void)end;
    x->current = -1;
}

/* Starts the next transfer as soon as none is under way. */
static bool decide(void *self, double now_s)
{
    struct alone *x = self;
    (void)now_s;
    /* bytes_per_s says which edges are asked for (not 0), and then has the answer: 0 until there is one. */
    while (x->current < 0 && x->next < x->schedule->problem.dag->n_edges) {
        edge_id e = x->next++;
        if (x->bytes_per_s[e] == 0)
            continue;
        x->bytes_per_s[e] = 0;
        x->current = e;
        x->comm = engine_comm_start(x->engine, end_of(x, e, DIR_SEND), end_of(x, e, DIR_RECV),
                                    x->schedule->problem.dag->edges[e].size_bytes, x);
    }
    return false;
}

void explain_alone(struct engine *engine, const struct schedule *s, double *bytes_per_s)
{
    struct alone x = {.engine = engine, .schedule = s, .bytes_per_s = bytes_per_s, .current = -1};
    /* Without interference: it slows hosts, not transfers. */
    struct world_model world = {.name = "none"};
    struct engine_client client = {.self = &x, .ended = on_ended, .decide = decide, .rate_changed = on_rate};
    engine_run(engine, &world, &client, NULL); /* what cannot proceed has no rate, nor what would have come after */
    for (; x.next < s->problem.dag->n_edges; x.next++)
        bytes_per_s[x.next] = 0;
}
