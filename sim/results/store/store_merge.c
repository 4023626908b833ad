/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What may be united, in which rounds, and how the result gets its place. Up to MERGE_FAN_IN databases are
   read at once (merge_rows.h); of more, neighbours are united to temporary ones first, beside the result, and
   these again. */
#include "store/store.h"

#include "base/mem.h"
#include "base/new_file.h"
#include "store/merge_rows.h"
#include "store/store_sql.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct merge {
    const char *out; /* as given: what messages name */
    const char *const *inputs;
    size_t n_inputs;
    struct store_merge_options options;
};

/* --- what may be united --- */

static enum err_code check_same(const struct database *a, const struct database *b, const char *name, struct err *e)
{
    char *x = NULL, *y = NULL;
    enum err_code code = sql_meta(a, name, &x, e);
    if (code == ERR_NONE)
        code = sql_meta(b, name, &y, e);
    if (code == ERR_NONE && (x == NULL || y == NULL || strcmp(x, y) != 0))
        code =
            err_set(e, ERR_INPUT, "%s and %s are of different %s: '%s' and '%s'%s", a->path, b->path,
                    strcmp(name, "digest") == 0 ? "parameters or files of one scenario (digest)" : name, x ? x : "",
                    y ? y : "", strcmp(name, "program") == 0 ? " (versions of iasim; --any-version unites them)" : "");
    free(x);
    free(y);
    return code;
}

/* The statement that made the table, fresh. */
static enum err_code read_schema(const struct database *db, const char *table, char **out, struct err *e)
{
    sqlite3_stmt *q = NULL;
    bool row = false;
    *out = NULL;
    enum err_code code = sql_prepare(db, "SELECT sql FROM sqlite_master WHERE type = 'table' AND name = ?", &q, e);
    if (code == ERR_NONE) {
        sqlite3_bind_text(q, 1, table, -1, SQLITE_STATIC);
        code = sql_step(db, q, &row, e);
    }
    if (row && sqlite3_column_text(q, 0) != NULL)
        *out = mem_strdup((const char *)sqlite3_column_text(q, 0));
    sqlite3_finalize(q);
    if (code == ERR_NONE && *out == NULL)
        code = err_set_at(e, ERR_INPUT, db->path, 0, "has no table '%s'", table);
    return code;
}

static enum err_code check_columns(const struct database *a, const struct database *b, struct err *e)
{
    char *x = NULL, *y = NULL;
    enum err_code code = read_schema(a, "results", &x, e);
    if (code == ERR_NONE)
        code = read_schema(b, "results", &y, e);
    if (code == ERR_NONE && strcmp(x, y) != 0)
        code = err_set(e, ERR_INPUT,
                       "%s and %s have different columns: they were made by versions of iasim with different "
                       "parameters or metrics",
                       a->path, b->path);
    free(x);
    free(y);
    return code;
}

static enum err_code check_belongs(const struct merge *m, const struct database *first, const struct database *db,
                                   struct err *e)
{
    static const char *const names[] = {"experiment", "scenario", "digest", "program"};
    size_t n = sizeof names / sizeof names[0] - (m->options.any_version ? 1 : 0);
    enum err_code code = ERR_NONE;
    for (size_t i = 0; code == ERR_NONE && i < n; i++)
        code = check_same(first, db, names[i], e);
    return code == ERR_NONE ? check_columns(first, db, e) : code;
}

/* A file that is there and that no run is writing to, opened for reading. */
static enum err_code open_quiet(struct database *db, const char *path, struct err *e)
{
    struct stat st;
    *db = (struct database){.path = path};
    if (stat(path, &st) != 0 || access(path, R_OK) != 0)
        return err_set_at(e, ERR_IO, path, 0, "cannot open: %s", strerror(errno));
    if (!S_ISREG(st.st_mode))
        return err_set_at(e, ERR_IO, path, 0, "is %s, not a database", S_ISDIR(st.st_mode) ? "a folder" : "not a file");
    if (store_is_in_use(path))
        return err_set_at(e, ERR_INPUT, path, 0, "a run is writing to this database");
    enum err_code code = sql_open_read(db, path, e);
    return code == ERR_NONE ? sql_check_ours(db, e) : code;
}

