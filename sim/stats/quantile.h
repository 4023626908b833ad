/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Quantiles of a sample. */
#ifndef IASIM_STATS_QUANTILE_H
#define IASIM_STATS_QUANTILE_H

#include <stddef.h>

/* Ascending, in place. No NAN; infinities are the ends. Time n log n. */
void quantile_sort(double *values, size_t n);

/* Of sorted values; the mean of the middle two when n is even. NAN for n 0. */
double quantile_median(const double *sorted, size_t n);

/* The quantile of order q, 0 to 1, on the line through the values at (k - 1) / (n - 1): type 7 of Hyndman and Fan,
   Sample Quantiles in Statistical Packages, The American Statistician 50 (1996). NAN for n 0. */
double quantile_of(const double *sorted, size_t n, double q);

#endif
