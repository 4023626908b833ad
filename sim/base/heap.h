/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A priority queue: a binary heap whose entries carry their own keys. The smallest key is first; among equal keys the
   smallest number. Numbers that are unique among equal keys make the order total, the same on every machine. Adding,
   taking and moving cost O(log n).

   An entry that is to be moved or removed before it is first gives `place`, usually the address of a field of the item:
   the heap keeps there where the entry stands, and -1 once it has left. The item must not move meanwhile.

       struct heap dates = {0};
       heap_add(&dates, (struct heap_entry){.key = job->end_s, .number = job->id, .item = job, .place = &job->place});
       heap_move(&dates, job->place, earlier_s);
       struct job *next = heap_take(&dates).item;
       heap_clear(&dates);                                                                                              */
#ifndef IASIM_BASE_HEAP_H
#define IASIM_BASE_HEAP_H

#include <stdbool.h>

struct heap_entry {
    double key; /* infinite is allowed, NaN is not */
    long number;
    void *item; /* borrowed; NULL where the number says enough */
    int *place; /* NULL: not kept */
};

struct heap { /* empty: all 0 */
    struct heap_entry *entries;
    int n, capacity;
};

/* Frees the entries; the heap is empty again. Places keep what they hold. */
void heap_clear(struct heap *h);

void heap_add(struct heap *h, struct heap_entry entry);

/* The first entry, lent until the heap changes; NULL: the heap is empty. */
const struct heap_entry *heap_first(const struct heap *h);

/* The heap must not be empty. */
struct heap_entry heap_take(struct heap *h);

/* `place` is from 0 to n - 1. */
void heap_remove(struct heap *h, int place);
void heap_move(struct heap *h, int place, double key);

/* Whether `a` comes before `b`, also between entries of two heaps. */
static inline bool heap_is_before(const struct heap_entry *a, const struct heap_entry *b)
{
    return a->key < b->key || (a->key == b->key && a->number < b->number);
}

#endif
