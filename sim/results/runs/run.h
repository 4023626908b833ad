/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Kinds of run: a farm, a bound, a plan, a replay, ... Each is described once, in a file run_NAME.c that runs.def
   names: a row for each parameter, the figures that come out, `prepare` and `run`. From the rows come the options of
   the command of that name with their help and completion, the parameters of scenarios (where a kind is called an
   experiment), keys, random streams, result columns, and what iasim_run of the library takes. */
#ifndef IASIM_RUNS_RUN_H
#define IASIM_RUNS_RUN_H

#include "base/err.h"
#include "base/foreign.h"
#include "base/param.h"

#include <stdbool.h>
#include <stdint.h>

/* Which of two values of a metric is preferred. */
enum better {
    BETTER_NONE, /* it only describes what happened */
    BETTER_LOWER,
    BETTER_HIGHER,
};
extern const char *const better_names[]; /* neither, lower, higher */

enum { RUN_MAX_METRICS = 64 };

/* A result column. A list of these ends with one whose name is NULL. */
struct metric {
    const char *name, *unit, *meaning;
    enum better better;
};

/* What a row says of its parameter, beside type and range. */
enum run_fact {
    /* Has no default and may be absent: it enters keys, result columns and baselines only where a scenario gives it,
       so a new one leaves old results valid. Every other parameter without a default must be given. */
    RUN_OPTIONAL = 1 << 0,
    /* Points that agree in all of these share what `prepare` makes (a loaded platform). */
    RUN_SHARED = 1 << 1,
    /* Names what a point is about: the graph or the farm that is drawn or read. Points of one instance are not
       independent samples (compare.h). */
    RUN_INSTANCE = 1 << 2,
    /* Changes what is done with random draws, not what is drawn: points that differ in these alone have one random
       stream, so that they are compared on the same draws. Has a default, or is optional. */
    RUN_VARIANT = 1 << 3,
    /* Optional: where a scenario gives one of these, the run is random, so that seed and replications mean something.
       What is drawn depends on the instance and the replication alone: every other parameter is a variant. */
    RUN_RANDOM = 1 << 4,
    /* The seed of what the seeded one generates: where that one is empty, the seed changes nothing. Both or none. */
    RUN_SEED = 1 << 5,
    RUN_SEEDED = 1 << 6,
    /* Names a file: it enters keys by what the file holds, and a relative path in a scenario starts at the
       scenario's folder, or names a file that comes with the program. */
    RUN_FILE = 1 << 7,
    RUN_FILE_OF_FILES = 1 << 8, /* such a file; those that it refers to (a platform's) count as well */
};

/* A row. A table of these ends with one whose name is NULL. */
struct run_param {
    struct param is;    /* name, type, unit, default, range, choices, meaning */
    unsigned facts;     /* enum run_fact, united by | */
    const char *folder; /* of a file: where those are that come with the program; NULL: none do */
    /* OPTIONAL. Whether a value is possible, beyond what `is` says. */
    enum err_code (*check)(const char *value, struct err *e);
    /* OPTIONAL. The plugin that a value, which has passed `check`, comes from; NULL: none. Its bytes enter keys. */
    const struct origin *(*origin)(const char *value);
    /* Of the option --NAME that a command has, with - for _. A choice needs none of these. */
    const char *option; /* NAME where it is another; NULL: that of the parameter */
    int letter;         /* 0: none */
    const char *arg;    /* what the help calls the value */
    const char *values; /* for completion, as in struct command_option (cli/options.h) */
    double above_zero;  /* the least value but 0 */
};

/* One run to do. */
struct point {
    const struct param_set *params; /* complete; files are paths that can be opened */
    long replication;               /* from 1 */
    uint64_t seed, stream;          /* for random_init (turn_stream) */
    void *shared;                   /* what `prepare` made, NULL without it */
    bool is_last;                   /* nothing runs in this process after it, so it may simulate here */
};

