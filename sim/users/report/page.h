/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The width of the page, and where lines of text break. */
#ifndef IASIM_REPORT_PAGE_H
#define IASIM_REPORT_PAGE_H

#include "base/text.h"

#include <stdio.h>

/* The number of columns: $COLUMNS, else the width of the terminal on stdout, else 80. At least 20. */
int page_width(void);

/* The columns that `text` takes on a terminal: 0 for combining marks, 2 for East Asian wide characters. */
int page_text_width(const char *text);

/* The bytes of `text` that form the next line of at most `width` columns, without the blank at its end; *skip is the
   offset of the line after it. Breaks at blanks (except before %), else after one of _,;/[=+:, else anywhere. */
size_t page_line(const char *text, int width, size_t *skip);

/* The width of the widest piece that page_line keeps whole if it fits. */
int page_widest_piece(const char *text);

/* Fills text into lines of the page, each after `indent`. Line feeds are kept. */
void page_add_lines(struct text *out, const char *indent, const char *text);
void page_paragraphf(FILE *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
