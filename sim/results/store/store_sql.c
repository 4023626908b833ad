/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SQLite's failures as our errors, with the path in front and in words that say what to do. */
#include "store/store_sql.h"

#include "base/mem.h"
#include "base/new_file.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATIENCE_MS = 5000 }; /* for a lock that another program holds */

/* To become readable the database would have to be written first, which a reader must not do. */
bool sql_is_torn(const struct database *db)
{
    int code = sqlite3_extended_errcode(db->handle);
    return code == SQLITE_READONLY_ROLLBACK || code == SQLITE_READONLY_RECOVERY || code == SQLITE_READONLY_CANTINIT;
}

enum err_code sql_failed(const struct database *db, struct err *e)
{
    /* Taken before anything else asks SQLite: the next call would change it. */
    int reason = sqlite3_system_errno(db->handle);
    if (sql_is_torn(db))
        return err_set_at(e, ERR_IO, db->path, 0,
                          "a run was killed while it wrote to this database; --resume repairs it");
    switch (sqlite3_errcode(db->handle)) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return err_set_at(e, ERR_IO, db->path, 0, "the database is locked by another program");
    case SQLITE_CORRUPT:
        return err_set_at(e, ERR_IO, db->path, 0, "the database is damaged: %s", sqlite3_errmsg(db->handle));
    case SQLITE_NOTADB:
        return err_set_at(e, ERR_IO, db->path, 0, "not a database, or a damaged one: %s", sqlite3_errmsg(db->handle));
    case SQLITE_FULL:
        return err_set_at(e, ERR_FULL, db->path, 0, "cannot write: the disk is full; what was stored is kept");
    default:
        return err_set_at(e, err_of_errno(reason), db->path, 0, "%s%s%s; what was stored is kept",
                          sqlite3_errmsg(db->handle), reason ? ": " : "", reason ? strerror(reason) : "");
    }
}

enum err_code sql_check_file(const char *path, struct err *e)
{
    struct stat s;
    /* What is not there passes: SQLite creates it, or says that it cannot. */
    if (stat(path, &s) != 0 || S_ISREG(s.st_mode))
        return ERR_NONE;
    return err_set_at(e, ERR_IO, path, 0, "is %s, not a database",
                      S_ISDIR(s.st_mode) ? "a folder" : "a device or pipe");
}

/* --- a file that becomes shorter under us --- */

/* SQLite maps NAME-shm into memory. Where another program cuts that file off, the next look at it is a SIGBUS. The
   message must be there before, because a signal handler may only write it. */
static char truncated_words[512];
static pid_t owner;

static void on_sigbus(int number)
{
    if (getpid() != owner) { /* a worker, in which this is a crash like any other */
        signal(number, SIG_DFL);
        return;
    }
    (void)!write(STDERR_FILENO, truncated_words, strlen(truncated_words));
    _exit(err_exit_status(ERR_INTERNAL));
}

static void expect_truncation(const char *path)
{
    /* Made here, because a signal handler may not format text. Of several databases the last one opened is named. */
    snprintf(
        truncated_words, sizeof truncated_words,
        "iasim: %.400s-shm was truncated by another program while the database was open; what was stored is kept\n",
        path);
    owner = getpid();
    sigaction(SIGBUS, &(struct sigaction){.sa_handler = on_sigbus}, NULL);
}

static enum err_code open_with(struct database *db, const char *path, int flags, struct err *e)
{
    *db = (struct database){.path = path};
    enum err_code code = sql_check_file(path, e);
    if (code != ERR_NONE)
        return code;
    /* Before SQLite maps the first page. */
    expect_truncation(path);
    char *file =
        mem_format("%s%s", path[0] == '/' ? "" : "./", path); /* so that ":memory:" and "file:x" are plain names */
    int result = sqlite3_open_v2(file, &db->handle, flags, NULL);
    free(file);
    if (db->handle == NULL)
        return err_set_at(e, ERR_IO, path, 0, "SQLite is out of memory");
    if (result == SQLITE_OK) {
        /* Another process may hold a lock for the time of a commit. */
        sqlite3_busy_timeout(db->handle, PATIENCE_MS);
        return ERR_NONE;
    }
    int reason = sqlite3_system_errno(db->handle);
    code = result == SQLITE_CANTOPEN && reason != 0
               ? err_set_at(e, ERR_IO, path, 0, "cannot open: %s", strerror(reason))
               : sql_failed(db, e);
    sql_close(db);
    return code;
}

enum err_code sql_open(struct database *db, const char *path, bool create, struct err *e)
{
    return open_with(db, path, SQLITE_OPEN_READWRITE | (create ? SQLITE_OPEN_CREATE : 0), e);
}

