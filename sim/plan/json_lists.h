/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* JSON objects with long lists, read entry by entry: a tree of half a million edges would take ten times the memory of
   the text. jansson reads each entry and each other member; between them there are only brackets, commas and keys. It
   knows nothing of schedules: the reader and the validator both stand on it, as they do on jansson. */
#ifndef IASIM_PLAN_JSON_LISTS_H
#define IASIM_PLAN_JSON_LISTS_H

#include "base/err.h"

#include <jansson.h>
#include <stddef.h>

/* Numbers are reals, a key twice in an object is an error. */
#define JSON_LISTS_FLAGS (JSON_REJECT_DUPLICATES | JSON_DECODE_INT_AS_REAL)

struct json_list {
    const char *at, *end; /* what comes next; the end of the text. NULL: the object has no such list */
    int line;             /* of `at` */
    size_t n_read;        /* entries so far */
    const char *path;     /* borrowed, for messages */
};

/* Takes the text of an object: its members but those of `keys` that are arrays, as *rest (for the caller to json_decref);
   and where these arrays begin. A text that is no object is *rest as a whole. Entries have not been read yet: their
   mistakes are found by json_list_next. Errors: ERR_PARSE, with line. */
enum err_code json_lists_open(const char *bytes, size_t n, const char *path, const char *const *keys, size_t n_keys,
                              json_t **rest, struct json_list *lists, struct err *e);

/* The next entry (for the caller to json_decref); NULL after the last. Errors: ERR_PARSE, with line. */
enum err_code json_list_next(struct json_list *list, json_t **entry, struct err *e);

#endif
