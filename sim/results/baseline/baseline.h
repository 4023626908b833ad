/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Baselines: the results of a scenario in a small text file for version control. Later results are compared with them.

       iasim-baseline/1                                   # begins a comment line
       scenario fork
       experiment farm
       set tasks=60                                       the --set options when it was saved
       param deployment=../../deployments/fork.xml        a parameter with one value
       metric makespan_s better=lower relative=1e-09 absolute=1e-11
       send_size=2 policy=bwc key=0a1b... makespan_s=83.5   a run: varying parameters, key, metrics
       send_size=2 policy=odd key=...     error="..."
       end

   Values with blanks or quotes are in double quotes, with \" \\ \n \r \t; "-" stands for a missing figure;
   `replication` is left out if there is only the first. Parameters that are not named have their defaults. Lines are
   sorted by the values, in the experiment's order of parameters; numbers are sorted as numbers. A run is identified by
   its parameters and its replication. Its key may change (another results_version, an edited input file): that is
   reported, but is not a difference. */
#ifndef IASIM_BASELINE_BASELINE_H
#define IASIM_BASELINE_BASELINE_H

#include "sweep/pool.h"

#include <stdio.h>

enum { BASELINE_MAX_RUNS = 100000 }; /* a larger file does not belong in version control */

/* A figure may differ from the expected one by the larger of `absolute` and `relative` times the expected one. */
#define BASELINE_RELATIVE 1e-9
struct baseline_metric {
    const struct metric *metric;
    size_t id; /* in the experiment's list */
    enum better better;
    double relative, absolute; /* absolute NAN: baseline_seal sets 1e-12 of the largest figure */
    int line;
};

struct baseline_run {
    const char **values; /* of every parameter of the experiment, in its order; NULL: an optional one, not given */
    long replication;
    char key[DIGEST_HEX_SIZE];
    char *error;     /* NULL: it succeeded */
    double *figures; /* of the baseline's metrics, in its order; NAN: missing */
    int line;        /* in the file; 0: not from a file */
};

struct baseline_set {
    char *words; /* "name=value,value" */
    int line;
};

struct baseline {
    const struct run_kind *experiment;
    char *scenario; /* its name */
    int scenario_line;
    struct baseline_set *sets;
    size_t n_sets;
    struct baseline_metric *metrics; /* in the experiment's order */
    size_t n_metrics;
    struct baseline_run *runs; /* sorted, once sealed */
    size_t n_runs, capacity;
    char *text; /* values point into this, or into a scenario */
};

void baseline_clear(struct baseline *b);

/* --- files --- */

/* `list`: the known experiments. Errors, with line: ERR_IO, ERR_PARSE. */
enum err_code baseline_read(const char *path, const struct run_kind *const *list, struct baseline *out, struct err *e);
enum err_code baseline_parse(const char *bytes, size_t n, const char *path, const struct run_kind *const *list,
                             struct baseline *out, struct err *e);
/* Writes a sealed baseline. The file appears whole or not at all. Errors: ERR_IO; ERR_INPUT for a value with control
   characters or bytes that are not UTF-8. */
enum err_code baseline_write(const struct baseline *b, const char *path, struct err *e);
enum err_code baseline_print(const struct baseline *b, FILE *out, struct err *e);

/* --- from a scenario --- */

/* No runs yet; all metrics, with the default tolerances. The scenario must outlive the baseline. */
void baseline_init(struct baseline *b, const struct scenario *s);
void baseline_add_set(struct baseline *b, const char *words, int line);
/* "a,b": only these metrics, in the experiment's order. Errors: ERR_INPUT (unknown, named twice, empty). */
enum err_code baseline_choose(struct baseline *b, const char *names, struct err *e);
/* "metric=relative" or "metric=relative,absolute". Errors: ERR_INPUT. */
enum err_code baseline_tolerate(struct baseline *b, const char *words, struct err *e);
/* Takes direction and tolerances from `other` for the metrics that both have; `choose`: removes all other metrics. */
void baseline_take_metrics(struct baseline *b, const struct baseline *other, bool choose);

struct baseline_progress {
    uint64_t n_total, n_done, n_failed;
};
struct baseline_options {
    struct pool_options pool;
    /* OPTIONAL. Called at least four times a second. */
    void (*progress)(void *self, const struct baseline_progress *p);
    void *progress_self;
};
/* Runs all points and seals the baseline. Errors: those of pool_run; ERR_INPUT (too many runs). */
enum err_code baseline_make(struct baseline *b, const struct scenario *s, const struct baseline_options *options,
                            struct err *e);

/* Adds a run without values or figures, replication 1. */
struct baseline_run *baseline_add_run(struct baseline *b);
/* Sorts the runs and sets absolute tolerances that are NAN. Errors: ERR_PARSE, with the line, if a run appears
   twice. */
enum err_code baseline_seal(struct baseline *b, const char *path, struct err *e);

/* Orders runs of one experiment by parameters and replication. */
int baseline_compare_runs(const struct run_kind *x, const struct baseline_run *a, const struct baseline_run *b);
/* Whether a parameter's values differ within the baseline, or from those of `other` (may be NULL). */
bool baseline_varies(const struct baseline *b, const struct baseline *other, size_t param_id);

#endif
