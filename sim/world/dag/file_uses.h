/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Which tasks write and read which files. In workflow formats (DAX, WfCommons) tasks exchange data through files: an
   edge carries the files that its source writes and its destination reads. */
#ifndef IASIM_DAG_FILE_USES_H
#define IASIM_DAG_FILE_USES_H

#include "dag/dag.h"

#include <stdbool.h>
#include <stddef.h>

struct file_uses;
#define FILE_SIZE_UNKNOWN (-1.0)

struct file_uses *file_uses_create(void);
void file_uses_free(struct file_uses *u);

/* The number of a file, which is added if it is new. */
int file_uses_file(struct file_uses *u, const char *name);
int file_uses_find(const struct file_uses *u, const char *name); /* -1: not found */
const char *file_uses_name(const struct file_uses *u, int file);
/* The size given by the workflow's list of files. */
double *file_uses_size(struct file_uses *u, int file);

/* Records that a task writes or reads a file of this size (or FILE_SIZE_UNKNOWN). Repeated calls change nothing. */
void file_uses_add_written(struct file_uses *u, task_id task, int file, double size_bytes);
void file_uses_add_read(struct file_uses *u, task_id task, int file, double size_bytes);

/* Call after the last use. */
void file_uses_seal(struct file_uses *u, int n_tasks);

/* The bytes of the files that `src` writes and `dst` reads. The size of a file is the one given by its writer, or else
   by its reader, or else by the list of files. *unknown is a file without any size, or -1. Time: the length of the
   shorter of the two lists of uses times the logarithm of the longer. */
double file_uses_shared_bytes(const struct file_uses *u, task_id src, task_id dst, int *unknown);

/* Iterates over the reads in the order in which they were added: *task reads a file that only the other task *writer
   writes. Start with *i = 0. False: no more. */
bool file_uses_next_flow(const struct file_uses *u, size_t *i, task_id *writer, task_id *task, int *file);

#endif
