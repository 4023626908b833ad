/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "scenario/store.h"

#include "base/mem.h"
#include "base/text.h"
#include "scenario/store_sql.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct merge {
    struct database out; /* `path` is that of the temporary file */
    const char *const *inputs;
    size_t n_inputs;
    bool any_version;
    char *metrics; /* "m1","m2",... : the columns that make a result */
};

static enum err_code check_same(const struct database *a, const struct database *b, const char *name,
                                struct err *e)
{
    char *x = NULL, *y = NULL;
    enum err_code code = sql_meta(a, name, &x, e);
    if (code == ERR_NONE)
        code = sql_meta(b, name, &y, e);
    if (code == ERR_NONE && (x == NULL || y == NULL || strcmp(x, y) != 0))
        code = err_set(e, ERR_INPUT, "%s and %s are of different %s: '%s' and '%s'", a->path, b->path,
                       strcmp(name, "digest") == 0 ? "parameters or files of one scenario (digest)" : name,
                       x ? x : "", y ? y : "");
    free(x);
    free(y);
    return code;
}

static enum err_code open_input(struct database *db, const char *path, struct err *e)
{
    if (access(path, R_OK) != 0)
        return err_set_at(e, ERR_IO, path, 0, "cannot open: %s", strerror(errno));
    enum err_code code = sql_open(db, path, false, e);
    return code == ERR_NONE ? sql_check_ours(db, e) : code;
}

static enum err_code check_input(const struct merge *m, const char *path, struct err *e)
{
    static const char *const names[] = {"experiment", "scenario", "digest", "program"};
    size_t n = sizeof names / sizeof names[0] - (m->any_version ? 1 : 0);
    struct database first = {0}, this = {0};
    enum err_code code = open_input(&first, m->inputs[0], e);
    if (code == ERR_NONE)
        code = open_input(&this, path, e);
    for (size_t i = 0; code == ERR_NONE && i < n; i++)
        code = check_same(&first, &this, names[i], e);
    sql_close(&first);
    sql_close(&this);
    return code;
}

static enum err_code attach(const struct merge *m, const char *path, struct err *e)
{
    sqlite3_stmt *q = NULL;
    bool row;
    enum err_code code = sql_prepare(&m->out, "ATTACH ? AS part", &q, e);
    if (code == ERR_NONE) {
        sqlite3_bind_text(q, 1, path, -1, SQLITE_STATIC);
        code = sql_step(&m->out, q, &row, e);
    }
    sqlite3_finalize(q);
    return code;
}

/* The schema of the first input, word for word. */
static enum err_code copy_schema(struct merge *m, struct err *e)
{
    sqlite3_stmt *q = NULL;
    bool row = false;
    char *sql = NULL;
    enum err_code code = sql_prepare(
        &m->out, "SELECT group_concat(sql, ';') FROM part.sqlite_master WHERE sql IS NOT NULL", &q, e);
    if (code == ERR_NONE)
        code = sql_step(&m->out, q, &row, e);
    if (row && sqlite3_column_text(q, 0) != NULL)
        sql = mem_strdup((const char *)sqlite3_column_text(q, 0));
    sqlite3_finalize(q);
    if (code == ERR_NONE && sql != NULL)
        code = sql_run(&m->out, sql, e);
    if (code == ERR_NONE)
        code = sql_run(&m->out, "INSERT INTO main.meta SELECT * FROM part.meta", e);
    free(sql);
    return code;
}

/* Metrics are the REAL columns that may be empty; parameters never are. */
static enum err_code find_metrics(struct merge *m, struct err *e)
{
    struct text list = {0};
    sqlite3_stmt *q = NULL;
    bool row = false;
    enum err_code code = sql_prepare(&m->out,
                                     "SELECT name FROM pragma_table_info('results') WHERE type = 'REAL' AND "
                                     "\"notnull\" = 0",
                                     &q, e);
    while (code == ERR_NONE && (code = sql_step(&m->out, q, &row, e)) == ERR_NONE && row)
        text_addf(&list, "%s%s", list.size ? "\t" : "", (const char *)sqlite3_column_text(q, 0));
    sqlite3_finalize(q);
    m->metrics = mem_strdup(text_str(&list));
    text_clear(&list);
    return code;
}

static void add_difference(struct text *sql, const char *metrics)
{
    const char *at = metrics;
    text_addf(sql, "0");
    while (*at != '\0') {
        int n = (int)strcspn(at, "\t");
        text_addf(sql, " OR a.\"%.*s\" IS NOT b.\"%.*s\"", n, at, n, at);
        at += n + (at[n] == '\t');
    }
}

