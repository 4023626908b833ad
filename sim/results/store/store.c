/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Opens, fills and queries a database of results. Two promises shape it: what store_commit has returned from
   survives the end of any process, and a database never holds rows of two different scenarios. The first is SQLite's
   journal; the second is the table `meta`, which is compared before the first row is written.

   One run at a time writes, which a lock of our own enforces; any number of readers may look on. Who reads sees one
   transaction, so counts and rows agree while a run goes on. */
#include "base/mem.h"
#include "base/new_file.h"
#include "base/text.h"
#include "scenario/turn.h"
#include "store/store_state.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* Much longer than a reader holds a shard (WRITER_PATIENCE_MS): a run of hours should not end because somebody
   exports its database. */
enum { WRITER_PATIENCE_MS = 60000, LOCK_TRIES = 5 };

/* --- one run at a time --- */

/* One byte beyond any size that a database can have: no lock of SQLite's lies there. Locks of this kind (F_OFD)
   belong to the open file and not to the process, so closing another descriptor does not drop them. */
static struct flock lock_of(short type)
{
    return (struct flock){.l_type = type, .l_whence = SEEK_SET, .l_start = (off_t)1 << 62, .l_len = 1};
}

/* The processes of a run that was killed may hold its lock for a moment longer than it lived. */
static bool take_lock(int fd)
{
    /* `is_taken`: another run has it. EAGAIN and EACCES say so; any other error means that there are no such locks
       here. */
    struct flock byte = lock_of(F_WRLCK);
    bool is_taken = true;
    for (int i = 0; is_taken && i < LOCK_TRIES; i++) {
        if (i > 0)
            nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL);
        is_taken = fcntl(fd, F_OFD_SETLK, &byte) != 0 && (errno == EAGAIN || errno == EACCES);
    }
    return !is_taken;
}

/* Opens the file before SQLite does, which does not report why it cannot, and locks a byte of it far behind
   those that SQLite locks. The descriptor stays open as long as SQLite's: closing it earlier would drop
   SQLite's own locks. File systems without such locks go without. */
