/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The rows of several databases as one sorted stream into a new one. Internal to this folder: store_merge.c.
 */
#ifndef IASIM_STORE_MERGE_ROWS_H
#define IASIM_STORE_MERGE_ROWS_H

#include "store/store_sql.h"

#include <stddef.h>
#include <stdint.h>

/* A database to take rows from: an input, or what several neighbouring inputs have been united to. */
struct merge_source {
    char *path;
    const char *const *inputs; /* where its rows come from, for messages; borrowed */
    size_t n_inputs;
};

/* Into an empty table `results` with the columns of all sources. At most `MERGE_FAN_IN` sources. Errors:
   ERR_INPUT: two sources disagree on a result; ERR_IO: one cannot be read, or `out` not be written. */
enum { MERGE_FAN_IN = 64 };
enum err_code merge_rows(const struct database *out, const struct merge_source *sources, size_t n, uint64_t *n_rows,
                         struct err *e);

#endif
