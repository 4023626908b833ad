/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The progress of a long run: one line that is redrawn (bar, done / total, rate, remaining time, failures), or lines of
   JSON for programs. */
#ifndef IASIM_REPORT_PROGRESS_H
#define IASIM_REPORT_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* n_before runs were done before this run started: they count in the bar, but not in the rate. */
struct progress_counts {
    uint64_t n_total, n_before, n_done, n_failed;
};

enum progress_style {
    PROGRESS_AUTO,  /* a bar on a terminal, else nothing */
    PROGRESS_LINES, /* a bar on a terminal, else a line a minute */
    PROGRESS_NONE,
    PROGRESS_BAR,
    PROGRESS_JSON,
};

struct progress {
    FILE *out;                 /* NULL: silent */
    enum progress_style style; /* PROGRESS_BAR, PROGRESS_LINES or PROGRESS_JSON */
    double start_s, drawn_s;
    double delay_s; /* nothing is drawn during this time; progress_init sets 0 */
    int width;      /* of the terminal */
    int drawn_length;
    struct progress_counts last;
};

void progress_init(struct progress *p, FILE *out, enum progress_style style);
/* Draws the bar at most ten times a second, writes JSON at most twice a second, and a line at most once a minute. */
void progress_show(struct progress *p, const struct progress_counts *counts);
/* Removes the bar, which leaves a clean line; JSON gets a last line with the latest counts. */
void progress_end(struct progress *p);

/* The line after `elapsed_s` seconds, cut to `width` columns; returns `out`. */
const char *progress_line(const struct progress_counts *counts, double elapsed_s, int width, char *out, size_t size);

/* "45 % of 32391 runs after 1:00, 1:13 left"; returns `out`. */
const char *progress_words(const struct progress_counts *counts, double elapsed_s, char *out, size_t size);

/* {"done", "total", "passed", "failed", "rate_per_s", "elapsed_s", "remaining_s"}: `passed` of the done runs were done
   before this run started, and the rate is that of the others; remaining_s is null while it is unknown. Returns
   `out`. */
const char *progress_json(const struct progress_counts *counts, double elapsed_s, char *out, size_t size);

/* ---- progress_clock.c: of commands that do not know how far they are. On a terminal, after one second, one line with
   the elapsed time. A separate thread draws it, so long computations need not call anything. ---- */

/* Shows "WHAT: 0:07" on stderr, if that is a terminal, until the clock is stopped. If standard output is a terminal
   too, it is held back until it is flushed or has a megabyte, so the two do not mix. A process has one clock. */
void progress_clock_start(const char *what);
/* What the line shows behind the time from now on, at most 100 characters. */
void progress_clock_show(const char *state);
/* Removes the line. Without a clock it does nothing. */
void progress_clock_stop(void);

#endif
