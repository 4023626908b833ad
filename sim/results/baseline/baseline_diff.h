/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Compares two baselines of one experiment, the expected and the found one: which runs differ, and how. */
#ifndef IASIM_BASELINE_BASELINE_DIFF_H
#define IASIM_BASELINE_BASELINE_DIFF_H

#include "baseline/baseline.h"

/* A figure is worse, different, better or the same. A run has the gravest verdict of its figures, or one of the others.
   In the order of a report. */
enum baseline_verdict {
    BASELINE_FAILS,     /* it fails, and succeeded before or is new */
    BASELINE_MISSING,   /* expected, but not in the scenario */
    BASELINE_WORSE,     /* beyond the tolerance, in the worse direction */
    BASELINE_DIFFERENT, /* beyond the tolerance, and neither direction is better; or one figure is missing */
    BASELINE_BETTER,    /* beyond the tolerance, in the better direction */
    BASELINE_NEW,       /* not expected */
    BASELINE_WORKS,     /* it succeeds, and failed before */
    BASELINE_SAME,
    BASELINE_N_VERDICTS,
};
extern const char *const baseline_verdict_names[BASELINE_N_VERDICTS]; /* "fails", ... */

/* Failing, missing, worse and different runs make `baseline check` fail. */
bool baseline_is_bad(enum baseline_verdict v);

struct baseline_change {
    enum baseline_verdict verdict;
    const struct baseline_run *expected, *found; /* NULL: the run is in the other one only */
    size_t metric;                               /* with the gravest change; its place in `expected` */
    double size;                                 /* of that change (baseline_figure) */
    size_t n_metrics;                            /* that changed */
};

struct baseline_tally { /* of one metric, over the runs that succeeded both times */
    size_t n[BASELINE_N_VERDICTS];
    double largest; /* the largest size of a change beyond the tolerance; 0: none */
    double mean;    /* geometric mean of found / expected; NAN: there are no ratios, or signs differ */
};

struct baseline_comparison {
    const struct baseline *expected, *found;
    size_t n[BASELINE_N_VERDICTS];   /* runs */
    size_t n_keys_changed;           /* of runs that are in both */
    struct baseline_change *changes; /* all that are not BASELINE_SAME; the gravest and largest first */
    size_t n_changes, capacity;
    struct baseline_tally *tallies; /* of each metric of `expected` */
    double *ratios;                 /* [metric * expected->n_runs + i], i < n_ratios[metric] */
    size_t *n_ratios;
    /* NAN: every figure counts. Otherwise only the means do: none may be worse by more than this part. */
    double limit;
};

/* Both are sealed and outlive the comparison. Metrics of `expected` that `found` lacks do not count. */
void baseline_compare(const struct baseline *expected, const struct baseline *found, struct baseline_comparison *out);
void baseline_comparison_clear(struct baseline_comparison *c);
bool baseline_holds(const struct baseline_comparison *c); /* no run is bad; with a limit, see there */
bool baseline_mean_is_worse(const struct baseline_comparison *c, size_t metric); /* by more than the limit */

struct baseline_figure {
    enum baseline_verdict verdict;
    double expected, found;
    double size; /* |found - expected| / |expected|, the same wherever a change is shown; may be infinite */
};
/* Metric `i` of `expected` in a run that succeeded both times; BASELINE_SAME if `found` lacks the metric. */
struct baseline_figure baseline_figure(const struct baseline_comparison *c, const struct baseline_run *expected,
                                       const struct baseline_run *found, size_t i);

#endif
