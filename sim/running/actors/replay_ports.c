/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Ports (doc/model.md, Replay): each host has one for sending and one for receiving. A message takes its port from the start of
   its send, or receive; the next one on the port is let go when that is over, whether its host is up or not. So no actor
   sleeps for it: SimGrid's clock stops at that date, and whoever waits is woken. */
#include "actors/actors_replay.h"
#include "base/instant.h"

#include <math.h>

void replay_take_port(edge_id e, enum direction dir, double until_s)
{
    edge_id next = replay_now.script->edges[e].port_after[dir];
    if (next >= 0)
        replay_now.taken[replay_now.n_taken++] = (struct taken_port){next, dir, fmax(until_s, replay_date_s())};
}

static void give(struct taken_port port)
{
    replay_now.edges[port.next].has_port[port.dir] = true;
    replay_now.was_woken = true; /* what this lets happen may be in this instant */
    if (replay_now.script->edges[port.next].has_act[port.dir])
        replay_wake_host(replay_end_of(port.next, port.dir));
    else
        replay_pass_end(port.next, port.dir);
}

void replay_ports_look(void)
{
    for (int i = 0; i < replay_now.n_taken && !replay_now.is_over;) {
        struct taken_port port = replay_now.taken[i];
        if (!instant_has_come(port.until_s, replay_date_s())) {
            i++;
            continue;
        }
        replay_now.taken[i] = replay_now.taken[--replay_now.n_taken];
        give(port);
    }
}

double replay_ports_next_s(void)
{
    double next_s = INFINITY;
    for (int i = 0; i < replay_now.n_taken; i++)
        next_s = fmin(next_s, replay_now.taken[i].until_s);
    return next_s;
}
