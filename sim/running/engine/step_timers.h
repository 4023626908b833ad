/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* At most one date for each step of a replay, the earliest first. */
#ifndef IASIM_ENGINE_STEP_TIMERS_H
#define IASIM_ENGINE_STEP_TIMERS_H

#include "base/heap.h"
#include "engine/replay_steps.h"

struct step_timers {
    struct heap dates;
    int *place; /* [step]: in dates; -1: none */
};
void step_timers_init(struct step_timers *t, int n_steps);
void step_timers_clear(struct step_timers *t);
void step_timers_set(struct step_timers *t, step_id s, double date_s); /* INFINITY: none */
double step_timers_next_s(const struct step_timers *t);                /* INFINITY: there is none */
bool step_timers_are_due(const struct step_timers *t, double now_s);   /* in this instant */
/* Takes out one that is due, by date, then by step. */
bool step_timers_take(struct step_timers *t, double now_s, step_id *out);

#endif
