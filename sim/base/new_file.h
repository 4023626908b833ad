/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A file that appears complete or not at all: it is written under a temporary name in the same folder and renamed at
   the end. Readers see the old file or the new one, never half of it. The new file keeps the old permissions. A
   symbolic link stays and its target is replaced. Pipes and devices have no old content to keep and are written
   directly. */
#ifndef IASIM_BASE_NEW_FILE_H
#define IASIM_BASE_NEW_FILE_H

#include "base/err.h"

#include <stdbool.h>
#include <stdio.h>

struct new_file {
    FILE *out;
    char *name, *path, *temporary; /* as given; its target; NULL when that is written directly */
};

/* The code for the `errno` of a failed write: ERR_FULL when there is no space left, else ERR_IO. */
enum err_code err_of_errno(int reason);

/* Errors: ERR_IO; the file must then not be closed. */
enum err_code new_file_open(const char *path, struct new_file *f, struct err *e);
/* With `keep` false the file never appears. Errors: ERR_IO (a full disk); the file then does not appear either. */
enum err_code new_file_close(struct new_file *f, bool keep, struct err *e);

/* For commands: an output may not be one of the inputs. Errors: ERR_USAGE. NULL paths are skipped. */
enum err_code new_file_check_not_input(const char *output, const char *const *inputs, size_t n, struct err *e);

/* Whether both names are those of one file: that exists, or that would appear in one folder under one name. */
bool new_file_is_same(const char *a, const char *b);

/* For commands that work long and open the file only then, so that they leave nothing beside it when they are killed:
   whether `path` can be written. Nothing is opened. NULL is skipped. Errors: ERR_IO. */
enum err_code new_file_check(const char *path, struct err *e);

#endif
