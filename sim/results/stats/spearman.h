/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Spearman's rank correlation: do two figures put the same things in the same order? [Spearman 1904] */
#ifndef IASIM_STATS_SPEARMAN_H
#define IASIM_STATS_SPEARMAN_H

#include <stddef.h>

/* The correlation of the ranks of x[] and of y[]: 1 for the same order, -1 for the opposite one. Values that differ
   from the smallest of their group by at most `tolerance`, relative to the larger of the two, share the mean of their
   ranks. NAN if all values of x[] or of y[] share one rank, which includes n < 2. No NAN; infinities are the ends. Time
   n log n. */
double spearman(const double *x, const double *y, size_t n, double tolerance);

#endif