struct run_kind {
    const char *name, *summary, *source;
    /* Part of every key: raise it when the same parameters give another result than before. */
    int results_version;
    const struct run_param *rows;
    const struct metric *metrics;
    bool is_random; /* always uses the point's stream; for others see RUN_RANDOM and run_is_random */
    /* OPTIONAL. Whether the parameters that are given fit together. Asked once for a scenario, with the values of
       its first point: a text that may be empty is so at all points or at none. */
    enum err_code (*check_given)(const struct param_set *params, struct err *e);
    /* OPTIONAL. Whether this machine has the programs that points use. Asked before a run. */
    enum err_code (*check_machine)(struct err *e);
    /* OPTIONAL; rows are RUN_SHARED only with it. What points that agree in these have in common: made once in a
       process that serves only them. `params` are those of one of the points. */
    enum err_code (*prepare)(const struct param_set *params, void **shared, struct err *e);
    /* OPTIONAL. Frees what `prepare` has made, as far as it came; a loaded platform stays until the process ends. */
    void (*release)(void *shared);
    /* `run` simulates: each point then needs a process of its own, as one simulates once. The caller sees to it; that
       process is best a child of one that has prepared. */
    bool simulates;
    /* REQUIRED. Fills `metrics`, all NAN on entry, in the order of the list; NAN: there is no such figure. Without
       `simulates` many points run in one process, one after the other, and leave nothing behind; a part that would goes
       into a child (isolate_run), for which `metrics` is memory that children share. */
    enum err_code (*run)(const struct point *p, double *metrics, struct err *e);
};

#define RUN(name) extern const struct run_kind run_##name;
#include "runs/runs.def"
#undef RUN
extern const struct run_kind *const run_kinds[]; /* ends with NULL; the order of runs.def */

/* Errors: ERR_INPUT for an unknown name; the message lists the known ones. */
enum err_code run_kind_find(const struct run_kind *const *list, const char *name, const struct run_kind **out,
                            struct err *e);
enum err_code run_check_machine(const struct run_kind *k, struct err *e);

/* The parameters without what else their rows say, for param_set_create. They stay. */
const struct param *run_params(const struct run_kind *k);
/* Errors: ERR_INPUT for an unknown name; the message lists the known ones. */
enum err_code run_find_param(const struct run_kind *k, const char *name, const struct param **out, struct err *e);

const struct run_param *run_row(const struct run_kind *k, const char *name);           /* NULL: none */
const struct run_param *run_file(const struct run_kind *k, const char *name);          /* NULL: no file */
bool run_param_is(const struct run_kind *k, const char *name, enum run_fact fact);     /* false: no such one, too */
const struct run_param *run_row_that_is(const struct run_kind *k, enum run_fact fact); /* the first; NULL: none */
/* The names of all that are, as "--noise or --arrival", with `before` each. The caller frees. */
char *run_names_that_are(const struct run_kind *k, enum run_fact fact, const char *before);
/* Whether the run draws random numbers, given these parameters: `is_given(self, name)` says whether that one is. */
bool run_is_random(const struct run_kind *k, bool (*is_given)(const void *self, const char *name), const void *self);
enum err_code run_check_value(const struct run_param *row, const char *value, struct err *e); /* its `check` */
const struct origin *run_origin(const struct run_param *row, const char *value);              /* its `origin` */

/* Asks `check` of each row about the value that the parameters have. */
enum err_code run_check_values(const struct run_kind *k, const struct param_set *params, struct err *e);

/* Makes a point of these parameters, which must be complete and outlive it, but for its stream: checks their values
   and whether they fit together, and prepares. For a single run in this process. Errors: those of `check`,
   `check_given`, `prepare`. */
enum err_code run_begin(const struct run_kind *k, const struct param_set *params, struct point *out, struct err *e);
/* Frees what points share; also after an error of run_begin or `prepare`. */
void run_end(const struct run_kind *k, struct point *p);

/* Whether a plugin takes part in a point with these parameters. */
bool run_is_foreign(const struct run_kind *k, const struct param_set *params);

/* Loads what `prepare` needs of any point, once in a process, for the processes that it forks later. */
void run_load(const struct run_kind *k);

size_t run_n_metrics(const struct run_kind *k);
const struct metric *run_metric(const struct run_kind *k, const char *name); /* NULL: none */

#endif
