/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A binary heap in an array: the children of place i are 2 i + 1 and 2 i + 2. Each entry carries its key, so a
   comparison reads the array alone and not the items, which lie anywhere in memory.

   Invariant: no entry is before the one above it, and *entry.place, where it is kept, is the entry's place. */
#include "base/heap.h"

#include "base/mem.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

void heap_clear(struct heap *h)
{
    free(h->entries);
    *h = (struct heap){0};
}

/* The only function that writes entries, so no place can be forgotten. */
static void put(struct heap *h, int place, struct heap_entry entry)
{
    h->entries[place] = entry;
    if (entry.place != NULL)
        *entry.place = place;
}

/* Puts `entry` into the gap at `place`, then sifts it up or down until the heap is in order. The gap moves, and
   entries into it: one write a level, where swapping takes two. At most one of the loops moves anything: an entry
   that is before the one above is before all below. */
static void sift(struct heap *h, int place, struct heap_entry entry)
{
    for (int above; place > 0 && heap_is_before(&entry, &h->entries[above = (place - 1) / 2]); place = above)
        put(h, place, h->entries[above]);
    for (int below; (below = 2 * place + 1) < h->n; place = below) {
        if (below + 1 < h->n && heap_is_before(&h->entries[below + 1], &h->entries[below]))
            below++;
        if (!heap_is_before(&h->entries[below], &entry))
            break;
        put(h, place, h->entries[below]);
    }
    put(h, place, entry);
}

void heap_add(struct heap *h, struct heap_entry entry)
{
    /* A NaN is neither before nor after anything: the order would depend on the history of the heap. */
    assert(!isnan(entry.key));
    MEM_GROW(h->entries, h->n, h->capacity);
    h->n++;
    sift(h, h->n - 1, entry);
}

const struct heap_entry *heap_first(const struct heap *h)
{
    return h->n > 0 ? &h->entries[0] : NULL;
}

struct heap_entry heap_take(struct heap *h)
{
    assert(h->n > 0);
    struct heap_entry first = h->entries[0];
    heap_remove(h, 0);
    return first;
}

void heap_remove(struct heap *h, int place)
{
    assert(place >= 0 && place < h->n);
    /* The mark that the item is in no heap. A caller may test it before it moves or removes. */
    if (h->entries[place].place != NULL)
        *h->entries[place].place = -1;
    /* The last entry fills the gap. It may come from another branch, so it may have to rise as well as to sink. */
    struct heap_entry last = h->entries[--h->n];
    if (place < h->n)
        sift(h, place, last);
}

void heap_move(struct heap *h, int place, double key)
{
    assert(place >= 0 && place < h->n && !isnan(key));
    struct heap_entry entry = h->entries[place];
    entry.key = key;
    sift(h, place, entry);
}
