/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Text: a growing buffer to write into, whole files, and numbers that are read strictly and written exactly.
   Numbers always use the C locale, regardless of the environment (the program never calls setlocale). */
#ifndef IASIM_BASE_TEXT_H
#define IASIM_BASE_TEXT_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct text {
    char *data; /* always ends with a NUL, which `size` does not count; NULL while empty */
    size_t size, capacity;
};

void text_clear(struct text *t); /* frees; the struct is empty again */
void text_add(struct text *t, const char *bytes, size_t n);
void text_addf(struct text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
const char *text_str(const struct text *t); /* never NULL */
char *text_take(struct text *t);            /* as a fresh string, never NULL; the struct is empty again */

/* The whole file, at most `max_bytes` (a larger one is an error). `source` in messages is the path. */
enum err_code text_read_file(struct text *t, const char *path, size_t max_bytes, struct err *e);

/* Writes a whole file (new_file.h). */
enum err_code text_write_file(const char *path, const char *bytes, size_t n, struct err *e);

/* Reads one finite decimal number; false if the whole of `s` is not such a number. */
bool text_to_double(const char *s, double *out);
bool text_to_long(const char *s, long *out);
/* Reads a whole number that people write: digits alone, or with an exponent (1e6, 2.5e3); those up to 2^53. */
bool text_to_whole(const char *s, long *out);

/* Writes 17 significant digits, which read back as the same double. Returns `out`. */
enum { TEXT_NUMBER_SIZE = 32 };
const char *text_number(double value, char out[TEXT_NUMBER_SIZE]);
/* For people: the fewest of 15 to 17 digits that read back as the same double; -0 is written as 0. */
const char *text_number_short(double value, char out[TEXT_NUMBER_SIZE]);

/* The end of the first item of a list "a,b[c=1,d=2],..". A comma within brackets belongs to the item. */
const char *text_item_end(const char *list);

/* The number of a word among "on|off", from 0; -1: it is none of them. */
int text_choice(const char *choices, const char *word);

/* The character at *s, which is not at its end; *s moves to the next one. 0xFFFD for a byte that begins no valid
   character of UTF-8 (overlong forms and surrogates are invalid). */
uint32_t text_character(const char **s);

/* Appends one name (n names), with ", " before each if the text is not empty. */
void text_add_name(struct text *t, const char *name);
void text_add_names(struct text *t, const char *const *names, size_t n);

/* Appends a CSV field, in quotes where RFC 4180 requires them. */
void text_write_csv_field(FILE *out, const char *field);

#endif
