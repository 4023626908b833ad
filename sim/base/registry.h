/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Lists of things that are chosen by name: policies, schedulers, models, formats. A list is an array of pointers to
   structures whose first field is their name (const char *), and ends with NULL. Each plug-in point has such a list of
   its own type, from its .def file; here it is const void *. */
#ifndef IASIM_BASE_REGISTRY_H
#define IASIM_BASE_REGISTRY_H

#include "base/err.h"
#include "base/foreign.h"
#include "base/text.h"

#include <stddef.h>

size_t registry_count(const void *list);

/* The entry of that name; NULL: none. */
const void *registry_find(const void *list, const char *name);

/* As registry_find. NULL: ERR_INPUT, "unknown KIND 'NAME'; known: a, b, c", and the nearest name if one is near. */
const void *registry_choose(const void *list, const char *kind, const char *name, struct err *e);

/* "a, b, c", behind what is there. */
void registry_add_names(const void *list, struct text *out);

/* ---- what plugins add ---- */

struct registry { /* empty: all 0 */
    void *list;   /* the built-in entries and those added; NULL: none is added */
    size_t n_built_in;
    const struct origin **origins; /* of those added */
};

/* Adds the entry (by the address of a pointer to it) behind those of `list`; returns the list that holds all, which
   replaces `list`. Entry and origin are borrowed for good. The name is not in the list yet. */
const void *registry_add(struct registry *r, const void *list, const void *pointer_to_entry, const struct origin *from);

/* Where an entry comes from; NULL: it is built in, or not in the list. */
const struct origin *registry_origin(const struct registry *r, const void *entry);

#endif
