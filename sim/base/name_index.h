/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Maps names to numbers: a hash table (open addressing, at most half full), because platforms have thousands of hosts.
   Names are borrowed: they must not move or change while the index is used. */
#ifndef IASIM_BASE_NAME_INDEX_H
#define IASIM_BASE_NAME_INDEX_H

#include "base/nearest.h"

#include <stddef.h>

struct name_index;

struct name_index *name_index_create(void);
void name_index_free(struct name_index *x);

/* Returns the number of `name`. A name that is not in the index yet gets `number` (not negative). If numbers are not
   used twice, the result is `number` exactly when the name is new. */
int name_index_add(struct name_index *x, const char *name, int number);
int name_index_find(const struct name_index *x, const char *name); /* -1: not there; x may be NULL */

/* For messages about an unknown name: hint_nearest of the nearest one. Time: the total length of the names times the
   length of `name`. */
struct hint name_index_hint(const struct name_index *x, const char *name);

#endif
