/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What a replay leaves behind for sim/users/explain, beside its dates: how fast everything went, and since when.
   Recorded only if replay_options ask for it. */
#ifndef IASIM_ENGINE_REPLAY_RECORD_H
#define IASIM_ENGINE_REPLAY_RECORD_H

#include "engine/replay_steps.h"

struct record_change {
    double from_s, value; /* until the next change of the same series */
    int series;
};

/* A series for each hop (its rate, bytes/s: nothing before its first change, 0 when it is over; in `fluid` it begins
   when the latency is over), each host (its speed, flop/s, communication aside) and each link (its bandwidth,
   bytes/s). */
struct replay_record {
    struct replay_plan plan;       /* of the replay; borrows its schedule */
    struct record_change *changes; /* by series, then by date, once the replay is over */
    size_t n, capacity;
    size_t *start; /* [series]: its changes are start[series] to start[series + 1] - 1 */
};

void replay_record_clear(struct replay_record *r);

static inline int record_of_hop(const struct replay_plan *p, step_id hop)
{
    return hop - p->first_hop[0];
}
static inline int record_of_host(const struct replay_plan *p, host_id h)
{
    return p->n_steps - p->first_hop[0] + h;
}
static inline int record_of_link(const struct replay_plan *p, link_id l)
{
    return record_of_host(p, (host_id)p->machine->n_hosts) + l;
}

/* For the replay: `r` NULL records nothing. */
void replay_record_add(struct replay_record *r, int series, double from_s, double value);
/* Takes the plan, which is then empty, and puts changes in their order. */
void replay_record_end(struct replay_record *r, struct replay_plan *plan);

/* The value of a series at a date; before its first change 0. Time: O(log changes). */
double replay_record_at(const struct replay_record *r, int series, double date_s);
/* From the first to the last change of a hop's rate; INFINITY to -INFINITY: it never had one. */
struct span replay_record_span(const struct replay_record *r, step_id hop);

#endif
