/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tables of text for people: columns as wide as their content on a terminal (UTF-8), numbers to the right.

       policy         makespan_s
       -------------  ----------
       root_computes     1016.78
*/
#ifndef IASIM_REPORT_TABLE_H
#define IASIM_REPORT_TABLE_H

#include "base/text.h"

#include <stdio.h>

enum table_align { TABLE_LEFT, TABLE_RIGHT };

struct table;

struct table *table_create(void);
void table_free(struct table *t);

/* All columns come before the first cell. */
void table_column(struct table *t, enum table_align align, const char *header);

/* Cells fill rows from left to right; after the last column a new row begins. Text is copied; what would
   break the row (line feeds, tabs, control characters) becomes a blank. */
void table_cell(struct table *t, const char *text);
void table_cellf(struct table *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
void table_number(struct table *t, double value, int digits); /* significant digits; "-" for NAN */

/* An unfinished last row is filled with empty cells. No blanks at the ends of lines. */
void table_add_to(const struct table *t, struct text *out);
void table_print(const struct table *t, FILE *out);

/* Columns that `text` takes on a terminal: combining marks none, East Asian wide characters two. */
int table_width(const char *text);

#endif
