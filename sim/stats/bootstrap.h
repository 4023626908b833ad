/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The bootstrap of a median: how it varies over samples drawn from the sample, n of n with replacement. Efron,
   Bootstrap Methods: Another Look at the Jackknife, The Annals of Statistics 7 (1979).

   The interval is the percentile interval. It commutes with increasing functions: that of the median ratio is that of
   the median log ratio, but for the mean of the middle two where n is even. (BCa would need an acceleration, commonly
   from the jackknife, which fails for medians: Efron and Tibshirani, An Introduction to the Bootstrap (1993), 10.6.) */
#ifndef IASIM_STATS_BOOTSTRAP_H
#define IASIM_STATS_BOOTSTRAP_H

#include "base/random.h"

#include <stdbool.h>
#include <stddef.h>

/* Fills medians[] with those of n_resamples resamples of the sorted values; n > 0. Resamples are not made: of their n
   draws only where the middle ones fall is drawn, which has the same distribution and takes n/32 random words. Whole
   numbers decide, so that it is the same on every machine. */
void bootstrap_medians(const double *sorted, size_t n, struct random_stream *random, double *medians,
                       size_t n_resamples);

/* Fills means[] with those of n_resamples resamples of the values; n > 0. */
void bootstrap_means(const double *values, size_t n, struct random_stream *random, double *means, size_t n_resamples);

/* The values with k - 1 below and above them, k = floor((n + 1)(1 - confidence) / 2). False when k is 0: too few values
   for so much confidence. Sorts `values`. */
bool bootstrap_interval(double *values, size_t n, double confidence, double *low, double *high);

#endif
