/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Only the layout is made here: commas, line feeds, indentation. Numbers and escapes are jansson's, so a command may
   change from a tree to a stream without a change in its output. A failed write is kept by the FILE (ferror). */
#include "report/json_stream.h"

#include <assert.h>
#include <string.h>

/* json_dump indents by one blank for each level, with JSON_INDENT(1). */
static void new_line(const struct json_stream *s)
{
    fprintf(s->file, "\n%*s", s->depth, "");
}

static void begin_member(struct json_stream *s, const char *key)
{
    /* The outermost value has neither a comma before it nor a line of its own. */
    if (s->depth > 0) {
        if (s->has_any[s->depth])
            putc(',', s->file);
        s->has_any[s->depth] = true;
        new_line(s);
    }
    if (key != NULL)
        fprintf(s->file, "\"%s\": ", key);
}

void json_stream_open(struct json_stream *s, const char *key, char bracket)
{
    begin_member(s, key);
    putc(bracket, s->file);
    assert(s->depth + 1 < JSON_STREAM_DEPTH);
    s->has_any[++s->depth] = false;
}

/* jansson indents from 0. Strings have no line breaks of their own: they are escaped. */
static int write_indented(const char *bytes, size_t n, void *stream)
{
    const struct json_stream *s = stream;
    while (n > 0) {
        /* What jansson gives may begin or end within a line, so only line feeds are replaced. */
        const char *end = memchr(bytes, '\n', n);
        size_t n_line = end != NULL ? (size_t)(end - bytes) : n;
        fwrite(bytes, 1, n_line, s->file);
        if (end == NULL)
            break;
        new_line(s);
        bytes = end + 1;
        n -= n_line + 1;
    }
    return 0;
}

void json_stream_value(struct json_stream *s, const char *key, json_t *value)
{
    begin_member(s, key);
    json_dump_callback(value, write_indented, s, JSON_INDENT(1) | JSON_REAL_PRECISION(17) | JSON_ENCODE_ANY);
    json_decref(value);
}

void json_stream_close(struct json_stream *s, char bracket)
{
    /* An empty object or array closes in the same line, as jansson prints it. */
    bool has_any = s->has_any[s->depth--];
    if (has_any)
        new_line(s);
    putc(bracket, s->file);
    if (s->depth == 0)
        putc('\n', s->file);
}