static enum err_code check_input(const struct merge *m, const struct database *first, const char *path, struct err *e)
{
    struct database db;
    enum err_code code = open_quiet(&db, path, e);
    if (code == ERR_NONE)
        code = check_belongs(m, first, &db, e);
    sql_close(&db);
    return code;
}

struct identity {
    dev_t device;
    ino_t inode;
    size_t input;
};

static int by_identity(const void *a, const void *b)
{
    const struct identity *x = a, *y = b;
    if (x->device != y->device)
        return x->device < y->device ? -1 : 1;
    if (x->inode != y->inode)
        return x->inode < y->inode ? -1 : 1;
    return x->input < y->input ? -1 : x->input > y->input;
}

/* A file given twice is a mistake: another part is probably missing. */
static enum err_code check_twice(const struct merge *m, struct err *e)
{
    enum err_code code = ERR_NONE;
    struct identity *files = mem_zalloc(m->n_inputs, sizeof *files);
    size_t n = 0;
    for (size_t i = 0; i < m->n_inputs; i++) {
        struct stat st;
        if (stat(m->inputs[i], &st) == 0)
            files[n++] = (struct identity){st.st_dev, st.st_ino, i};
    }
    qsort(files, n, sizeof *files, by_identity);
    for (size_t i = 1; code == ERR_NONE && i < n; i++)
        if (files[i].device == files[i - 1].device && files[i].inode == files[i - 1].inode)
            code = err_set(e, ERR_INPUT, "'%s' and '%s' are the same file, given twice", m->inputs[files[i - 1].input],
                           m->inputs[files[i].input]);
    free(files);
    return code;
}

static enum err_code check_inputs(const struct merge *m, struct err *e)
{
    struct database first;
    enum err_code code = check_twice(m, e);
    if (code != ERR_NONE)
        return code;
    code = open_quiet(&first, m->inputs[0], e);
    for (size_t i = 1; code == ERR_NONE && i < m->n_inputs; i++)
        code = check_input(m, &first, m->inputs[i], e);
    sql_close(&first);
    return code;
}

/* --- where it goes --- */

/* SQLite would take the journal of a database that is gone for one of the new database. */
static enum err_code check_no_journal(const char *out, struct err *e)
{
    static const char *const endings[] = {"-journal", "-wal"};
    enum err_code code = ERR_NONE;
    for (size_t i = 0; code == ERR_NONE && i < sizeof endings / sizeof endings[0]; i++) {
        char *path = mem_format("%s%s", out, endings[i]);
        if (access(path, F_OK) == 0)
            code =
                err_set_at(e, ERR_INPUT, path, 0, "is left from a run that was broken off while it wrote to %s", out);
        free(path);
    }
    return code;
}

static enum err_code check_replaceable(const struct merge *m, struct err *e)
{
    struct database old, first = {.path = m->inputs[0]};
    enum err_code code = open_quiet(&old, m->out, e);
    if (code == ERR_NONE)
        code = sql_open_read(&first, m->inputs[0], e);
    if (code == ERR_NONE)
        code = check_same(&old, &first, "scenario", e);
    if (code == ERR_NONE)
        code = check_same(&old, &first, "digest", e);
    sql_close(&old);
    sql_close(&first);
    return code;
}

static enum err_code check_out(const struct merge *m, struct err *e)
{
    struct stat st;
    if (stat(m->out, &st) != 0)
        return errno == ENOENT ? check_no_journal(m->out, e)
                               : err_set_at(e, err_of_errno(errno), m->out, 0, "cannot write: %s", strerror(errno));
    if (!S_ISREG(st.st_mode))
        return err_set_at(e, ERR_INPUT, m->out, 0, "is %s: merging makes a new database",
                          S_ISDIR(st.st_mode) ? "a folder" : "not a file");
    if (!m->options.replace)
        return err_set_at(e, ERR_INPUT, m->out, 0, "exists already; merging makes a new database");
    enum err_code code = check_no_journal(m->out, e);
    return code == ERR_NONE ? check_replaceable(m, e) : code;
}

