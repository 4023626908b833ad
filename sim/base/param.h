/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Parameters with a name, a unit, a default and bounds, given as text: the parameters of a policy in
   `ia_multi[chunk=0.5]`, or those of an experiment in a scenario file or on the command line. One list describes them;
   the reader, the messages and `iasim list` all use it. */
#ifndef IASIM_BASE_PARAM_H
#define IASIM_BASE_PARAM_H

#include "base/api.h"
#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>

enum param_type { PARAM_NUMBER, PARAM_INTEGER, PARAM_CHOICE, PARAM_TEXT, PARAM_STEPS /* a number, or steps.h */ };

/* A list of parameters ends with an entry whose name is NULL. */
struct param {
    const char *name;
    enum param_type type;
    const char *unit;         /* "MB", "tasks", "" */
    const char *default_text; /* NULL: no default */
    double min, max;          /* numbers and steps: inclusive bounds */
    const char *choices;      /* PARAM_CHOICE: "on|off"; PARAM_STEPS: STEPS_LINEAR or STEPS_SHARE */
    const char *meaning;      /* one line */
};

struct param_set; /* values for one list of parameters; every value has been checked */

struct param_set *param_set_create(const struct param *params);
void param_set_free(struct param_set *ps);

/* Errors: ERR_INPUT for an unknown name (the known ones are listed), a value of the wrong type, out of bounds or
   not among the choices. `owner` is how the message names what has the parameters ("policy ia_multi"). */
enum err_code param_set_value(struct param_set *ps, const char *owner, const char *name, const char *value,
                              struct err *e);

bool param_is_known(const struct param_set *ps, const char *name); /* in its list of params */

/* Callers ask only for names from the list: an unknown name here is a bug, not an input error. */
IASIM_API bool param_has(const struct param_set *ps, const char *name); /* given, or has a default */
IASIM_API double param_number(const struct param_set *ps, const char *name);
IASIM_API long param_integer(const struct param_set *ps, const char *name);
IASIM_API const char *param_text(const struct param_set *ps, const char *name); /* NULL when absent */
IASIM_API bool param_is_on(const struct param_set *ps, const char *name);       /* the choice "on" */

struct steps;

/* The values of a list of numbers and steps, in its order, in fresh memory; NAN: absent, or steps. */
double *param_numbers(const struct param_set *ps, const struct param *params);
/* Likewise as steps, where a number is one for all sizes; all zero: absent. */
struct steps *param_steps(const struct param_set *ps, const struct param *params);

/* Whether this value of a parameter is a real number: one of PARAM_NUMBER, or of PARAM_STEPS without steps. */
bool param_is_number(const struct param *p, const char *value);

const struct param *param_find(const struct param *params, const char *name); /* NULL: not found */
size_t param_count(const struct param *params);                               /* NULL: 0 */

/* Splits "name" or "name[k=v,k=v]". A value may contain such a spec: its commas and brackets belong to it. Each piece
   is a fresh string; `values` holds n_values pairs of them. Errors: ERR_INPUT (unbalanced brackets, empty names, a
   parameter given twice). */
struct spec {
    char *name;
    char **keys, **values;
    size_t n;
};
enum err_code spec_parse(struct spec *s, const char *text, struct err *e);
void spec_clear(struct spec *s);

/* Sets all values of a spec in `ps`. */
enum err_code param_set_spec(struct param_set *ps, const char *owner, const struct spec *s, struct err *e);

#endif
