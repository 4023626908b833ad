/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Wilcoxon's signed-rank test: are paired differences distributed symmetrically about zero? [Wilcoxon 1945] Only the
   order of the sizes |d| matters, so any increasing odd function of the differences gives the same answer. */
#ifndef IASIM_STATS_WILCOXON_H
#define IASIM_STATS_WILCOXON_H

#include <stdbool.h>
#include <stddef.h>

struct wilcoxon {
    size_t n;       /* differences that are not zero */
    double w_plus;  /* sum of the ranks of the positive ones */
    double w_minus; /* sum of the ranks of the negative ones */
    double p;       /* two-sided; 1 when n is 0 */
    bool is_exact;
};

/* No NAN; infinite differences rank highest. Zeros are left out, as in the paper. Sizes within `tolerance` of the
   smallest one of their group share their mean rank. Up to WILCOXON_MAX_EXACT differences p is exact, given the ties:
   twice the smaller tail of the distribution of w_plus over all 2^n sign patterns, counted by the shift algorithm
   [Streitberg 1986]. Beyond, p comes from the normal distribution with the mean and variance of those 2^n sums (which
   include the correction for ties) and a continuity correction of 1/2. Time n log n. */
struct wilcoxon wilcoxon_test(const double *differences, size_t n, double tolerance);

enum { WILCOXON_MAX_EXACT = 50 }; /* 2^50 is exact in a double */

#endif
