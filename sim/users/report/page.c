/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Line breaking for text of which neither the content nor the width of the page is known: titles of users,
   paths, lists of parameters, in any script. Widths are those of a terminal with a fixed-width font, from the
   East Asian Width property of Unicode in coarse ranges; a character that terminals disagree about (emoji with
   modifiers) may be off by one. */
#include "report/page.h"

#include "base/mem.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { USUAL_WIDTH = 80, LEAST_WIDTH = 20, MOST_WIDTH = 10000 };

/* $COLUMNS first, so that users and tests can choose the width of what goes into a file. */
int page_width(void)
{
    const char *given = getenv("COLUMNS");
    struct winsize size = {0};
    long width = 0;
    if (given == NULL || !text_to_long(given, &width) || width <= 0 || width > MOST_WIDTH)
        width = isatty(STDOUT_FILENO) && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
    width = width > 0 ? width : USUAL_WIDTH;
    return width > LEAST_WIDTH ? (int)width : LEAST_WIDTH;
}

struct span {
    uint32_t first, last;
};

static bool is_in(uint32_t c, const struct span *spans, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (c >= spans[i].first && c <= spans[i].last)
            return true;
    return false;
}

/* Linear search: there are fewer than 20 ranges, and most text is ASCII. */
static int character_width(uint32_t c)
{
    static const struct span marks[] = {{0x300, 0x36f},   {0x1ab0, 0x1aff}, {0x1dc0, 0x1dff}, {0x200b, 0x200f},
                                        {0x20d0, 0x20ff}, {0xfe00, 0xfe0f}, {0xfe20, 0xfe2f}};
    static const struct span wide[] = {{0x1100, 0x115f},   {0x2e80, 0x303e},   {0x3041, 0xa4cf},  {0xac00, 0xd7a3},
                                       {0xf900, 0xfaff},   {0xfe30, 0xfe6f},   {0xff00, 0xff60},  {0xffe0, 0xffe6},
                                       {0x1f300, 0x1f64f}, {0x1f900, 0x1f9ff}, {0x20000, 0x3fffd}};
    return is_in(c, wide, sizeof wide / sizeof wide[0]) ? 2 : !is_in(c, marks, sizeof marks / sizeof marks[0]);
}

int page_text_width(const char *text)
{
    int width = 0;
    while (*text != '\0')
        width += character_width(text_character(&text));
    return width;
}

/* Paths, lists and parameters ("heft[rank=mean,edges=max]") have no blanks. A break behind one of these
   signs leaves readable pieces. */
static bool ends_piece(const char *last)
{
    return *last != '\0' && strchr("_,;/[=+:", *last) != NULL;
}

/* A number keeps its percent sign. */
static bool is_break(const char *at)
{
    return *at == ' ' && at[1] != '%';
}

/* Greedy: takes whole characters while they fit, and remembers the last place where a line may end (`best`
   bytes are shown, the next line begins at *skip). Always advances by at least one character, so callers can
   loop until the text ends. */
size_t page_line(const char *text, int width, size_t *skip)
{
    size_t best = 0;
    const char *at = text, *before;
    int used = 0;
    *skip = 0;
    while (*at != '\0') {
        before = at;
        used += character_width(text_character(&at));
        bool is_blank = is_break(before);
        /* A blank just behind a full line is not shown, so it may lie beyond the edge. */
        if (used > width && !(is_blank && before > text && used - 1 <= width)) {
            at = before;
            break;
        }
        if (is_blank || ends_piece(before)) {
            /* A blank is dropped, the other signs stay at the end of the line. */
            best = (size_t)(is_blank ? before - text : at - text);
            *skip = (size_t)(at - text);
        }
    }
    /* All of it fits. */
    if (*at == '\0')
        best = *skip = (size_t)(at - text);
    else if (best == 0 && at == text) /* a character that is wider than the line */
        text_character(&at), best = *skip = (size_t)(at - text);
    else if (best == 0) /* one word is longer than the line: it is cut */
        best = *skip = (size_t)(at - text);
    /* Nor do lines begin with blanks. */
    while (text[*skip] == ' ')
        *skip += 1;
    return best;
}

int page_widest_piece(const char *text)
{
    int widest = 0, width = 0;
    while (*text != '\0') {
        const char *before = text;
        width += character_width(text_character(&text));
        if (is_break(before) || ends_piece(before)) {
            /* Without the blank that ends it. */
            widest = width - (*before == ' ') > widest ? width - (*before == ' ') : widest;
            width = 0;
        }
    }
    return width > widest ? width : widest;
}

/* do, not while: an empty line of the text is an empty line of the page. */
static void add_line(struct text *out, const char *indent, const char *line, int width)
{
    size_t skip;
    do {
        size_t n = page_line(line, width, &skip);
        text_addf(out, "%s%.*s\n", indent, (int)n, line);
        line += skip;
    } while (*line != '\0');
}

void page_add_lines(struct text *out, const char *indent, const char *text)
{
    char *copy = mem_strdup(text), *rest = copy, *line;
    int width = page_width() - page_text_width(indent);
    while ((line = strsep(&rest, "\n")) != NULL)
        if (*line != '\0' || rest != NULL) /* a line feed at the very end begins no further line */
            add_line(out, indent, line, width);
    free(copy);
}

void page_paragraphf(FILE *out, const char *format, ...)
{
    struct text text = {0};
    va_list args;
    va_start(args, format);
    char *words = mem_vformat(format, args);
    va_end(args);
    page_add_lines(&text, "", words);
    fputs(text_str(&text), out);
    text_clear(&text);
    free(words);
}
