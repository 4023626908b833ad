/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Wilcoxon's signed-rank test: do paired differences lie about zero symmetrically? Individual Comparisons by Ranking
   Methods, Biometrics Bulletin 1 (1945). Only the order of the sizes |d| matters, so any increasing odd function of the
   differences gives the same answer. */
#ifndef IASIM_STATS_WILCOXON_H
#define IASIM_STATS_WILCOXON_H

#include <stdbool.h>
#include <stddef.h>

struct wilcoxon {
    size_t n;       /* differences that are not zero */
    double w_plus;  /* sum of the ranks of the positive ones */
    double w_minus; /* and of the negative ones */
    double p;       /* two-sided; 1 when n is 0 */
    bool is_exact;
};

/* No NAN; infinite differences are the largest. Zeros are left out, as Wilcoxon did. Sizes that are no further than
   `tolerance` from the least of them share their mean rank. Up to WILCOXON_MAX_EXACT differences p is exact, given the
   ties: of all 2^n ways to give the ranks signs, those whose sum is at least as far out, twice the smaller tail. (The
   sums are counted by the shift algorithm of Streitberg and Roehmel, Exact Distributions for Permutation and Rank Tests,
   Statistical Software Newsletter 12 (1986).) Beyond, it is that of the normal distribution with the mean and variance
   of those 2^n sums, which have the correction for ties in them, and a continuity correction of 1/2. Time n log n. */
struct wilcoxon wilcoxon_test(const double *differences, size_t n, double tolerance);

enum { WILCOXON_MAX_EXACT = 50 }; /* 2^50 is exact in a double */

#endif