/* Which of the inputs before `part` the row came from. */
static const char *origin_of(const struct merge *m, size_t part, const char *key, long replication)
{
    for (size_t i = 0; i < part; i++) {
        struct database db;
        sqlite3_stmt *q = NULL;
        bool row = false;
        if (sql_open(&db, m->inputs[i], false, NULL) == ERR_NONE &&
            sql_prepare(&db, "SELECT 1 FROM results WHERE key = ? AND replication = ? AND error IS NULL", &q,
                        NULL) == ERR_NONE) {
            sqlite3_bind_text(q, 1, key, -1, SQLITE_STATIC);
            sqlite3_bind_int64(q, 2, replication);
            sql_step(&db, q, &row, NULL);
        }
        sqlite3_finalize(q);
        sql_close(&db);
        if (row)
            return m->inputs[i];
    }
    return m->inputs[0];
}

static enum err_code check_conflicts(const struct merge *m, size_t part, struct err *e)
{
    struct text sql = {0};
    sqlite3_stmt *q = NULL;
    bool row = false;
    text_addf(&sql,
              "SELECT a.key, a.replication FROM part.results b JOIN main.results a USING(key, replication) "
              "WHERE a.error IS NULL AND b.error IS NULL AND (");
    add_difference(&sql, m->metrics);
    text_addf(&sql, ") LIMIT 1");
    enum err_code code = sql_prepare(&m->out, text_str(&sql), &q, e);
    if (code == ERR_NONE)
        code = sql_step(&m->out, q, &row, e);
    if (row) {
        const char *key = (const char *)sqlite3_column_text(q, 0);
        long replication = (long)sqlite3_column_int64(q, 1);
        code = err_set(e, ERR_INPUT, "%s and %s disagree on the result of key %s, replication %ld",
                       origin_of(m, part, key, replication), m->inputs[part], key, replication);
    }
    sqlite3_finalize(q);
    text_clear(&sql);
    return code;
}

/* New rows come in; a row that failed gives way to one that worked, and of two failures the lesser text
   stays, so that the order of the inputs does not matter. */
static enum err_code take_rows(const struct merge *m, struct err *e)
{
    return sql_run(&m->out,
                   "INSERT OR REPLACE INTO main.results SELECT b.* FROM part.results b "
                   "LEFT JOIN main.results a USING(key, replication) WHERE a.key IS NULL OR "
                   "(a.error IS NOT NULL AND (b.error IS NULL OR b.error < a.error))",
                   e);
}

static enum err_code add_part(struct merge *m, size_t i, struct err *e)
{
    struct err found = {0};
    enum err_code code = check_input(m, m->inputs[i], e);
    if (code != ERR_NONE)
        return code;
    code = attach(m, m->inputs[i], &found);
    if (code == ERR_NONE)
        code = sql_run(&m->out, "BEGIN", &found);
    if (code == ERR_NONE && i == 0)
        code = copy_schema(m, &found);
    if (code == ERR_NONE && i == 0)
        code = find_metrics(m, &found);
    if (code == ERR_NONE)
        code = check_conflicts(m, i, &found);
    if (code == ERR_NONE)
        code = take_rows(m, &found);
    if (code == ERR_NONE)
        code = sql_run(&m->out, "COMMIT; DETACH part", &found);
    if (code != ERR_NONE && code != ERR_INPUT)
        return err_set_at(e, code, m->inputs[i], 0, "%s", found.text);
    return code == ERR_NONE ? code : err_set(e, code, "%s", found.text);
}

static enum err_code count_rows(const struct merge *m, uint64_t *n, struct err *e)
{
    sqlite3_stmt *q = NULL;
    bool row = false;
    enum err_code code = sql_prepare(&m->out, "SELECT count(*) FROM results", &q, e);
    if (code == ERR_NONE)
        code = sql_step(&m->out, q, &row, e);
    *n = row ? (uint64_t)sqlite3_column_int64(q, 0) : 0;
    sqlite3_finalize(q);
    return code;
}

static enum err_code merge_into(struct merge *m, const char *temporary, uint64_t *n_rows, struct err *e)
{
    enum err_code code = sql_open(&m->out, temporary, true, e);
    if (code == ERR_NONE) /* nobody sees it before it is whole */
        code = sql_run(&m->out, "PRAGMA journal_mode = OFF", e);
    for (size_t i = 0; code == ERR_NONE && i < m->n_inputs; i++)
        code = add_part(m, i, e);
    if (code == ERR_NONE)
        code = count_rows(m, n_rows, e);
    sql_close(&m->out);
    return code;
}

enum err_code store_merge(const char *out, const char *const *inputs, size_t n_inputs, bool any_version,
                          uint64_t *n_rows, struct err *e)
{
    struct merge m = {.inputs = inputs, .n_inputs = n_inputs, .any_version = any_version};
    if (access(out, F_OK) == 0)
        return err_set_at(e, ERR_INPUT, out, 0, "exists already; merging makes a new database");
    char *temporary = mem_format("%s.part-%ld", out, (long)getpid());
    enum err_code code = merge_into(&m, temporary, n_rows, e);
    if (code == ERR_NONE && rename(temporary, out) != 0)
        code = err_set_at(e, ERR_IO, out, 0, "cannot write: %s", strerror(errno));
    if (code != ERR_NONE)
        unlink(temporary);
    free(temporary);
    free(m.metrics);
    return code;
}
