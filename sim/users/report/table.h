/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tables, as text with aligned columns (UTF-8) or as JSON.

       policy         makespan_s
       -------------  ----------
       root_computes     1016.78

   On a page (page.h) that is too narrow, headers and text break into lines; numbers do not. Of a text that would take
   more than five lines the middle is left out. If that is not enough, the columns are printed in several parts of about
   as many columns each, one below the other.

   In JSON a cell is the full number or text, however the text shows it.
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

/* The number of key columns, which identify a row: each part of a table that is too wide begins with them (default:
   1). */
void table_key(struct table *t, size_t n_columns);

/* A table with these columns, "host|busy %>|done>": > behind a name sets its column to the right. */
struct table *table_of(const char *columns);

/* Adds a column, or such a list; add all columns before the first cell. */
void table_column(struct table *t, enum table_align align, const char *header);
void table_columns(struct table *t, const char *columns);

/* A column called `header` in text and `name` in JSON; it is absent where its name is NULL. Each row has a cell for
   it. */
void table_column_as(struct table *t, enum table_align align, const char *header, const char *name);

/* Cells fill rows from left to right; after the last column a new row begins. Text is copied; characters that would
   break the row (line feeds, tabs, control characters) become blanks. */
void table_cell(struct table *t, const char *text);
void table_cellf(struct table *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
void table_number(struct table *t, double value, int digits); /* significant digits; "-" for NAN */

/* A part of something: rounding errors, negligible beside the whole, are shown as 0. */
void table_part(struct table *t, double value, double whole, int digits);

/* A number that the text shows in the given format, perhaps with a unit; a count; and a text that only JSON shows,
   because the row above has the same. */
void table_valuef(struct table *t, double value, const char *format, ...) __attribute__((format(printf, 3, 4)));
void table_count(struct table *t, size_t n);
void table_ditto(struct table *t, const char *text);

/* An unfinished last row is filled with empty cells. Lines have no blanks at their ends. */
void table_add_to(const struct table *t, struct text *out);
void table_print(const struct table *t, FILE *out);
void table_end(struct table *t, FILE *out); /* prints and frees it */

/* {"columns": ["policy", ..], "rows": [["root_computes", 1016.784], ..]}: a value, count or number is a JSON number,
   null when it is not finite; other cells are strings. The caller's. */
json_t *table_json(const struct table *t);

#endif
