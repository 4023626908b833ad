/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A JSON object with long lists, from a file that need not fit into memory. A first pass finds where its members are;
   then single values, and lists entry by entry, are read in place with json_tape. It knows nothing about schedules:
   both the reader and the validator use it.

   Lines are counted only on request, and only then is the whole file in memory. */
#ifndef IASIM_BASE_JSON_SOURCE_H
#define IASIM_BASE_JSON_SOURCE_H

#include "base/err.h"
#include "base/json_tape.h"
#include "base/line_index.h"
#include "base/name_index.h"

struct json_source_member {
    char *key;
    size_t place;
    bool is_list; /* an array under one of the keys of lists, whose entries have not been checked */
};

struct json_source {
    const char *path;              /* borrowed, for messages */
    int fd;                        /* -1: no file, the window is the whole text */
    struct text whole;             /* if it had to be read */
    char *buffer;                  /* the window, of a file */
    size_t capacity;               /* of the buffer */
    const char *window, *at, *end; /* at: what comes next */
    size_t place;                  /* of the window in the file */
    bool is_last;                  /* the file ends with the window */
    int read_error;                /* errno; 0: no error */
    size_t root;                   /* place */
    bool is_object;
    struct json_source_member *members;
    size_t n_members, members_capacity;
    struct name_index *index; /* of the members' keys */
    size_t n_read;            /* entries read from the current list */
    struct json_tape tape;    /* the current value */
    struct text key;
    struct line_index lines;
};

/* At most `max_bytes`. Errors: ERR_IO, ERR_INPUT. `s` need not be cleared then. */
enum err_code json_source_open(struct json_source *s, const char *path, size_t max_bytes, struct err *e);
/* A text in memory, borrowed. */
void json_source_text(struct json_source *s, const char *bytes, size_t n, const char *path);
void json_source_clear(struct json_source *s);

/* Finds the members of the object. Arrays under one of `list_keys` are skipped by matching brackets; json_source_next
   finds mistakes in them. A text that is not an object has no members. Errors: ERR_PARSE, with line; ERR_IO. */
enum err_code json_source_members(struct json_source *s, const char *const *list_keys, size_t n_keys, struct err *e);
const struct json_source_member *json_source_find(const struct json_source *s, const char *key); /* NULL: not found */

/* The value of a member, valid until the next value is read. Absent if `member` is NULL. Errors as above. */
enum err_code json_source_value(struct json_source *s, const struct json_source_member *member, struct tape_value *out,
                                struct err *e);

/* Goes to the beginning of a list; then returns its entries one after the other, absent after the last. Errors as
   above. */
void json_source_list(struct json_source *s, const struct json_source_member *list);
enum err_code json_source_next(struct json_source *s, struct tape_value *entry, struct err *e);

/* The line of a place; 0: the file can no longer be read. */
int json_source_line(struct json_source *s, size_t place);

#endif