static enum err_code lock_file(struct store *st, bool resume, struct err *e)
{
    enum err_code code = sql_check_file(st->path, e);
    if (code != ERR_NONE)
        return code;
    /* O_EXCL: of two runs that start at once only one makes the file. */
    st->lock_fd = open(st->path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    st->is_made = st->lock_fd >= 0;
    if (st->lock_fd < 0 && errno == EEXIST && resume)
        st->lock_fd = open(st->path, O_RDWR | O_CLOEXEC);
    else if (st->lock_fd < 0 && errno == EEXIST)
        return err_set_at(e, ERR_INPUT, st->path, 0, "already exists; --resume continues it, --out writes elsewhere");
    if (st->lock_fd < 0)
        return err_set_at(e, err_of_errno(errno), st->path, 0, "cannot write: %s", strerror(errno));
    if (!take_lock(st->lock_fd))
        return err_set_at(e, ERR_IO, st->path, 0, "another run is writing to this database");
    return ERR_NONE;
}

bool store_is_in_use(const char *path)
{
    struct flock byte = lock_of(F_RDLCK);
    /* O_NONBLOCK: a pipe of that name must not block. Asking takes no lock. */
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    bool in_use = fd >= 0 && fcntl(fd, F_OFD_GETLK, &byte) == 0 && byte.l_type != F_UNLCK;
    if (fd >= 0)
        close(fd);
    return in_use;
}

/* --- a new database --- */

static const char *column_type(enum param_type type)
{
    /* steps are kept as text in a column of numbers */
    return type == PARAM_NUMBER || type == PARAM_STEPS ? "REAL" : type == PARAM_INTEGER ? "INTEGER" : "TEXT";
}

/* A column for each parameter that the scenario gives, or that has a default, in the experiment's order. */
static enum err_code create_results(const struct store *st, struct err *e)
{
    const struct run_kind *x = st->s->experiment;
    struct text sql = {0};
    text_addf(&sql, "CREATE TABLE results(key TEXT NOT NULL, replication INTEGER NOT NULL");
    for (const struct param *p = run_params(x); p->name != NULL; p++)
        /* Only what the scenario gives: an optional parameter that is not given has no column, so a new one leaves
           databases as they are. */
        if (scenario_axis(st->s, p->name) != NULL)
            text_addf(&sql, ", \"%s\" %s NOT NULL", p->name, column_type(p->type));
    for (const struct metric *m = x->metrics; m->name != NULL; m++)
        text_addf(&sql, ", \"%s\" REAL", m->name);
    /* Without row numbers: the rows are the index, in the order of the key, which exports and merges read them in. */
    text_addf(&sql, ", error TEXT, PRIMARY KEY(key, replication)) WITHOUT ROWID");
    enum err_code code = sql_run(&st->db, text_str(&sql), e);
    text_clear(&sql);
    return code;
}

static enum err_code put_meta(const struct store *st, const char *name, const char *value, struct err *e)
{
    return sql_ask(&st->db, "INSERT OR REPLACE INTO meta VALUES(?, ?)", name, value, NULL, e);
}

/* How many runs there are, and what makes them. */
static enum err_code put_runs(const struct store *st, const char *command, struct err *e)
{
    char runs[32];
    /* The number of runs of the whole scenario, not of this shard: whoever merges shards can tell whether some are
       missing. */
    snprintf(runs, sizeof runs, "%" PRIu64, turn_count(st->s));
    enum err_code code = put_meta(st, "runs", runs, e);
    return code == ERR_NONE && command != NULL ? put_meta(st, "command", command, e) : code;
}

struct meta {
    const char *name, *value;
};

/* META_DIGEST is compared by itself: a wider scenario has another digest and may still go on with this database. */
enum { META_DIGEST = 2, N_META = 5 };

const char *store_program(void)
{
    return IASIM_VERSION;
}

/* What has to be equal for rows to belong together. The version of the program is among it, because figures may
   change between versions. */
static void list_meta(const struct scenario *s, struct meta out[N_META])
{
    out[0] = (struct meta){"format", STORE_FORMAT};
    out[1] = (struct meta){"scenario", s->name};
    out[META_DIGEST] = (struct meta){"digest", s->digest};
    out[3] = (struct meta){"experiment", s->experiment->name};
    out[4] = (struct meta){"program", store_program()};
}

/* All at once: a run killed here leaves an empty database, which --resume takes for a new one. */
static enum err_code create_tables(const struct store *st, const char *command, struct err *e)
{
    struct meta meta[N_META];
    list_meta(st->s, meta);
    enum err_code code = sql_run(&st->db, "BEGIN; CREATE TABLE meta(name TEXT PRIMARY KEY, value TEXT NOT NULL)", e);
    for (int i = 0; code == ERR_NONE && i < N_META; i++)
        code = put_meta(st, meta[i].name, meta[i].value, e);
    if (code == ERR_NONE)
        code = put_runs(st, command, e);
    if (code == ERR_NONE)
        code = create_results(st, e);
    return code == ERR_NONE ? sql_run(&st->db, "COMMIT", e) : code;
}

/* --- an old one --- */

static enum err_code check_one_meta(const struct store *st, const struct meta *want, const char *way_out, struct err *e)
{
    char *found = NULL;
    enum err_code code = sql_meta(&st->db, want->name, &found, e);
    /* The way out depends on what the user wanted to do: --out for a run, --set for a report. */
    if (code == ERR_NONE && (found == NULL || strcmp(found, want->value) != 0))
        code = err_set_at(e, ERR_INPUT, st->path, 0, "was made for %s '%s', not '%s'; %s", want->name,
                          found ? found : "", want->value, way_out);
    free(found);
    return code;
}

/* Whether the results are of this scenario, experiment and program; *same_points: also of these parameters and files.
   `way_out` is what a user can do when they are not. */
static enum err_code check_meta(const struct store *st, const char *way_out, bool *same_points, struct err *e)
{
    struct meta meta[N_META];
    list_meta(st->s, meta);
    enum err_code code = sql_check_ours(&st->db, e);
    for (int i = 0; code == ERR_NONE && i < N_META; i++)
        /* All but the digest must agree. */
        if (i != META_DIGEST)
            code = check_one_meta(st, &meta[i], way_out, e);
    if (code == ERR_NONE)
        *same_points = check_one_meta(st, &meta[META_DIGEST], way_out, NULL) == ERR_NONE;
    return code;
}

/* The database becomes that of a scenario that has all its points, and more. */
static enum err_code grow(const struct store *st, const char *command, struct err *e)
{
    /* All rows are checked before anything is changed: a database that is refused stays as it is. */
    enum err_code code = places_check_rows(&st->db, st->s, "--out writes elsewhere", e);
    /* IMMEDIATE takes the write lock at once; a transaction that begins by reading may fail when it wants to
       write. */
    if (code == ERR_NONE)
        code = sql_run(&st->db, "BEGIN IMMEDIATE", e);
    if (code == ERR_NONE)
        code = put_meta(st, "digest", st->s->digest, e);
    if (code == ERR_NONE)
        code = put_runs(st, command, e);
    return code == ERR_NONE ? sql_run(&st->db, "COMMIT", e) : code;
}

static enum err_code open_journal(struct store *st, bool single_file, struct err *e)
{
    st->has_log = !single_file;
    /* NORMAL: a power failure may lose the last commits, the end of a process loses nothing. A cache of 32 MB: keys
       come in no order, so inserts touch pages all over the index. */
    enum err_code code = sql_run(&st->db, "PRAGMA synchronous = NORMAL; PRAGMA cache_size = -32768", e);
    if (code != ERR_NONE)
        return code;
    if (st->has_log)
        write_log_watch(&st->log_state, st->db.handle);
    return sql_run(&st->db, single_file ? "PRAGMA journal_mode = DELETE" : "PRAGMA journal_mode = WAL", e);
}

static enum err_code prepare_statements(struct store *st, struct err *e)
{
    struct text sql = {0};
    /* Key, replication and error, and one column for each axis and metric, in the order of create_results. */
    size_t n = 3 + st->s->n_axes + run_n_metrics(st->s->experiment);
    text_addf(&sql, "INSERT OR REPLACE INTO results VALUES(?");
    for (size_t i = 1; i < n; i++)
        text_addf(&sql, ", ?");
    text_addf(&sql, ")");
    enum err_code code = sql_prepare(&st->db, text_str(&sql), &st->put, e);
    text_clear(&sql);
    return code == ERR_NONE
               ? sql_prepare(&st->db, "SELECT error IS NULL FROM results WHERE key = ? AND replication = ?", &st->find,
                             e)
               : code;
}

/* Names that SQLite may have made beside the file: the write-ahead log, the shared memory beside it, the journal. */
static void remove_new(struct store *st)
{
    static const char *const suffixes[] = {"", "-wal", "-shm", "-journal"};
    sql_close(&st->db);
    for (size_t i = 0; i < sizeof suffixes / sizeof suffixes[0]; i++) {
        char *path = mem_format("%s%s", st->path, suffixes[i]);
        unlink(path);
        free(path);
    }
}

/* A new file that could not be made into a database is not left behind. */
static enum err_code open_new(struct store *st, const struct store_options *o, struct err *e)
{
    enum err_code code = open_journal(st, o->single_file, e);
    if (code == ERR_NONE)
        code = create_tables(st, o->command, e);
    if (code == ERR_NONE && st->has_log) /* whatever happens to the log, the file is a database of this scenario */
        code = sql_run(&st->db, "PRAGMA wal_checkpoint", e);
    /* Only a file that this run has made: an empty file of the user's is left alone. */
    if (code != ERR_NONE && st->is_made)
        remove_new(st);
    return code;
}

static enum err_code open_old(struct store *st, const struct store_options *o, struct err *e)
{
    bool same_points = false;
    enum err_code code = check_meta(st, "--out writes elsewhere", &same_points, e);
    if (code == ERR_NONE)
        code = open_journal(st, o->single_file, e);
    /* Growing writes, so the journal must be as this run wants it. */
    return code == ERR_NONE && !same_points ? grow(st, o->command, e) : code;
}

static enum err_code open_tables(struct store *st, const struct store_options *options, struct err *e)
{
    enum err_code code = lock_file(st, options->resume, e);
    if (code == ERR_NONE)
        code = sql_open(&st->db, st->path, true, e);
    /* Without tables: new, or its maker was killed before its first commit. */
    if (code == ERR_NONE)
        code = sql_is_empty(&st->db, &st->is_new, e);
    if (code == ERR_NONE)
        code = st->is_new ? open_new(st, options, e) : open_old(st, options, e);
    if (code == ERR_NONE) /* a reader of a shard blocks writing for a moment; that should not end the run */
        sqlite3_busy_timeout(st->db.handle, WRITER_PATIENCE_MS);
    if (code == ERR_NONE)
        code = prepare_statements(st, e);
    /* Counted at the beginning, to be compared at the end: rows that others delete in between are noticed. */
    return code == ERR_NONE ? sql_count(&st->db, "SELECT count(*) FROM results", &st->n_rows, e) : code;
}

static struct store *new_store(const char *path, const struct scenario *s)
{
    struct store *st = mem_zalloc(1, sizeof *st);
    *st = (struct store){.path = mem_strdup(path), .s = s, .lock_fd = -1};
    return st;
}

/* Closing copies the log into the database, too. */
static void store_free(struct store *st)
{
    sqlite3_finalize(st->put);
    sqlite3_finalize(st->find);
    places_free(st->places);
    /* A log that somebody else has overwritten must not be copied into the good database. */
    if (!write_log_is_intact(&st->log_state))
        sqlite3_db_config(st->db.handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
    sql_close(&st->db);
    if (st->lock_fd >= 0)
        close(st->lock_fd);
    free(st->path);
    free(st);
}

enum err_code store_open(const char *path, const struct scenario *s, const struct store_options *options,
                         struct store **out, struct err *e)
{
    *out = NULL;
    /* Before the lock: the message for a file that exists should not depend on who is using it. */
    if (!options->resume && access(path, F_OK) == 0)
        return err_set_at(e, ERR_INPUT, path, 0, "already exists; --resume continues it, --out writes elsewhere");
    struct store *st = new_store(path, s);
    enum err_code code = open_tables(st, options, e);
    if (code == ERR_NONE)
        code = store_remember_files(st, e);
    if (code == ERR_NONE)
        *out = st;
    else
        store_free(st);
    return code;
}

/* One transaction holds all that will be read, so that figures agree while a run goes on. */
static enum err_code open_to_read(struct store *st, struct err *e)
{
    static const char way_out[] = "read it with what it was made with (--set)";
    bool is_new = false, same_points = false;
    if (access(st->path, R_OK) != 0)
        return err_set_at(e, ERR_IO, st->path, 0, "cannot open: %s", strerror(errno));
    enum err_code code = sql_open_read(&st->db, st->path, e);
    if (code == ERR_NONE)
        code = sql_run(&st->db, "BEGIN", e);
    if (code == ERR_NONE)
        code = sql_is_empty(&st->db, &is_new, e);
    if (code == ERR_NONE && is_new)
        return err_set_at(e, ERR_INPUT, st->path, 0, "holds no results yet");
    if (code == ERR_NONE)
        code = check_meta(st, way_out, &same_points, e);
    if (code == ERR_NONE && !same_points)
        code = err_set_at(e, ERR_INPUT, st->path, 0,
                          "was made for other parameters or files than scenario %s has now; %s", st->s->name, way_out);
    return code;
}

enum err_code store_open_read(const char *path, const struct scenario *s, struct store **out, struct err *e)
{
    struct store *st = new_store(path, s);
    enum err_code code = open_to_read(st, e);
    *out = code == ERR_NONE ? st : NULL;
    if (code != ERR_NONE)
        store_free(st);
    return code;
}

enum err_code store_close(struct store *st, struct err *e)
{
    if (st == NULL)
        return ERR_NONE;
    /* A store that only reads has no lock and nothing to finish. */
    enum err_code code = st->lock_fd >= 0 && !st->is_finished ? store_finish(st, e) : ERR_NONE;
    store_free(st);
    return code;
}

void store_abandon(struct store *st)
{
    /* The file may have been replaced since, by somebody who wants to keep it. */
    bool is_useless = st->is_made && st->is_new && store_is_same_file(st->path, &st->file);
    char *path = mem_strdup(st->path);
    store_close(st, NULL);
    if (is_useless)
        unlink(path);
    free(path);
}

/* --- rows --- */

/* Whether there is a row, and whether it has not failed. */
static enum err_code look_up(struct store *st, const char *key, long replication, bool *is_there, bool *has_worked,
                             struct err *e)
{
    sqlite3_bind_text(st->find, 1, key, -1, SQLITE_TRANSIENT);
    sqlite3_bind_int64(st->find, 2, replication);
    enum err_code code = sql_step(&st->db, st->find, is_there, e);
    *has_worked = *is_there && sqlite3_column_int(st->find, 0) != 0;
    /* Reset, or the statement would keep a read transaction open. */
    sqlite3_reset(st->find);
    return code;
}

enum err_code store_has(struct store *st, const char *key, long replication, bool *out, struct err *e)
{
    bool is_there;
    return look_up(st, key, replication, &is_there, out, e);
}

/* In the order of the columns: that of the experiment's parameters. What is not given has none. */
static int bind_params(const struct store *st, uint64_t point, int column)
{
    const struct param *params = run_params(st->s->experiment);
    for (size_t i = 0; params[i].name != NULL; i++) {
        const struct scenario_value *v = turn_value(st->s, point, i);
        if (v == NULL)
            continue;
        /* As a number, so that `WHERE tasks > 100` means what it says. Steps stay text. */
        if (param_is_number(&params[i], v->text))
            sqlite3_bind_double(st->put, column++, strtod(v->text, NULL));
        else if (params[i].type == PARAM_INTEGER)
            sqlite3_bind_int64(st->put, column++, strtoll(v->text, NULL, 10));
        else
            sqlite3_bind_text(st->put, column++, v->text, -1, SQLITE_STATIC);
    }
    return column;
}

enum err_code store_put(struct store *st, const struct store_row *row, struct err *e)
{
    bool ignored, is_there = false;
    st->is_new = false;
    /* A transaction lasts from the first row to the next commit: many rows share one. */
    if (!st->in_transaction && sql_run(&st->db, "BEGIN IMMEDIATE", e) != ERR_NONE)
        return ERR_IO;
    st->in_transaction = true;
    /* A row that is replaced (a failed run that is tried again) does not add to the count. */
    if (look_up(st, row->key, row->replication, &is_there, &ignored, e) != ERR_NONE)
        return ERR_IO;
    st->n_rows += !is_there;
    sqlite3_bind_text(st->put, 1, row->key, -1, SQLITE_STATIC);
    sqlite3_bind_int64(st->put, 2, row->replication);
    int column = bind_params(st, row->point, 3);
    for (size_t m = 0; m < run_n_metrics(st->s->experiment); m++)
        sqlite3_bind_double(st->put, column++, row->metrics[m]); /* SQLite keeps NAN as NULL */
    sqlite3_bind_text(st->put, column, row->error, -1, SQLITE_STATIC);
    enum err_code code = sql_step(&st->db, st->put, &ignored, e);
    sqlite3_reset(st->put);
    sqlite3_clear_bindings(st->put);
    return code;
}

enum err_code store_commit(struct store *st, struct err *e)
{
    if (!st->in_transaction)
        return ERR_NONE;
    st->in_transaction = false;
    return sql_run(&st->db, "COMMIT", e);
}

enum err_code store_count(struct store *st, uint64_t *n_done, uint64_t *n_failed, struct err *e)
{
    return sql_count_runs(&st->db, n_done, n_failed, e);
}

static const struct places *places_of(struct store *st)
{
    if (st->places == NULL)
        st->places = places_create(st->s);
    return st->places;
}

/* "x=1 policy=bwc" from the row's columns `from`..., one for each axis; the axes that vary, all if none does.
 */
static void add_where(struct text *out, struct store *st, sqlite3_stmt *q, int from)
{
    const struct scenario *s = st->s;
    /* First the axes that vary; if none does, all, so that the text is not empty. */
    for (int all = 0; all < 2 && out->size == 0; all++)
        for (size_t i = 0; i < s->n_axes; i++) {
            const struct scenario_axis *a = &s->axes[i];
            size_t place = places_find(places_of(st), i, q, from + (int)i);
            if (place < a->n_values && (all || a->n_values > 1))
                text_addf(out, "%s%s=%s", out->size ? " " : "", a->param->name, a->values[place].text);
        }
}

static void add_failure_query(struct text *sql, const struct scenario *s)
{
    text_addf(sql, "SELECT key, replication, error");
    for (size_t i = 0; i < s->n_axes; i++)
        text_addf(sql, ", \"%s\"", s->axes[i].param->name);
    /* By key, so the same failures are shown whatever the order they came in. */
    text_addf(sql, " FROM results WHERE error IS NOT NULL ORDER BY key, replication LIMIT ?");
}

enum err_code store_each_failure(struct store *st, int limit,
                                 void (*failure)(void *self, const struct store_failure *f), void *self, struct err *e)
{
    sqlite3_stmt *q = NULL;
    bool row = false;
    struct text sql = {0}, where = {0};
    add_failure_query(&sql, st->s);
    enum err_code code = sql_prepare(&st->db, text_str(&sql), &q, e);
    if (code == ERR_NONE)
        sqlite3_bind_int(q, 1, limit);
    while (code == ERR_NONE && (code = sql_step(&st->db, q, &row, e)) == ERR_NONE && row) {
        text_clear(&where);
        add_where(&where, st, q, 3);
        failure(self, &(struct store_failure){.key = (const char *)sqlite3_column_text(q, 0),
                                              .where = text_str(&where),
                                              .error = (const char *)sqlite3_column_text(q, 2),
                                              .replication = (long)sqlite3_column_int64(q, 1)});
    }
    sqlite3_finalize(q);
    text_clear(&sql);
    text_clear(&where);
    return code;
}

static void add_places(struct text *sql, const char *clause, size_t n)
{
    text_addf(sql, "%s", n > 0 ? clause : "");
    for (size_t i = 0; i < n; i++)
        text_addf(sql, "%s%zu", i ? ", " : " ", i + 1);
}

static void add_mean_query(struct text *sql, const char *metric, const char *const *params, size_t n_params)
{
    text_addf(sql, "SELECT ");
    for (size_t i = 0; i < n_params; i++)
        text_addf(sql, "\"%s\", ", params[i]);
    text_addf(sql, "avg(\"%s\") FROM results WHERE \"%s\" IS NOT NULL", metric, metric);
    add_places(sql, " GROUP BY", n_params);
    add_places(sql, " ORDER BY", n_params);
}

enum err_code store_each_mean(struct store *st, const char *metric, const char *const *params, size_t n_params,
                              void (*mean)(void *self, const size_t *values, double mean), void *self, struct err *e)
{
    sqlite3_stmt *q = NULL;
    bool row = false;
    struct text sql = {0};
    add_mean_query(&sql, metric, params, n_params);
    enum err_code code = sql_prepare(&st->db, text_str(&sql), &q, e);
    size_t *values = mem_zalloc(n_params, sizeof *values);
    while (code == ERR_NONE && (code = sql_step(&st->db, q, &row, e)) == ERR_NONE && row) {
        bool known = true;
        for (size_t i = 0; i < n_params; i++) {
            const struct scenario_axis *a = scenario_axis(st->s, params[i]);
            /* The axis is found by the parameter; its number is its place in the list. */
            values[i] = places_find(places_of(st), (size_t)(a - st->s->axes), q, (int)i);
            known = known && values[i] < a->n_values;
        }
        /* Every row is a point of the scenario, unless another program has written into the table. */
        if (known)
            mean(self, values, sqlite3_column_double(q, (int)n_params));
    }
    free(values);
    sqlite3_finalize(q);
    text_clear(&sql);
    return code;
}

struct cube {
    double *cells;
    const size_t *steps;
    size_t n;
};

static void put_in_cube(void *self, const size_t *values, double mean)
{
    const struct cube *c = self;
    size_t cell = 0;
    for (size_t i = 0; i < c->n; i++)
        cell += values[i] * c->steps[i];
    c->cells[cell] = mean;
}

enum err_code store_mean_cube(struct store *st, const char *metric, const char *const *params, size_t n_params,
                              double *cube, struct err *e)
{
    size_t *steps = mem_zalloc(n_params, sizeof *steps), n_cells = 1;
    /* The last parameter changes fastest. */
    for (size_t i = n_params; i-- > 0;) {
        steps[i] = n_cells;
        n_cells *= scenario_axis(st->s, params[i])->n_values;
    }
    for (size_t i = 0; i < n_cells; i++)
        cube[i] = NAN;
    struct cube filling = {cube, steps, n_params};
    enum err_code code = store_each_mean(st, metric, params, n_params, put_in_cube, &filling, e);
    free(steps);
    return code;
}
