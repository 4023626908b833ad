/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Which rows are compared: the conditions of --where, checked against a database and put into SQL. Internal to this
   folder. */
#ifndef IASIM_COMPARE_COMPARE_WHERE_H
#define IASIM_COMPARE_COMPARE_WHERE_H

#include "base/text.h"
#include "compare/compare.h"
#include "compare/compare_columns.h"

/* A value, or a range of numbers, that --where asks for. */
struct condition {
    char *name, *value;
    bool seen; /* set by compare_where_check: a row of some database meets it */
};
struct where {
    struct condition *list;
    size_t n;
};

/* "ccr=0.1,1" "tasks=10:100". Errors: ERR_INPUT for anything else. */
enum err_code compare_where_read(const struct compare_query *q, struct where *out, struct err *e);
void compare_where_clear(struct where *w);
/* Looks for rows that meet the conditions. Errors: ERR_INPUT for an unknown parameter, and for a value of a numeric
   parameter that is neither a number nor a range; in the last database also for a condition that no row of any database
   meets. */
enum err_code compare_where_check(struct where *w, const struct database *db, const struct columns *columns,
                                  bool is_last, struct err *e);
/* Adds " WHERE .." and binds its values; call compare_where_check first. */
void compare_where_add(const struct where *w, struct text *sql);
void compare_where_bind(const struct where *w, const struct columns *columns, sqlite3_stmt *q);

void compare_add_name(struct text *sql, const char *name); /* quoted for SQL */

#endif
