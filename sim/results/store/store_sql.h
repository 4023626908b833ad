/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SQLite with our errors: shared by the files that read and write result databases. Internal to this folder.
 */
#ifndef IASIM_STORE_STORE_SQL_H
#define IASIM_STORE_STORE_SQL_H

#include "base/err.h"

#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>

/* A database that is open; `path` is for messages, borrowed. */
struct database {
    sqlite3 *handle;
    const char *path;
};

/* Neither a folder nor a device nor a pipe: SQLite would write beside those, or wait for ever. What is not there
   passes. Errors: ERR_IO. */
enum err_code sql_check_file(const char *path, struct err *e);

/* `create` allows a new file. Errors: ERR_IO. */
enum err_code sql_open(struct database *db, const char *path, bool create, struct err *e);
/* ATTACH takes URIs. */
enum err_code sql_open_uris(struct database *db, const char *path, struct err *e);
/* To read only: neither the file nor its folder need be writable, and a run may be writing to it. */
enum err_code sql_open_read(struct database *db, const char *path, struct err *e);
void sql_close(struct database *db);

/* What SQLite says of its last failure, in our words, as ERR_IO of the file. */
enum err_code sql_failed(const struct database *db, struct err *e);

/* Whether that failure was: half-written rows are to be undone first, and we only read. */
bool sql_is_torn(const struct database *db);

enum err_code sql_run(const struct database *db, const char *statements, struct err *e);
enum err_code sql_prepare(const struct database *db, const char *statement, sqlite3_stmt **out, struct err *e);
/* One step; *row: whether there is a row. */
enum err_code sql_step(const struct database *db, sqlite3_stmt *statement, bool *row, struct err *e);

/* Runs one statement with up to two texts for its question marks, NULL: no such mark. *out, if `out` is not NULL, is
   the first column of the first row, fresh; NULL: no row. */
enum err_code sql_ask(const struct database *db, const char *statement, const char *first, const char *second,
                      char **out, struct err *e);
/* The same of a query without question marks, as a number. */
enum err_code sql_count(const struct database *db, const char *query, uint64_t *out, struct err *e);

/* Errors: ERR_INPUT for a database that does not hold results in the format we know. */
enum err_code sql_check_ours(const struct database *db, struct err *e);
/* A value of the table meta, fresh; NULL: none. */
enum err_code sql_meta(const struct database *db, const char *name, char **out, struct err *e);
/* How many runs have worked, and how many have failed. */
enum err_code sql_count_runs(const struct database *db, uint64_t *n_done, uint64_t *n_failed, struct err *e);
/* Whether the database has no table at all, as one whose maker was killed before its first commit. */
enum err_code sql_is_empty(const struct database *db, bool *out, struct err *e);

#define STORE_FORMAT "iasim-results/1"

#endif
