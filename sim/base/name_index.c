/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "base/name_index.h"

#include "base/mem.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct slot {
    const char *name; /* NULL: free */
    int number;
    uint32_t hash; /* most different names are told apart without being read */
};

/* Linear probing from the hash on: with at most half of the slots taken a search looks at few, which lie side by
   side. Nothing is ever removed, so a free slot ends the search. */
struct name_index {
    struct slot *slots;
    size_t capacity; /* a power of two */
    size_t count;
};

enum { FIRST_CAPACITY = 16 };

struct name_index *name_index_create(void)
{
    struct name_index *x = mem_zalloc(1, sizeof *x);
    x->capacity = FIRST_CAPACITY;
    x->slots = mem_zalloc(x->capacity, sizeof x->slots[0]);
    return x;
}

void name_index_free(struct name_index *x)
{
    if (x == NULL)
        return;
    free(x->slots);
    free(x);
}

/* FNV-1a: short, and good for names that differ in the last digit (host17, host18). The halves are folded, because
   the low bits alone pick the slot. The order of slots never reaches a result. */
static uint32_t hash_of(const char *name)
{
    uint64_t h = UINT64_C(14695981039346656037);
    for (; *name != '\0'; name++)
        h = (h ^ (unsigned char)*name) * UINT64_C(1099511628211);
    return (uint32_t)(h ^ h >> 32);
}

/* The slot of `name`, or the free slot where it would go. Ends because at least half of the slots are free. */
static struct slot *slot_of(const struct name_index *x, const char *name, uint32_t hash)
{
    size_t at = hash & (x->capacity - 1);
    while (x->slots[at].name != NULL && (x->slots[at].hash != hash || strcmp(x->slots[at].name, name) != 0))
        at = (at + 1) & (x->capacity - 1);
    return &x->slots[at];
}

static void grow(struct name_index *x)
{
    /* All names differ, so each is put into a free slot. */
    struct name_index bigger = {mem_zalloc(2 * x->capacity, sizeof x->slots[0]), 2 * x->capacity, x->count};
    for (size_t i = 0; i < x->capacity; i++)
        if (x->slots[i].name != NULL)
            *slot_of(&bigger, x->slots[i].name, x->slots[i].hash) = x->slots[i];
    free(x->slots);
    *x = bigger;
}

int name_index_add(struct name_index *x, const char *name, int number)
{
    uint32_t hash = hash_of(name);
    struct slot *slot = slot_of(x, name, hash);
    if (slot->name != NULL)
        return slot->number;
    *slot = (struct slot){name, number, hash};
    /* After the entry: the invariant (at most half full) holds between calls. */
    if (++x->count * 2 > x->capacity)
        grow(x);
    return number;
}

int name_index_find(const struct name_index *x, const char *name)
{
    if (x == NULL)
        return -1;
    const struct slot *slot = slot_of(x, name, hash_of(name));
    return slot->name != NULL ? slot->number : -1;
}

struct hint name_index_hint(const struct name_index *x, const char *name)
{
    struct nearest best = {.wanted = name};
    /* In any order: nearest_offer decides ties by the names. */
    for (size_t i = 0; x != NULL && i < x->capacity; i++)
        if (x->slots[i].name != NULL)
            nearest_offer(&best, x->slots[i].name, strlen(x->slots[i].name));
    return hint_nearest(best.name);
}
