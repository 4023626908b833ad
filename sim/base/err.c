/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "base/err.h"

#include <stdio.h>

static const struct {
    int exit_status;
    const char *text;
} codes[] = {
#define X(code, status, text) [code] = {status, text},
    ERR_LIST(X)
#undef X
};

/* What a file holds may stand in a message: it must not end the line, nor reach the terminal as a command. */
static void blank_controls(char *text)
{
    for (; *text != '\0'; text++)
        if ((unsigned char)*text < 0x20 || *text == 0x7F)
            *text = ' ';
}

enum err_code err_vset_at(struct err *e, enum err_code code, const char *source, int line, const char *format,
                          va_list args)
{
    if (e == NULL || e->code != ERR_NONE)
        return code;
    e->code = code;
    e->line = line;
    snprintf(e->source, sizeof e->source, "%s", source ? source : "");
    vsnprintf(e->text, sizeof e->text, format, args);
    blank_controls(e->source);
    blank_controls(e->text);
    return code;
}

enum err_code err_set(struct err *e, enum err_code code, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    err_vset_at(e, code, NULL, 0, format, args);
    va_end(args);
    return code;
}

enum err_code err_set_at(struct err *e, enum err_code code, const char *source, int line, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    err_vset_at(e, code, source, line, format, args);
    va_end(args);
    return code;
}

const char *err_describe(const struct err *e, char *out, size_t size)
{
    const char *text = e->text[0] ? e->text : err_code_text(e->code);
    if (e->source[0] && e->line > 0)
        snprintf(out, size, "%s:%d: %s", e->source, e->line, text);
    else if (e->source[0])
        snprintf(out, size, "%s: %s", e->source, text);
    else
        snprintf(out, size, "%s", text);
    return out;
}

const char *err_code_text(enum err_code code)
{
    return codes[code].text;
}

int err_exit_status(enum err_code code)
{
    return codes[code].exit_status;
}
