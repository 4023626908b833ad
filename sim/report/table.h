/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tables of text for people: columns as wide as their content on a terminal (UTF-8), numbers to the right.

       policy         makespan_s
       -------------  ----------
       root_computes     1016.78

   On a page (page.h) that is too narrow, headers and text break into lines, numbers do not; if that is not enough, the
   columns come in several parts below each other.

   The same table as JSON is for programs: there a cell is the number or the text that is meant, whatever is shown.
*/
#ifndef IASIM_REPORT_TABLE_H
#define IASIM_REPORT_TABLE_H

#include "base/text.h"

#include <jansson.h>
#include <stdio.h>

enum table_align { TABLE_LEFT, TABLE_RIGHT };

struct table;

struct table *table_create(void);
void table_free(struct table *t);

/* The first columns, which say what a row is about: each part of a table that is too wide begins with them (default: 1). */
void table_key(struct table *t, size_t n_columns);

/* All columns come before the first cell. */
void table_column(struct table *t, enum table_align align, const char *header);

/* A column that is `header` in text and `name` in JSON; NULL: it is not there at all. Each row has its cell. */
void table_column_as(struct table *t, enum table_align align, const char *header, const char *name);

/* Cells fill rows from left to right; after the last column a new row begins. Text is copied; what would
   break the row (line feeds, tabs, control characters) becomes a blank. */
void table_cell(struct table *t, const char *text);
void table_cellf(struct table *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
void table_number(struct table *t, double value, int digits); /* significant digits; "-" for NAN */

/* A number that is shown as the format says, with a unit, say; a count; and a text that is not shown, since the row
   above says it already. */
void table_valuef(struct table *t, double value, const char *format, ...) __attribute__((format(printf, 3, 4)));
void table_count(struct table *t, size_t n);
void table_ditto(struct table *t, const char *text);

/* An unfinished last row is filled with empty cells. No blanks at the ends of lines. */
void table_add_to(const struct table *t, struct text *out);
void table_print(const struct table *t, FILE *out);

/* {"columns": ["policy", ..], "rows": [["root_computes", 1016.784], ..]}: a value, count or number is a JSON number,
   null when it is not finite; other cells are strings. The caller's. */
json_t *table_json(const struct table *t);

#endif
