/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* File formats of task graphs: one file each in formats/, registered in formats.def. */
#ifndef IASIM_DAG_FORMAT_H
#define IASIM_DAG_FORMAT_H

#include "base/text.h"
#include "dag/dag.h"

#include <stdbool.h>

struct dag_read_options {
    /* What a second of run time is worth in formats that give times instead of work (DAX, WfCommons). */
    double reference_flop_per_s;
    bool with_lines; /* for dag_format.read: lines are needed, whatever they cost. Callers leave it false */
};
#define DAG_REFERENCE_FLOP_PER_S 1e9

struct dag_format {
    const char *name, *summary, *source;
    const char *extensions; /* "dot gv" */
    /* Reads faster without lines (they are 0 then) unless asked for them: dag_parse asks once something is wrong. */
    bool leaves_lines_out;
    /* OPTIONAL. Whether a text looks like this format, for files whose name says nothing. */
    int (*looks_like)(const char *bytes, size_t n);
    /* REQUIRED. Fills `out`, initialised on entry, and leaves sealing to the caller. Errors: ERR_PARSE, ERR_INPUT, with
       the line. */
    enum err_code (*read)(const char *bytes, size_t n, const char *path, const struct dag_read_options *options,
                          struct dag *out, struct err *e);
    /* OPTIONAL. Errors: ERR_INPUT for a graph that the format cannot hold. */
    enum err_code (*write)(const struct dag *g, const struct dag_read_options *options, struct text *out,
                           struct err *e);
};

extern const struct dag_format *const dag_formats[]; /* ends with NULL; the order of formats.def */

/* Errors: ERR_INPUT for an unknown name; the message lists the known ones. */
enum err_code dag_format_find(const char *name, const struct dag_format **out, struct err *e);
/* By the extension of `path`, else, with `bytes`, by the content. Errors: ERR_INPUT; the known ones are listed. */
enum err_code dag_format_of(const char *path, const char *bytes, size_t n, const struct dag_format **out,
                            struct err *e);

/* Reads and seals. `format` and `options` may be NULL: by name and content; the reference speed above. Errors: ERR_IO,
   ERR_PARSE, ERR_INPUT; then *out needs no clearing. */
enum err_code dag_read(const char *path, const struct dag_format *format, const struct dag_read_options *options,
                       struct dag *out, struct err *e);
enum err_code dag_parse(const char *bytes, size_t n, const char *path, const struct dag_format *format,
                        const struct dag_read_options *options, struct dag *out, struct err *e);

#endif
