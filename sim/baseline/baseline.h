/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Baselines: the results of a scenario in a small text file for version control, to compare later ones with.

       iasim-baseline/1                                   # begins a line of comment
       scenario fork
       experiment farm
       set tasks=60                                       as given to --set when it was saved
       param deployment=../../deployments/fork.xml        every parameter that has one value
       metric makespan_s better=lower relative=1e-09 absolute=1e-11
       send_size=2 policy=bwc key=0a1b... makespan_s=83.5   one line a run: what varies, key, metrics
       send_size=2 policy=odd key=...     error="..."
       end

   Values with blanks or quotes are in double quotes, with \" \\ \n \r \t; "-" is no figure; `replication` is
   left out where there is only the first. Parameters that are not named have their defaults. Lines are sorted
   by the values, in the experiment's order of parameters, numbers as numbers. A run is known by its
   parameters and its replication: its key may change (another results_version, a touched input file), which
   is told and no difference. */
#ifndef IASIM_BASELINE_BASELINE_H
#define IASIM_BASELINE_BASELINE_H

#include "sweep/pool.h"

enum { BASELINE_MAX_RUNS = 100000 }; /* more is no file for version control */

/* A figure may differ from the expected one by the larger of `relative` times that and `absolute`. */
#define BASELINE_RELATIVE 1e-9
struct baseline_metric {
    const struct metric *metric;
    size_t id; /* in the experiment's list */
    enum better better;
    double relative, absolute; /* absolute NAN: baseline_seal takes 1e-12 of the largest figure */
    int line;
};

struct baseline_run {
    const char **values; /* of every parameter of the experiment, in its order; NULL: an optional one, not given */
    long replication;
    char key[DIGEST_HEX_SIZE];
    char *error;     /* NULL: it worked */
    double *figures; /* of the baseline's metrics, in its order; NAN: none */
    int line;        /* of the file; 0: not from one */
};

struct baseline_set {
    char *words; /* "name=value,value" */
    int line;
};

struct baseline {
    const struct experiment *experiment;
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
enum err_code baseline_read(const char *path, const struct experiment *const *list, struct baseline *out,
                            struct err *e);
enum err_code baseline_parse(const char *bytes, size_t n, const char *path, const struct experiment *const *list,
                             struct baseline *out, struct err *e);
/* Of a sealed one. The file is there whole or not at all. Errors: ERR_IO; ERR_INPUT (a value that is not
 * text). */
enum err_code baseline_write(const struct baseline *b, const char *path, struct err *e);
enum err_code baseline_print(const struct baseline *b, FILE *out, struct err *e);

/* --- from a scenario --- */

/* No runs yet; every metric, with the usual tolerances. The scenario must live as long. */
void baseline_init(struct baseline *b, const struct scenario *s);
void baseline_add_set(struct baseline *b, const char *words, int line);
/* "a,b": only these, in the experiment's order. Errors: ERR_INPUT (unknown, twice, none). */
enum err_code baseline_choose(struct baseline *b, const char *names, struct err *e);
/* "metric=relative" or "metric=relative,absolute". Errors: ERR_INPUT. */
enum err_code baseline_tolerate(struct baseline *b, const char *words, struct err *e);
/* Direction and tolerances from `other` for the metrics that both have; `choose`: and only these. */
void baseline_take_metrics(struct baseline *b, const struct baseline *other, bool choose);

struct baseline_progress {
    uint64_t n_total, n_done, n_failed;
};
struct baseline_options {
    struct pool_options pool;
    /* OPTIONAL. At least four times a second. */
    void (*progress)(void *self, const struct baseline_progress *p);
    void *progress_self;
};
/* Runs all points, and seals. Errors: those of pool_run; ERR_INPUT (too many runs). */
enum err_code baseline_make(struct baseline *b, const struct scenario *s, const struct baseline_options *options,
                            struct err *e);

/* A run without values, replication 1, no figures. */
struct baseline_run *baseline_add_run(struct baseline *b);
/* Sorts; absolute tolerances that are NAN are set. Errors: ERR_PARSE when a run is there twice, with its
 * line. */
enum err_code baseline_seal(struct baseline *b, const char *path, struct err *e);

/* By parameters and replication, of baselines of one experiment. */
int baseline_compare_runs(const struct experiment *x, const struct baseline_run *a, const struct baseline_run *b);
/* Whether its values differ within the baseline, or from those of `other` (may be NULL). */
bool baseline_varies(const struct baseline *b, const struct baseline *other, size_t param_id);

#endif
