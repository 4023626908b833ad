/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Two baselines of one experiment, what was expected and what was found: which runs differ, and how. */
#ifndef IASIM_BASELINE_COMPARE_H
#define IASIM_BASELINE_COMPARE_H

#include "baseline/baseline.h"

/* Of a figure: the first four. Of a run: the gravest of its figures, or one of the others. In the order of a
 * report. */
enum baseline_verdict {
    BASELINE_FAILS,     /* it worked before, or is new and fails */
    BASELINE_MISSING,   /* expected, but not in the scenario */
    BASELINE_WORSE,     /* beyond the tolerance, in the direction that is not better */
    BASELINE_DIFFERENT, /* beyond the tolerance, and neither direction is better, or there is no figure to
                           compare */
    BASELINE_BETTER,    /* beyond the tolerance, in the better direction */
    BASELINE_NEW,       /* not expected */
    BASELINE_WORKS,     /* it failed before */
    BASELINE_SAME,
    BASELINE_N_VERDICTS,
};
extern const char *const baseline_verdict_names[BASELINE_N_VERDICTS]; /* "fails", ... */

/* Failing, missing, worse and different: the answer is no. */
bool baseline_is_bad(enum baseline_verdict v);

struct baseline_change {
    enum baseline_verdict verdict;
    const struct baseline_run *expected, *found; /* NULL: there is none */
    size_t metric;                               /* of the expected ones: the gravest */
    double size;                                 /* of that metric's change (baseline_figure) */
    size_t n_metrics;                            /* changed */
};

struct baseline_tally { /* of one metric, over the runs that worked both times */
    size_t n[BASELINE_N_VERDICTS];
    double largest; /* size of a change beyond the tolerance; 0: none */
    double mean;    /* geometric mean of found / expected; NAN: there is none, or one of them is negative */
};

struct baseline_comparison {
    const struct baseline *expected, *found;
    size_t n[BASELINE_N_VERDICTS];   /* runs */
    size_t n_keys_changed;           /* of runs that are in both */
    struct baseline_change *changes; /* all that are not the same; gravest first, larger before smaller */
    size_t n_changes, capacity;
    struct baseline_tally *tallies; /* of each metric of `expected` */
    double *ratios;                 /* [metric * expected->n_runs + i], i < n_ratios[metric] */
    size_t *n_ratios;
    double
        limit; /* NAN: none. Else of figures only the means count, none of which may be worse by more than this part */
};

/* Both are sealed, and live as long as the comparison. Metrics of `expected` that `found` has not do not
 * count. */
void baseline_compare(const struct baseline *expected, const struct baseline *found, struct baseline_comparison *out);
void baseline_comparison_clear(struct baseline_comparison *c);
bool baseline_holds(const struct baseline_comparison *c); /* nothing is bad; with a limit: see there */
bool baseline_mean_is_worse(const struct baseline_comparison *c, size_t metric); /* by more than the limit */

struct baseline_figure {
    enum baseline_verdict verdict;
    double expected, found;
    double
        size; /* |found - expected| / |expected|: the one figure of a change, wherever it is shown; may be infinite */
};
/* Metric `i` of `expected` in a run that worked both times; BASELINE_SAME when `found` has not the metric. */
struct baseline_figure baseline_figure(const struct baseline_comparison *c, const struct baseline_run *expected,
                                       const struct baseline_run *found, size_t i);

#endif
