/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What is to be submitted of a batch, and submitting it. */
#ifndef IASIM_BATCH_SUBMIT_H
#define IASIM_BATCH_SUBMIT_H

#include "batch/script.h"

/* Parts that have worked, wait or run are left alone; all others make a new array. The merge job waits for
   the new array and for the parts that are left alone; it takes the place of an older one. */
struct batch_plan {
    char *array;           /* "2,4"; NULL: no part is to be submitted */
    char *array_after;     /* "afterany:12_2": its first tasks' predecessors are still ending; NULL: none */
    char *merge_after;     /* ":12_3:12_5", parts that are in the queue; "" when there are none, or too many to
                          name */
    char *merge_after_any; /* ":12": then, their arrays; some of their tasks may be lost, which uniting will
                              see */
    bool has_merge;        /* a merge job is to be submitted */
    bool replaces_merge;   /* an older one is in the queue */
};

/* Errors: ERR_INPUT: somebody else is writing to a part's database. batch_plan_clear in any case. */
enum err_code batch_plan(const struct batch *b, const struct batch_status *s, struct batch_plan *out, struct err *e);
void batch_plan_clear(struct batch_plan *p);

/* sbatch's options, fresh: "--array=2,4", "--dependency=..."; `array_job` is how the new array is called.
 * NULL: none. */
struct batch_options {
    char *words[4]; /* ends with NULL */
};
void batch_array_options(const struct batch_plan *p, struct batch_options *out);
void batch_merge_options(const struct batch_plan *p, const char *array_job, struct batch_options *out);
void batch_options_clear(struct batch_options *o);

/* Writes the scripts and batch.json, submits, and writes down what was submitted at once:
   if the second job is refused the first is known. Errors: ERR_IO, also what sbatch says. */
enum err_code batch_submit(struct batch *b, const struct batch_script *script, const struct batch_plan *p,
                           struct err *e);

/* The folder is this process's alone until *fd is closed; to be called before batch.json is read, so that what another
   submission has just submitted is known. *fd is -1, which is no error, for a folder that does not exist: make_folder
   then makes it, for one of those who try. File systems without locks go without. Errors: ERR_INPUT: another one is at
   work; ERR_IO. */
enum err_code batch_lock(const char *folder, int *fd, struct err *e);
enum err_code batch_make_folder(const char *folder, int *fd, struct err *e);

#endif
