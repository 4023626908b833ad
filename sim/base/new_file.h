/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A file that is there whole or not at all: written beside its place, moved into it at the end. Readers see the old file
   or the new one, never half of it; the new one has the old one's permissions. A symbolic link stays, what it leads to is
   replaced. A pipe or a device has no old content to keep and is written straight. */
#ifndef IASIM_BASE_NEW_FILE_H
#define IASIM_BASE_NEW_FILE_H

#include "base/err.h"

#include <stdbool.h>
#include <stdio.h>

struct new_file {
    FILE *out;
    char *path, *temporary; /* temporary is NULL when `path` is written straight */
};

/* Errors: ERR_IO; then there is nothing to close. */
enum err_code new_file_open(const char *path, struct new_file *f, struct err *e);
/* With `keep` false it never appears. Errors: ERR_IO (a full disk); then it does not appear either. */
enum err_code new_file_close(struct new_file *f, bool keep, struct err *e);

/* For commands: an output may not be one of the inputs. Errors: ERR_USAGE. NULL paths are passed over. */
enum err_code new_file_check_not_input(const char *output, const char *const *inputs, size_t n, struct err *e);

#endif
