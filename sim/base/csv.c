/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Reads CSV in place: the input is copied once, and every line and field is a piece of that copy that ends with a
   NUL. It does not count fields and does not convert numbers: the caller knows the columns. */
#include "base/csv.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

/* Bytes of the input in a message. A file that is not text may be one line of megabytes. */
enum { MAX_SHOWN = 40 };

/* Counts lines only for the one error that is found before the text is split into lines. */
static int line_of(const char *bytes, const char *at)
{
    int line = 1;
    for (; bytes < at; bytes++)
        line += *bytes == '\n';
    return line;
}

enum err_code csv_open(struct csv *csv, const char *bytes, size_t n, const char *source, struct err *e)
{
    static const char byte_order_mark[] = "\xEF\xBB\xBF";
    const char *nul = n > 0 ? memchr(bytes, '\0', n) : NULL;
    *csv = (struct csv){.source = source};
    /* A NUL would end the text early for strchr and strlen, and what follows would be lost without a message.
       This also finds UTF-16, which spreadsheets can save as "text". */
    if (nul != NULL)
        return err_set_at(e, ERR_PARSE, source, line_of(bytes, nul), "a NUL byte: this is not a text file");
    csv->text = mem_alloc(n + 1);
    memcpy(csv->text, n > 0 ? bytes : "", n);
    csv->text[n] = '\0';
    /* Spreadsheets put the mark in front of UTF-8. Left there, it would be part of the first column's name. */
    csv->rest = csv->text + (strncmp(csv->text, byte_order_mark, 3) == 0 ? 3 : 0);
    return ERR_NONE;
}

void csv_close(struct csv *csv)
{
    free(csv->text);
    *csv = (struct csv){0};
}

char *csv_next_line(struct csv *csv)
{
    /* An empty line is skipped, but counted: messages give the line of the file. "\r\n" ends a line as "\n" does. A
       line of blanks is not empty; it has one empty field. */
    while (csv->rest != NULL) {
        char *line = csv->rest, *stop = strchr(line, '\n');
        csv->rest = stop ? stop + 1 : NULL;
        csv->line++;
        size_t n = stop ? (size_t)(stop - line) : strlen(line);
        if (n > 0 && line[n - 1] == '\r')
            n--;
        line[n] = '\0';
        if (n > 0)
            return line;
    }
    return NULL;
}

/* The text between quotes, taken together in place: "" stands for a quote. */
static enum err_code next_quoted(const struct csv *csv, char **rest, char **field, struct err *e)
{
    /* `to` never passes `from`, because every character written has been read before. A pair "" is one quote; a
       quote before anything else ends the field. */
    char *from = *rest + 1, *to = *rest;
    *field = to;
    for (; *from != '\0' && (from[0] != '"' || from[1] == '"'); from++) {
        if (*from == '"')
            from++;
        *to++ = *from;
    }
    if (*from == '\0')
        return err_set_at(e, ERR_PARSE, csv->source, csv->line, "a quoted field has no closing quote in its line");
    /* What follows must be a separator: in "a"b the reader would have to guess what was meant. */
    from++;
    if (*from != ',' && *from != '\0')
        return err_set_at(e, ERR_PARSE, csv->source, csv->line,
                          "after a closing quote found '%.*s', expected a comma or the end of the line", MAX_SHOWN,
                          from);
    /* A comma at the end of the line leaves an empty rest, not NULL: one more field, which is empty. */
    *rest = *from == ',' ? from + 1 : NULL;
    *to = '\0';
    return ERR_NONE;
}

enum err_code csv_next_field(const struct csv *csv, char **rest, char **field, struct err *e)
{
    /* A quote counts only as the first byte of a field. After blanks, and within a field, it is an ordinary
       character. */
    if (**rest == '"')
        return next_quoted(csv, rest, field, e);
    *field = *rest + strspn(*rest, " \t");
    char *comma = strchr(*field, ',');
    char *end = comma ? comma : *field + strlen(*field);
    while (end > *field && (end[-1] == ' ' || end[-1] == '\t'))
        end--;
    *rest = comma ? comma + 1 : NULL;
    /* Ended only after `rest` is set: `end` may be the comma itself. */
    *end = '\0';
    return ERR_NONE;
}
