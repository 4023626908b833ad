/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Errors: a code to branch on, a sentence for people, and the place in the input where the error was found.
   The first error wins: err_set does not change a struct that already holds an error. */
#ifndef IASIM_BASE_ERR_H
#define IASIM_BASE_ERR_H

#include "base/api.h"

#include <stdarg.h>
#include <stddef.h>

/* X(code, exit status of the program, what it means) */
#define ERR_LIST(X)                                                                                                    \
    X(ERR_NONE, 0, "no error")                                                                                         \
    X(ERR_NO, 1, "the answer is no")                                                                                   \
    X(ERR_USAGE, 2, "the command line could not be understood")                                                        \
    X(ERR_PARSE, 2, "an input could not be read")                                                                      \
    X(ERR_INPUT, 2, "an input was read but asks for something impossible")                                             \
    X(ERR_IO, 2, "a file could not be opened, read or written")                                                        \
    X(ERR_INTERRUPTED, 75, "stopped by a signal before it was done; what was finished is kept")                        \
    X(ERR_INTERNAL, 3, "a bug in the program itself")                                                                  \
    X(ERR_FULL, 3, "a file could not be written because the disk is full")

enum err_code {
#define X(code, status, text) code,
    ERR_LIST(X)
#undef X
};

struct err {
    enum err_code code;
    int line;         /* 1 for the first line; 0: unknown */
    char source[256]; /* the file, or "" */
    char text[1024];  /* one sentence without a full stop */
};

/* Each returns `code`, so that a caller can write `return err_set(...)`. `e` may be NULL. */
IASIM_API enum err_code err_set(struct err *e, enum err_code code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
IASIM_API enum err_code err_set_at(struct err *e, enum err_code code, const char *source, int line, const char *format,
                                   ...) __attribute__((format(printf, 5, 6)));
IASIM_API enum err_code err_vset_at(struct err *e, enum err_code code, const char *source, int line, const char *format,
                                    va_list args);

/* Writes "source:line: text" into `out`, without the parts that are unknown; returns `out`. */
IASIM_API const char *err_describe(const struct err *e, char *out, size_t size);

IASIM_API const char *err_code_text(enum err_code code);
IASIM_API int err_exit_status(enum err_code code);

#endif
