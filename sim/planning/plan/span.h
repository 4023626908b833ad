/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Time spans, and items that are too short to change a date. */
#ifndef IASIM_PLAN_SPAN_H
#define IASIM_PLAN_SPAN_H

#include <math.h>
#include <stdbool.h>

struct span {
    double start_s, finish_s;
};

static inline double later_s(double a_s, double b_s) /* fmax is a function call */
{
    return a_s > b_s ? a_s : b_s;
}

static inline double earlier_s(double a_s, double b_s) /* like fmin, `a_s` where b_s is not a number */
{
    return b_s < a_s ? b_s : a_s;
}

/* An item of length 0 ([S] does not book these), or so short that adding its length to its release date changes
   nothing, is lost: its finish is its start. It starts when it is released, waits for nothing and blocks nothing, so it
   delays nothing by more than its own length. Any other item occupies its resource, and lasts at least one last bit
   even if it must wait until a later date.

       booking      span_is_lost_at its release date: it starts there
       compaction   an item that is lost in the dates it finds stays without length
       replay       an item that is lost in the schedule's dates has no place in the order of its processor or link */

static inline bool span_is_lost_at(double release_s, double duration_s)
{
    return release_s + duration_s == release_s;
}

static inline double span_finish_s(double start_s, double duration_s) /* of an item that is not lost */
{
    double finish_s = start_s + duration_s;
    return finish_s > start_s ? finish_s : nextafter(start_s, INFINITY);
}

#define SPAN_LOST_RATIO 1e-12

/* Whether an item of this duration, found at these dates, is not lost. The ratio accepts items whose dates were written
   with few digits. */
static inline bool span_occupies(struct span span, double duration_s)
{
    return duration_s > 0 && (span.finish_s != span.start_s || duration_s > SPAN_LOST_RATIO * span.start_s);
}

#endif
