/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Samples for the accuracy report: the figures of an experiment on task graphs, collected over graphs, platforms and schedulers.
   The runs of one graph are not independent. They give one mean, and the intervals are of the means of graphs; graphs
   that give the same figures, because their generator draws nothing, count once. */
#ifndef IASIM_REPORT_ACCURACY_SAMPLE_H
#define IASIM_REPORT_ACCURACY_SAMPLE_H

#include "store/store.h"

#include <stdbool.h>
#include <stddef.h>

/* Results are indexed by the values of these axes; a point has one value of each. GRAPH, GENERATOR and INSTANCE name the
   graph. NOISE and WAITING are optional: an axis that the scenario does not give has one place. A combination of their values
   is a setting, numbered in the order of the axes. */
enum accuracy_axis {
    AXIS_WORLD,
    AXIS_NOISE,
    AXIS_WAITING,
    AXIS_CCR,
    AXIS_MODEL,
    AXIS_GRAPH,
    AXIS_GENERATOR,
    AXIS_INSTANCE,
    AXIS_PLATFORM,
    AXIS_SCHEDULER,
    N_AXES
};

enum accuracy_figure { FIGURE_PLANNED, FIGURE_MAKESPAN, FIGURE_ERROR, FIGURE_SPEEDUP, N_FIGURES };

struct accuracy_results {
    const struct scenario_axis *axes[N_AXES]; /* NULL: an optional one that is not given */
    size_t n[N_AXES];                         /* places */
    size_t steps[N_AXES]; /* between the places of two points that differ by one value of this axis */
    size_t n_points, n_graphs, n_settings;
    double *values[N_FIGURES]; /* [point]: NAN for one that failed */
    bool *is_copy;             /* [graph]: an earlier one gave the same figures */
};

/* Clear `out` in any case. Errors: ERR_IO; ERR_INPUT if the scenario is not an experiment on task graphs. */
enum err_code accuracy_results_read(const struct scenario *s, struct store *results, struct accuracy_results *out,
                                    struct err *e);
void accuracy_results_clear(struct accuracy_results *r);

/* The value of a point, and of a setting: "" if the scenario does not give the axis. */
const char *accuracy_value(const struct accuracy_results *r, size_t point, enum accuracy_axis a);
const char *accuracy_setting_value(const struct accuracy_results *r, size_t setting, enum accuracy_axis a);

/* The points that are collected: those of a world, a setting, a CCR and a belief. */
struct accuracy_cell {
    size_t world, setting;
    long ccr; /* -1: all */
    size_t model;
};

/* What is collected of each point: its figure, or how this compares with the figure of the point that differs only in the
   belief or in the setting. */
struct accuracy_view {
    enum accuracy_figure figure;
    enum { ALONE, RATIO_TO_MODEL, MORE_THAN_SETTING } against;
    size_t other; /* the place of that belief or setting */
};

/* Without runs all numbers but the counts are NAN. */
struct accuracy_sample {
    double *values;  /* of runs, sorted */
    size_t n, worst; /* worst: the point with the largest value */
    double median, min, max;
    double *of_graphs; /* the mean of each graph's runs */
    size_t n_graphs;
    double mean, low, high; /* of graphs; low and high: 95 % of the means of samples drawn from these graphs */
};

/* Clear the sample. Time and memory: the number of points. */
struct accuracy_sample accuracy_collect(const struct accuracy_results *r, const struct accuracy_cell *c,
                                        const struct accuracy_view *v);
void accuracy_sample_clear(struct accuracy_sample *s);

#endif
