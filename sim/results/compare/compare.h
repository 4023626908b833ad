/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Which variant is better? Pairs the results of one metric. The variants are the values of a parameter in one database,
   or several databases. A *case* has one value of every parameter except the compared one, and one replication. Its
   *instance* is the graph or the farm that was drawn or read; its other parameters (platform, CCR, world, ...) are its
   *setting*. Cases that share an instance are not independent, so the statistics take one pair from each instance: the
   geometric mean of the ratios of its cases (doc/model.md, Comparison).

   Random graphs are the same for all variants of a case, because their seed is the parameter `instance`. Only an
   experiment's own random stream (is_random) depends on the whole key, and so on the compared value. */
#ifndef IASIM_COMPARE_COMPARE_H
#define IASIM_COMPARE_COMPARE_H

#include "base/digest.h"
#include "compare/value_list.h"
#include "runs/run.h"
#include "stats/stats.h"

/* --- rows, grouped --- */

struct compare_query {
    const char *const *databases; /* one, with `by`, or several, which are the variants */
    size_t n_databases;
    const char *const *by; /* parameters; each combination of their values is a variant. None with several databases */
    size_t n_by;
    const char *metric, *predictor; /* `predictor`: another metric that foretells it; NULL: none */
    const char *const *wheres; /* "name=value,low:high,..": only such rows; conditions on one name are alternatives */
    size_t n_wheres;
    const char *const *ignored; /* parameters in which the two runs of a pair may differ */
    size_t n_ignored;
    const char *const
        *instance; /* parameters that identify an instance; none: those that the experiment says (RUN_INSTANCE) */
    size_t n_instance;
    const char *const *groups; /* each combination of their values is compared separately */
    size_t n_groups;
    double floor; /* smaller figures are replaced by this one; 0: none */
};

struct compare_row {
    char key[DIGEST_HEX_SIZE];
    uint64_t fingerprint;     /* of all its metrics */
    double figure, predicted; /* of the metric and of the predictor; NAN: the run failed, or lacks this figure */
    uint32_t variant, number; /* `number`: of its values */
};

struct compare_data {
    char *experiment, *metric, *unit, *by; /* "scheduler,model"; "database" if there are several */
    char *predictor;                       /* NULL: none */
    enum better better, predictor_better;  /* BETTER_NONE also for a metric that this program does not know */
    struct value_list variants;            /* sorted; databases in the order given */
    char **commands;                       /* [database]: the command that made its rows */
    size_t n_databases;
    struct value_list *params; /* the parameters of a case; the last one is the replication */
    size_t n_params;
    uint32_t *values;         /* [number * n_params + param] */
    struct compare_row *rows; /* by case, then by variant */
    size_t n_rows, capacity;
    size_t *starts; /* [case]: its first row; one more entry at the end */
    size_t n_cases;
    bool *names_instance;  /* [param]: it helps to identify the instance */
    uint32_t *instance_of; /* [case]; instances that agree in every metric of every run have one number */
    size_t n_instances;    /* without copies */
    size_t n_copies;       /* instances that equal another one */
    size_t n_settings;     /* combinations of values of the parameters that do not identify the instance */
    size_t *group_params;  /* the groups' parameters, in the order of the query */
    size_t n_group_params; /* 0: one group */
    uint32_t *group_of;    /* [case] */
    size_t n_groups;       /* numbered in the order of their values */
};

/* Time n log n and about 120 bytes for each row. Cases are sorted by their values, so their order does not depend on
   how the databases came about. Clear `out` even after an error. Errors: ERR_IO; ERR_INPUT for an unknown name (the
   message lists the known ones), a value that no row has, databases of different experiments, a single variant, a
   negative figure, or two rows that differ only in an ignored parameter. */
enum err_code compare_read(const struct compare_query *q, struct compare_data *out, struct err *e);
void compare_data_clear(struct compare_data *d);

const struct compare_row *compare_find(const struct compare_data *d, size_t number,
                                       size_t variant); /* NULL: there is no such row */
enum err_code compare_find_variant(const struct compare_data *d, const char *text, size_t *out, struct err *e);

/* "world=none compute_size=5": the parameters that have more than one value. The caller frees it. */
char *compare_describe(const struct compare_data *d, size_t number);
/* The value that group parameter `i` has in a group. */
const char *compare_group_value(const struct compare_data *d, size_t group, size_t i);
/* The command line that makes the row again. The caller frees it. */
char *compare_rerun(const struct compare_data *d, const struct compare_row *row);

/* --- statistics --- */

struct compare_settings {
    enum better better; /* LOWER or HIGHER */
    size_t reference;   /* a variant */
    bool all_variants;  /* every variant against every other, not only against the reference */
    bool all_cases;     /* a pair for each case instead of for each instance */
    double tolerance;   /* relative: figures that differ by no more are equal */
    double confidence;
    long n_resamples;
    uint64_t seed;
    size_t n_worst; /* cases to list */
};

enum { COMPARE_MAX_PAIRS = 10000 };

struct compare_pair {
    size_t group, variant, reference;
    size_t n;                 /* instances (or cases) for which both variants have a figure */
    size_t n_failed;          /* cases left out because a run failed or lacks this figure */
    size_t n_missing;         /* cases left out because one of the two runs is missing */
    double median, low, high; /* of variant / reference; NAN: too few pairs */
    size_t n_wins, n_ties, n_losses;
    struct wilcoxon test; /* of log ratios; p NAN when n is 0; rounded to 10 digits */
    double p_holm;        /* over all pairs */
};

struct compare_worst {
    size_t variant, number; /* of the case */
    double ratio;           /* variant / reference */
};

struct compare_result {
    struct compare_pair *pairs; /* group by group */
    size_t n_pairs;
    double *ratios;              /* performance profile: [variant * n_profiled + i], sorted */
    size_t n_profiled;           /* cases that have a run of every variant, failed or not */
    size_t n_copies;             /* cases whose figures equal those of another case to the last digit */
    struct compare_worst *worst; /* against the reference, the worst one first */
    size_t n_worst;
};

/* Errors: ERR_INPUT if no pair of variants has a case, or if there are more than COMPARE_MAX_PAIRS pairs. Clear `out`
   even after an error. */
enum err_code compare_compute(const struct compare_data *d, const struct compare_settings *s,
                              struct compare_result *out, struct err *e);
void compare_result_clear(struct compare_result *r);

#endif
