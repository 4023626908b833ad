/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A scenario divided into parts for a cluster. Everything is in one folder:

       batch.json            the scenario, and the jobs that were submitted: struct batch
       task.sh, merge.sh     the scripts of the jobs (script.h)
       1.db, 2.db, ...       the results of the parts
       1.log, ..., merge.log the output of the jobs

   No file records which parts are done: that is looked up in the databases and in the queue, so it cannot be out of
   date. */
#ifndef IASIM_BATCH_BATCH_H
#define IASIM_BATCH_BATCH_H

#include "base/err.h"
#include "base/text.h"
#include "batch/slurm.h"

#include <stdbool.h>
#include <stdint.h>

enum { BATCH_MAX_PARTS = 10000 };

struct batch {
    char *folder, *out;                          /* absolute; `out` is the merged database */
    char *scenario, *digest, *program, *command; /* as the databases have them (store.h) */
    uint64_t n_runs;
    long n_parts;
    long *arrays; /* job arrays submitted so far; their indices are parts */
    size_t n_arrays;
    long merge_job; /* the last one; 0: none */
};

bool batch_exists(const char *folder);
/* Messages name the folder as `folder` does. Errors: ERR_IO, ERR_PARSE (not a batch.json of iasim). */
enum err_code batch_read(const char *folder, struct batch *b, struct err *e);
enum err_code batch_write(const struct batch *b, struct err *e);
void batch_clear(struct batch *b);

uint64_t batch_runs_of(const struct batch *b, long part);  /* parts count from 1 */
char *batch_file(const struct batch *b, const char *name); /* the caller frees */
char *batch_database(const struct batch *b, long part);    /* the caller frees */

/* --- the state of the parts --- */

/* X(code, name) */
#define PART_LIST(X)                                                                                                   \
    X(PART_DONE, "done")       /* all its runs succeeded */                                                            \
    X(PART_FAILED, "failed")   /* all were run, some failed */                                                         \
    X(PART_RUNNING, "running") /* running in the queue, or a process is writing to its database */                     \
    X(PART_ENDING, "ending")   /* stopped or nearly so, but its processes may still exist */                           \
    X(PART_WAITING, "waiting") /* waiting in the queue */                                                              \
    X(PART_STOPPED, "stopped") /* not in the queue, and some of its runs are missing */                                \
    X(PART_MISSING, "missing") /* not in the queue, and it has no results */

enum part_state {
#define X(code, name) code,
    PART_LIST(X)
#undef X
        N_PART_STATES
};
const char *part_state_name(enum part_state state);

struct batch_part {
    enum part_state state;
    uint64_t n_runs, n_done, n_failed;
    long job; /* the array through which it is queued; 0: none */
};

struct batch_status {
    struct batch_part *parts; /* n_parts of the batch */
    size_t n_in[N_PART_STATES];
    uint64_t n_done, n_failed; /* runs */
    bool is_merging;           /* the merge job is in the queue */
    bool is_merged;            /* `out` has as many good and failed runs as the parts together, or all */
    bool is_complete;          /* `out` has all runs, and none failed */
};

/* `queue` comes from slurm_queue; NULL and 0 without one. Errors: those of survey_database; ERR_INPUT if a database
   belongs to another scenario. Call batch_status_clear even after an error. */
enum err_code batch_survey(const struct batch *b, const struct slurm_task *queue, size_t n_tasks,
                           struct batch_status *out, struct err *e);
void batch_status_clear(struct batch_status *s);

/* "1-3,7,9-12": the parts whose state is marked in `states`. */
void batch_add_parts(struct text *out, const struct batch *b, const struct batch_status *s,
                     const bool states[N_PART_STATES]);

#endif