enum err_code sql_open_uris(struct database *db, const char *path, struct err *e)
{
    return open_with(db, path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_URI, e);
}

enum err_code sql_open_read(struct database *db, const char *path, struct err *e)
{
    return open_with(db, path, SQLITE_OPEN_READONLY, e);
}

void sql_close(struct database *db)
{
    /* Allowed for NULL: closing what was not opened does nothing. */
    sqlite3_close(db->handle);
    db->handle = NULL;
}

enum err_code sql_run(const struct database *db, const char *statements, struct err *e)
{
    return sqlite3_exec(db->handle, statements, NULL, NULL, NULL) == SQLITE_OK ? ERR_NONE : sql_failed(db, e);
}

enum err_code sql_prepare(const struct database *db, const char *statement, sqlite3_stmt **out, struct err *e)
{
    return sqlite3_prepare_v2(db->handle, statement, -1, out, NULL) == SQLITE_OK ? ERR_NONE : sql_failed(db, e);
}

enum err_code sql_step(const struct database *db, sqlite3_stmt *statement, bool *row, struct err *e)
{
    int result = sqlite3_step(statement);
    *row = result == SQLITE_ROW;
    return result == SQLITE_ROW || result == SQLITE_DONE ? ERR_NONE : sql_failed(db, e);
}

enum err_code sql_ask(const struct database *db, const char *statement, const char *first, const char *second,
                      char **out, struct err *e)
{
    sqlite3_stmt *q = NULL;
    bool row = false;
    if (out != NULL)
        *out = NULL;
    enum err_code code = sql_prepare(db, statement, &q, e);
    /* After a failed prepare there is no statement: binding is then refused and does no harm. */
    if (first != NULL)
        sqlite3_bind_text(q, 1, first, -1, SQLITE_STATIC);
    if (second != NULL)
        sqlite3_bind_text(q, 2, second, -1, SQLITE_STATIC);
    if (code == ERR_NONE)
        code = sql_step(db, q, &row, e);
    /* Copied: the text belongs to the statement. */
    if (row && out != NULL && sqlite3_column_text(q, 0) != NULL)
        *out = mem_strdup((const char *)sqlite3_column_text(q, 0));
    sqlite3_finalize(q);
    return code;
}

enum err_code sql_count(const struct database *db, const char *query, uint64_t *out, struct err *e)
{
    char *text;
    enum err_code code = sql_ask(db, query, NULL, NULL, &text, e);
    *out = text != NULL ? strtoull(text, NULL, 10) : 0;
    free(text);
    return code;
}

enum err_code sql_count_runs(const struct database *db, uint64_t *n_done, uint64_t *n_failed, struct err *e)
{
    char *both;
    /* Both in one query, so that they are counts of one moment. */
    enum err_code code =
        sql_ask(db, "SELECT (count(*) - count(error)) || ' ' || count(error) FROM results", NULL, NULL, &both, e);
    *n_done = *n_failed = 0;
    if (both != NULL)
        sscanf(both, "%" SCNu64 " %" SCNu64, n_done, n_failed);
    free(both);
    return code;
}

enum err_code sql_is_empty(const struct database *db, bool *out, struct err *e)
{
    char *table;
    enum err_code code = sql_ask(db, "SELECT name FROM sqlite_master LIMIT 1", NULL, NULL, &table, e);
    *out = table == NULL;
    free(table);
    return code;
}

enum err_code sql_meta(const struct database *db, const char *name, char **out, struct err *e)
{
    return sql_ask(db, "SELECT value FROM meta WHERE name = ?", name, NULL, out, e);
}

enum err_code sql_check_ours(const struct database *db, struct err *e)
{
    /* One of the two tables may be somebody else's; both and the right format are ours. */
    char *tables = NULL, *format = NULL;
    enum err_code code =
        sql_ask(db, "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name IN ('meta', 'results')", NULL,
                NULL, &tables, e);
    if (code == ERR_NONE && strcmp(tables, "2") != 0)
        code = err_set_at(e, ERR_INPUT, db->path, 0, "is a database, but not one of iasim's results");
    if (code == ERR_NONE)
        code = sql_meta(db, "format", &format, e);
    if (code == ERR_NONE && (format == NULL || strcmp(format, STORE_FORMAT) != 0))
        code = err_set_at(e, ERR_INPUT, db->path, 0, "has the format '%s'; this program knows '%s'",
                          format ? format : "", STORE_FORMAT);
    free(tables);
    free(format);
    return code;
}
