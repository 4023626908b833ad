/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The values of one parameter of a scenario: checked, brought into one form, files found. Internal to this
 * folder. */
#ifndef IASIM_SCENARIO_AXIS_H
#define IASIM_SCENARIO_AXIS_H

#include "scenario/scenario.h"

struct axis_source { /* where values come from, for messages and for relative file names */
    const struct run_kind *experiment;
    struct param_set *scratch; /* of the experiment's params: a value is tried on it */
    const char *folder;        /* "" : the current one */
    const char *path;          /* the scenario file; NULL: the command line */
};

enum { AXIS_MAX_VALUES = 1000000 };

/* Adds one value. Errors, at `line`: ERR_INPUT. */
enum err_code axis_add(struct scenario_axis *a, const struct axis_source *from, const char *text, int line,
                       struct err *e);

/* Adds from, from + step, ... or from, from * factor, ... up to `to`, rounded to 12 digits. NAN for the one
   of step and factor that is not given. Errors, at `line`: ERR_INPUT. */
struct axis_range {
    double from, to, step, factor;
};
enum err_code axis_add_range(struct scenario_axis *a, const struct axis_source *from, const struct axis_range *range,
                             int line, struct err *e);

/* Adds a value as the command line gives it; for a number also FROM:TO, FROM:TO:STEP or FROM:TO:xFACTOR, a range.
   Errors: ERR_INPUT. */
enum err_code axis_add_piece(struct scenario_axis *a, const struct axis_source *from, const char *text, struct err *e);

/* After the last value: files and plugins are digested, and no value may be there twice. */
enum err_code axis_finish(struct scenario_axis *a, const struct axis_source *from, struct err *e);
void axis_clear(struct scenario_axis *a);

/* Whether a value comes from a plugin. */
bool axis_uses_plugin(const struct scenario_axis *a, const struct run_kind *x);

const char *axis_key_text(const struct scenario_value *v);

#endif
