/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Sorting, the median, and the mean of ratios. */
#ifndef IASIM_STATS_QUANTILE_H
#define IASIM_STATS_QUANTILE_H

#include <stddef.h>

/* Ascending, in place. No NAN; infinities are the ends. Time n log n. */
void quantile_sort(double *values, size_t n);

/* The median of sorted values; the mean of the middle two if n is even. NAN if n is 0. */
double quantile_median(const double *sorted, size_t n);

/* The number whose n-th power is the product of the ratios, which are at least 0. The mean of one ratio is that ratio;
   other means are rounded to 12 digits, because further digits depend on the machine's mathematical library. NAN if n
   is 0, or if both 0 and infinity are among the ratios. */
double quantile_geometric_mean(const double *ratios, size_t n);

#endif
