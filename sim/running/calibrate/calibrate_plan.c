/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The design of the experiment: what a regression needs of its points. The order, and the places in the range, are
   drawn from the number of the round alone: every run has the same plan. */
#include "calibrate/calibrate_plan.h"

#include "base/random.h"

#include <math.h>

/* Long enough for TCP to reach a rate, short enough for some fifty points of each host in 20 s. A little more than the
   highest rate that was seen is asked for, too: something may have slowed that one down. */
static const double interval_s = 0.2, above_max = 1.1;

/* At least one round, however short the run: fewer intervals determine no line. */
size_t plan_rounds(double seconds)
{
    return (size_t)fmax(1, round(seconds / (interval_s * PLAN_INTERVALS)));
}

/* One of each of the parts of the range, so that the rates of a round cover it; in random order, so that the two
   directions of an interval with both are independent. */
static void draw_levels(struct random_stream *r, double max, double out[PLAN_LEVELS])
{
    for (size_t i = 0; i < PLAN_LEVELS; i++)
        out[i] = above_max * max * ((double)i + random_unit(r)) / PLAN_LEVELS;
    /* Fisher and Yates: each order is as likely as any other. */
    for (size_t i = PLAN_LEVELS - 1; i > 0; i--) {
        size_t k = random_below(r, i + 1);
        double level = out[i];
        out[i] = out[k];
        out[k] = level;
    }
}

void plan_round(uint64_t round, double max_send_bytes_per_s, double max_recv_bytes_per_s,
                struct plan_interval out[PLAN_INTERVALS])
{
    struct random_stream r;
    double send[2][PLAN_LEVELS], recv[2][PLAN_LEVELS]; /* [0]: alone in its direction, [1]: both at once */
    random_init(&r, 1, round);
    for (size_t k = 0; k < 2; k++) {
        draw_levels(&r, max_send_bytes_per_s, send[k]);
        draw_levels(&r, max_recv_bytes_per_s, recv[k]);
    }
    size_t n = 0;
    for (size_t i = 0; i < PLAN_ALONE; i++)
        out[n++] = (struct plan_interval){0, 0};
    for (size_t i = 0; i < PLAN_LEVELS; i++) {
        out[n++] = (struct plan_interval){send[0][i], 0};
        out[n++] = (struct plan_interval){0, recv[0][i]};
        out[n++] = (struct plan_interval){send[1][i], recv[1][i]};
    }
    /* The same shuffle for the intervals. A machine that slows down meanwhile must not look like a slope. */
    for (size_t i = PLAN_INTERVALS - 1; i > 0; i--) {
        size_t k = random_below(&r, i + 1);
        struct plan_interval interval = out[i];
        out[i] = out[k];
        out[k] = interval;
    }
}
