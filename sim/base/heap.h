/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A priority queue: a binary heap whose entries carry their own keys. The smallest key comes first and, among equal
   keys, the smallest number. If numbers are unique among equal keys, the order is total and the same on every machine.
   Adding, taking and moving cost O(log n).

   An entry that may be moved or removed before it comes first sets `place`, usually to the address of a field of its
   item. The heap keeps the entry's current position there, and -1 once the entry has left. The item must not move
   meanwhile.

       struct heap dates = {0};
       heap_add(&dates, (struct heap_entry){.key = job->end_s, .number = job->id, .item = job, .place = &job->place});
       heap_move(&dates, job->place, earlier_s);
       struct job *next = heap_take(&dates).item;
       heap_clear(&dates);
        */
#ifndef IASIM_BASE_HEAP_H
#define IASIM_BASE_HEAP_H

#include <stdbool.h>

struct heap_entry {
    double key; /* infinite is allowed, NaN is not */
    long number;
    void *item; /* borrowed; NULL if the number is enough */
    int *place; /* NULL: not kept */
};

struct heap { /* empty: all 0 */
    struct heap_entry *entries;
    int n, capacity;
};

/* Frees the entries; the heap is empty again. The `place` fields of items are not updated. */
void heap_clear(struct heap *h);

void heap_add(struct heap *h, struct heap_entry entry);

/* The first entry, valid until the heap changes; NULL: the heap is empty. */
const struct heap_entry *heap_first(const struct heap *h);

/* The heap must not be empty. */
struct heap_entry heap_take(struct heap *h);

/* `place` is from 0 to n - 1. */
void heap_remove(struct heap *h, int place);
void heap_move(struct heap *h, int place, double key);

/* Whether `a` comes before `b`. The entries may belong to different heaps. */
static inline bool heap_is_before(const struct heap_entry *a, const struct heap_entry *b)
{
    return a->key < b->key || (a->key == b->key && a->number < b->number);
}

#endif
