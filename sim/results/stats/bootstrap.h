/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The bootstrap of a median: how it varies over samples of n values drawn from the n values with replacement [Efron
   1979].

   The interval is the percentile interval. It commutes with increasing functions: the interval of the median ratio
   follows from that of the median log ratio, except for the mean of the middle two where n is even. (BCa would need an
   acceleration, commonly from the jackknife, which fails for medians: [Efron 1993] 10.6.) */
#ifndef IASIM_STATS_BOOTSTRAP_H
#define IASIM_STATS_BOOTSTRAP_H

#include "base/random.h"

#include <stdbool.h>
#include <stddef.h>

/* Fills medians[] with the medians of n_resamples resamples of the sorted values; n > 0. The resamples themselves are
   not made: only the places of their middle draws are drawn, which have the same distribution and take n/32 random
   words. The computation uses integers, so the result is the same on every machine. */
void bootstrap_medians(const double *sorted, size_t n, struct random_stream *random, double *medians,
                       size_t n_resamples);

/* Fills means[] with the means of n_resamples resamples of the values; n > 0. */
void bootstrap_means(const double *values, size_t n, struct random_stream *random, double *means, size_t n_resamples);

/* The k-th smallest and the k-th largest value, k = floor((n + 1)(1 - confidence) / 2). False if k is 0: there are too
   few values for this confidence. Sorts `values`. */
bool bootstrap_interval(double *values, size_t n, double confidence, double *low, double *high);

#endif
