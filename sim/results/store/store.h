/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Results on disk: an SQLite database with one row for each point and replication.

       meta(name, value)      format, scenario, digest, experiment, program: what the rows belong to;
                              command: `iasim run ...` that makes them again (not in every database);
                              runs: how many the whole scenario has
       results(key, replication, PARAMETERS..., METRICS..., error)      primary key (key, replication)

   A failed point has its error text and no figures; it is run again by --resume. On a local disk rows go
   through a write-ahead log (NAME.db-wal) while the run goes on and into the one file at its end; a shard,
   which may be on a network file system, has no such log. Either way what store_commit has returned from
   survives the end of the process. */
#ifndef IASIM_STORE_STORE_H
#define IASIM_STORE_STORE_H

#include "scenario/scenario.h"

struct store;

struct store_options {
    /* Go on with a file that exists; without it that is an error. The scenario may have more points than the file was
       made for (another value of an axis, another replication): then it is the file of this scenario from now on. */
    bool resume;
    bool single_file;    /* no write-ahead log */
    const char *command; /* for a new database: the command line that makes it again, without --out; NULL: none */
};

/* Errors: ERR_IO (cannot be created or opened, in use by another run, no database), ERR_INPUT (exists; holds
   the results of another scenario or program version, or of points that this scenario does not have). */
enum err_code store_open(const char *path, const struct scenario *s, const struct store_options *options,
                         struct store **out, struct err *e);
/* To look at results only, those of this moment: nothing may be put. Neither the file nor its folder need be writable,
   and a run may be writing to it. Errors: those of store_open; ERR_INPUT also for a database without any table yet. */
enum err_code store_open_read(const char *path, const struct scenario *s, struct store **out, struct err *e);
/* Commits, and makes one file of the database and its log. Then the file is checked, and its rows are counted:
   ERR_INTERNAL when another program has damaged it or deleted rows. Nothing may be put afterwards. store_close does
   this if nobody else has. */
enum err_code store_finish(struct store *st, struct err *e);
/* Closes; `st` may be NULL. It is freed in any case. */
enum err_code store_close(struct store *st, struct err *e);
/* The same after a run without results: a database that store_open made and nothing was put into is removed. */
void store_abandon(struct store *st);

/* Whether what is committed can be found by others: ERR_INTERNAL when the file or its write-ahead log has been removed,
   replaced or cut off since it was opened. store_finish checks this as well. */
enum err_code store_check_files(const struct store *st, struct err *e);

/* Whether there is a result that has not failed. */
enum err_code store_has(struct store *st, const char *key, long replication, bool *out, struct err *e);
enum err_code store_count(struct store *st, uint64_t *n_done, uint64_t *n_failed, struct err *e);

/* Adds a row or replaces it; it is on disk after store_commit. `error` NULL: it worked. */
struct store_row {
    uint64_t point;
    const char *key; /* turn_key of the point */
    long replication;
    const double *metrics; /* NAN: none */
    const char *error;
};
enum err_code store_put(struct store *st, const struct store_row *row, struct err *e);
enum err_code store_commit(struct store *st, struct err *e);

/* What went wrong, at most `limit`, by key. `where` is "x=1 policy=bwc", the parameters that vary in the
   scenario. Strings are borrowed during the call. */
struct store_failure {
    const char *key, *where, *error;
    long replication;
};
enum err_code store_each_failure(struct store *st, int limit,
                                 void (*failure)(void *self, const struct store_failure *f), void *self, struct err *e);

/* The mean of a metric over all rows that agree in `n_params` parameters, as a cube: the mean for the places i, j, k of
   the parameters' values on their axes of the scenario is cube[(i * n_j + j) * n_k + k]; NAN where no row has the
   figure. */
enum err_code store_mean_cube(struct store *st, const char *metric, const char *const *params, size_t n_params,
                              double *cube, struct err *e);

/* The same for cubes that are too large to keep: values[i] is the place of parameter i. Calls that agree in the first
   parameters come one after the other, but in the order of the values' texts, not of the axes: use only `values`. */
enum err_code store_each_mean(struct store *st, const char *metric, const char *const *params, size_t n_params,
                              void (*mean)(void *self, const size_t *values, double mean), void *self, struct err *e);

/* CSV of a database: sorted by key and replication, 17 digits, quoted as RFC 4180 has it, lines end with LF.
   An empty field: no such figure. path NULL: standard output; else the file is there whole or not at all. */
enum err_code store_export(const char *database, const char *path, struct err *e);

/* One database of many. A run that worked in one input and failed in another counts as worked; where rows say the
   same in other words (a file's name), the order of the inputs does not matter. Errors: ERR_INPUT when the inputs
   are of different scenarios, program versions (unless `any_version`), values, files or plugins (unless `any_points`,
   but no two points may then look the same), when one is given twice or is being written, or when two disagree on a
   result: the message names both and the key; with `complete`, when a run of the scenario is in none, or the inputs do
   not say how many it has. `out` must not exist, unless `replace`, which replaces what holds results of the same
   scenario; it is there whole or not at all. Time: n log n at worst; memory does not grow with rows nor with inputs.
   `options` may be NULL. */
struct store_merge_options {
    bool any_version, any_points, replace, complete;
};
enum err_code store_merge(const char *out, const char *const *inputs, size_t n_inputs,
                          const struct store_merge_options *options, uint64_t *n_rows, struct err *e);

/* The version of iasim that databases made now are of: `program` in meta. */
const char *store_program(void);

/* Whether a run is writing to it at this moment, if the file system supports locks. */
bool store_is_in_use(const char *path);

#endif
