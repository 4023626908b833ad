/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A step has one date at most, which moves whenever rates change. A heap that knows the place of each step moves it
   in O(log n); a heap of stale dates would grow with every change of a rate. */
#include "engine/step_timers.h"
#include "base/instant.h"
#include "base/mem.h"

#include <math.h>
#include <stdlib.h>

void step_timers_init(struct step_timers *t, int n_steps)
{
    *t = (struct step_timers){.place = mem_alloc((size_t)n_steps * sizeof *t->place)};
    for (int i = 0; i < n_steps; i++)
        t->place[i] = -1;
}

void step_timers_clear(struct step_timers *t)
{
    heap_clear(&t->dates);
    free(t->place);
    *t = (struct step_timers){0};
}

void step_timers_set(struct step_timers *t, step_id s, double date_s)
{
    /* a date that is not known is no date: it leaves the heap */
    if (t->place[s] < 0 && !isinf(date_s))
        heap_add(&t->dates, (struct heap_entry){.key = date_s, .number = s, .place = &t->place[s]});
    else if (t->place[s] >= 0 && isinf(date_s))
        heap_remove(&t->dates, t->place[s]);
    else if (t->place[s] >= 0)
        heap_move(&t->dates, t->place[s], date_s);
}

double step_timers_next_s(const struct step_timers *t)
{
    return t->dates.n > 0 ? heap_first(&t->dates)->key : INFINITY;
}

bool step_timers_are_due(const struct step_timers *t, double now_s)
{
    return instant_has_come(step_timers_next_s(t), now_s);
}

bool step_timers_take(struct step_timers *t, double now_s, step_id *out)
{
    if (!step_timers_are_due(t, now_s))
        return false;
    /* of one date the lowest step first: the order must not depend on who set its timer first */
    *out = (step_id)heap_take(&t->dates).number;
    return true;
}
