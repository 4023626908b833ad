/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The columns of a database of results: parameters and metrics. Internal to this folder. */
#ifndef IASIM_COMPARE_COMPARE_COLUMNS_H
#define IASIM_COMPARE_COMPARE_COLUMNS_H

#include "store/store_sql.h"

struct column {
    char *name;
    bool is_metric, is_text;
};

struct columns {
    struct column *list;
    size_t n, capacity;
};

enum err_code compare_columns_read(const struct database *db, struct columns *out, struct err *e);
void compare_columns_clear(struct columns *s);
const struct column *compare_column(const struct columns *s, bool is_metric, const char *name); /* NULL: none */
/* Errors: ERR_INPUT for a metric or parameter that the database does not have; the message lists those it has. */
enum err_code compare_check_column(const struct database *db, const struct columns *s, bool is_metric, const char *name,
                                   struct err *e);

#endif
