/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The columns of the table `results`. Which ones are metrics follows from the schema alone, so results of a plugin's
   experiment can be compared without the plugin. */
#include "compare/compare_columns.h"
#include "base/mem.h"
#include "base/nearest.h"
#include "base/text.h"
#include "compare/compare_where.h"

#include <stdlib.h>
#include <string.h>

void compare_columns_clear(struct columns *s)
{
    for (size_t i = 0; i < s->n; i++)
        free(s->list[i].name);
    free(s->list);
}

/* Parameters are NOT NULL and metrics are not; neither is part of the primary key. */
enum err_code compare_columns_read(const struct database *db, struct columns *out, struct err *e)
{
    sqlite3_stmt *q = NULL;
    bool row = false;
    enum err_code code = sql_prepare(db,
                                     "SELECT name, \"notnull\", type = 'TEXT' FROM pragma_table_info('results') "
                                     "WHERE pk = 0 AND name <> 'error'",
                                     &q, e);
    while (code == ERR_NONE && (code = sql_step(db, q, &row, e)) == ERR_NONE && row) {
        MEM_GROW(out->list, out->n, out->capacity);
        out->list[out->n++] = (struct column){mem_strdup((const char *)sqlite3_column_text(q, 0)),
                                              !sqlite3_column_int(q, 1), sqlite3_column_int(q, 2)};
    }
    sqlite3_finalize(q);
    return code;
}

/* A metric and a parameter may have the same name. */
const struct column *compare_column(const struct columns *s, bool is_metric, const char *name)
{
    for (size_t i = 0; i < s->n; i++)
        if (s->list[i].is_metric == is_metric && strcmp(s->list[i].name, name) == 0)
            return &s->list[i];
    return NULL;
}

enum err_code compare_check_column(const struct database *db, const struct columns *s, bool is_metric, const char *name,
                                   struct err *e)
{
    struct text known = {0};
    if (compare_column(s, is_metric, name) != NULL)
        return ERR_NONE;
    for (size_t i = 0; i < s->n; i++)
        if (s->list[i].is_metric == is_metric)
            text_add_name(&known, s->list[i].name);
    enum err_code code = err_set_at(e, ERR_INPUT, db->path, 0, "has no %s '%s'%s", is_metric ? "metric" : "parameter",
                                    name, hint_among(name, text_str(&known), "experiment").text);
    text_clear(&known);
    return code;
}
