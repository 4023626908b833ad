/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A platform made of noise looks like any other. So a rate is used only if its interval is small against the rate,
   or against the processor. */
#include "calibrate/judge.h"

#include <math.h>

/* Less of the processor, at the highest rate, matters to nobody who simulates; and half of a rate is no rate any
   more. */
static const double most_processor_ratio = 0.05, most_rate_ratio = 0.5;

const char *const judgement_words[N_JUDGEMENTS] = {"good", "unknown", "noise", "negative", "full"};
static const char *const activities[N_RATE_DIRECTIONS] = {"sending", "receiving", "both at once"};

enum judgement judge_rate(const struct rate *r)
{
    double half = (r->high - r->low) / 2;
    if (isnan(half))
        return JUDGED_UNKNOWN;
    /* Both must fail: a rate near 0 has a wide relative interval and may still be known very well. */
    if (half > most_rate_ratio * fabs(r->ir) && half * r->max_MB_per_s > most_processor_ratio)
        return JUDGED_NOISE;
    /* Even the upper end is clearly below 0. */
    if (r->high * r->max_MB_per_s < -most_processor_ratio)
        return JUDGED_NEGATIVE;
    return r->ir * r->max_MB_per_s >= 1 ? JUDGED_FULL : JUDGED_GOOD;
}

/* Unknown is usable: with two points there is no interval, and the user may know what they are. */
bool judgement_is_usable(enum judgement j)
{
    return j == JUDGED_GOOD || j == JUDGED_UNKNOWN;
}

void judge_describe(const struct measured *m, const struct rates *rates, enum rate_direction d, struct text *out)
{
    const struct rate *r = &rates->of[d];
    enum judgement j = judge_rate(r);
    if (j == JUDGED_GOOD)
        return;
    text_addf(out, "%s: the rate of %s ", m->name, activities[d]);
    if (j == JUDGED_UNKNOWN)
        text_addf(out, "rests on %zu points and cannot be judged", r->n);
    else if (j == JUDGED_NOISE)
        text_addf(
            out,
            "is lost in noise (R2 %.2g): the interval, %.3g to %.3g per MB/s, is %.0f %% of the processor wide at "
            "%.3g MB/s",
            r->r2, r->low, r->high, 100 * (r->high - r->low) * r->max_MB_per_s, r->max_MB_per_s);
    else if (j == JUDGED_NEGATIVE)
        text_addf(
            out,
            "is below 0 (%.3g to %.3g per MB/s): the host computed faster while it communicated, so something else "
            "slowed it down in between",
            r->low, r->high);
    else
        text_addf(out,
                  "(%.3g per MB/s) takes more than the whole processor at %.3g MB/s, where the host still computed",
                  r->ir, r->max_MB_per_s);
}

void judge_describe_busy(const struct measured *m, struct text *out)
{
    if (!isnan(m->busy.steal_ratio))
        text_addf(out,
                  "%s: while it was measured, the hypervisor took %.2g %% of the processors' time, and other programs "
                  "kept %.2g processors busy",
                  m->name, 100 * m->busy.steal_ratio, m->busy.others_processors);
}
