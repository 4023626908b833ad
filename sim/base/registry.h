/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Lists of things that are chosen by name: policies, schedulers, models, formats. A list is an array of pointers to
   structures whose first field is their name (const char *), and ends with NULL. Each kind has such a list of its own
   type, made from its .def file; here the type is const void *. */
#ifndef IASIM_BASE_REGISTRY_H
#define IASIM_BASE_REGISTRY_H

#include "base/err.h"
#include "base/foreign.h"
#include "base/text.h"

#include <stddef.h>

size_t registry_count(const void *list);

/* The entry of that name; NULL: not found. */
const void *registry_find(const void *list, const char *name);

/* Like registry_find, but if the name is not found, sets ERR_INPUT with "unknown KIND 'NAME'" and what hint_among
   adds. */
const void *registry_choose(const void *list, const char *kind, const char *name, struct err *e);

/* Appends "a, b, c". */
void registry_add_names(const void *list, struct text *out);

/* ---- entries from plugins ---- */

struct registry { /* empty: all 0 */
    void *list;   /* the built-in entries and those added; NULL: nothing has been added */
    size_t n_built_in;
    const struct origin **origins; /* of the added entries */
};

/* Appends an entry (given by the address of a pointer to it) to `list`; returns the longer list, which replaces `list`.
   The entry and the origin are borrowed until the program ends. The name must not be in the list yet. */
const void *registry_add(struct registry *r, const void *list, const void *pointer_to_entry, const struct origin *from);

/* The plugin that an entry comes from; NULL: it is built in, or not in the list. */
const struct origin *registry_origin(const struct registry *r, const void *entry);

#endif
