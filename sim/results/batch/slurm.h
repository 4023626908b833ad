/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Slurm through its own programs: sbatch, squeue, scontrol, scancel. If one fails, the error message (ERR_IO) includes
   its output. */
#ifndef IASIM_BATCH_SLURM_H
#define IASIM_BATCH_SLURM_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>

bool slurm_is_here(void); /* sbatch is installed */

/* Runs sbatch with these options (NULL ends them) and the script; *job is the number of the job. */
enum err_code slurm_submit(const char *const *options, const char *script, long *job, struct err *e);

/* The largest index that an array may have; 0: not known. */
enum err_code slurm_max_index(long *out, struct err *e);

/* The user's jobs in the queue; the tasks of an array are listed one by one. */
enum slurm_state { SLURM_WAITING, SLURM_RUNNING, SLURM_ENDING };
struct slurm_task {
    long job, index; /* index -1: not in an array */
    enum slurm_state state;
};
enum err_code slurm_queue(struct slurm_task **tasks, size_t *n, struct err *e); /* the caller frees */

enum err_code slurm_cancel(long job, struct err *e);

#endif
