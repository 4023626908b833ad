/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Which rows of a database are compared. A condition is a value or a range; conditions on one name are alternatives.
   Every row is looked at, so that what is asked for in vain can be said together with what is there. */
#include "compare/compare_where.h"
#include "base/mem.h"
#include "base/nearest.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static enum err_code add_conditions(struct where *w, const char *given, struct err *e)
{
    const char *equals = strchr(given, '='), *end;
    if (equals == NULL || equals == given)
        return err_set(e, ERR_INPUT, "--where '%s' is not of the form name=value", given);
    /* Each value of a list is a condition of its own. */
    for (const char *at = equals + 1; at != NULL; at = *end != '\0' ? end + 1 : NULL) {
        end = text_item_end(at);
        w->list = mem_resize(w->list, w->n + 1, sizeof *w->list);
        w->list[w->n++] = (struct condition){.name = mem_format("%.*s", (int)(equals - given), given),
                                             .value = mem_format("%.*s", (int)(end - at), at)};
        value_list_init(&w->list[w->n - 1].found, "");
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
        value_list_clear(&w->list[i].found);
    }
    free(w->list);
    *w = (struct where){0};
}

/* A name is quoted, since plugins' parameters may be words of SQL. */
void compare_add_name(struct text *sql, const char *name)
{
    text_add(sql, "\"", 1);
    for (; *name != '\0'; name++)
        text_addf(sql, *name == '"' ? "\"\"" : "%c", *name);
    text_add(sql, "\"", 1);
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
    /* An end that is not given is open. */
    *low = -INFINITY;
    *high = INFINITY;
    is_range = is_range && (first[0] == '\0' || text_to_double(first, low));
    is_range = is_range && (colon[1] == '\0' || text_to_double(colon + 1, high)) && *low <= *high;
    free(first);
    return is_range;
}

enum err_code compare_where_check(struct where *w, const struct database *db, const struct columns *columns,
                                  struct err *e)
{
    for (struct condition *c = w->list; c < w->list + w->n; c++) {
        const struct column *column = compare_column(columns, false, c->name);
        enum err_code code = ERR_NONE;
        /* `replication` is a column of every database, but not a parameter. */
        if (column == NULL && strcmp(c->name, "replication") != 0)
            code = compare_check_column(db, columns, false, c->name, e);
        /* A value of a text is compared as it is: "5" may be the name of a host. */
        c->is_text = column != NULL && column->is_text;
        if (code == ERR_NONE && !c->is_text && !read_range(c->value, &c->low, &c->high))
            code = err_set(e, ERR_INPUT, "--where %s=%s: '%s' is neither a number nor a range low:high", c->name,
                           c->value, c->value);
        if (code != ERR_NONE)
            return code;
    }
    return ERR_NONE;
}

void compare_where_add(const struct where *w, struct text *sql)
{
    for (size_t i = 0; i < w->n; i++) {
        text_addf(sql, ", ");
        compare_add_name(sql, w->list[i].name);
    }
}

/* Kinds must agree: a column of numbers may hold text (steps), which no range contains. */
static bool is_met(const struct condition *c, const struct value *v)
{
    return c->is_text ? !v->is_number && strcmp(v->text, c->value) == 0
                      : v->is_number && v->number >= c->low && v->number <= c->high;
}

bool compare_where_meets(struct where *w, sqlite3_stmt *q, int first)
{
    bool meets = true;
    for (size_t i = 0; i < w->n; i++) {
        struct condition *c = &w->list[i];
        /* All values of the column are collected, for the message about one that nobody has. */
        uint32_t value = value_list_add(&c->found, q, first + (int)i);
        c->is_met = is_met(c, &c->found.values[value]);
        c->seen = c->seen || c->is_met;
    }
    /* For each name at least one of its conditions must be met: alternatives within a name, all names together. */
    for (size_t i = 0; i < w->n; i++) {
        bool any = false;
        for (size_t k = 0; k < w->n; k++)
            any = any || (w->list[k].is_met && strcmp(w->list[k].name, w->list[i].name) == 0);
        meets = meets && any;
    }
    return meets;
}

enum err_code compare_where_check_seen(struct where *w, const char *path, struct err *e)
{
    struct condition *c = w->list, *end = w->list + w->n;
    struct text known = {0};
    while (c < end && c->seen)
        c++;
    if (c == end)
        return ERR_NONE;
    /* Sorted for the message; the numbers are not needed any more. */
    free(value_list_sort(&c->found));
    value_list_add_known(&c->found, &known);
    err_set_at(e, ERR_INPUT, path, 0, "has no results with %s '%s'%s", c->name, c->value,
               hint_among(c->value, text_str(&known), NULL).text);
    text_clear(&known);
    return ERR_INPUT;
}
