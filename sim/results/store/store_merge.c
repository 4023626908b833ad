/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What may be united, how, and how the result gets its place. Each input is attached in turn to a temporary database
   beside the result: SQLite finds where the two disagree and takes what is new. */
#include "store/store.h"

#include "base/mem.h"
#include "base/new_file.h"
#include "base/text.h"
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

struct column {
    char *name;
    bool is_metric;
};

/* The database that the inputs are united to. */
struct union_of {
    const struct merge *merge;
    struct database out;
    struct column *columns;
    size_t n_columns, columns_capacity;
    char *difference, *insert; /* statements about main.results and part.results */
};

/* --- what may be united --- */

/* Both names in the message: of hundreds of shards, which two do not belong together. */
static enum err_code check_same(const struct database *a, const struct database *b, const char *name, struct err *e)
{
    char *x = NULL, *y = NULL;
    enum err_code code = sql_meta(a, name, &x, e);
    if (code == ERR_NONE)
        code = sql_meta(b, name, &y, e);
    bool is_same = code == ERR_NONE && x != NULL && y != NULL && strcmp(x, y) == 0;
    /* The digest says nothing to a reader, so the message says what it stands for. */
    if (code == ERR_NONE && !is_same && strcmp(name, "digest") == 0)
        code = err_set(e, ERR_INPUT,
                       "%s and %s are of different values, files or plugins of one scenario; --any-points unites them",
                       a->path, b->path);
    else if (code == ERR_NONE && !is_same)
        code =
            err_set(e, ERR_INPUT, "%s and %s are of different %s: '%s' and '%s'%s", a->path, b->path, name, x ? x : "",
                    y ? y : "", strcmp(name, "program") == 0 ? " (versions of iasim; --any-version unites them)" : "");
    free(x);
    free(y);
    return code;
}

