/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Built-in lists are constant arrays made from .def files. The first entry that is added copies the list into
   memory, and the copy grows from there; a program without plugins never allocates. The order is that of the .def
   file, then that of loading, so listings are the same each time.

   Lookups are linear. They happen once a run, not in loops. */
#include "base/registry.h"

#include "base/mem.h"
#include "base/nearest.h"

#include <string.h>

/* Pointers are copied as bytes: C does not allow a pointer to one structure type to be read as another pointer type. */
static const void *entry_at(const void *list, size_t i)
{
    const void *entry;
    memcpy(&entry, (const char *)list + i * sizeof entry, sizeof entry);
    return entry;
}

static const char *name_at(const void *list, size_t i)
{
    const char *const *first_field = entry_at(list, i);
    return first_field != NULL ? *first_field : NULL;
}

size_t registry_count(const void *list)
{
    size_t n = 0;
    while (entry_at(list, n) != NULL)
        n++;
    return n;
}

const void *registry_find(const void *list, const char *name)
{
    const char *known;
    for (size_t i = 0; (known = name_at(list, i)) != NULL; i++)
        if (strcmp(known, name) == 0)
            return entry_at(list, i);
    return NULL;
}

void registry_add_names(const void *list, struct text *out)
{
    const char *name;
    for (size_t i = 0; (name = name_at(list, i)) != NULL; i++)
        text_add_name(out, name);
}

const void *registry_choose(const void *list, const char *kind, const char *name, struct err *e)
{
    const void *found = registry_find(list, name);
    if (found != NULL)
        return found;
    struct text known = {0};
    registry_add_names(list, &known);
    /* At most 200 bytes of the name, to leave room for the hint. */
    err_set(e, ERR_INPUT, "unknown %s '%.200s'%s", kind, name, hint_among(name, text_str(&known), kind).text);
    text_clear(&known);
    return NULL;
}

/* The bytes of a pointer, because the type of the entry is not known here (see entry_at). */
const void *registry_add(struct registry *r, const void *list, const void *pointer_to_entry, const struct origin *from)
{
    const size_t size = sizeof(const void *);
    const void *end = NULL;
    size_t n = registry_count(list);
    bool is_first = r->list == NULL;
    if (is_first)
        r->n_built_in = n;
    /* One for the new entry, one for the NULL at the end. */
    r->list = mem_resize(r->list, n + 2, size);
    if (is_first)
        memcpy(r->list, list, n * size);
    memcpy((char *)r->list + n * size, pointer_to_entry, size);
    memcpy((char *)r->list + (n + 1) * size, &end, size);
    r->origins = mem_resize(r->origins, n + 1 - r->n_built_in, sizeof(const struct origin *));
    r->origins[n - r->n_built_in] = from;
    return r->list;
}

const struct origin *registry_origin(const struct registry *r, const void *entry)
{
    /* Only the added entries have an origin. Without plugins n_built_in is 0 and the list NULL, so the loop does not
       begin. */
    for (size_t i = r->n_built_in; r->list != NULL && entry_at(r->list, i) != NULL; i++)
        if (entry_at(r->list, i) == entry)
            return r->origins[i - r->n_built_in];
    return NULL;
}
