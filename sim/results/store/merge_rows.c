/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Each source is read once, in the order of its primary key; the least key of all goes out next, so the new
   table is written from its beginning to its end. Time: rows times sources for finding the least, which is
   nothing beside what a row costs SQLite as long as sources are few. Memory: a small page cache for each. */
#include "store/merge_rows.h"

#include "base/mem.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

struct source {
    struct database db;
    const struct merge_source *from;
    sqlite3_stmt *rows;
    bool more;       /* `rows` stands on a row: key, replication */
    const char *key; /* SQLite's, until the next step */
    sqlite3_int64 replication;
};

struct rows {
    struct source *sources;
    size_t n;
    int n_columns; /* key, replication, parameters, metrics, error */
    bool *is_metric;
    char *last_key; /* what went out last */
    sqlite3_int64 last_replication;
    sqlite3_stmt *put;
};

enum { KEY, REPLICATION, FIRST_FIGURE };

/* --- reading --- */

static enum err_code advance(struct source *s, struct err *e)
{
    enum err_code code = sql_step(&s->db, s->rows, &s->more, e);
    if (code != ERR_NONE || !s->more)
        return code;
    s->key = (const char *)sqlite3_column_text(s->rows, KEY);
    s->replication = sqlite3_column_int64(s->rows, REPLICATION);
    return s->key != NULL ? code : err_set_at(e, ERR_IO, s->db.path, 0, "the database is damaged: a row has no key");
}

static enum err_code open_source(struct source *s, const struct merge_source *from, struct err *e)
{
    s->from = from;
    enum err_code code = sql_open_read(&s->db, from->path, e);
    if (code == ERR_NONE)
        code = sql_run(&s->db, "PRAGMA cache_size = -256", e);
    if (code == ERR_NONE)
        code = sql_prepare(&s->db, "SELECT * FROM results ORDER BY key, replication", &s->rows, e);
    return code == ERR_NONE ? advance(s, e) : code;
}

static int compare_keys(const struct source *a, const struct source *b)
{
    int order = strcmp(a->key, b->key);
    return order != 0 ? order : (a->replication > b->replication) - (a->replication < b->replication);
}

static struct source *find_least(const struct rows *r)
{
    struct source *least = NULL;
    for (struct source *s = r->sources; s < r->sources + r->n; s++)
        if (s->more && (least == NULL || compare_keys(s, least) < 0))
            least = s;
    return least;
}

/* --- two rows of one key --- */

static int error_column(const struct rows *r)
{
    return r->n_columns - 1;
}

static bool has_failed(const struct rows *r, const struct source *s)
{
    return sqlite3_column_type(s->rows, error_column(r)) != SQLITE_NULL;
}

static bool same_figure(const struct source *a, const struct source *b, int column)
{
    bool none_a = sqlite3_column_type(a->rows, column) == SQLITE_NULL;
    bool none_b = sqlite3_column_type(b->rows, column) == SQLITE_NULL;
    return none_a || none_b ? none_a == none_b
                            : sqlite3_column_double(a->rows, column) == sqlite3_column_double(b->rows, column);
}

/* The input that gave `s` the row it stands on: one with that key in which it has not failed. */
static const char *origin_of(const struct source *s)
{
    const char *found = s->from->inputs[0];
    bool row = false;
    for (size_t i = 0; !row && i < s->from->n_inputs; i++) {
        struct database db;
        sqlite3_stmt *q = NULL;
        if (sql_open_read(&db, s->from->inputs[i], NULL) == ERR_NONE &&
            sql_prepare(&db, "SELECT 1 FROM results WHERE key = ? AND replication = ? AND error IS NULL", &q, NULL) ==
                ERR_NONE) {
            sqlite3_bind_text(q, 1, s->key, -1, SQLITE_STATIC);
            sqlite3_bind_int64(q, 2, s->replication);
            sql_step(&db, q, &row, NULL);
        }
        sqlite3_finalize(q);
        sql_close(&db);
        if (row)
            found = s->from->inputs[i];
    }
    return found;
}

static const char *figure_of(const struct source *s, int column, char out[TEXT_NUMBER_SIZE])
{
    return sqlite3_column_type(s->rows, column) == SQLITE_NULL
               ? "none"
               : text_number(sqlite3_column_double(s->rows, column), out);
}

static enum err_code disagree(const struct source *a, const struct source *b, int column, struct err *e)
{
    char x[TEXT_NUMBER_SIZE], y[TEXT_NUMBER_SIZE];
    return err_set(e, ERR_INPUT, "%s and %s disagree on the result of key %s, replication %lld: %s is %s and %s",
                   origin_of(a), origin_of(b), a->key, (long long)a->replication, sqlite3_column_name(a->rows, column),
                   figure_of(a, column, x), figure_of(b, column, y));
}

static enum err_code check_agreement(const struct rows *r, const struct source *a, const struct source *b,
                                     struct err *e)
{
    for (int c = FIRST_FIGURE; c < error_column(r); c++)
        if (r->is_metric[c] && !same_figure(a, b, c))
            return disagree(a, b, c, e);
    return ERR_NONE;
}

/* Numbers are not looked at as text: SQLite would keep that form of them, with 15 digits. */
static int compare_values(const struct source *a, const struct source *b, int column)
{
    if (sqlite3_column_type(a->rows, column) == SQLITE_TEXT && sqlite3_column_type(b->rows, column) == SQLITE_TEXT)
        return strcmp((const char *)sqlite3_column_text(a->rows, column),
                      (const char *)sqlite3_column_text(b->rows, column));
    double x = sqlite3_column_double(a->rows, column), y = sqlite3_column_double(b->rows, column);
    return (x > y) - (x < y);
}

