/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The order of a sample, and its middle. */
#ifndef IASIM_STATS_QUANTILE_H
#define IASIM_STATS_QUANTILE_H

#include <stddef.h>

/* Ascending, in place. No NAN; infinities are the ends. Time n log n. */
void quantile_sort(double *values, size_t n);

/* Of sorted values; the mean of the middle two when n is even. NAN for n 0. */
double quantile_median(const double *sorted, size_t n);

#endif
