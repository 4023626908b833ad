/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* CSV as in RFC 4180, except that a quoted field cannot contain a line end. Reading is strict, because a misread number
   cannot be recognised as wrong. The text is changed in place: fields are NUL-terminated pieces of it.

       struct csv csv;
       csv_open(&csv, bytes, n, "costs.csv", e);
       for (char *rest; (rest = csv_next_line(&csv)) != NULL;)
           while (rest != NULL) {
               char *field;
               csv_next_field(&csv, &rest, &field, e);
           }
       csv_close(&csv); */
#ifndef IASIM_BASE_CSV_H
#define IASIM_BASE_CSV_H

#include "base/err.h"

#include <stddef.h>

struct csv {
    const char *source; /* for messages; borrowed */
    int line;           /* of the last line that was returned, from 1 */
    char *text, *rest;  /* a copy of the input; what is left of it, NULL at its end */
};

/* Copies the input, without a byte order mark. Errors: ERR_PARSE, with line: a NUL byte; then csv_close is not
   needed. */
enum err_code csv_open(struct csv *csv, const char *bytes, size_t n, const char *source, struct err *e);
void csv_close(struct csv *csv);

/* The next line that is not empty, without its end; NULL at the end of the input. */
char *csv_next_line(struct csv *csv);

/* Takes the next field off `rest`, which becomes NULL after the last one. Blanks around an unquoted field do not belong
   to it. Errors: ERR_PARSE, with line: a quote that is not closed, text after a closing quote. */
enum err_code csv_next_field(const struct csv *csv, char **rest, char **field, struct err *e);

#endif
