/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A binary heap of steps that knows where each stands, so that a date can be changed. */
#include "base/mem.h"
#include "engine/replay_internal.h"

#include <math.h>
#include <stdlib.h>

void replay_timers_init(struct replay_timers *t, int n_steps)
{
    size_t n = (size_t)n_steps;
    *t = (struct replay_timers){mem_zalloc(n, sizeof *t->date_s), mem_alloc(n * sizeof *t->place),
                                mem_alloc(n * sizeof *t->heap), 0};
    for (size_t i = 0; i < n; i++)
        t->place[i] = -1;
}

void replay_timers_clear(struct replay_timers *t)
{
    free(t->date_s);
    free(t->place);
    free(t->heap);
    *t = (struct replay_timers){0};
}

static bool is_before(const struct replay_timers *t, step_id a, step_id b)
{
    return t->date_s[a] < t->date_s[b] || (t->date_s[a] == t->date_s[b] && a < b);
}

static void put(struct replay_timers *t, int place, step_id s)
{
    t->heap[place] = s;
    t->place[s] = place;
}

/* Puts `s`, which belongs somewhere above or below `place`, where it belongs. */
static void sift(struct replay_timers *t, int place, step_id s)
{
    for (int above; place > 0 && is_before(t, s, t->heap[above = (place - 1) / 2]); place = above)
        put(t, place, t->heap[above]);
    for (;;) {
        int least = 2 * place + 1;
        if (least + 1 < t->n && is_before(t, t->heap[least + 1], t->heap[least]))
            least++;
        if (least >= t->n || !is_before(t, t->heap[least], s))
            break;
        put(t, place, t->heap[least]);
        place = least;
    }
    put(t, place, s);
}

static void take_out(struct replay_timers *t, step_id s)
{
    int place = t->place[s];
    step_id last = t->heap[--t->n];
    t->place[s] = -1;
    if (last != s)
        sift(t, place, last);
}

void replay_timers_set(struct replay_timers *t, step_id s, double date_s)
{
    if (t->place[s] >= 0)
        take_out(t, s);
    if (isinf(date_s))
        return;
    t->date_s[s] = date_s;
    sift(t, t->n++, s);
}

bool replay_timers_take(struct replay_timers *t, double now_s, step_id *out)
{
    if (t->n == 0 || t->date_s[t->heap[0]] > now_s)
        return false;
    *out = t->heap[0];
    take_out(t, *out);
    return true;
}