/* --- the work --- */

/* An empty file beside the result; *path is fresh. */
static enum err_code create_beside(const struct merge *m, char **path, struct err *e)
{
    *path = mem_format("%s.XXXXXX", m->out);
    int fd = mkostemp(*path, O_CLOEXEC);
    if (fd < 0)
        return err_set_at(e, err_of_errno(errno), m->out, 0, "cannot write: %s", strerror(errno));
    mode_t mask = umask(0);
    umask(mask);
    fchmod(fd, 0666 & ~mask);
    close(fd);
    return ERR_NONE;
}

/* Tables as the first source has them, word for word, and what it knows of itself. */
static enum err_code copy_tables(const struct database *out, const char *source, struct err *e)
{
    struct database from;
    sqlite3_stmt *get = NULL, *put = NULL;
    char *meta = NULL, *results = NULL;
    bool row = false, ignored;
    enum err_code code = sql_open_read(&from, source, e);
    if (code == ERR_NONE)
        code = read_schema(&from, "meta", &meta, e);
    if (code == ERR_NONE)
        code = read_schema(&from, "results", &results, e);
    if (code == ERR_NONE && (code = sql_run(out, meta, e)) == ERR_NONE)
        code = sql_run(out, results, e);
    if (code == ERR_NONE &&
        (code = sql_prepare(&from, "SELECT name, value FROM meta ORDER BY name", &get, e)) == ERR_NONE)
        code = sql_prepare(out, "INSERT INTO meta VALUES(?, ?)", &put, e);
    while (code == ERR_NONE && (code = sql_step(&from, get, &row, e)) == ERR_NONE && row) {
        sqlite3_bind_value(put, 1, sqlite3_column_value(get, 0));
        sqlite3_bind_value(put, 2, sqlite3_column_value(get, 1));
        code = sql_step(out, put, &ignored, e);
        sqlite3_reset(put);
    }
    sqlite3_finalize(get);
    sqlite3_finalize(put);
    sql_close(&from);
    free(meta);
    free(results);
    return code;
}

/* The database has no name before it is whole, so it needs no journal, and is synced once, at the end. */
static enum err_code unite(const struct merge *m, const char *path, const struct merge_source *sources, size_t n,
                           uint64_t *n_rows, struct err *e)
{
    struct database out;
    enum err_code code = sql_open(&out, path, true, e);
    out.path = m->out;
    if (code == ERR_NONE)
        code = sql_run(&out,
                       "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE; "
                       "PRAGMA cache_size = -16384; BEGIN",
                       e);
    if (code == ERR_NONE)
        code = copy_tables(&out, sources[0].path, e);
    if (code == ERR_NONE)
        code = merge_rows(&out, sources, n, n_rows, e);
    if (code == ERR_NONE)
        code = sql_run(&out, "COMMIT", e);
    sql_close(&out);
    return code;
}

static void remove_sources(struct merge_source *sources, size_t n, bool temporary)
{
    for (size_t i = 0; i < n; i++) {
        if (temporary && sources[i].path != NULL)
            unlink(sources[i].path);
        free(sources[i].path);
    }
    free(sources);
}

static size_t at_most(size_t n, size_t limit)
{
    return n < limit ? n : limit;
}

/* One round: groups of neighbours become new sources. */
static enum err_code unite_groups(const struct merge *m, const struct merge_source *sources, size_t n,
                                  struct merge_source *groups, struct err *e)
{
    enum err_code code = ERR_NONE;
    uint64_t ignored;
    for (size_t from = 0; code == ERR_NONE && from < n; from += MERGE_FAN_IN) {
        size_t size = at_most(n - from, MERGE_FAN_IN);
        struct merge_source *g = &groups[from / MERGE_FAN_IN];
        g->inputs = sources[from].inputs;
        for (size_t i = 0; i < size; i++)
            g->n_inputs += sources[from + i].n_inputs;
        code = create_beside(m, &g->path, e);
        if (code == ERR_NONE)
            code = unite(m, g->path, sources + from, size, &ignored, e);
    }
    return code;
}

