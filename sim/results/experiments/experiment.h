/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Kinds of experiment: what one point of a scenario computes. One file NAME.c each, registered in experiments.def. The
   reader of scenarios, the result table and `iasim list` are driven by these lists of parameters and metrics; the pool
   (sweep/pool.h) decides in which process a point runs. */
#ifndef IASIM_EXPERIMENTS_EXPERIMENT_H
#define IASIM_EXPERIMENTS_EXPERIMENT_H

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

enum { EXPERIMENT_MAX_METRICS = 64 };

/* A result column. A list of these ends with one whose name is NULL. */
struct metric {
    const char *name, *unit, *meaning;
    enum better better;
};

/* A parameter that names a file. It enters keys by what the file holds, and a relative path in a scenario
   starts at the scenario's folder, or names a file that comes with the program. A list of these ends with one whose param is NULL. */
enum experiment_file_kind {
    FILE_PLAIN,
    FILE_PLATFORM, /* the files it refers to count as well */
};
struct experiment_file {
    const char *param;
    enum experiment_file_kind kind;
    const char *shipped_in; /* the folder of those that come with the program; NULL: none */
};

/* One run to do. */
struct point {
    const struct param_set *params; /* complete; files are paths that can be opened */
    long replication;               /* from 1 */
    uint64_t seed, stream;          /* for random_init (turn_stream) */
    void *shared;                   /* what `prepare` made, NULL without it */
};

struct experiment {
    const char *name, *summary, *source;
    /* Part of every key: raise it when the same parameters give another result than before. */
    int results_version;
    const struct param *params; /* those without a default must be given, unless they are optional */
    const struct metric *metrics;
    const struct experiment_file *files; /* NULL: none */
    /* OPTIONAL, a list that ends with NULL. Parameters without a default that may be absent: they enter keys, result
       columns and baselines only where a scenario gives them, so a new one leaves old results valid. */
    const char *const *optional_params;
    bool is_random; /* uses the point's stream, so that seed and replications mean something */
    /* OPTIONAL. One of the optional parameters: where a scenario gives it, the experiment is random. What is drawn depends on
       the instance (instance_params) and the replication alone, so that all else is compared on the same draws. */
    const char *random_param;
    /* OPTIONAL, a list that ends with NULL. Parameters with a default, or optional, that change what is done with random draws, not what
       is drawn: points that differ in them alone have one stream, so that they are compared on the same draws. */
    const char *const *variant_params;
    /* OPTIONAL, both or none. A parameter that is the seed of what another one generates: where that other one is empty,
       the seed changes nothing. */
    const char *seed_param, *seeded_param;
    /* OPTIONAL, a list that ends with NULL. Parameters that name what a point is about, its instance: the graph or the farm
       that is drawn or read. Points that share an instance are not independent samples (compare.h). */
    const char *const *instance_params;
    /* OPTIONAL. Whether `value` is possible for the parameter `name`, beyond what its struct param says. */
    enum err_code (*check)(const char *name, const char *value, struct err *e);
    /* OPTIONAL. Whether the parameters that are given fit together. Asked once for a scenario, with the values of its first
       point: a text that may be empty is so at all points or at none. */
    enum err_code (*check_given)(const struct param_set *params, struct err *e);
    /* OPTIONAL. Whether this machine has the programs that points use. Asked before a run. */
    enum err_code (*check_machine)(struct err *e);
    /* OPTIONAL. The plugin that `value`, which has passed `check`, of the parameter `name` comes from; NULL: none. Its
       bytes enter keys. */
    const struct origin *(*origin)(const char *name, const char *value);
    /* OPTIONAL, both or none. What the points that agree in the parameters `shared_params` (a list that ends with NULL)
       have in common (a loaded platform): made once in a process that serves only them, and freed only by the end of
       that process. `params` are those of one of the points. */
    const char *const *shared_params;
    enum err_code (*prepare)(const struct param_set *params, void **shared, struct err *e);
    /* REQUIRED. Fills `metrics`, all NAN on entry, in the order of the list; NAN: there is no such figure. Many points run in
       one process, one after the other, and leave nothing behind. What would (a simulation: one run for each process) goes
       into a child (isolate_run), as little as possible: its pages are copied when it writes to them. `metrics` is memory
       that children share. */
    enum err_code (*run)(const struct point *p, double *metrics, struct err *e);
};

enum err_code experiment_check_machine(const struct experiment *x, struct err *e);
bool experiment_is_optional(const struct experiment *x, const char *param);

/* Whether a plugin takes part in a point with these parameters. */
bool experiment_is_foreign(const struct experiment *x, const struct param_set *params);

extern const struct experiment *const experiments[]; /* ends with NULL; the order of experiments.def */

/* Errors: ERR_INPUT for an unknown name; the message lists the known ones. */
enum err_code experiment_find(const struct experiment *const *list, const char *name, const struct experiment **out,
                              struct err *e);

/* Errors: ERR_INPUT for an unknown name; the message lists the known ones. */
enum err_code experiment_find_param(const struct experiment *x, const char *name, const struct param **out,
                                    struct err *e);
size_t experiment_n_metrics(const struct experiment *x);
const struct metric *experiment_metric(const struct experiment *x, const char *name);         /* NULL: none */
const struct experiment_file *experiment_file(const struct experiment *x, const char *param); /* NULL: no file */

#endif
