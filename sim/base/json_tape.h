/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A tape is a list of the values of a JSON text in their order, eight bytes for each value and key. It stands for a
   tree of jansson, which takes seven times the memory for a schedule of 100,000 tasks and does not know where in the
   file a value is, so messages could not name its line. The text is not changed.
   Numbers and strings are converted on request. A tape accepts and refuses the same texts as jansson with the same
   flags, with jansson's messages. */
#ifndef IASIM_BASE_JSON_TAPE_H
#define IASIM_BASE_JSON_TAPE_H

#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct json_node {
    uint32_t at;   /* first byte, relative to the tape's text */
    uint32_t next; /* the node after this value and everything inside it */
};

struct json_tape {
    const char *text; /* borrowed; at most 4 GB */
    size_t n_bytes;   /* of `text` that have been read */
    size_t place;     /* of `text` in its file, in bytes; set by the caller */
    struct json_node *nodes;
    size_t n, capacity;
};

/* Borrowed. `tape` NULL: there is no such value. */
struct tape_value {
    const struct json_tape *tape;
    uint32_t node;
};

enum tape_kind { TAPE_NONE, TAPE_OBJECT, TAPE_ARRAY, TAPE_STRING, TAPE_NUMBER, TAPE_BOOL, TAPE_NULL };

/* Reads the value at the beginning of `text` in place of the tape's previous value. *end is the byte after it, or where
   reading failed (false). Repeated keys in an object are refused. With `is_int_bounded` integers of more than 64 bits
   are refused; otherwise they are like other numbers. */
bool tape_read(struct json_tape *t, const char *text, size_t n, bool is_int_bounded, size_t *end);
void tape_clear(struct json_tape *t);

struct tape_value tape_root(const struct json_tape *t);
enum tape_kind tape_kind(struct tape_value v);
size_t tape_place(struct tape_value v); /* of its first byte, in the file */

/* The member of an object, by an ASCII key; absent, too, if `object` is none. Time: linear in the object's members. */
struct tape_value tape_member(struct tape_value object, const char *key);

/* for (struct tape_value x = tape_first(array); x.tape != NULL; x = tape_next(array, x)) */
struct tape_value tape_first(struct tape_value array);
struct tape_value tape_next(struct tape_value array, struct tape_value element);
size_t tape_length(struct tape_value array); /* number of elements; 0 if it is not an array */

/* The bytes of a string, which replace the content of *own; NULL: not a string. */
const char *tape_string(struct tape_value v, struct text *own);
bool tape_is_empty(struct tape_value string);
double tape_number(struct tape_value v); /* 0: not a number */
bool tape_is_true(struct tape_value v);

#endif
