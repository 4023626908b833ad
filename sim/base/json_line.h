/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Where values stand in a JSON text that jansson has accepted (jansson keeps no lines of values). A place is
   borrowed from the text. Any other text gives some answer, too, without reading past its end. */
#ifndef IASIM_BASE_JSON_LINE_H
#define IASIM_BASE_JSON_LINE_H

#include <stdbool.h>
#include <stddef.h>

struct json_place {
    const char *at, *end; /* the value's first byte; the end of the whole text */
    int line;             /* of `at`, 1 for the first */
};

struct json_place json_place_root(const char *bytes, size_t n);
/* The member of an object whose key is `key` (ASCII); false: none, or no object. Time: what stands before it.
 */
bool json_place_member(struct json_place object, const char *key, struct json_place *out);
/* The first element of an array, and the one that follows; false: no more. Walking all takes time linear in
 * the text. */
bool json_place_first(struct json_place array, struct json_place *out);
bool json_place_next(struct json_place *element);

struct json_step {
    const char *key; /* of an object; NULL: an array's element */
    size_t index;
};

/* The line of the value to which `n_steps` steps lead from the root; 0: there is none. */
int json_line(const char *bytes, size_t n, const struct json_step *steps, size_t n_steps);

#endif