/* The statement that made the table, fresh: names, types and order of the columns in one text that can be compared. */
static enum err_code read_schema(const struct database *db, const char *table, char **out, struct err *e)
{
    enum err_code code =
        sql_ask(db, "SELECT sql FROM sqlite_master WHERE type = 'table' AND name = ?", table, NULL, out, e);
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

/* From the coarsest to the finest, so that the message names the real difference. */
static enum err_code check_belongs(const struct merge *m, const struct database *first, const struct database *db,
                                   struct err *e)
{
    enum err_code code = check_same(first, db, "experiment", e);
    if (code == ERR_NONE)
        code = check_same(first, db, "scenario", e);
    if (code == ERR_NONE && !m->options.any_points)
        code = check_same(first, db, "digest", e);
    if (code == ERR_NONE && !m->options.any_version)
        code = check_same(first, db, "program", e);
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
    /* A part that is being written would be incomplete, without anybody noticing. */
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

/* By device and number; the rest of the comparison keeps the order of the inputs. */
static int by_identity(const void *a, const void *b)
{
    const struct identity *x = a, *y = b;
    /* Compared as bytes: both fields are whole numbers and lie one after the other. */
    int order = memcmp(x, y, offsetof(struct identity, input));
    return order != 0 ? order : (x->input > y->input) - (x->input < y->input);
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
    /* Sorted, so that ten thousand inputs need no comparison each with each. */
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
    /* A log without its database is what remains when somebody deletes only the database. */
    static const char *const endings[] = {"-journal", "-wal"};
    enum err_code code = ERR_NONE;
    for (size_t i = 0; code == ERR_NONE && i < sizeof endings / sizeof endings[0]; i++) {
        char *path = mem_format("%s%s", out, endings[i]);
        if (access(path, F_OK) == 0)
            code = err_set_at(e, ERR_INPUT, path, 0, "was left by a run that was killed while it wrote to %s", out);
        free(path);
    }
    return code;
}

/* What is replaced must be an earlier merge of the same scenario: --replace is for batches, and must not delete
   something else. */
static enum err_code check_replaceable(const struct merge *m, struct err *e)
{
    struct database old, first = {.path = m->inputs[0]};
    enum err_code code = open_quiet(&old, m->out, e);
    if (code == ERR_NONE)
        code = sql_open_read(&first, m->inputs[0], e);
    if (code == ERR_NONE)
        code = check_same(&old, &first, "scenario", e);
    if (code == ERR_NONE && !m->options.any_points)
        code = check_same(&old, &first, "digest", e);
    sql_close(&old);
    sql_close(&first);
    return code;
}

static enum err_code check_out(const struct merge *m, struct err *e)
{
    struct stat st;
    /* ENOENT: there is no such file yet. Any other error would also stop the writing. */
    if (stat(m->out, &st) != 0)
        return errno == ENOENT ? check_no_journal(m->out, e)
                               : err_set_at(e, err_of_errno(errno), m->out, 0, "cannot write: %s", strerror(errno));
    if (!S_ISREG(st.st_mode))
        return err_set_at(e, ERR_INPUT, m->out, 0, "is %s: merging makes a new database",
                          S_ISDIR(st.st_mode) ? "a folder" : "not a file");
    if (!m->options.replace)
        return err_set_at(e, ERR_INPUT, m->out, 0, "already exists; merging makes a new database");
    enum err_code code = check_no_journal(m->out, e);
    return code == ERR_NONE ? check_replaceable(m, e) : code;
}

/* --- two rows of one key --- */

/* Metrics are the REAL columns that may be empty; parameters never are. The last column is the error. */
static enum err_code read_columns(struct union_of *u, struct err *e)
{
    sqlite3_stmt *q = NULL;
    bool row = false;
    /* From the table itself, not from the experiment: a database may be of another version (--any-version). */
    enum err_code code =
        sql_prepare(&u->out, "SELECT name, type = 'REAL' AND \"notnull\" = 0 FROM pragma_table_info('results')", &q, e);
    while (code == ERR_NONE && (code = sql_step(&u->out, q, &row, e)) == ERR_NONE && row) {
        MEM_GROW(u->columns, u->n_columns, u->columns_capacity);
        u->columns[u->n_columns++] =
            (struct column){mem_strdup((const char *)sqlite3_column_text(q, 0)), sqlite3_column_int(q, 1) != 0};
    }
    sqlite3_finalize(q);
    return code;
}

/* CROSS JOIN keeps SQLite from reading all rows of `main`, which has those of all inputs before, for each input.

   The first row, by key, whose result is not the one that is there already: all its columns, then those of `part`. */
static char *make_difference(const struct union_of *u)
{
    struct text sql = {0};
    /* A row that failed anywhere disagrees with nothing. */
    text_addf(&sql, "SELECT a.*, b.* FROM part.results b CROSS JOIN main.results a ON a.key = b.key AND "
                    "a.replication = b.replication WHERE a.error IS NULL AND b.error IS NULL AND (0");
    for (size_t i = 0; i < u->n_columns; i++)
        /* IS NOT compares NULL as a value: a figure that is missing on one side is a difference. */
        if (u->columns[i].is_metric)
            text_addf(&sql, " OR a.\"%s\" IS NOT b.\"%s\"", u->columns[i].name, u->columns[i].name);
    text_addf(&sql, ") ORDER BY b.key, b.replication LIMIT 1");
    return text_take(&sql);
}

static void add_rank(struct text *sql, const struct union_of *u, const char *row)
{
    text_addf(sql, "(%s.error IS NOT NULL, ifnull(%s.error, '')", row, row);
    /* The last column is the error, which has been compared already. */
    for (size_t i = 0; i < u->n_columns - 1; i++)
        if (!u->columns[i].is_metric)
            text_addf(sql, ", %s.\"%s\"", row, u->columns[i].name);
    text_addf(sql, ")");
}

/* Of two rows of one key: one that worked before one that failed; else by what they say, first by the error, so that
   the order of the inputs does not matter. (They can differ in the names of files with the same content.) */
static char *make_insert(const struct union_of *u)
{
    struct text sql = {0};
    /* WHERE true: without it SQLite would read ON CONFLICT as part of a join. */
    text_addf(&sql, "INSERT INTO main.results SELECT * FROM part.results WHERE true ORDER BY key, replication "
                    "ON CONFLICT(key, replication) DO UPDATE SET");
    for (size_t i = 0; i < u->n_columns; i++)
        text_addf(&sql, "%s \"%s\" = excluded.\"%s\"", i > 0 ? "," : "", u->columns[i].name, u->columns[i].name);
    text_addf(&sql, " WHERE ");
    add_rank(&sql, u, "excluded");
    text_addf(&sql, " < ");
    add_rank(&sql, u, "results");
    return text_take(&sql);
}

/* The input before `last` that gave the row: one with that key in which it has not failed. */
static const char *origin_of(const struct merge *m, size_t last, const char *key, sqlite3_int64 replication)
{
    bool row = false;
    size_t i = 0;
    /* Only for the message, so reading all inputs again is not too slow. */
    for (; !row && i < last; i++) {
        struct database db;
        sqlite3_stmt *q = NULL;
        if (sql_open_read(&db, m->inputs[i], NULL) == ERR_NONE &&
            sql_prepare(&db, "SELECT 1 FROM results WHERE key = ? AND replication = ? AND error IS NULL", &q, NULL) ==
                ERR_NONE) {
            sqlite3_bind_text(q, 1, key, -1, SQLITE_STATIC);
            sqlite3_bind_int64(q, 2, replication);
            sql_step(&db, q, &row, NULL);
        }
        sqlite3_finalize(q);
        sql_close(&db);
    }
    return m->inputs[row ? i - 1 : 0];
}

static bool is_same_figure(sqlite3_stmt *q, int a, int b)
{
    bool none_a = sqlite3_column_type(q, a) == SQLITE_NULL, none_b = sqlite3_column_type(q, b) == SQLITE_NULL;
    /* Two missing figures are the same. */
    return none_a || none_b ? none_a == none_b : sqlite3_column_double(q, a) == sqlite3_column_double(q, b);
}

static const char *figure_of(sqlite3_stmt *q, int column, char out[TEXT_NUMBER_SIZE])
{
    return sqlite3_column_type(q, column) == SQLITE_NULL ? "none" : text_number(sqlite3_column_double(q, column), out);
}

static enum err_code refuse_difference(const struct union_of *u, size_t input, sqlite3_stmt *q, struct err *e)
{
    char x[TEXT_NUMBER_SIZE], y[TEXT_NUMBER_SIZE];
    const struct merge *m = u->merge;
    const char *key = (const char *)sqlite3_column_text(q, 0);
    sqlite3_int64 replication = sqlite3_column_int64(q, 1);
    int n = (int)u->n_columns, c = 0;
    /* The first metric that differs; the query has found that there is one. */
    while (c < n - 1 && (!u->columns[c].is_metric || is_same_figure(q, c, n + c)))
        c++;
    return err_set(e, ERR_INPUT, "%s and %s disagree on the result of key %s, replication %lld: %s is %s and %s",
                   origin_of(m, input, key, replication), m->inputs[input], key, (long long)replication,
                   u->columns[c].name, figure_of(q, c, x), figure_of(q, n + c, y));
}

/* --- the work --- */

/* An empty file beside the result; *path is fresh. */
static enum err_code create_beside(const struct merge *m, char **path, struct err *e)
{
    *path = mem_format("%s.XXXXXX", m->out);
    int fd = mkostemp(*path, O_CLOEXEC);
    if (fd < 0)
        return err_set_at(e, err_of_errno(errno), m->out, 0, "cannot write: %s", strerror(errno));
    /* mkostemp gives the file to its owner alone; the result gets the permissions of new files. */
    mode_t mask = umask(0);
    umask(mask);
    fchmod(fd, 0666 & ~mask);
    close(fd);
    return ERR_NONE;
}

/* As `part`, to read only: SQLite must not repair or checkpoint an input. */
static enum err_code attach(const struct database *part, struct err *e)
{
    struct text uri = {0};
    text_addf(&uri, "file:%s", part->path[0] == '/' ? "" : "./");
    for (const char *c = part->path; *c != '\0'; c++)
        /* What has a meaning in a URI is written as %XX. */
        text_addf(&uri, strchr("%?#", *c) != NULL ? "%%%02x" : "%c", *c);
    text_addf(&uri, "?mode=ro");
    enum err_code code = sql_ask(part, "ATTACH ? AS part", text_str(&uri), NULL, NULL, e);
    text_clear(&uri);
    return code;
}

/* Tables as the first input has them, word for word, and what it knows of itself. */
static enum err_code copy_tables(const struct union_of *u, struct err *e)
{
    const struct database part = {u->out.handle, u->merge->inputs[0]};
    char *tables = NULL;
    enum err_code code = attach(&part, e);
    /* Copied as text, so the result has exactly the columns of the inputs. */
    if (code == ERR_NONE)
        code = sql_ask(&part, "SELECT group_concat(sql, ';') FROM part.sqlite_master WHERE name IN ('meta', 'results')",
                       NULL, NULL, &tables, e);
    if (code == ERR_NONE)
        code = sql_run(&u->out, tables, e);
    if (code == ERR_NONE)
        code = sql_run(&u->out, "INSERT INTO main.meta SELECT * FROM part.meta ORDER BY name; DETACH part", e);
    free(tables);
    return code;
}

static enum err_code check_agreement(const struct union_of *u, size_t input, const struct database *part, struct err *e)
{
    sqlite3_stmt *q = NULL;
    bool row = false;
    enum err_code code = sql_prepare(part, u->difference, &q, e);
    if (code == ERR_NONE)
        code = sql_step(part, q, &row, e);
    if (code == ERR_NONE && row)
        code = refuse_difference(u, input, q, e);
    sqlite3_finalize(q);
    return code;
}

static enum err_code unite(const struct union_of *u, size_t input, struct err *e)
{
    /* The same connection, by the name of the input that it reads. */
    const struct database part = {u->out.handle, u->merge->inputs[input]};
    enum err_code code = attach(&part, e);
    if (code == ERR_NONE)
        code = check_agreement(u, input, &part, e);
    /* A damaged input must be named, and not the result: one connection serves both. */
    if (code == ERR_NONE && sqlite3_exec(part.handle, u->insert, NULL, NULL, NULL) != SQLITE_OK)
        code = sql_failed(sqlite3_errcode(part.handle) == SQLITE_CORRUPT ? &part : &u->out, e);
    /* Kept aside, because --any-points unites several digests into one. */
    if (code == ERR_NONE)
        code =
            sql_run(&u->out, "INSERT OR IGNORE INTO temp.digests SELECT value FROM part.meta WHERE name = 'digest'", e);
    return code == ERR_NONE ? sql_run(&u->out, "DETACH part", e) : code;
}

/* Vacuumed, so that neither the inputs' order nor their number shows in the file. */
static enum err_code write_out(const struct union_of *u, const char *path, struct err *e)
{
    char *file = mem_format("%s%s", path[0] == '/' ? "" : "./", path);
    enum err_code code = sql_ask(&u->out, "VACUUM INTO ?", file, NULL, NULL, e);
    free(file);
    return code;
}

/* --- inputs of different points (--any-points) --- */

/* A key knows the content of files and plugins, but rows have their names only: who reads them could not tell two
   contents apart. */
static enum err_code check_names(const struct union_of *u, struct err *e)
{
    sqlite3_stmt *q = NULL;
    bool row = false;
    struct text sql = {0};
    /* Two points with the same values in all columns but different keys. */
    text_addf(&sql, "SELECT min(key), max(key) FROM results GROUP BY replication");
    for (size_t i = 2; i < u->n_columns - 1; i++)
        if (!u->columns[i].is_metric)
            text_addf(&sql, ", \"%s\"", u->columns[i].name);
    text_addf(&sql, " HAVING min(key) <> max(key) LIMIT 1");
    enum err_code code = sql_prepare(&u->out, text_str(&sql), &q, e);
    if (code == ERR_NONE)
        code = sql_step(&u->out, q, &row, e);
    if (code == ERR_NONE && row)
        code = err_set(e, ERR_INPUT,
                       "points %s and %s have the same parameters but are different ones: a file or a plugin of that "
                       "name has other content; two names would tell them apart",
                       (const char *)sqlite3_column_text(q, 0), (const char *)sqlite3_column_text(q, 1));
    sqlite3_finalize(q);
    text_clear(&sql);
    return code;
}

/* No one command makes all the rows again, and nobody knows how many there should be. */
static enum err_code describe_points(const struct union_of *u, struct err *e)
{
    return sql_run(&u->out,
                   "UPDATE meta SET value = (SELECT group_concat(value, ' ') FROM (SELECT value FROM temp.digests "
                   "ORDER BY value)) WHERE name = 'digest'; "
                   "DELETE FROM meta WHERE name IN ('command', 'runs') AND (SELECT count(*) FROM temp.digests) > 1",
                   e);
}

/* The database has no name before it is whole, so it needs no journal, and is synced once, at the end. */
static enum err_code gather(struct union_of *u, const char *path, const char *out, uint64_t *n_rows, struct err *e)
{
    const struct merge *m = u->merge;
    enum err_code code = sql_open_uris(&u->out, path, e);
    /* Messages name what the user asked for, not the temporary file. */
    u->out.path = m->out;
    if (code == ERR_NONE)
        code =
            sql_run(&u->out,
                    "PRAGMA main.journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA main.locking_mode = EXCLUSIVE; "
                    "PRAGMA cache_size = -16384",
                    e);
    if (code == ERR_NONE)
        code = copy_tables(u, e);
    if (code == ERR_NONE)
        code = read_columns(u, e);
    if (code == ERR_NONE) {
        u->difference = make_difference(u);
        u->insert = make_insert(u);
    }
    if (code == ERR_NONE)
        code = sql_run(&u->out, "CREATE TEMP TABLE digests(value TEXT PRIMARY KEY)", e);
    for (size_t i = 0; code == ERR_NONE && i < m->n_inputs; i++)
        code = unite(u, i, e);
    if (code == ERR_NONE && m->options.any_points)
        code = check_names(u, e);
    if (code == ERR_NONE && m->options.any_points)
        code = describe_points(u, e);
    if (code == ERR_NONE)
        code = sql_count(&u->out, "SELECT count(*) FROM results", n_rows, e);
    return code == ERR_NONE ? write_out(u, out, e) : code;
}

static void union_clear(struct union_of *u)
{
    sql_close(&u->out);
    for (size_t i = 0; i < u->n_columns; i++)
        free(u->columns[i].name);
    free(u->columns);
    free(u->difference);
    free(u->insert);
}

static void remove_file(char *path)
{
    if (path != NULL)
        unlink(path);
    free(path);
}

static enum err_code unite_all(const struct merge *m, const char *path, uint64_t *n_rows, struct err *e)
{
    struct union_of u = {.merge = m};
    char *gathered = NULL;
    enum err_code code = create_beside(m, &gathered, e);
    if (code == ERR_NONE)
        code = gather(&u, gathered, path, n_rows, e);
    union_clear(&u);
    remove_file(gathered);
    return code;
}

static enum err_code check_complete(const struct merge *m, const char *temporary, uint64_t n_rows, struct err *e)
{
    struct database db;
    char *runs = NULL;
    /* Of the result, which has the `runs` of the first input. */
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
    /* Synced before the rename: the name must not appear before the content is on disk. */
    bool ok = fd >= 0 && fsync(fd) == 0;
    ok = ok && rename(temporary, m->out) == 0;
    /* close may change errno. */
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
    if (code == ERR_NONE)
        free(temporary);
    else
        remove_file(temporary);
    return code;
}
