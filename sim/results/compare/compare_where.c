/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Which rows of a database are compared. A condition is a value or a range, and each becomes `name BETWEEN ? AND ?`;
   conditions on one name are alternatives. Values are bound, never spliced into the SQL. */
#include "compare/compare_where.h"
#include "base/mem.h"
#include "base/nearest.h"
#include "compare/value_list.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static enum err_code add_conditions(struct where *w, const char *given, struct err *e)
{
    const char *equals = strchr(given, '='), *end;
    if (equals == NULL || equals == given)
        return err_set(e, ERR_INPUT, "--where '%s' is not of the form name=value", given);
    for (const char *at = equals + 1; at != NULL; at = *end != '\0' ? end + 1 : NULL) {
        end = text_item_end(at);
        w->list = mem_resize(w->list, w->n + 1, sizeof *w->list);
        w->list[w->n++] = (struct condition){.name = mem_format("%.*s", (int)(equals - given), given),
                                             .value = mem_format("%.*s", (int)(end - at), at)};
    }
    return ERR_NONE;
}

enum err_code compare_where_read(const struct compare_query *q, struct where *out, struct err *e)
{
    enum err_code code = ERR_NONE;
    for (size_t i = 0; code == ERR_NONE && i < q->n_wheres; i++)
        code = add_conditions(out, q->wheres[i], e);
    return code;
}

void compare_where_clear(struct where *w)
{
    for (size_t i = 0; i < w->n; i++) {
        free(w->list[i].name);
        free(w->list[i].value);
    }
    free(w->list);
    *w = (struct where){0};
}

/* --- SQL --- */

void compare_add_name(struct text *sql, const char *name)
{
    text_add(sql, "\"", 1);
    for (; *name != '\0'; name++)
        text_addf(sql, *name == '"' ? "\"\"" : "%c", *name);
    text_add(sql, "\"", 1);
}

static bool is_first_of_name(const struct where *w, size_t i)
{
    for (size_t k = 0; k < i; k++)
        if (strcmp(w->list[k].name, w->list[i].name) == 0)
            return false;
    return true;
}

static void add_between(struct text *sql, const struct condition *c, size_t number)
{
    compare_add_name(sql, c->name);
    text_addf(sql, " BETWEEN ?%zu AND ?%zu", 2 * number + 1, 2 * number + 2);
}

void compare_where_add(const struct where *w, struct text *sql)
{
    const char *glue = " WHERE ";
    for (size_t i = 0; i < w->n; i++) {
        if (!is_first_of_name(w, i))
            continue;
        text_addf(sql, "%s(", glue);
        add_between(sql, &w->list[i], i);
        for (size_t k = i + 1; k < w->n; k++)
            if (strcmp(w->list[k].name, w->list[i].name) == 0) {
                text_addf(sql, " OR ");
                add_between(sql, &w->list[k], k);
            }
        text_addf(sql, ")");
        glue = " AND ";
    }
}

/* "5" is the range from 5 to 5; "5:7", "5:" and ":7" include their ends. */
static bool read_range(const char *value, double *low, double *high)
{
    const char *colon = strchr(value, ':');
    if (colon == NULL) {
        bool is_number = text_to_double(value, low);
        *high = *low;
        return is_number;
    }
    char *first = mem_format("%.*s", (int)(colon - value), value);
    bool is_range = first[0] != '\0' || colon[1] != '\0';
    *low = -INFINITY;
    *high = INFINITY;
    is_range = is_range && (first[0] == '\0' || text_to_double(first, low));
    is_range = is_range && (colon[1] == '\0' || text_to_double(colon + 1, high)) && *low <= *high;
    free(first);
    return is_range;
}

static bool bind(const struct condition *c, bool is_text, sqlite3_stmt *q, int first)
{
    double low = 0, high = 0;
    if (is_text) {
        sqlite3_bind_text(q, first, c->value, -1, SQLITE_STATIC);
        sqlite3_bind_text(q, first + 1, c->value, -1, SQLITE_STATIC);
        return true;
    }
    if (!read_range(c->value, &low, &high))
        return false;
    sqlite3_bind_double(q, first, low);
    sqlite3_bind_double(q, first + 1, high);
    return true;
}

static bool is_text(const struct columns *columns, const struct condition *c)
{
    const struct column *column = compare_column(columns, false, c->name);
    return column != NULL && column->is_text;
}

void compare_where_bind(const struct where *w, const struct columns *columns, sqlite3_stmt *q)
{
    for (size_t i = 0; i < w->n; i++)
        bind(&w->list[i], is_text(columns, &w->list[i]), q, 2 * (int)i + 1);
}

/* --- whether there are such rows --- */

static enum err_code say_known_values(const struct database *db, const struct condition *c, struct err *e)
{
    struct text sql = {0}, known = {0};
    struct value_list values;
    sqlite3_stmt *q = NULL;
    bool row = false;
    value_list_init(&values, "");
    text_addf(&sql, "SELECT DISTINCT ");
    compare_add_name(&sql, c->name);
    text_addf(&sql, " FROM results ORDER BY 1 LIMIT %d", COMPARE_SHOWN_VALUES + 1);
    enum err_code code = sql_prepare(db, text_str(&sql), &q, e);
    while (code == ERR_NONE && (code = sql_step(db, q, &row, e)) == ERR_NONE && row)
        value_list_add(&values, q, 0);
    sqlite3_finalize(q);
    for (size_t i = 0; i < values.n_values && i < COMPARE_SHOWN_VALUES; i++)
        text_add_name(&known, values.values[i].text);
    if (values.n_values > COMPARE_SHOWN_VALUES)
        text_add_name(&known, "..");
    if (code == ERR_NONE)
        code = err_set_at(e, ERR_INPUT, db->path, 0, "has no results with %s '%s'%s", c->name, c->value,
                          hint_among(c->value, text_str(&known), NULL).text);
    value_list_clear(&values);
    text_clear(&sql);
    text_clear(&known);
    return code;
}

static enum err_code look_for(struct condition *c, const struct database *db, const struct columns *columns,
                              struct err *e)
{
    struct text sql = {0};
    sqlite3_stmt *q = NULL;
    bool row = false;
    text_addf(&sql, "SELECT 1 FROM results WHERE ");
    add_between(&sql, c, 0);
    text_addf(&sql, " LIMIT 1");
    enum err_code code = sql_prepare(db, text_str(&sql), &q, e);
    if (code == ERR_NONE && !bind(c, is_text(columns, c), q, 1))
        code = err_set(e, ERR_INPUT, "--where %s=%s: '%s' is neither a number nor a range low:high", c->name, c->value,
                       c->value);
    if (code == ERR_NONE)
        code = sql_step(db, q, &row, e);
    sqlite3_finalize(q);
    text_clear(&sql);
    c->seen = c->seen || row;
    return code;
}

enum err_code compare_where_check(struct where *w, const struct database *db, const struct columns *columns,
                                  bool is_last, struct err *e)
{
    enum err_code code = ERR_NONE;
    for (size_t i = 0; code == ERR_NONE && i < w->n; i++) {
        struct condition *c = &w->list[i];
        if (strcmp(c->name, "replication") != 0)
            code = compare_check_column(db, columns, false, c->name, e);
        if (code == ERR_NONE)
            code = look_for(c, db, columns, e);
        if (code == ERR_NONE && is_last && !c->seen)
            code = say_known_values(db, c, e);
    }
    return code;
}
