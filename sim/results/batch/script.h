/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The two scripts of a batch: one for its array of tasks, and one that merges their results. */
#ifndef IASIM_BATCH_SCRIPT_H
#define IASIM_BATCH_SCRIPT_H

#include "base/err.h"
#include "batch/batch.h"
#include "scenario/rerun.h"

struct batch_script {
    const struct batch *batch;
    const char *program;        /* absolute */
    const char *data;           /* IASIM_DATA of the tasks; NULL: not set */
    const char *start;          /* file names are relative to this folder */
    struct rerun_words words;   /* of `iasim run` */
    int n_jobs;                 /* worker processes of a task; 0: one for each processor that Slurm allocates */
    const char *time_limit;     /* of a point, in seconds; NULL: none */
    const char *const *options; /* for sbatch, both jobs */
    size_t n_options;
};

/* Checks the options for sbatch and the name of the folder. Errors: ERR_USAGE for an option that would break the array
   or its dependent job, for a line feed, and for a backslash in the folder. */
enum err_code batch_script_check(const struct batch_script *s, struct err *e);

/* The text of a script; the caller frees it. */
char *batch_task_script(const struct batch_script *s);
char *batch_merge_script(const struct batch_script *s);

#endif
