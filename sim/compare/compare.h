/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Which variant is better? Results of one metric, paired. A *case* has one value of every parameter but the compared one,
   and one replication. What a case is about is its *instance*: the graph or the farm that was drawn or read. The other
   parameters are its *setting* (platform, CCR, world, ...). Cases that share an instance are not independent, so statistics
   take one pair from each instance: the geometric mean of the ratios of its cases.

   Random graphs are the same for all variants of a case (their seed is the parameter `instance`); only an experiment's own
   random stream (is_random) derives from the whole key, the compared value in it. The variants are the values of a
   parameter in one database, or several databases. */
#ifndef IASIM_COMPARE_COMPARE_H
#define IASIM_COMPARE_COMPARE_H

#include "base/digest.h"
#include "compare/value_list.h"
#include "experiments/experiment.h"
#include "stats/wilcoxon.h"

/* --- rows, grouped --- */

struct compare_query {
    const char *const *databases; /* one, with `by`; or several, which are the variants */
    size_t n_databases;
    const char *by; /* NULL with several databases */
    const char *metric;
    const char *const *wheres; /* "name=value,low:high,..": only such rows; of several for one name, any */
    size_t n_wheres;
    const char *const *ignored; /* parameters that pairs need not agree in */
    size_t n_ignored;
    const char *const *instance; /* parameters that name an instance; none: those the experiment says */
    size_t n_instance;
    const char *const *groups; /* parameters whose values are compared apart from each other */
    size_t n_groups;
    double floor; /* lesser figures are taken for this one; 0: none are */
};

struct compare_row {
    uint64_t key[2];
    uint64_t fingerprint;     /* of all its metrics */
    double figure;            /* NAN: it failed, or has no such figure */
    uint32_t variant, number; /* number: where its values are */
};

struct compare_data {
    char *experiment, *metric, *unit, *by; /* `by` is "database" with several */
    enum better better;                    /* BETTER_NONE also for a metric that this program does not know */
    struct value_list variants;            /* in order; databases in the order given */
    char **commands;                       /* that made the rows, of each database */
    size_t n_databases;
    struct value_list *params; /* that make a case; the last one is the replication */
    size_t n_params;
    uint32_t *values;         /* [number * n_params + param] */
    struct compare_row *rows; /* by case, then by variant */
    size_t n_rows, capacity;
    size_t *starts; /* [case]: of its first row; one more at the end */
    size_t n_cases;
    bool *names_instance;  /* [param] */
    uint32_t *instance_of; /* [case]; instances that agree in every metric of every run are one */
    size_t n_instances;    /* different ones */
    size_t n_copies;       /* that were left out of n_instances */
    size_t n_settings;     /* different values of the parameters that do not name the instance */
    size_t *group_params;  /* the groups' parameters, as asked for */
    size_t n_group_params; /* 0: one group */
    uint32_t *group_of;    /* [case] */
    size_t n_groups;       /* in the order of their values */
};

/* Time n log n and about 100 bytes for each row. The order of the cases is that of their values, so it does not
   depend on how the databases came about. `out` is to be cleared in any case. Errors: ERR_IO, ERR_INPUT (unknown names,
   with the known ones; values that no row has; databases of different experiments; one variant only; a negative figure;
   two rows that only an ignored parameter tells apart). */
enum err_code compare_read(const struct compare_query *q, struct compare_data *out, struct err *e);
void compare_data_clear(struct compare_data *d);

const struct compare_row *compare_find(const struct compare_data *d, size_t number,
                                       size_t variant); /* NULL: no such case */
enum err_code compare_find_variant(const struct compare_data *d, const char *text, size_t *out, struct err *e);

/* "world=none compute_size=5": what has more than one value; the caller frees. */
char *compare_describe(const struct compare_data *d, size_t number);
/* The value that the i-th of the groups' parameters has in a group. */
const char *compare_group_value(const struct compare_data *d, size_t group, size_t i);
/* The command line that makes the row again; the caller frees. */
char *compare_rerun(const struct compare_data *d, const struct compare_row *row);

/* --- statistics --- */

struct compare_settings {
    enum better better; /* LOWER or HIGHER */
    size_t reference;   /* a variant */
    bool all_variants;  /* each against each, not only against the reference */
    bool all_cases;     /* each case is a pair, not each instance */
    double tolerance;   /* figures that differ by this part are equal */
    double confidence;
    long n_resamples;
    uint64_t seed;
    size_t n_worst; /* cases to list */
};

enum { COMPARE_MAX_PAIRS = 10000 };

struct compare_pair {
    size_t group, variant, reference;
    size_t n;                 /* instances (or cases) for which both have a figure */
    size_t n_failed;          /* cases left out: both are there, but one failed or has no such figure */
    size_t n_missing;         /* cases left out: one is not there */
    double median, low, high; /* of variant / reference; NAN: too few */
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
    size_t n_profiled;           /* cases for which every variant is there, failed or not */
    size_t n_copies;             /* cases whose figures are, to the last digit, those of another that is counted */
    struct compare_worst *worst; /* against the reference, the worst one first */
    size_t n_worst;
};

/* Errors: ERR_INPUT when no pair has a case, or there are more than COMPARE_MAX_PAIRS of them. */
enum err_code compare_compute(const struct compare_data *d, const struct compare_settings *s,
                              struct compare_result *out, struct err *e);
void compare_result_clear(struct compare_result *r);

#endif
