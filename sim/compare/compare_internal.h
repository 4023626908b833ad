/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Between the files of compare.h. Internal to this folder. */
#ifndef IASIM_COMPARE_COMPARE_INTERNAL_H
#define IASIM_COMPARE_COMPARE_INTERNAL_H

#include "base/text.h"
#include "compare/compare.h"
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
/* Errors: ERR_INPUT for a metric or parameter that the database does not have, with those it has. */
enum err_code compare_check_column(const struct database *db, const struct columns *s, bool is_metric, const char *name,
                                   struct err *e);

/* One of the values, or ranges of numbers, that --where asks for. */
struct condition {
    char *name, *value;
    bool seen; /* by compare_where_check: a row of some database meets it */
};
struct where {
    struct condition *list;
    size_t n;
};

/* "ccr=0.1,1" "tasks=10:100". Errors: ERR_INPUT for what is not of that form. */
enum err_code compare_where_read(const struct compare_query *q, struct where *out, struct err *e);
void compare_where_clear(struct where *w);
/* Looks for rows that meet the conditions. Errors: ERR_INPUT for an unknown parameter and for what is not a number or a
   range; in the last database also for a condition that no row of any database meets. */
enum err_code compare_where_check(struct where *w, const struct database *db, const struct columns *columns,
                                  bool is_last, struct err *e);
/* " WHERE ..", and its values; after a check. */
void compare_where_add(const struct where *w, struct text *sql);
void compare_where_bind(const struct where *w, const struct columns *columns, sqlite3_stmt *q);

void compare_add_name(struct text *sql, const char *name); /* quoted */

/* Rows as they were read, at least one, into the order of struct compare_data. Errors: ERR_INPUT for two rows of one
   variant and case. */
enum err_code compare_group(const struct compare_query *q, struct compare_data *d, struct err *e);

enum { COMPARE_SHOWN_VALUES = 20 }; /* in messages */

#endif
