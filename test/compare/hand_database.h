/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Results of a sweep that are given by hand, as a database. */
#ifndef IASIM_TEST_COMPARE_HAND_DATABASE_H
#define IASIM_TEST_COMPARE_HAND_DATABASE_H

#include "base/mem.h"
#include "check.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <unistd.h>

/* `columns` are definitions of SQL, `names` only their names; rows are "('a', 1, ...)" in that order. */
static inline void make_database(const char *path, const char *columns, const char *names, const char *rows)
{
    sqlite3 *db = NULL;
    char *why = NULL;
    unlink(path);
    char *sql =
        mem_format("CREATE TABLE meta(name TEXT PRIMARY KEY, value TEXT);"
                   "INSERT INTO meta VALUES('format', 'iasim-results/1'), ('experiment', 'hand'), ('scenario', 's');"
                   "CREATE TABLE results(key TEXT NOT NULL, replication INTEGER NOT NULL, %s, error TEXT,"
                   " PRIMARY KEY(key, replication));"
                   "WITH v(%s) AS (VALUES %s) INSERT INTO results "
                   "SELECT printf('%%032x', row_number() OVER ()), 1, %s, NULL FROM v;",
                   columns, names, rows, names);
    bool is_made = sqlite3_open(path, &db) == SQLITE_OK && sqlite3_exec(db, sql, NULL, NULL, &why) == SQLITE_OK;
    if (!is_made)
        fprintf(stderr, "%s: %s\n", path, why);
    CHECK(is_made);
    sqlite3_free(why);
    sqlite3_close(db);
    free(sql);
}

#endif
