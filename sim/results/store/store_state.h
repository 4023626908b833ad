/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A store, and what its file and its log must be. Internal to this folder. */
#ifndef IASIM_STORE_STORE_STATE_H
#define IASIM_STORE_STORE_STATE_H

#include "store/places.h"
#include "store/store.h"
#include "store/store_sql.h"
#include "store/write_log.h"

#include <sys/stat.h>

struct store {
    struct database db;
    char *path;
    const struct scenario *s;
    sqlite3_stmt *put, *find;
    uint64_t n_rows;       /* that it must have: those it had, and what was put since */
    struct places *places; /* NULL: not needed yet */
    bool has_log;          /* a write-ahead log that goes at the end */
    bool is_finished;      /* the log has gone, and all has been checked */
    bool is_made;          /* the file was not there before */
    bool is_new;           /* it had no tables, and nothing was put yet */
    bool in_transaction;   /* rows were put since the last commit */
    int lock_fd;
    struct stat file, log; /* as they were when it was opened: the database and its write-ahead log */
    struct write_log log_state;
};

bool store_is_same_file(const char *path, const struct stat *before);

/* Takes down which files they are, for store_check_files. Errors: ERR_IO. */
enum err_code store_remember_files(struct store *st, struct err *e);

#endif
