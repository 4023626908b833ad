/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Plans which parts of a batch to submit, and submits them. */
#ifndef IASIM_BATCH_SUBMIT_H
#define IASIM_BATCH_SUBMIT_H

#include "batch/script.h"

/* Parts that are done, waiting or running are left alone; all others make a new array. The merge job waits for the new
   array and for the parts in the queue; it replaces an older merge job. */
struct batch_plan {
    char *array;           /* "2,4"; NULL: no part is to be submitted */
    char *array_after;     /* "afterany:12_2": older tasks of these parts that are still ending; NULL: none */
    char *merge_after;     /* ":12_3:12_5": parts in the queue; "" if there are none, or too many to name */
    char *merge_after_any; /* ":12": the arrays of those that are too many to name; if one of their tasks fails, merging
                              reports it */
    bool has_merge;        /* a merge job is to be submitted */
    bool replaces_merge;   /* an older one is in the queue */
};

/* Errors: ERR_INPUT if another process is writing to a part's database. Call batch_plan_clear even after an error. */
enum err_code batch_plan(const struct batch *b, const struct batch_status *s, struct batch_plan *out, struct err *e);
void batch_plan_clear(struct batch_plan *p);

/* Options for sbatch: "--array=2,4", "--dependency=..."; `array_job` is the number of the new array. */
struct batch_options {
    char *words[4]; /* ends with NULL */
};
void batch_array_options(const struct batch_plan *p, struct batch_options *out);
void batch_merge_options(const struct batch_plan *p, const char *array_job, struct batch_options *out);
void batch_options_clear(struct batch_options *o);

/* Writes the scripts and batch.json, and submits. Each job is recorded at once, so the first is known even if the
   second is rejected. Errors: ERR_IO, also with the output of sbatch. */
enum err_code batch_submit(struct batch *b, const struct batch_script *script, const struct batch_plan *p,
                           struct err *e);

/* Locks the folder until *fd is closed. Call it before reading batch.json: otherwise the jobs that another submission
   has just recorded would be missed. If the folder does not exist, *fd is -1, which is not an error; batch_make_folder
   then creates and locks it, and only one of several processes succeeds. File systems without locks are used without.
   Errors: ERR_INPUT if another process holds the folder; ERR_IO. */
enum err_code batch_lock(const char *folder, int *fd, struct err *e);
enum err_code batch_make_folder(const char *folder, int *fd, struct err *e);

#endif
