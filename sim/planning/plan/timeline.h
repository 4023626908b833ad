/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* When every processor and link of a machine is occupied, with tentative bookings that are cheap to undo ([S] 5.1,
   6.1).

   end        books after the latest finish: a stack of bookings for each resource; all operations take constant time
   insertion  books the first idle interval that is long enough: a search tree of the idle intervals of each resource,
              where each node knows the longest interval below it; operations take time logarithmic in their number

   A try costs the same, but undoing it is free. Memory is linear in what is booked and, after the first mark, in what
   has been booked and released since the last reset. */
#ifndef IASIM_PLAN_TIMELINE_H
#define IASIM_PLAN_TIMELINE_H

#include "base/api.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum technique { TECHNIQUE_END, TECHNIQUE_INSERTION };

struct timelines;

IASIM_API struct timelines *timelines_create(size_t n_resources, enum technique technique);
IASIM_API void timelines_free(struct timelines *t);

/* Makes it empty again, without freeing or allocating memory. */
IASIM_API void timelines_reset(struct timelines *t);

/* The earliest start at or after `release_s` for `duration_s` seconds. A duration that is 0, or that vanishes when it
   is added to `release_s`, fits anywhere. */
IASIM_API double timeline_fit(const struct timelines *t, size_t resource, double release_s, double duration_s);

/* When the last booking ends; 0: there is none. */
IASIM_API double timeline_end_s(const struct timelines *t, size_t resource);

/* How many changes there have been since the last reset, tries aside; a rollback adds some. And the number of the last
   one on a resource: if that is not above a number of changes, all answers about the resource are those of then. */
IASIM_API uint64_t timelines_n_changes(const struct timelines *t);
IASIM_API uint64_t timeline_last_change(const struct timelines *t, size_t resource);

/* Occupies [start_s, finish_s), as found by timeline_fit; an empty interval occupies nothing. */
IASIM_API void timeline_book(struct timelines *t, size_t resource, double start_s, double finish_s);
/* Releases a booked interval, or the last part of one, which then ends at start_s. */
IASIM_API void timeline_release(struct timelines *t, size_t resource, double start_s, double finish_s);

/* Rolling back to a mark undoes all bookings and releases since. Marks nest: the mark stays valid, later marks become
   invalid. From the first mark to the next reset every change is recorded. */
IASIM_API size_t timelines_mark(struct timelines *t);
IASIM_API void timelines_rollback(struct timelines *t, size_t mark);

/* The same for a try, which is short and leaves no bookings: several times faster. During a try no mark may be set, and
   nothing may be released on a resource on which the try has booked. */
IASIM_API void timelines_begin_try(struct timelines *t);
IASIM_API void timelines_end_try(struct timelines *t);

#endif