static struct merge_source *sources_of_inputs(const struct merge *m)
{
    struct merge_source *sources = mem_zalloc(m->n_inputs, sizeof *sources);
    for (size_t i = 0; i < m->n_inputs; i++)
        sources[i] = (struct merge_source){mem_strdup(m->inputs[i]), &m->inputs[i], 1};
    return sources;
}

static enum err_code unite_all(const struct merge *m, const char *path, uint64_t *n_rows, struct err *e)
{
    struct merge_source *sources = sources_of_inputs(m);
    size_t n = m->n_inputs;
    bool temporary = false;
    enum err_code code = ERR_NONE;
    while (code == ERR_NONE && n > MERGE_FAN_IN) {
        size_t n_groups = (n + MERGE_FAN_IN - 1) / MERGE_FAN_IN;
        struct merge_source *groups = mem_zalloc(n_groups, sizeof *groups);
        code = unite_groups(m, sources, n, groups, e);
        remove_sources(sources, n, temporary);
        sources = groups;
        n = n_groups;
        temporary = true;
    }
    if (code == ERR_NONE)
        code = unite(m, path, sources, n, n_rows, e);
    remove_sources(sources, n, temporary);
    return code;
}

static enum err_code check_complete(const struct merge *m, const char *temporary, uint64_t n_rows, struct err *e)
{
    struct database db;
    char *runs = NULL;
    enum err_code code = sql_open_read(&db, temporary, e);
    if (code == ERR_NONE)
        code = sql_meta(&db, "runs", &runs, e);
    uint64_t n_runs = runs != NULL ? strtoull(runs, NULL, 10) : 0;
    if (code == ERR_NONE && n_runs == 0)
        code = err_set(e, ERR_INPUT, "%s does not say how many runs its scenario has: an older iasim made it",
                       m->inputs[0]);
    else if (code == ERR_NONE && n_rows < n_runs)
        code = err_set(e, ERR_INPUT, "only %" PRIu64 " of the scenario's %" PRIu64 " runs are in these databases",
                       n_rows, n_runs);
    sql_close(&db);
    free(runs);
    return code;
}

static enum err_code move_into_place(const struct merge *m, const char *temporary, struct err *e)
{
    int fd = open(temporary, O_RDONLY | O_CLOEXEC);
    bool ok = fd >= 0 && fsync(fd) == 0;
    ok = ok && rename(temporary, m->out) == 0;
    int reason = errno;
    if (fd >= 0)
        close(fd);
    return ok ? ERR_NONE : err_set_at(e, err_of_errno(reason), m->out, 0, "cannot write: %s", strerror(reason));
}

enum err_code store_merge(const char *out, const char *const *inputs, size_t n_inputs,
                          const struct store_merge_options *options, uint64_t *n_rows, struct err *e)
{
    struct merge m = {.out = out, .inputs = inputs, .n_inputs = n_inputs};
    char *temporary = NULL;
    if (options != NULL)
        m.options = *options;
    enum err_code code = check_out(&m, e);
    if (code == ERR_NONE)
        code = check_inputs(&m, e);
    if (code == ERR_NONE)
        code = create_beside(&m, &temporary, e);
    if (code == ERR_NONE)
        code = unite_all(&m, temporary, n_rows, e);
    if (code == ERR_NONE && m.options.complete)
        code = check_complete(&m, temporary, *n_rows, e);
    if (code == ERR_NONE)
        code = move_into_place(&m, temporary, e);
    if (code != ERR_NONE && temporary != NULL)
        unlink(temporary);
    free(temporary);
    return code;
}
