/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* How wide the page is that people read, and where a line of text breaks. */
#ifndef IASIM_REPORT_PAGE_H
#define IASIM_REPORT_PAGE_H

#include "base/text.h"

#include <stdio.h>

/* Columns: $COLUMNS, else those of the terminal that stdout is, else 80. At least 20. */
int page_width(void);

/* Columns that `text` takes on a terminal: combining marks none, East Asian wide characters two. */
int page_text_width(const char *text);

/* How many bytes of `text` are the next line of at most `width` columns, without the blank it may end at; *skip: bytes
   from `text` to the line after it. Breaks at blanks, else after one of _,;/[=+:, else anywhere. */
size_t page_line(const char *text, int width, size_t *skip);

/* The width of the widest piece that page_line does not break unless it must. */
int page_widest_piece(const char *text);

/* Words, filled into lines of the page, each with `indent` before it. A line feed is kept. */
void page_add_lines(struct text *out, const char *indent, const char *text);
void page_paragraphf(FILE *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
