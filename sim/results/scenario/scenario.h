/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A scenario: the runs of one experiment that a file describes (scenarios/README.md has the format). It is a
   list of axes, one for each parameter of the experiment; fixed ones have one value, swept ones several; the
   points are their cross product. Points are never stored: they are made from their number (turn.h). */
#ifndef IASIM_SCENARIO_SCENARIO_H
#define IASIM_SCENARIO_SCENARIO_H

#include "base/digest.h"
#include "base/err.h"
#include "runs/run.h"

#include <stdbool.h>
#include <stdint.h>

struct scenario_value {
    char *text;     /* in its one canonical form: what tables and results show */
    char *path;     /* a file: as it can be opened from here; else NULL */
    char *key_text; /* what enters keys: a digest of the file; the text, and a digest of its plugin; NULL: the text */
    int line;       /* 0: not from the file */
};

struct scenario_axis {
    const struct param *param;
    struct scenario_value *values;
    size_t n_values, capacity;
    int line;
};

struct scenario_names { /* of parameters or metrics */
    char **names;
    size_t n;
};

struct scenario_table { /* a summary to print at the end */
    int line;
    char *title;                /* NULL: none */
    struct scenario_names rows; /* parameters */
    char *columns;              /* name of a parameter; NULL: the columns are what best_of says, and `means` */
    char *metric;               /* averaged over all other parameters and the replications */
    char *relative_to;          /* a value of `columns`: cells are divided by that column's; NULL: not */
    struct scenario_names
        best_of; /* parameters; some: figures are divided by the best of the runs that differ only in these */
    struct scenario_names means; /* without `columns`: more metrics to show */
};

struct scenario {
    char *path; /* of the file, for messages */
    char *name, *description;
    const struct run_kind *experiment;
    uint64_t seed;
    long n_replications;
    struct scenario_axis
        *axes; /* in document order; then the parameters that were not mentioned; optional ones if given */
    size_t n_axes, axes_capacity;
    struct scenario_table *tables;
    size_t n_tables, tables_capacity;
    uint64_t n_points;
    bool uses_plugins;            /* some value comes from a plugin: points may crash or never end */
    char digest[DIGEST_HEX_SIZE]; /* of all that determines the results: two scenarios with one digest have
                                     the same points. Where files are, titles and tables do not matter. */
};

/* "name=value" or "name=value,value,...": replaces the values that the file gives the parameter (or `seed`,
   or `replications`); "name=" goes back to the parameter's default, or drops an optional one. A comma within [ ]
   separates nothing. Relative file names start at the current folder.
 */
struct scenario_options {
    const struct run_kind *const *experiments; /* NULL: the registered ones */
    const char *const *sets;
    size_t n_sets;
};

enum { SCENARIO_MAX_POINTS = 100000000 }; /* times replications */

/* `options` may be NULL. Errors, with line: ERR_IO, ERR_PARSE (XML, schema), ERR_INPUT (unknown experiment,
   parameter or metric, a bad value, a parameter given twice or not at all, a value twice, too many points, a
   missing file). */
enum err_code scenario_read(const char *path, const struct scenario_options *options, struct scenario *out,
                            struct err *e);
enum err_code scenario_parse(const char *bytes, size_t n, const char *path, const struct scenario_options *options,
                             struct scenario *out, struct err *e);
void scenario_clear(struct scenario *s);

/* Whether its points use random streams: seed and replications mean something. */
bool scenario_is_random(const struct scenario *s);

const struct scenario_axis *scenario_axis(const struct scenario *s, const char *param); /* NULL: none */
/* The axis of the experiment's param `param_id`; NULL: an optional one that is not given. */
const struct scenario_axis *scenario_axis_of(const struct scenario *s, size_t param_id);
/* The place of a value on an axis; -1: it is not there. */
long scenario_axis_place(const struct scenario_axis *a, const char *value);

#endif
