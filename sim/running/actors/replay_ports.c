/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Ports (doc/model.md, Replay): each host has one for sending and one for receiving. A message takes its port from the
   start of its send, or receive; the next one on the port is let go when that is over, whether its host is up or not.
   So no actor sleeps for it: SimGrid's clock stops at that date, and whoever waits is woken.

   `taken` has at most two entries for each host, because a port is taken by one message, and is searched linearly. */
#include "actors/actors_replay.h"
#include "base/instant.h"

#include <math.h>

void replay_take_port(struct replay_run *r, step_id s, double until_s)
{
    step_id next = step_after_on_port(r->plan, s);
    if (next >= 0) /* nobody waits for a port after its last message */
        r->taken[r->n_taken++] =
            /* The next one may take the port before its own start (data come in before the receive
               begins). Never in the past. */
            (struct taken_port){next, fmax(until_s + port_before_s(r->plan, next), replay_date_s())};
}

static void give(struct replay_run *r, step_id s)
{
    edge_id e = step_edge(r->plan, s);
    enum direction dir = end_of(r->plan, s);
    r->edges[e].has_port[dir] = true;
    r->was_woken = true; /* what this lets happen may be in this instant */
    if (step_has_place(r->plan, s))
        replay_wake_host(r, edge_host(r->plan, e, dir));
    else
        replay_pass_end(r, e, dir);
}

/* The last entry moves into the gap and is looked at next. */
void replay_ports_look(struct replay_run *r)
{
    for (int i = 0; i < r->n_taken && !r->is_over;) {
        struct taken_port port = r->taken[i];
        if (!instant_has_come(port.until_s, replay_date_s())) {
            i++;
            continue;
        }
        r->taken[i] = r->taken[--r->n_taken];
        give(r, port.next);
    }
}

double replay_ports_next_s(void *run)
{
    const struct replay_run *r = run;
    double next_s = INFINITY;
    for (int i = 0; i < r->n_taken; i++)
        next_s = fmin(next_s, r->taken[i].until_s);
    return next_s;
}
