/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* JSON values without trees: eight bytes for each value and key, in the order of the text, which stays as it is; numbers
   and strings are converted when they are asked for. A tape takes what jansson takes with the same flags, and refuses what
   jansson refuses; the words of a refusal are jansson's. */
#ifndef IASIM_BASE_JSON_TAPE_H
#define IASIM_BASE_JSON_TAPE_H

#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct json_node {
    uint32_t at;   /* first byte, from the tape's text on */
    uint32_t next; /* the node after this value and all that is in it */
};

struct json_tape {
    const char *text; /* borrowed; at most 4 GB */
    size_t n_bytes;   /* of `text`, that are read */
    size_t place;     /* of `text` in its file, bytes: for the caller to set */
    struct json_node *nodes;
    size_t n, capacity;
};

/* Borrowed from the tape. NULL: there is no such value. */
struct tape_value {
    const struct json_tape *tape;
    uint32_t node;
};

enum tape_kind { TAPE_NONE, TAPE_OBJECT, TAPE_ARRAY, TAPE_STRING, TAPE_NUMBER, TAPE_BOOL, TAPE_NULL };

/* Reads the value at the beginning of `text`. *end: the byte behind it, or where reading failed (false). In any object,
   no key twice. `is_int_bounded`: an integer of more than 64 bits is refused; else it is a number as any other. What the
   tape held before is gone. */
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
size_t tape_length(struct tape_value array); /* elements; 0 if it is none */

/* A string's bytes, put into *own (what that held is gone); NULL: not a string. */
const char *tape_string(struct tape_value v, struct text *own);
bool tape_is_empty(struct tape_value string);
double tape_number(struct tape_value v); /* 0: not a number */
bool tape_is_true(struct tape_value v);

#endif
