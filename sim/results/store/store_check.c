/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Whether what was stored is in the file, during a run and at its end: nothing that another program did to the file, or
   to the log, may end as a success. */
#include "store/store_state.h"

#include "base/mem.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

bool store_is_same_file(const char *path, const struct stat *before)
{
    struct stat now;
    /* By device and number, not by name: a file that was replaced has another number. */
    return stat(path, &now) == 0 && now.st_dev == before->st_dev && now.st_ino == before->st_ino;
}

static char *log_path(const struct store *st)
{
    return mem_format("%s-wal", st->path);
}

static enum err_code log_is_damaged(const struct store *st, struct err *e)
{
    return err_set(e, ERR_INTERNAL,
                   "%s-wal was damaged by another program while results were written to it; %s keeps those that it had "
                   "before, and --resume computes the others again",
                   st->path, st->path);
}

/* SQLite goes on writing into a file that no longer has a name, or has lost its beginning, and reports nothing. */
enum err_code store_check_files(const struct store *st, struct err *e)
{
    const char *lost = store_is_same_file(st->path, &st->file) ? NULL : "";
    char *log = log_path(st);
    /* 0: there was no log when the store was opened, so none is missed. */
    if (lost == NULL && st->log.st_ino != 0 && !store_is_same_file(log, &st->log))
        lost = "-wal";
    free(log);
    /* Only if the file is still ours: what is in a log without its database no longer matters. */
    if (lost == NULL)
        return st->log_state.is_damaged || !write_log_is_there(&st->log_state) ? log_is_damaged(st, e) : ERR_NONE;
    return err_set(e, ERR_INTERNAL,
                   "%s%s was removed or replaced while results were written to it: the results of this run are lost%s",
                   st->path, lost, lost[0] != '\0' ? ", except for those in the file itself" : "");
}

enum err_code store_remember_files(struct store *st, struct err *e)
{
    bool row;
    char *log = log_path(st);
    enum err_code code = store_has(st, "", 0, &row, e); /* SQLite has made the log when it has read something */
    /* Of the descriptor, not of the path: whoever replaces the file between opening and here is noticed. */
    if (code == ERR_NONE && fstat(st->lock_fd, &st->file) != 0)
        code = err_set_at(e, ERR_IO, st->path, 0, "cannot read: %s", strerror(errno));
    if (code == ERR_NONE && st->has_log && stat(log, &st->log) != 0)
        st->log.st_ino = 0;
    free(log);
    return code;
}

static enum err_code check_pages(const struct store *st, const struct database *db, struct err *e)
{
    char *found = NULL;
    /* The first mistake suffices, and indices are not compared with their tables. */
    enum err_code code = sql_ask(db, "PRAGMA quick_check(1)", NULL, NULL, &found, e);
    if (code == ERR_NONE && (found == NULL || strcmp(found, "ok") != 0))
        code = err_set(e, ERR_INTERNAL, "%s was damaged by another program while results were written to it: %s",
                       st->path, found != NULL ? found : "");
    free(found);
    return code;
}

static enum err_code check_count(const struct store *st, const struct database *db, struct err *e)
{
    uint64_t n_rows = 0;
    enum err_code code = sql_count(db, "SELECT count(*) FROM results", &n_rows, e);
    /* Fewer than were stored. More would be no loss. */
    if (code == ERR_NONE && n_rows < st->n_rows)
        code = err_set(e, ERR_INTERNAL,
                       "%s has %" PRIu64 " of the %" PRIu64 " results that were stored in it: another program has "
                       "deleted the others during the run; --resume computes them again",
                       st->path, n_rows, st->n_rows);
    return code;
}

/* Nothing that another program did to the file may end as a success: it could be read no more, or have lost rows. What
   SQLite keeps in memory says nothing about the file, so the file is read anew. */
static enum err_code check_contents(const struct store *st, struct err *e)
{
    struct database db;
    enum err_code code = sql_open_read(&db, st->path, e);
    if (code != ERR_NONE)
        return code;
    code = check_pages(st, &db, e);
    if (code == ERR_NONE)
        code = check_count(st, &db, e);
    sql_close(&db);
    return code;
}

enum err_code store_finish(struct store *st, struct err *e)
{
    enum err_code code = store_commit(st, e);
    if (code == ERR_NONE)
        code = store_check_files(st, e);
    /* Before the log is copied: SQLite would copy what it finds. */
    if (code == ERR_NONE && !write_log_is_intact(&st->log_state))
        code = log_is_damaged(st, e);
    if (code != ERR_NONE)
        return code;
    if (st->has_log) /* fails while another process reads: then the log stays, which does no harm */
        sqlite3_exec(st->db.handle, "PRAGMA journal_mode = DELETE", NULL, NULL, NULL);
    /* Without a log there is nothing left to check. */
    st->log_state.n_frames = 0;
    st->is_finished = true;
    return check_contents(st, e);
}
