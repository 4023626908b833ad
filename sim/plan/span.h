/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* From when to when something lasts, and what lasts too little to be seen. */
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

/* An item that lasts no time ([S] books none of length 0), or so little that its release date is too large to show it, is
   lost: its finish is its start. It goes when it is released, waits for nothing and lets nothing wait, so it delays
   nothing by more than its own length. What its release does show occupies what it is booked on, and lasts a last bit at
   least wherever it has to wait to.

       booking      span_is_lost_at its release: it starts there
       compaction   what is lost in the dates it finds stays without length
       replay       what is lost in the schedule's dates keeps no order on its processor or link */

static inline bool span_is_lost_at(double release_s, double duration_s)
{
    return release_s + duration_s == release_s;
}

static inline double span_finish_s(double start_s, double duration_s) /* of what is not lost */
{
    double finish_s = start_s + duration_s;
    return finish_s > start_s ? finish_s : nextafter(start_s, INFINITY);
}

#define SPAN_LOST_RATIO 1e-12

/* Whether an item of this duration, found at these dates, is not lost. The ratio keeps those whose dates were only written
   with few digits. */
static inline bool span_occupies(struct span span, double duration_s)
{
    return duration_s > 0 && (span.finish_s != span.start_s || duration_s > SPAN_LOST_RATIO * span.start_s);
}

#endif
