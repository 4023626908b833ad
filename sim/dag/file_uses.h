/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Which tasks write and read which files, for workflow formats (DAX, WfCommons) in which data go from task to
   task in files: an edge carries the files that its origin writes and its destination reads. */
#ifndef IASIM_DAG_FILE_USES_H
#define IASIM_DAG_FILE_USES_H

#include "dag/dag.h"

#include <stdbool.h>
#include <stddef.h>

struct file_uses;
#define FILE_SIZE_UNKNOWN (-1.0)

struct file_uses *file_uses_create(void);
void file_uses_free(struct file_uses *u);

/* The number of a file, new if need be. */
int file_uses_file(struct file_uses *u, const char *name);
int file_uses_find(const struct file_uses *u, const char *name); /* -1: none */
const char *file_uses_name(const struct file_uses *u, int file);
/* What a list of files says, apart from the tasks. */
double *file_uses_size(struct file_uses *u, int file);

/* A task says that it writes or reads a file of this size (or FILE_SIZE_UNKNOWN). Saying it again changes
 * nothing. */
void file_uses_add_written(struct file_uses *u, task_id task, int file, double size_bytes);
void file_uses_add_read(struct file_uses *u, task_id task, int file, double size_bytes);

/* After the last use. */
void file_uses_seal(struct file_uses *u, int n_tasks);

/* The bytes of the files that `src` writes and `dst` reads. A file is as large as its writer says; if it says
   nothing, as its reader says, then as the list of files says. *unknown: a file of which nobody says it, or
   -1. Time: the shorter of the two tasks' lists, times the logarithm of the longer. */
double file_uses_shared_bytes(const struct file_uses *u, task_id src, task_id dst, int *unknown);

/* The reads in the order in which they were added: *task reads a file that only *writer, another task,
 *writes. Starts at i = 0 and moves it; false: no more. */
bool file_uses_next_flow(const struct file_uses *u, size_t *i, task_id *writer, task_id *task, int *file);

#endif
