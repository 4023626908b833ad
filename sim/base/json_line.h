/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Finds the lines of values in a JSON text that jansson has accepted (jansson itself does not keep them). A place is
   borrowed from the text. Other texts give a meaningless answer, but are never read past their end. */
#ifndef IASIM_BASE_JSON_LINE_H
#define IASIM_BASE_JSON_LINE_H

#include <stdbool.h>
#include <stddef.h>

struct json_place {
    const char *at, *end; /* the value's first byte; the end of the whole text */
    int line;             /* of `at`, 1 for the first */
};

struct json_place json_place_root(const char *bytes, size_t n);
/* The member `key` (ASCII) of an object; false: no such member, or not an object. Time: linear in the text before it. */
bool json_place_member(struct json_place object, const char *key, struct json_place *out);
/* The first element of an array, and the next one; false: no more. Visiting all elements takes time linear in the
 * text. */
bool json_place_first(struct json_place array, struct json_place *out);
bool json_place_next(struct json_place *element);

struct json_step {
    const char *key; /* of an object; NULL: an array's element */
    size_t index;
};

/* The line of the value that `n_steps` steps from the root reach; 0: there is no such value. */
int json_line(const char *bytes, size_t n, const struct json_step *steps, size_t n_steps);

#endif