/* Of two rows of one key: one that worked before one that failed; else by what they say, first by the error.
   (They can differ in the names of files with the same content.) */
static bool is_better(const struct rows *r, const struct source *a, const struct source *b)
{
    if (has_failed(r, a) != has_failed(r, b))
        return has_failed(r, b);
    int order = compare_values(a, b, error_column(r));
    for (int c = FIRST_FIGURE; order == 0 && c < error_column(r); c++)
        order = compare_values(a, b, c);
    return order < 0;
}

/* Of all the rows with the key of `least`. */
static enum err_code find_best(const struct rows *r, struct source *least, struct source **best, struct err *e)
{
    enum err_code code = ERR_NONE;
    *best = least;
    for (struct source *s = least + 1; code == ERR_NONE && s < r->sources + r->n; s++) {
        if (!s->more || compare_keys(s, least) != 0)
            continue;
        if (!has_failed(r, s) && !has_failed(r, *best))
            code = check_agreement(r, *best, s, e);
        if (is_better(r, s, *best))
            *best = s;
    }
    return code;
}

/* --- writing --- */

/* Rows that do not come in order would make a table in which nothing is found. */
static enum err_code check_order(struct rows *r, const struct source *s, struct err *e)
{
    int order = r->last_key != NULL ? strcmp(r->last_key, s->key) : -1;
    if (order > 0 || (order == 0 && r->last_replication >= s->replication))
        return err_set_at(e, ERR_IO, s->db.path, 0, "the database is damaged: its rows are out of order");
    if (order != 0) {
        free(r->last_key);
        r->last_key = mem_strdup(s->key);
    }
    r->last_replication = s->replication;
    return ERR_NONE;
}

static enum err_code put_row(const struct rows *r, const struct database *out, const struct source *s, struct err *e)
{
    bool ignored;
    for (int c = 0; c < r->n_columns; c++)
        sqlite3_bind_value(r->put, c + 1, sqlite3_column_value(s->rows, c));
    enum err_code code = sql_step(out, r->put, &ignored, e);
    sqlite3_reset(r->put);
    return code;
}

/* All sources that stand on the key of `least` go on, `least`, whose key is compared with, as the last. */
static enum err_code pass_key(const struct rows *r, struct source *least, struct err *e)
{
    enum err_code code = ERR_NONE;
    for (struct source *s = least + 1; code == ERR_NONE && s < r->sources + r->n; s++)
        if (s->more && compare_keys(s, least) == 0)
            code = advance(s, e);
    return code == ERR_NONE ? advance(least, e) : code;
}

static enum err_code move_rows(struct rows *r, const struct database *out, uint64_t *n_rows, struct err *e)
{
    enum err_code code = ERR_NONE;
    struct source *least, *best;
    while (code == ERR_NONE && (least = find_least(r)) != NULL) {
        code = check_order(r, least, e);
        if (code == ERR_NONE)
            code = find_best(r, least, &best, e);
        if (code == ERR_NONE)
            code = put_row(r, out, best, e);
        if (code == ERR_NONE)
            code = pass_key(r, least, e);
        *n_rows += code == ERR_NONE;
    }
    return code;
}

/* --- the columns --- */

/* Metrics are the REAL columns that may be empty; parameters never are. */
static enum err_code find_metrics(struct rows *r, const struct database *out, struct err *e)
{
    sqlite3_stmt *q = NULL;
    bool row = false;
    enum err_code code =
        sql_prepare(out, "SELECT type = 'REAL' AND \"notnull\" = 0 FROM pragma_table_info('results')", &q, e);
    while (code == ERR_NONE && (code = sql_step(out, q, &row, e)) == ERR_NONE && row) {
        r->is_metric = mem_resize(r->is_metric, (size_t)r->n_columns + 1, sizeof *r->is_metric);
        r->is_metric[r->n_columns++] = sqlite3_column_int(q, 0) != 0;
    }
    sqlite3_finalize(q);
    return code;
}

static enum err_code prepare_put(struct rows *r, const struct database *out, struct err *e)
{
    struct text sql = {0};
    text_addf(&sql, "INSERT INTO results VALUES(?");
    for (int c = 1; c < r->n_columns; c++)
        text_addf(&sql, ", ?");
    text_addf(&sql, ")");
    enum err_code code = sql_prepare(out, text_str(&sql), &r->put, e);
    text_clear(&sql);
    return code;
}

static void rows_clear(struct rows *r)
{
    for (size_t i = 0; i < r->n; i++) {
        sqlite3_finalize(r->sources[i].rows);
        sql_close(&r->sources[i].db);
    }
    sqlite3_finalize(r->put);
    free(r->sources);
    free(r->is_metric);
    free(r->last_key);
}

enum err_code merge_rows(const struct database *out, const struct merge_source *sources, size_t n, uint64_t *n_rows,
                         struct err *e)
{
    struct rows r = {.sources = mem_zalloc(n, sizeof *r.sources), .n = n};
    *n_rows = 0;
    enum err_code code = find_metrics(&r, out, e);
    for (size_t i = 0; code == ERR_NONE && i < n; i++)
        code = open_source(&r.sources[i], &sources[i], e);
    if (code == ERR_NONE)
        code = prepare_put(&r, out, e);
    if (code == ERR_NONE)
        code = move_rows(&r, out, n_rows, e);
    rows_clear(&r);
    return code;
}
