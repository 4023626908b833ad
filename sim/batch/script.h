/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The two scripts of a batch: one for its array of tasks, one that unites what they made. */
#ifndef IASIM_BATCH_SCRIPT_H
#define IASIM_BATCH_SCRIPT_H

#include "base/err.h"
#include "batch/batch.h"
#include "scenario/rerun.h"

struct batch_script {
    const struct batch *batch;
    const char *program;        /* absolute */
    const char *data;           /* IASIM_DATA of the tasks; NULL: not set */
    const char *start;          /* the folder to which file names are relative */
    struct rerun_words words;   /* of `iasim run` */
    int n_jobs;                 /* processes of a task; 0: as many as Slurm gives it processors */
    const char *time_limit;     /* of a point, in seconds; NULL: none */
    const char *const *options; /* for sbatch, both jobs */
    size_t n_options;
};

/* Whether sbatch can be told these words and this folder. Errors: ERR_USAGE: an option that would break the
   array or its dependent job; a line feed; a backslash in the folder. */
enum err_code batch_script_check(const struct batch_script *s, struct err *e);

/* Fresh. */
char *batch_task_script(const struct batch_script *s);
char *batch_merge_script(const struct batch_script *s);

#endif
