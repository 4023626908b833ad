/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* While a replay runs, changes of all series come mixed, by date. Appending is all that is done then; they are
   sorted once, when it has ended, so a replay that is recorded is hardly slower than one that is not. */
#include "engine/replay_record.h"

#include "base/mem.h"

#include <math.h>
#include <stdlib.h>

void replay_record_add(struct replay_record *r, int series, double from_s, double value)
{
    if (r == NULL)
        return;
    MEM_GROW(r->changes, r->n, r->capacity);
    r->changes[r->n++] = (struct record_change){from_s, value, series};
}

/* Changes come by date: a stable sort by series. */
static void sort_by_series(struct replay_record *r, size_t n_series)
{
    struct record_change *sorted = mem_alloc((r->n + 1) * sizeof *sorted);
    /* counting sort. Two places ahead: filling moves each start to the end of its series, which is the next one's
       start */
    r->start = mem_zalloc(n_series + 2, sizeof *r->start);
    for (size_t i = 0; i < r->n; i++)
        r->start[r->changes[i].series + 2]++;
    for (size_t s = 2; s < n_series + 2; s++)
        r->start[s] += r->start[s - 1];
    for (size_t i = 0; i < r->n; i++)
        sorted[r->start[r->changes[i].series + 1]++] = r->changes[i];
    free(r->changes);
    r->changes = sorted;
    r->capacity = r->n + 1;
}

void replay_record_end(struct replay_record *r, struct replay_plan *plan)
{
    r->plan = *plan;
    /* the record outlives the run, and needs the plan to say what a series is */
    *plan = (struct replay_plan){0};
    sort_by_series(r, (size_t)record_of_link(&r->plan, (link_id)r->plan.machine->n_links));
}

double replay_record_at(const struct replay_record *r, int series, double date_s)
{
    size_t low = r->start[series], high = r->start[series + 1];
    if (low == high || r->changes[low].from_s > date_s)
        return 0;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (r->changes[middle].from_s <= date_s)
            low = middle;
        else
            high = middle;
    }
    return r->changes[low].value;
}

struct span replay_record_span(const struct replay_record *r, step_id hop)
{
    int series = record_of_hop(&r->plan, hop);
    size_t first = r->start[series], end = r->start[series + 1];
    return first < end ? (struct span){r->changes[first].from_s, r->changes[end - 1].from_s}
                       : (struct span){INFINITY, -INFINITY};
}

void replay_record_clear(struct replay_record *r)
{
    if (r->plan.schedule != NULL)
        replay_plan_clear(&r->plan);
    free(r->changes);
    free(r->start);
    *r = (struct replay_record){0};
}
