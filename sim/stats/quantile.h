/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The order of a sample, its middle, and the mean of ratios. */
#ifndef IASIM_STATS_QUANTILE_H
#define IASIM_STATS_QUANTILE_H

#include <stddef.h>

/* Ascending, in place. No NAN; infinities are the ends. Time n log n. */
void quantile_sort(double *values, size_t n);

/* Of sorted values; the mean of the middle two when n is even. NAN for n 0. */
double quantile_median(const double *sorted, size_t n);

/* Of ratios, at least 0: the number whose n-th power is their product. One ratio is its own mean; others are rounded to 12
   digits, because those beyond depend on the processor's mathematical library. NAN for n 0, and for 0 and infinity
   together. */
double quantile_geometric_mean(const double *ratios, size_t n);

#endif
