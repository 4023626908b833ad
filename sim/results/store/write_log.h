/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SQLite's write-ahead log, as it is on disk [SQLite, "WAL-mode File Format"]. SQLite believes what it has written, and
   would copy pages that another program has overwritten into the database. So we look first. Internal to this
   folder. */
#ifndef IASIM_STORE_WRITE_LOG_H
#define IASIM_STORE_WRITE_LOG_H

#include <sqlite3.h>
#include <stdbool.h>

struct write_log {
    sqlite3 *handle;
    int n_frames; /* in the log after the last commit; each is a page of the database */
    bool is_damaged;
};

/* Takes the place of SQLite's automatic checkpoints: one that finds the log damaged copies nothing and sets
   `is_damaged`. `log` is borrowed until the database is closed. */
void write_log_watch(struct write_log *log, sqlite3 *handle);

/* Whether the log is as long as it must be and begins with a header. Constant time. */
bool write_log_is_there(const struct write_log *log);

/* Whether every byte of it is as SQLite wrote it, by its checksums. Not within a transaction. Time: the log's
   length. */
bool write_log_is_intact(const struct write_log *log);

#endif
