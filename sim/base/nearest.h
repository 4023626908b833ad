/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What a message adds about a name that is not known: which one was probably meant, and which there are. */
#ifndef IASIM_BASE_NEAREST_H
#define IASIM_BASE_NEAREST_H

#include <stddef.h>

/* Of the names offered, the one that becomes `wanted` with the fewest changes of a letter: one more, one less, another
   one, two swapped. Capitals count as small letters. Or else the shortest that begins with `wanted`. */
struct nearest {
    const char *wanted, *name; /* `name` of `length` bytes is the best so far, borrowed; NULL: none is near enough */
    size_t length;
    unsigned rank;
};

/* Time of an offer: the product of both lengths. The order of the offers does not matter. */
void nearest_offer(struct nearest *x, const char *name, size_t length);

struct hint {
    char text[960];
};

/* "; did you mean 'heft'?" of a nearest name, "" of NULL. */
struct hint hint_nearest(const char *name);

/* Of `known`, "a, b, c" or "a|b|c": "; known: a, b, c" where they are few, the nearest name, and of many what shows
   them all. `kind` says of what they are names, and begins as in `iasim list` ("scheduler", "experiment farm"); NULL:
   nothing shows them, and of many all are given only where none is near. */
struct hint hint_among(const char *wanted, const char *known, const char *kind);

/* Of a value that is not a number: "; the unit is MB: write 5" of "5MB" where `unit` is "MB"; "" unless it is a number
   with letters after it. `unit` "" or NULL: none. */
struct hint hint_unit(const char *value, const char *unit);

#endif
