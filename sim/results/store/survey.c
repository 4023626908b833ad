/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Looks into a database without changing or repairing anything: `iasim status` asks for the parts of a running
   batch, whose jobs must not notice. */
#include "store/survey.h"

#include "store/store.h"
#include "store/store_sql.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static enum err_code read_meta(const struct database *db, struct survey *out, struct err *e)
{
    char *runs = NULL;
    enum err_code code = sql_meta(db, "scenario", &out->scenario, e);
    /* Each may be missing in a database of an older version. */
    if (code == ERR_NONE)
        code = sql_meta(db, "digest", &out->digest, e);
    if (code == ERR_NONE)
        code = sql_meta(db, "command", &out->command, e);
    if (code == ERR_NONE)
        code = sql_meta(db, "runs", &runs, e);
    out->n_runs = runs != NULL ? strtoull(runs, NULL, 10) : 0;
    free(runs);
    return code;
}

/* One transaction, so that all is of one moment. */
static enum err_code read_all(const struct database *db, struct survey *out, struct err *e)
{
    bool is_empty;
    enum err_code code = sql_run(db, "BEGIN", e);
    if (code == ERR_NONE)
        code = sql_is_empty(db, &is_empty, e);
    if (code != ERR_NONE || is_empty) /* its run was killed before the first commit, or is about to make it */
        return code;
    code = sql_check_ours(db, e);
    if (code == ERR_NONE)
        code = read_meta(db, out, e);
    return code == ERR_NONE ? sql_count_runs(db, &out->n_done, &out->n_failed, e) : code;
}

enum err_code survey_database(const char *path, struct survey *out, struct err *e)
{
    struct stat st;
    struct database db;
    struct err found = {0};
    *out = (struct survey){0};
    /* What is not there has no results yet, which is no error. */
    if (stat(path, &st) != 0)
        return errno == ENOENT ? ERR_NONE : err_set_at(e, ERR_IO, path, 0, "cannot open: %s", strerror(errno));
    if (sql_check_file(path, e) != ERR_NONE)
        return ERR_IO;
    out->exists = true;
    out->in_use = store_is_in_use(path);
    enum err_code code = sql_open_read(&db, path, &found);
    if (code == ERR_NONE)
        code = read_all(&db, out, &found);
    /* Asked before the handle is closed, which forgets it. */
    out->is_torn = code == ERR_IO && db.handle != NULL && sql_is_torn(&db);
    bool is_busy = code == ERR_IO && db.handle != NULL && sqlite3_errcode(db.handle) == SQLITE_BUSY;
    sql_close(&db);
    /* Both pass by themselves: the run goes on, or --resume repairs it. */
    if (out->is_torn || is_busy)
        return ERR_NONE;
    return code == ERR_NONE ? code : err_set_at(e, code, found.source, found.line, "%s", found.text);
}

void survey_clear(struct survey *s)
{
    free(s->scenario);
    free(s->digest);
    free(s->command);
    *s = (struct survey){0};
}

bool survey_is_database(const char *path)
{
    static const char magic[16] = "SQLite format 3"; /* with its NUL */
    char head[sizeof magic] = "";
    struct stat st;
    if (stat(path, &st) != 0 || !S_ISREG(st.st_mode))
        return false;
    FILE *f = fopen(path, "rb");
    /* A file that cannot be read has an empty head; its name may still tell. */
    if (f != NULL) {
        (void)!fread(head, 1, sizeof head, f);
        fclose(f);
    }
    size_t length = strlen(path);
    return st.st_size == 0 || memcmp(head, magic, sizeof head) == 0 ||
           (length > 3 && strcmp(path + length - 3, ".db") == 0);
}
