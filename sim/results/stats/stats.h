/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Which of two samples is better, and how certain that is: functions of arrays, each in the file of its name. */
#ifndef IASIM_STATS_STATS_H
#define IASIM_STATS_STATS_H

#include "base/random.h"

#include <stdbool.h>
#include <stddef.h>

/* ---- quantile.c: sorting, the median, and the mean of ratios ---- */

/* Ascending, in place. No NAN; infinities are the ends. Time n log n. */
void quantile_sort(double *values, size_t n);

/* The median of sorted values; the mean of the middle two if n is even. NAN if n is 0. */
double quantile_median(const double *sorted, size_t n);

/* The number whose n-th power is the product of the ratios, which are at least 0. The mean of one ratio is that ratio;
   other means are rounded to 12 digits, because further digits depend on the machine's mathematical library. NAN if n
   is 0, or if both 0 and infinity are among the ratios. */
double quantile_geometric_mean(const double *ratios, size_t n);

/* ---- bootstrap.c: how a median varies over samples of n values drawn from the n values with replacement
   [Efron 1979].

   The interval is the percentile interval. It commutes with increasing functions: the interval of the median ratio
   follows from that of the median log ratio, except for the mean of the middle two where n is even. (BCa would need an
   acceleration, commonly from the jackknife, which fails for medians: [Efron 1993] 10.6.) ---- */

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

/* ---- wilcoxon.c: the signed-rank test: are paired differences distributed symmetrically about zero? [Wilcoxon 1945]
   Only the order of the sizes |d| matters, so any increasing odd function of the differences gives the same
   answer. ---- */

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

/* ---- spearman.c: rank correlation: do two figures put the same things in the same order? [Spearman 1904] ---- */

/* The correlation of the ranks of x[] and of y[]: 1 for the same order, -1 for the opposite one. Values that differ
   from the smallest of their group by at most `tolerance`, relative to the larger of the two, share the mean of their
   ranks. NAN if all values of x[] or of y[] share one rank, which includes n < 2. No NAN; infinities are the ends. Time
   n log n. */
double spearman(const double *x, const double *y, size_t n, double tolerance);

/* ---- student.c: how far an estimate may be from the truth, when its standard error is itself estimated
   [Student 1908] ---- */

/* The t for which P(|T| < t) = confidence, with n_free degrees of freedom; 0 < confidence < 1. An estimate plus and
   minus t standard errors is its confidence interval. NAN if n_free is 0. Exact to about 12 digits; time n_free. */
double student_t(double confidence, size_t n_free);

/* ---- holm.c: p-values of several tests: the chance that any true hypothesis is rejected stays below the level ---- */

/* adjusted[i] is the smallest level at which hypothesis i is rejected among the others: for the sorted p(1) <= ... <=
   p(m), the maximum of (m - j + 1) p(j) over j <= i, at most 1 [Holm 1979]. Where p is NAN there was no test: it stays
   NAN and does not count towards m. Time n log n. */
void holm_adjust(const double *p, size_t n, double *adjusted);

/* ---- profile.c: on which share of the instances is a variant within a factor tau of the best one there?
   [Dolan 2002] ---- */

/* How many times worse each figure is than the best one of its instance. figures[instance * n_variants + variant] is at
   least 0, or NAN for a failure. The ratio of a failure is infinite; if all variants failed on an instance, all its
   ratios are. 0 to 0 is 1; any other figure to 0 is infinite. Ratios up to 1 + tolerance become 1. The result is
   ratios[variant * n_instances + i], sorted for each variant. Time n log n. */
void profile_ratios(const double *figures, size_t n_instances, size_t n_variants, bool higher_is_better,
                    double tolerance, double *ratios);

/* rho(tau): the share of a variant's sorted ratios that are at most tau; NAN if n is 0. Time log n. */
double profile_share(const double *sorted, size_t n, double tau);

/* larger / smaller by the rules above; both at least 0. */
double profile_ratio(double larger, double smaller);

#endif
