/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The files of runtime/, which the build puts into the library. */
#ifndef IASIM_CODEGEN_RUNTIME_FILES_H
#define IASIM_CODEGEN_RUNTIME_FILES_H

#include <stddef.h>

struct runtime_file {
    const char *name;
    const unsigned char *bytes;
    size_t n_bytes;
};

extern const struct runtime_file runtime_files[]; /* ends with a NULL name */

#endif
