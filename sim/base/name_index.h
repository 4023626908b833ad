/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* From names to numbers: a hash table (open addressing, at most half full), because platforms have thousands
   of hosts. Names are borrowed: they must stay where they are as long as the index is used. */
#ifndef IASIM_BASE_NAME_INDEX_H
#define IASIM_BASE_NAME_INDEX_H

#include <stddef.h>

struct name_index;

struct name_index *name_index_create(void);
void name_index_free(struct name_index *x);

/* The number of `name`: the one it has already, else `number` (not negative), which it has from now on. So a
   name that is new is told by the result being `number`, if numbers are not used twice. */
int name_index_add(struct name_index *x, const char *name, int number);
int name_index_find(const struct name_index *x, const char *name); /* -1: not there; x may be NULL */

/* The name that takes the fewest single-letter changes to become `name`, if it takes few: "did you mean".
   NULL: none is near. Time: the total length of the names times that of `name`. */
const char *name_index_nearest(const struct name_index *x, const char *name);

#endif
