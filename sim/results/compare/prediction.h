/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* How well does one metric (the predictor, such as the length of a plan) foretell another one (such as the simulated
   makespan)? How much larger does each variant become, does the predictor put the variants in the right order, and what
   does it cost to choose the variant that it says is best? */
#ifndef IASIM_COMPARE_PREDICTION_H
#define IASIM_COMPARE_PREDICTION_H

#include "compare/compare.h"

/* Over instances; an instance gives the geometric mean over its cases. */
struct prediction_median {
    size_t n;
    double median, low, high; /* NAN: too few */
};

struct prediction_ratio {
    size_t group, variant;
    struct prediction_median ratio;   /* metric / predictor */
    struct prediction_median against; /* that ratio over the reference's in the same case; 1 for the reference itself */
    size_t n_left_out;                /* cases whose run failed, is missing, or lacks one of the two figures */
    double largest;                   /* ratio of all cases */
};

/* Each is taken for every case that has both figures of every variant. An instance gives the mean over its cases. */
enum prediction_kind {
    PREDICTION_CORRELATION, /* Spearman's, of the orders by the predictor and by the metric; not where all are equal */
    PREDICTION_KEPT,        /* share of the variants that the predictor says are best that are best */
    PREDICTION_COST,        /* the metric of a variant that the predictor says is best, over the best one; at least 1 */
    N_PREDICTION_KINDS
};

struct prediction_order {
    size_t group, n_cases, n_left_out; /* left out: cases that lack a figure of some variant */
    struct prediction_mean {
        size_t n;               /* instances */
        double mean, low, high; /* NAN: too few */
    } means[N_PREDICTION_KINDS];
};

struct prediction {
    struct prediction_ratio *ratios; /* group by group */
    size_t n_ratios;
    struct prediction_order *orders; /* [group] */
    size_t n_orders;
};

extern const char *const prediction_names[N_PREDICTION_KINDS]; /* rank_correlation, best_kept, ratio_to_best */

/* The data were read with a predictor. Figures that differ by at most the tolerance share a rank, and are both best. If
   the predictor's better direction is unknown, it is the metric's. Clear `out`. */
void prediction_compute(const struct compare_data *d, const struct compare_settings *s, struct prediction *out);
void prediction_clear(struct prediction *p);

#endif
