/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* File formats of task graphs: one file each in formats/, registered in formats.def. */
#ifndef IASIM_DAG_FORMAT_H
#define IASIM_DAG_FORMAT_H

#include "base/text.h"
#include "dag/dag.h"

#include <stdbool.h>

struct dag_read_options {
    /* The work of a second of run time in formats that give times instead of work (DAX, WfCommons). */
    double reference_flop_per_s;
    bool with_lines; /* for dag_format.read: record lines even if that is slow. Callers leave it false */
};
#define DAG_REFERENCE_FLOP_PER_S 1e9

struct dag_format {
    const char *name, *summary, *source;
    const char *extensions; /* "dot gv" */
    /* The reader is faster without lines (all are then 0). dag_parse asks for lines only after an error. */
    bool leaves_lines_out;
    /* OPTIONAL. Whether a text looks like this format; for files without a known extension. */
    int (*looks_like)(const char *bytes, size_t n);
    /* REQUIRED. Fills `out`, which is initialised on entry; the caller seals it. Errors: ERR_PARSE, ERR_INPUT, with the
       line. */
    enum err_code (*read)(const char *bytes, size_t n, const char *path, const struct dag_read_options *options,
                          struct dag *out, struct err *e);
    /* OPTIONAL. Errors: ERR_INPUT for a graph that the format cannot hold. */
    enum err_code (*write)(const struct dag *g, const struct dag_read_options *options, struct text *out,
                           struct err *e);
};

extern const struct dag_format *const dag_formats[]; /* ends with NULL; the order of formats.def */

/* Errors: ERR_INPUT for an unknown name; the message lists the known ones. */
enum err_code dag_format_find(const char *name, const struct dag_format **out, struct err *e);
/* The format by the extension of `path`, or else by the content if `bytes` is given. Errors: ERR_INPUT; the message
   lists the known formats. */
enum err_code dag_format_of(const char *path, const char *bytes, size_t n, const struct dag_format **out,
                            struct err *e);

/* Reads and seals a graph. With `format` NULL the format is recognised by name and content; with `options` NULL the
   reference speed is the default above. Errors: ERR_IO, ERR_PARSE, ERR_INPUT; *out then needs no clearing. */
enum err_code dag_read(const char *path, const struct dag_format *format, const struct dag_read_options *options,
                       struct dag *out, struct err *e);
enum err_code dag_parse(const char *bytes, size_t n, const char *path, const struct dag_format *format,
                        const struct dag_read_options *options, struct dag *out, struct err *e);

#endif
