/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A scenario from its points to its database: the pool's results go to the store; what is there already is
   passed over. */
#ifndef IASIM_SWEEP_SWEEP_RUN_H
#define IASIM_SWEEP_SWEEP_RUN_H

#include "store/store.h"
#include "sweep/pool.h"

struct run_progress {
    uint64_t n_total;  /* of this shard */
    uint64_t n_passed; /* they were in the database */
    uint64_t n_done;   /* now, failures among them */
    uint64_t n_failed; /* now */
};

struct run_options {
    const char *database;
    const char *command; /* rerun_scenario() of this run, kept in the database; NULL: not known */
    struct pool_options pool;
    bool resume;
    bool single_file;     /* the database may be on a network file system: no write-ahead log */
    long shard, n_shards; /* this process does turns shard-1, shard-1 + n_shards, ...; 1 of 1: everything */
    /* OPTIONAL. At least four times a second while it runs. */
    void (*progress)(void *self, const struct run_progress *p);
    void *progress_self;
};

/* *store is open and committed when the code is ERR_NONE or ERR_INTERRUPTED, for a summary; the caller closes
   it. Else it is NULL, and what was finished is in the database all the same. Errors: those of store_open and
   pool_run; ERR_IO when a result cannot be stored. */
enum err_code run_scenario(const struct scenario *s, const struct run_options *options, struct run_progress *progress,
                           struct store **store, struct err *e);

/* What the others that fill a store share: how to open it, and an error text as it is stored. Words of a crashed
   process may be anything, or cut in the middle of a character; the result, which is fresh, is UTF-8 on one line. */
struct store_options run_store_options(const struct run_options *options);
char *run_readable(const char *error);

#endif
