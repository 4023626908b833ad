/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The way back from a row to a point. Values are compared as text in their canonical form, since keys and axes are
   made from text; a column of numbers is therefore written out as axes write numbers. */
#include "store/places.h"

#include "base/mem.h"
#include "base/name_index.h"
#include "base/text.h"
#include "scenario/turn.h"

#include <stdlib.h>
#include <string.h>

/* An index for each axis, because an axis may have a million values and a database as many rows. */
struct places {
    const struct scenario *s;
    struct name_index **of_axes; /* [axis]: from a value's text to its place */
};

struct places *places_create(const struct scenario *s)
{
    struct places *p = mem_zalloc(1, sizeof *p);
    *p = (struct places){s, mem_zalloc(s->n_axes, sizeof *p->of_axes)};
    for (size_t i = 0; i < s->n_axes; i++) {
        p->of_axes[i] = name_index_create();
        for (size_t v = 0; v < s->axes[i].n_values; v++)
            name_index_add(p->of_axes[i], s->axes[i].values[v].text, (int)v);
    }
    return p;
}

void places_free(struct places *p)
{
    if (p == NULL)
        return;
    for (size_t i = 0; i < p->s->n_axes; i++)
        name_index_free(p->of_axes[i]);
    free(p->of_axes);
    free(p);
}

/* A value in the form that axes have it in. */
static const char *text_of(const struct param *p, sqlite3_stmt *q, int column, char number[TEXT_NUMBER_SIZE])
{
    /* Steps are text in a column of numbers; SQLite keeps what cannot be a number as it is. */
    bool may_be_number = p->type == PARAM_NUMBER || p->type == PARAM_STEPS;
    if (may_be_number && sqlite3_column_type(q, column) != SQLITE_TEXT)
        return text_number_short(sqlite3_column_double(q, column), number);
    const char *text = (const char *)sqlite3_column_text(q, column);
    return text != NULL ? text : "";
}

size_t places_find(const struct places *p, size_t axis, sqlite3_stmt *q, int column)
{
    char number[TEXT_NUMBER_SIZE];
    int place = name_index_find(p->of_axes[axis], text_of(p->s->axes[axis].param, q, column, number));
    return place >= 0 ? (size_t)place : p->s->axes[axis].n_values;
}

/* --- whether rows belong to a scenario --- */

enum { KEY, REPLICATION, FIRST_AXIS }; /* columns */

struct check {
    const struct database *db;
    const struct scenario *s;
    const char *way_out;
    struct places *places;
};

static enum err_code refuse(const struct check *c, const char *name, const char *value, struct err *e)
{
    return err_set_at(e, ERR_INPUT, c->db->path, 0,
                      "was made for other parameters or files than scenario %s has now: it holds runs with %s=%s; %s",
                      c->s->name, name, value, c->way_out);
}

static enum err_code check_row(const struct check *c, sqlite3_stmt *q, struct err *e)
{
    char number[TEXT_NUMBER_SIZE], key[DIGEST_HEX_SIZE];
    uint64_t point = 0;
    for (size_t i = 0; i < c->s->n_axes; i++) {
        const struct scenario_axis *a = &c->s->axes[i];
        int column = FIRST_AXIS + (int)i;
        size_t place = places_find(c->places, i, q, column);
        if (place == a->n_values)
            return refuse(c, a->param->name, text_of(a->param, q, column, number), e);
        /* The axes as digits of the point's number, as in turn.c. */
        point = point * a->n_values + place;
    }
    /* Replications need not be all there; more than the scenario has are of another one. */
    if (sqlite3_column_int64(q, REPLICATION) > c->s->n_replications)
        return refuse(c, "replication", (const char *)sqlite3_column_text(q, REPLICATION), e);
    /* Parameters may agree and the key not: it also knows the seed, and the content of files and plugins. */
    turn_key(c->s, point, key);
    if (strcmp(key, (const char *)sqlite3_column_text(q, KEY)) == 0)
        return ERR_NONE;
    return err_set_at(e, ERR_INPUT, c->db->path, 0,
                      "was made for other parameters or files than scenario %s has now: its runs had another seed, or "
                      "files or plugins that have changed since; %s",
                      c->s->name, c->way_out);
}

/* Optional parameters have a column only in a database whose scenario gives them. */
static enum err_code check_columns(const struct check *c, struct err *e)
{
    sqlite3_stmt *q = NULL;
    bool has_column = false;
    enum err_code code = sql_prepare(c->db, "SELECT 1 FROM pragma_table_info('results') WHERE name = ?", &q, e);
    for (const struct param *p = run_params(c->s->experiment); code == ERR_NONE && p->name != NULL; p++) {
        sqlite3_reset(q);
        sqlite3_bind_text(q, 1, p->name, -1, SQLITE_STATIC);
        code = sql_step(c->db, q, &has_column, e);
        /* Either way round: a column too few is a parameter that was not given then, a column too many one that is
           not given now. */
        if (code == ERR_NONE && has_column != (scenario_axis(c->s, p->name) != NULL))
            code = err_set_at(e, ERR_INPUT, c->db->path, 0,
                              "was made with%s the parameter %s, scenario %s now %s it; %s", has_column ? "" : "out",
                              p->name, c->s->name, has_column ? "does not give" : "gives", c->way_out);
    }
    sqlite3_finalize(q);
    return code;
}

enum err_code places_check_rows(const struct database *db, const struct scenario *s, const char *way_out, struct err *e)
{
    const struct check c = {db, s, way_out, places_create(s)};
    struct text sql = {0};
    sqlite3_stmt *q = NULL;
    bool row = false;
    /* The columns first: the query below names them. */
    enum err_code code = check_columns(&c, e);
    text_addf(&sql, "SELECT key, replication");
    for (size_t i = 0; i < s->n_axes; i++)
        text_addf(&sql, ", \"%s\"", s->axes[i].param->name);
    text_addf(&sql, " FROM results ORDER BY key, replication");
    if (code == ERR_NONE)
        code = sql_prepare(db, text_str(&sql), &q, e);
    while (code == ERR_NONE && (code = sql_step(db, q, &row, e)) == ERR_NONE && row)
        code = check_row(&c, q, e);
    sqlite3_finalize(q);
    text_clear(&sql);
    places_free(c.places);
    return code;
}
