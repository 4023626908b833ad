/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Nothing here allocates or fails: errors are also made where memory or files have run out. A text that is too long
   for its field is cut. */
#include "base/err.h"

#include <stdio.h>

/* Both come from the one list in err.h: a code cannot lack its status or its text. */
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
    /* The first error wins: what follows is often a consequence ("unknown host" after "cannot open platform.xml").
       The code is still returned, because the caller branches on it. */
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
    /* A caller that had no sentence still gets one: that of the code. */
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
