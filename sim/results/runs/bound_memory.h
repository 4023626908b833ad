/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Bounds of farms remembered from point to point: they depend on the tree and the size of a task only, so that
   policies and worlds compared on one application share them. Each point has a process of its own; they share this
   memory, made before the first one. Of fixed size: a newer bound takes the place of an older one. Internal to this
   folder. */
#ifndef IASIM_RUNS_BOUND_MEMORY_H
#define IASIM_RUNS_BOUND_MEMORY_H

#include "base/digest.h"
#include "base/param.h"

#include <stdbool.h>

struct bound_memory;

struct bound_memory *bound_memory_create(void); /* NULL when no memory can be shared: nothing is remembered */
void bound_memory_free(struct bound_memory *m); /* NULL allowed */

/* Of the parameters that bounds depend on; the platform is the same for all that share the memory. */
void bound_memory_key(const struct param_set *ps, char out[DIGEST_HEX_SIZE]);

/* False: not known. `bounds` are those of many ports and of one. */
bool bound_memory_get(const struct bound_memory *m, const char key[DIGEST_HEX_SIZE], double bounds[2]);
void bound_memory_put(struct bound_memory *m, const char key[DIGEST_HEX_SIZE], const double bounds[2]);

#endif
