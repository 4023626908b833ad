/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A folder that appears complete or not at all: it is filled under a temporary name beside it and renamed at the
   end. */
#ifndef IASIM_CODEGEN_FOLDER_H
#define IASIM_CODEGEN_FOLDER_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>

struct new_folder {
    char *path, *temporary;
};

/* Errors: ERR_USAGE when `path` is there and not an empty folder; ERR_IO. The folder need not be closed then. */
enum err_code new_folder_open(const char *path, struct new_folder *f, struct err *e);
/* `name` has no slashes. Errors: ERR_IO, ERR_FULL. */
enum err_code new_folder_write(struct new_folder *f, const char *name, const void *bytes, size_t n, struct err *e);
/* With `keep` false the folder never appears. Errors: ERR_IO; it does not appear then, either. */
enum err_code new_folder_close(struct new_folder *f, bool keep, struct err *e);

/* A new, empty folder for temporary files, where TMPDIR says. `*out` is fresh. Errors: ERR_IO; *out is NULL. */
enum err_code folder_make_temporary(char **out, struct err *e);

/* Removes a folder and the files in it, as far as that can be done. */
void folder_discard(const char *path);

#endif
