/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "base/instant.h"
#include "base/mem.h"
#include "engine/replay_internal.h"

#include <math.h>
#include <stdlib.h>

void replay_timers_init(struct replay_timers *t, int n_steps)
{
    *t = (struct replay_timers){.place = mem_alloc((size_t)n_steps * sizeof *t->place)};
    for (int i = 0; i < n_steps; i++)
        t->place[i] = -1;
}

void replay_timers_clear(struct replay_timers *t)
{
    heap_clear(&t->dates);
    free(t->place);
    *t = (struct replay_timers){0};
}

void replay_timers_set(struct replay_timers *t, step_id s, double date_s)
{
    if (t->place[s] < 0 && !isinf(date_s))
        heap_add(&t->dates, (struct heap_entry){.key = date_s, .number = s, .place = &t->place[s]});
    else if (t->place[s] >= 0 && isinf(date_s))
        heap_remove(&t->dates, t->place[s]);
    else if (t->place[s] >= 0)
        heap_move(&t->dates, t->place[s], date_s);
}

double replay_timers_next_s(const struct replay_timers *t)
{
    return t->dates.n > 0 ? heap_first(&t->dates)->key : INFINITY;
}

bool replay_timers_are_due(const struct replay_timers *t, double now_s)
{
    return instant_has_come(replay_timers_next_s(t), now_s);
}

bool replay_timers_take(struct replay_timers *t, double now_s, step_id *out)
{
    if (!replay_timers_are_due(t, now_s))
        return false;
    *out = (step_id)heap_take(&t->dates).number;
    return true;
}
