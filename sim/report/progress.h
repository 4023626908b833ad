/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* How far a long run is, in one line that is redrawn: bar, done / total, rate, remaining time, failures.
   Nothing at all unless the output is a terminal. */
#ifndef IASIM_REPORT_PROGRESS_H
#define IASIM_REPORT_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct progress {
    FILE *out; /* NULL: silent */
    double start_s, drawn_s;
    int width; /* of the terminal */
};

/* `counts` n_before were done when it started: they are in the bar, but not in the rate. */
struct progress_counts {
    uint64_t n_total, n_before, n_done, n_failed;
};

void progress_init(struct progress *p, FILE *out, bool quiet);
/* Draws at most ten times a second. */
void progress_show(struct progress *p, const struct progress_counts *counts);
/* Leaves a clean line. */
void progress_end(struct progress *p);

/* The line after `elapsed_s`, at most `width` columns; returns `out`. */
const char *progress_line(const struct progress_counts *counts, double elapsed_s, int width, char *out,
                          size_t size);

#endif
