/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Finds a file's format and reads it. An extension decides before the content does, so a file with a mistake gets
   the message of the format its name promises. */
#include "dag/format.h"

#include "base/mem.h"
#include "base/registry.h"

#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { MAX_FILE_BYTES = 1000000000 };

#define DAG_FORMAT(name) extern const struct dag_format dag_format_##name;
#include "dag/formats/formats.def"
#undef DAG_FORMAT

const struct dag_format *const dag_formats[] = {
#define DAG_FORMAT(name) &dag_format_##name,
#include "dag/formats/formats.def"
#undef DAG_FORMAT
    NULL,
};

enum err_code dag_format_find(const char *name, const struct dag_format **out, struct err *e)
{
    const struct dag_format *found = registry_choose(dag_formats, "task graph format", name, e);
    if (found == NULL)
        return ERR_INPUT;
    *out = found;
    return ERR_NONE;
}

/* `words` are separated by blanks. */
static bool has_word(const char *words, const char *word)
{
    size_t n = strlen(word);
    for (const char *at = words; *at != '\0'; at += at[0] == ' ') {
        /* Without regard to case: files from other systems end in .DOT or .JSON. */
        size_t length = strcspn(at, " ");
        if (length == n && strncasecmp(at, word, n) == 0)
            return true;
        at += length;
    }
    return false;
}

static const char *extension_of(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot ? dot + 1 : ""; /* a dot in a folder's name gives an extension with a slash, which no format has */
}

static enum err_code refuse_unknown(const char *path, struct err *e)
{
    struct text known = {0};
    for (size_t i = 0; dag_formats[i] != NULL; i++)
        text_addf(&known, "%s%s (%s)", i ? ", " : "", dag_formats[i]->name, dag_formats[i]->extensions);
    err_set_at(e, ERR_INPUT, path, 0,
               "cannot recognise the task graph format by file name or content; known formats (and extensions): %s",
               text_str(&known));
    text_clear(&known);
    return ERR_INPUT;
}

enum err_code dag_format_of(const char *path, const char *bytes, size_t n, const struct dag_format **out, struct err *e)
{
    for (size_t i = 0; dag_formats[i] != NULL; i++)
        if (has_word(dag_formats[i]->extensions, extension_of(path))) {
            *out = dag_formats[i];
            return ERR_NONE;
        }
    /* Only if the name says nothing: formats recognise a text by its first bytes, and could be wrong. */
    for (size_t i = 0; bytes != NULL && dag_formats[i] != NULL; i++)
        if (dag_formats[i]->looks_like != NULL && dag_formats[i]->looks_like(bytes, n)) {
            *out = dag_formats[i];
            return ERR_NONE;
        }
    return refuse_unknown(path, e);
}

static enum err_code read_and_seal(const char *bytes, size_t n, const char *path, const struct dag_format *format,
                                   const struct dag_read_options *options, struct dag *out, struct err *e)
{
    dag_init(out, path);
    enum err_code code = format->read(bytes, n, path, options, out, e);
    if (code == ERR_NONE)
        code = dag_seal(out, e);
    if (code != ERR_NONE)
        dag_clear(out);
    return code;
}

enum err_code dag_parse(const char *bytes, size_t n, const char *path, const struct dag_format *format,
                        const struct dag_read_options *options, struct dag *out, struct err *e)
{
    static const struct dag_read_options usual = {.reference_flop_per_s = DAG_REFERENCE_FLOP_PER_S};
    enum err_code code = ERR_NONE;
    *out = (struct dag){0};
    if (options == NULL)
        options = &usual;
    if (!(options->reference_flop_per_s > 0) || !isfinite(options->reference_flop_per_s))
        return err_set(e, ERR_INPUT, "the reference speed, %g flop/s, is not a positive number",
                       options->reference_flop_per_s);
    if (format == NULL)
        code = dag_format_of(path, bytes, n, &format, e);
    if (code != ERR_NONE)
        return code;
    /* Readers that are faster without lines read first without them. After an error the text is read again with
       lines, only for the message: mistakes are rare, and may take twice the time. */
    struct dag_read_options with_lines = *options;
    with_lines.with_lines = true;
    struct err found = {0};
    code = read_and_seal(bytes, n, path, format, options, out, &found);
    if (code == ERR_NONE)
        return code;
    return format->leaves_lines_out ? read_and_seal(bytes, n, path, format, &with_lines, out, e)
                                    : err_set_at(e, code, found.source, found.line, "%s", found.text);
}

enum err_code dag_read(const char *path, const struct dag_format *format, const struct dag_read_options *options,
                       struct dag *out, struct err *e)
{
    struct text t = {0};
    *out = (struct dag){0};
    enum err_code code = text_read_file(&t, path, MAX_FILE_BYTES, e);
    if (code == ERR_NONE)
        code = dag_parse(text_str(&t), t.size, path, format, options, out, e);
    text_clear(&t);
    return code;
}
