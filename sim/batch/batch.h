/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A scenario cut into parts for a cluster. All about it is in one folder:

       batch.json            what it is a part of, and which jobs were submitted: struct batch
       task.sh, merge.sh     the jobs' scripts (script.h)
       1.db, 2.db, ...       the results of the parts
       1.log, ..., merge.log what the jobs said

   What is done is never written down: it is looked up in the databases and in the queue. */
#ifndef IASIM_BATCH_BATCH_H
#define IASIM_BATCH_BATCH_H

#include "base/err.h"
#include "base/text.h"
#include "batch/slurm.h"

#include <stdbool.h>
#include <stdint.h>

enum { BATCH_MAX_PARTS = 10000 };

struct batch {
    char *folder, *out;                          /* absolute; `out` is the united database */
    char *scenario, *digest, *program, *command; /* as the databases have them (store.h) */
    uint64_t n_runs;
    long n_parts;
    long *arrays; /* jobs submitted so far: arrays whose indices are parts */
    size_t n_arrays;
    long merge_job; /* the last one; 0: none */
};

bool batch_exists(const char *folder);
/* `folder` as the messages shall name it. Errors: ERR_IO, ERR_PARSE (no batch.json of ours). */
enum err_code batch_read(const char *folder, struct batch *b, struct err *e);
enum err_code batch_write(const struct batch *b, struct err *e);
void batch_clear(struct batch *b);

uint64_t batch_runs_of(const struct batch *b, long part);  /* parts count from 1 */
char *batch_file(const struct batch *b, const char *name); /* fresh */
char *batch_database(const struct batch *b, long part);    /* fresh */

/* --- how it stands --- */

/* X(code, how it is called) */
#define PART_LIST(X)                                                                                                   \
    X(PART_DONE, "done")       /* all its runs have worked */                                                          \
    X(PART_FAILED, "failed")   /* all were run, some have failed */                                                    \
    X(PART_RUNNING, "running") /* in the queue, or somebody is writing to its database */                              \
    X(PART_ENDING, "ending")   /* stopped or nearly so, but its processes may be there still */                        \
    X(PART_WAITING, "waiting") /* in the queue */                                                                      \
    X(PART_STOPPED, "stopped") /* not in the queue, and some of its runs are missing */                                \
    X(PART_MISSING, "missing") /* not in the queue, and there is nothing of it */

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
    long job; /* the array that has it in the queue; 0: none */
};

struct batch_status {
    struct batch_part *parts; /* n_parts of the batch */
    size_t n_in[N_PART_STATES];
    uint64_t n_done, n_failed; /* runs */
    bool is_merging;           /* its job is in the queue */
    bool is_merged;            /* `out` has as many good and failed runs as the parts together, or all */
    bool is_complete;          /* `out` has all runs, and none has failed */
};

/* The queue is what slurm_queue has found; without one, NULL and 0. Errors: those of survey_database;
   ERR_INPUT when a database is of another scenario. batch_status_clear in any case. */
enum err_code batch_survey(const struct batch *b, const struct slurm_task *queue, size_t n_tasks,
                           struct batch_status *out, struct err *e);
void batch_status_clear(struct batch_status *s);

/* "1-3,7,9-12": the parts whose state is marked in `states`. */
void batch_add_parts(struct text *out, const struct batch *b, const struct batch_status *s,
                     const bool states[N_PART_STATES]);

#endif
