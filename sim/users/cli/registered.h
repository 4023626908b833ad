/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Everything that is registered, kind by kind, read off the lists that the program itself uses: for `iasim list`, for
   messages and for the completion of words. */
#ifndef IASIM_CLI_REGISTERED_H
#define IASIM_CLI_REGISTERED_H

#include "base/param.h"
#include "base/text.h"
#include "runs/run.h"

#include <stdbool.h>
#include <stddef.h>

struct registered {
    const char *name, *summary, *source;
    const struct param *params;   /* NULL: none */
    const char *role;             /* what of its kind it is for; NULL: there is one use only */
    const char *plugin;           /* where it comes from; NULL: from iasim */
    const struct metric *metrics; /* of experiments; NULL: none */
};

struct registered_kind {
    const char *name;
    bool (*entry)(size_t i, struct registered *out); /* of registered_entry; NULL: the files of the folder NAME */
    bool is_part;                                    /* of another kind: shown only when it is asked for */
};

extern const struct registered_kind registered_kinds[]; /* ends with a NULL name */

/* Fills the i-th; false after the last. */
bool registered_entry(const struct registered_kind *k, size_t i, struct registered *out);

/* A kind, or one role of it: "policies", "models:world", "generators:graph". The i-th; false after the last, and where
   there is no such kind. */
bool registered_find(const char *kind, size_t i, struct registered *out);

/* Adds their names, "a, b, c". */
void registered_add_names(const char *kind, struct text *t);

#endif
