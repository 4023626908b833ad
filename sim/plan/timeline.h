/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What is occupied when, on every processor and link of a machine; tentative booking with cheap undo ([S] 5.1, 6.1).

       end        after the latest finish: a stack of bookings for each resource; everything in constant time
       insertion  the first idle interval that is long enough: a search tree of the idle intervals of each resource,
                  each node knowing the longest one below it; everything in time logarithmic in their number

   A try costs the same, but what it books costs nothing to take back. Memory is linear in what is booked and, once there
   is a mark, in what is booked and released since the last reset. */
#ifndef IASIM_PLAN_TIMELINE_H
#define IASIM_PLAN_TIMELINE_H

#include "base/api.h"

#include <stdbool.h>
#include <stddef.h>

enum technique { TECHNIQUE_END, TECHNIQUE_INSERTION };

struct timelines;

IASIM_API struct timelines *timelines_create(size_t n_resources, enum technique technique);
IASIM_API void timelines_free(struct timelines *t);

/* As freshly created; no memory is given back or asked for. */
IASIM_API void timelines_reset(struct timelines *t);

/* The earliest start at or after `release_s` for `duration_s` seconds. A duration that the date `release_s` is too large
   to show, or of 0, fits anywhere. */
IASIM_API double timeline_fit(const struct timelines *t, size_t resource, double release_s, double duration_s);

/* Occupies [start_s, finish_s), which timeline_fit has found; an empty interval occupies nothing. */
IASIM_API void timeline_book(struct timelines *t, size_t resource, double start_s, double finish_s);
/* Gives back an interval that is booked, or the last part of one, which then ends at start_s. */
IASIM_API void timeline_release(struct timelines *t, size_t resource, double start_s, double finish_s);

/* Rolling back to a mark undoes all that was booked and released since. Marks nest: the mark stays valid, those made
   after it do not. From the first mark to the next reset every change is remembered. */
IASIM_API size_t timelines_mark(struct timelines *t);
IASIM_API void timelines_rollback(struct timelines *t, size_t mark);

/* The same for a try, which is short and books nothing for good: several times faster. Within it nothing is marked, and
   nothing is released on a resource on which it has booked. */
IASIM_API void timelines_begin_try(struct timelines *t);
IASIM_API void timelines_end_try(struct timelines *t);

#endif
