/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Whether a fitted rate says something about the machine. What counts is the effect at the highest rate that was
   reached: with a free core for the transfers a rate may well be 0, and is known well if its interval is small
   there. */
#ifndef IASIM_CALIBRATE_JUDGE_H
#define IASIM_CALIBRATE_JUDGE_H

#include "calibrate/points.h"
#include "calibrate/rates.h"

enum judgement {
    JUDGED_GOOD,
    JUDGED_UNKNOWN,  /* too few points for an interval */
    JUDGED_NOISE,    /* the interval is wide: more than half the rate to each side, and than 5 % of the processor */
    JUDGED_NEGATIVE, /* computing was faster with transfers, by more than 5 %: something else slowed it down */
    JUDGED_FULL,     /* more than the whole processor, at a rate at which it still computed */
    N_JUDGEMENTS
};

extern const char *const judgement_words[N_JUDGEMENTS]; /* for JSON */

enum judgement judge_rate(const struct rate *r);
bool judgement_is_usable(enum judgement j); /* the first two */

/* Appends a sentence without its end, for a rate that is not good. */
void judge_describe(const struct measured *m, const struct rates *rates, enum rate_direction d, struct text *out);

/* The same: what else ran on the host while it was measured. Nothing where that is unknown. */
void judge_describe_busy(const struct measured *m, struct text *out);

#endif
