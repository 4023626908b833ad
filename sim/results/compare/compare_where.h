/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Which rows are compared: the conditions of --where. Internal to this folder. */
#ifndef IASIM_COMPARE_COMPARE_WHERE_H
#define IASIM_COMPARE_COMPARE_WHERE_H

#include "base/text.h"
#include "compare/compare.h"
#include "compare/compare_columns.h"
#include "compare/value_list.h"

/* A value, or a range of numbers, that --where asks for. */
struct condition {
    char *name, *value;
    bool is_text; /* else a number is from `low` to `high` */
    double low, high;
    bool is_met, seen;       /* by the last row; by any */
    struct value_list found; /* in all rows */
};
struct where {
    struct condition *list;
    size_t n;
};

/* "ccr=0.1,1" "tasks=10:100". Errors: ERR_INPUT for anything else. */
enum err_code compare_where_read(const struct compare_query *q, struct where *out, struct err *e);
void compare_where_clear(struct where *w);
/* Errors: ERR_INPUT for a parameter that this database does not have, and for a value of a numeric one that is neither
   a number nor a range. */
enum err_code compare_where_check(struct where *w, const struct database *db, const struct columns *columns,
                                  struct err *e);
void compare_where_add(const struct where *w, struct text *sql); /* the columns that `meets` needs, ", a, b" */
/* Whether a row meets one of the conditions on each name; their columns begin with `first`. */
bool compare_where_meets(struct where *w, sqlite3_stmt *q, int first);
/* After all rows. Errors: ERR_INPUT for a condition that none has met; the message lists values that there are. */
enum err_code compare_where_check_seen(struct where *w, const char *path, struct err *e);

void compare_add_name(struct text *sql, const char *name); /* quoted for SQL */

#endif
