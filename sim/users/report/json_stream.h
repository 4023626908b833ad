/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A JSON text that is too long to be held as a tree: written value by value, in the bytes that jansson would print for
   the whole (JSON_INDENT(1), JSON_REAL_PRECISION(17)). */
#ifndef IASIM_REPORT_JSON_STREAM_H
#define IASIM_REPORT_JSON_STREAM_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

enum { JSON_STREAM_DEPTH = 8 };

struct json_stream { /* begins as {.file = FILE} */
    FILE *file;
    int depth;
    bool has_any[JSON_STREAM_DEPTH]; /* at each depth: something has been written */
};

/* `key` is ASCII; NULL in an array and for the whole text. `bracket` is '{' or '['; `value` is taken. */
void json_stream_open(struct json_stream *s, const char *key, char bracket);
void json_stream_value(struct json_stream *s, const char *key, json_t *value);
void json_stream_close(struct json_stream *s, char bracket); /* '}' or ']'; the last one ends the line */

#endif
