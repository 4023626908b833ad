/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A JSON object with long lists, from a file that need not fit into memory: one walk finds where its members are, then
   values are read where they stand, and lists entry by entry. Between entries there are only brackets, commas and keys;
   what is in them is for json_tape. It knows nothing of schedules: the reader and the validator both stand on it.

   Lines are counted when they are asked for: only then is the whole file in memory. */
#ifndef IASIM_BASE_JSON_SOURCE_H
#define IASIM_BASE_JSON_SOURCE_H

#include "base/err.h"
#include "base/json_tape.h"
#include "base/line_index.h"
#include "base/name_index.h"

struct json_source_member {
    char *key;
    size_t place;
    bool is_list; /* one of the keys of lists, and an array: its entries have not been looked at */
};

struct json_source {
    const char *path;              /* borrowed, for messages */
    int fd;                        /* -1: the window is the whole text */
    struct text whole;             /* if it had to be read */
    char *buffer;                  /* the window, of a file */
    size_t capacity;               /* of the buffer */
    const char *window, *at, *end; /* at: what comes next */
    size_t place;                  /* of the window in the file */
    bool is_last;                  /* nothing comes after the window */
    int read_error;                /* errno; 0: none */
    size_t root;                   /* place */
    bool is_object;
    struct json_source_member *members;
    size_t n_members, members_capacity;
    struct name_index *index; /* of the members' keys */
    size_t n_read;            /* entries of the list at hand */
    struct json_tape tape;    /* the value at hand */
    struct text key;
    struct line_index lines;
};

/* At most `max_bytes`. Errors: ERR_IO, ERR_INPUT. `s` need not be cleared then. */
enum err_code json_source_open(struct json_source *s, const char *path, size_t max_bytes, struct err *e);
/* A text in memory, borrowed. */
void json_source_text(struct json_source *s, const char *bytes, size_t n, const char *path);
void json_source_clear(struct json_source *s);

/* Finds the members of the object that the text is; those of `list_keys` that are arrays are skipped by their brackets:
   mistakes in them are found by json_source_next. A text that is a value of another kind has none. Errors: ERR_PARSE, with
   line; ERR_IO. */
enum err_code json_source_members(struct json_source *s, const char *const *list_keys, size_t n_keys, struct err *e);
const struct json_source_member *json_source_find(const struct json_source *s, const char *key); /* NULL: no such */

/* The value at a member's place: valid until the next is read. Absent for NULL. Errors as above. */
enum err_code json_source_value(struct json_source *s, const struct json_source_member *member, struct tape_value *out,
                                struct err *e);

/* Goes to the beginning of a list; then its entries one after the other, absent after the last. Errors as above. */
void json_source_list(struct json_source *s, const struct json_source_member *list);
enum err_code json_source_next(struct json_source *s, struct tape_value *entry, struct err *e);

/* The line of a place; 0: the file cannot be read any more. */
int json_source_line(struct json_source *s, size_t place);

#endif
