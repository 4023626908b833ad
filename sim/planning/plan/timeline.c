/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "plan/timeline.h"

#include "base/mem.h"
#include "plan/span.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* How bookings are stored and undone:

   end        for each resource a stack of bookings by start. A released booking becomes empty and stays, unless it is
              on top: the top is never empty, so its finish is the end of the resource.
   insertion  for each resource a treap [Seidel 1996] of its idle intervals by start; no two of them touch. The last
              one, which has no end, is not in it: most bookings go there and need no tree.

   After the first mark every change is logged; undoing follows the log backwards. Tries are short and far more frequent
   than permanent bookings, so their bookings are kept aside and the stacks and trees are not changed. */

enum {
    MOST_ASIDE = 32
}; /* searched linearly on each resource; a try that books more makes real bookings of the rest and undoes them */

struct stack {
    struct booking {
        double start_s, finish_s;
    } * list;
    size_t n, capacity;
};

/* What a try reads first, and usually all it needs: an item that is released at the end or later starts at once. */
struct tail {
    double end_s;       /* of the last permanent booking */
    double tried_end_s; /* of the last booking, including those of the try */
    int first_aside;    /* `insertion`: the first of the try's bookings; -1: no bookings */
    uint64_t try_id;    /* the try that has set the last two */
    uint64_t last_change;
};

/* `insertion`. Nodes refer to each other by number rather than address, which halves the memory. */
struct gap {
    double start_s, finish_s;
    double longest_s;               /* of this interval and all below it */
    uint32_t left, right, priority; /* 0: no node */
};

struct aside { /* `insertion`: booked by the try */
    double start_s, finish_s;
    int next; /* of the same resource; -1: no more */
};

enum change_kind { BOOKED, RELEASED, POPPED }; /* POPPED: an empty booking that came to the top of its stack */
struct change {
    enum change_kind kind;
    size_t resource, place; /* place: in the stack, of RELEASED */
    double start_s, finish_s;
};

struct timelines {
    enum technique technique;
    size_t n_resources;
    struct stack *stacks;
    struct tail *tails; /* [resource] */
    uint32_t *roots;
    struct gap *gaps; /* number 0 is not a node */
    size_t n_gaps, gaps_capacity;
    uint32_t first_unused; /* linked by `left` */
    struct aside aside[MOST_ASIDE];
    int n_aside;
    bool is_marked, is_trying;
    uint64_t try_id, n_noted; /* n_noted: timelines_n_changes */
    size_t try_mark;
    struct change *changes;
    size_t n_changes, changes_capacity;
};

/* Lets a scheduler see whether an answer that it keeps is still right (draft_try_has_changed). Changes of a try do not
   count, because after the try all is as before. */
static void note_change(struct timelines *t, size_t resource)
{
    if (!t->is_trying) /* else it is undone at the end of the try */
        t->tails[resource].last_change = ++t->n_noted;
}

/* Without a mark and outside tries nothing can be undone, so list schedulers pay for no log. */
static void remember(struct timelines *t, struct change change)
{
    note_change(t, change.resource);
    if (!t->is_marked && !t->is_trying)
        return;
    MEM_GROW(t->changes, t->n_changes, t->changes_capacity);
    t->changes[t->n_changes++] = change;
}

/* ---- idle intervals ---- */

/* Because of rounding, a duration slightly longer than the interval may still fit: the search must look there. */
static double own_length_s(const struct gap *g)
{
    return g->finish_s - g->start_s + g->finish_s * DBL_EPSILON;
}

/* After every change below a node: first_fit skips a subtree by its longest_s, so a value that is too small would lose
   intervals. Number 0, no node, has -1, so that it needs no test. */
static void pull(struct timelines *t, uint32_t i)
{
    struct gap *g = &t->gaps[i];
    double left_s = t->gaps[g->left].longest_s, right_s = t->gaps[g->right].longest_s;
    g->longest_s = later_s(own_length_s(g), later_s(left_s, right_s));
}

static uint32_t mix(uint32_t x) /* pseudo-random priorities, the same in every run */
{
    x = (x ^ (x >> 16)) * 0x7feb352dU;
    x = (x ^ (x >> 15)) * 0x846ca68bU;
    return x ^ (x >> 16);
}

/* Priorities come from the number, so the shape of a tree, and with it the time, is the same in every run. */
static uint32_t new_gap(struct timelines *t, double start_s, double finish_s)
{
    uint32_t i = t->first_unused;
    if (i != 0) {
        t->first_unused = t->gaps[i].left;
    } else {
        assert(t->n_gaps < UINT32_MAX);
        MEM_GROW(t->gaps, t->n_gaps, t->gaps_capacity);
        i = (uint32_t)t->n_gaps++;
    }
    t->gaps[i] = (struct gap){.start_s = start_s, .finish_s = finish_s, .priority = mix(i)};
    pull(t, i);
    return i;
}

static uint32_t rotate_right(struct timelines *t, uint32_t i)
{
    uint32_t top = t->gaps[i].left;
    t->gaps[i].left = t->gaps[top].right;
    t->gaps[top].right = i;
    pull(t, i);
    return top;
}

static uint32_t rotate_left(struct timelines *t, uint32_t i)
{
    uint32_t top = t->gaps[i].right;
    t->gaps[i].right = t->gaps[top].left;
    t->gaps[top].left = i;
    pull(t, i);
    return top;
}

static uint32_t insert(struct timelines *t, uint32_t root, uint32_t i)
{
    if (root == 0)
        return i;
    if (t->gaps[i].start_s < t->gaps[root].start_s) {
        t->gaps[root].left = insert(t, t->gaps[root].left, i);
        if (t->gaps[t->gaps[root].left].priority > t->gaps[root].priority)
            root = rotate_right(t, root);
    } else {
        t->gaps[root].right = insert(t, t->gaps[root].right, i);
        if (t->gaps[t->gaps[root].right].priority > t->gaps[root].priority)
            root = rotate_left(t, root);
    }
    pull(t, root);
    return root;
}

/* Joins two trees; all intervals of `a` come before those of `b`. */
static uint32_t join(struct timelines *t, uint32_t a, uint32_t b)
{
    if (a == 0 || b == 0)
        return a + b;
    if (t->gaps[a].priority > t->gaps[b].priority) {
        t->gaps[a].right = join(t, t->gaps[a].right, b);
        pull(t, a);
        return a;
    }
    t->gaps[b].left = join(t, a, t->gaps[b].left);
    pull(t, b);
    return b;
}

/* `start_s` is exactly that of a node: dates are copied, never computed anew. */
static uint32_t erase(struct timelines *t, uint32_t root, double start_s)
{
    struct gap *g = &t->gaps[root];
    if (g->start_s == start_s) {
        uint32_t rest = join(t, g->left, g->right);
        g->left = t->first_unused;
        t->first_unused = root;
        return rest;
    }
    if (start_s < g->start_s)
        g->left = erase(t, g->left, start_s);
    else
        g->right = erase(t, g->right, start_s);
    pull(t, root);
    return root;
}

/* Changes the ends of the interval that starts at `start_s`; it must not touch its neighbours. */
static void resize(struct timelines *t, uint32_t root, double start_s, double new_start_s, double new_finish_s)
{
    struct gap *g = &t->gaps[root];
    if (g->start_s == start_s) {
        g->start_s = new_start_s;
        g->finish_s = new_finish_s;
    } else {
        resize(t, start_s < g->start_s ? g->left : g->right, start_s, new_start_s, new_finish_s);
    }
    pull(t, root);
}

/* The last interval that starts at or before `date_s`; 0: no such interval. */
static uint32_t find_before(const struct timelines *t, uint32_t root, double date_s)
{
    uint32_t best = 0;
    while (root != 0) {
        bool is_before = t->gaps[root].start_s <= date_s;
        best = is_before ? root : best;
        root = is_before ? t->gaps[root].right : t->gaps[root].left;
    }
    return best;
}

static uint32_t find_after(const struct timelines *t, uint32_t root, double date_s)
{
    uint32_t best = 0;
    while (root != 0) {
        bool is_after = t->gaps[root].start_s >= date_s;
        best = is_after ? root : best;
        root = is_after ? t->gaps[root].left : t->gaps[root].right;
    }
    return best;
}

/* The first interval with enough room; subtrees that are too short or too early are skipped. */
static uint32_t first_fit(const struct timelines *t, uint32_t root, double release_s, double duration_s)
{
    if (root == 0 || t->gaps[root].longest_s < duration_s)
        return 0;
    const struct gap *g = &t->gaps[root];
    if (g->start_s > release_s) {
        uint32_t left = first_fit(t, g->left, release_s, duration_s);
        if (left != 0)
            return left;
    }
    /* in the same form as the booking will have its finish: it must not end after the interval by a rounding */
    if (later_s(g->start_s, release_s) + duration_s <= g->finish_s)
        return root;
    return first_fit(t, g->right, release_s, duration_s);
}

static double insertion_fit(const struct timelines *t, size_t resource, double release_s, double duration_s)
{
    uint32_t i = first_fit(t, t->roots[resource], release_s, duration_s);
    return later_s(release_s, i != 0 ? t->gaps[i].start_s : t->tails[resource].end_s);
}

static void book_at_end(struct timelines *t, size_t resource, double start_s, double finish_s)
{
    double *end_s = &t->tails[resource].end_s;
    if (start_s > *end_s)
        t->roots[resource] = insert(t, t->roots[resource], new_gap(t, *end_s, start_s));
    *end_s = finish_s;
}

/* In front of the last booking: the interval that has room is shortened at one end, split, or used up. */
static void insertion_book(struct timelines *t, size_t resource, double start_s, double finish_s)
{
    if (start_s >= t->tails[resource].end_s) {
        book_at_end(t, resource, start_s, finish_s);
        return;
    }
    uint32_t *root = &t->roots[resource], i = find_before(t, *root, start_s);
    struct gap g = t->gaps[i];
    assert(i != 0 && g.start_s <= start_s && finish_s <= g.finish_s);
    if (g.start_s < start_s) {
        resize(t, *root, g.start_s, g.start_s, start_s);
        if (finish_s < g.finish_s)
            *root = insert(t, *root, new_gap(t, finish_s, g.finish_s));
    } else if (finish_s < g.finish_s) {
        resize(t, *root, g.start_s, finish_s, g.finish_s);
    } else {
        *root = erase(t, *root, g.start_s);
    }
}

/* Undoes insertion_book: what becomes idle is joined with the idle intervals that touch it, so that no two of them
   touch. */
static void insertion_release(struct timelines *t, size_t resource, double start_s, double finish_s)
{
    uint32_t *root = &t->roots[resource], i = find_before(t, *root, start_s);
    bool joins_left = i != 0 && t->gaps[i].finish_s == start_s;
    double left_s = joins_left ? t->gaps[i].start_s : start_s;
    /* the last booking: what becomes idle has no end, and so leaves the tree */
    if (finish_s == t->tails[resource].end_s) {
        t->tails[resource].end_s = left_s;
        if (joins_left)
            *root = erase(t, *root, left_s);
        return;
    }
    uint32_t k = find_after(t, *root, finish_s);
    bool joins_right = k != 0 && t->gaps[k].start_s == finish_s;
    double right_s = joins_right ? t->gaps[k].finish_s : finish_s;
    if (joins_left && joins_right)
        *root = erase(t, *root, finish_s);
    if (joins_left)
        resize(t, *root, left_s, left_s, right_s);
    else if (joins_right)
        resize(t, *root, finish_s, left_s, right_s);
    else
        *root = insert(t, *root, new_gap(t, start_s, finish_s));
}

/* ---- stacks ---- */

static void stack_push(struct timelines *t, size_t resource, double start_s, double finish_s)
{
    struct stack *s = &t->stacks[resource];
    MEM_GROW(s->list, s->n, s->capacity);
    s->list[s->n++] = (struct booking){start_s, finish_s};
    t->tails[resource].end_s = finish_s;
}

static void set_end(struct timelines *t, size_t resource)
{
    const struct stack *s = &t->stacks[resource];
    t->tails[resource].end_s = s->n > 0 ? s->list[s->n - 1].finish_s : 0;
}

/* The booking that ends at finish_s, which is unique except for empty ones. The search leads to the last that starts by
   start_s; empty ones that start there, too, are passed by going back. A send that is shortened is found by its finish,
   because only its last part is released. */
static size_t stack_find(const struct stack *s, double start_s, double finish_s)
{
    size_t low = 0, high = s->n;
    while (low + 1 < high) {
        size_t middle = low + (high - low) / 2;
        if (s->list[middle].start_s <= start_s)
            low = middle;
        else
            high = middle;
    }
    while (s->list[low].finish_s != finish_s) {
        assert(low > 0);
        low--;
    }
    return low;
}

static void stack_release(struct timelines *t, size_t resource, double start_s, double finish_s)
{
    struct stack *s = &t->stacks[resource];
    size_t place = stack_find(s, start_s, finish_s);
    s->list[place].finish_s = start_s;
    remember(t, (struct change){RELEASED, resource, place, start_s, finish_s});
    /* the top must not be empty, or its finish would not be the end of the resource */
    while (s->n > 0 && s->list[s->n - 1].start_s == s->list[s->n - 1].finish_s) {
        double date_s = s->list[--s->n].start_s;
        remember(t, (struct change){POPPED, resource, s->n, date_s, date_s});
    }
    set_end(t, resource);
}

static void stack_undo(struct timelines *t, const struct change *c)
{
    struct stack *s = &t->stacks[c->resource];
    switch (c->kind) {
    case BOOKED:
        s->n--;
        break;
    case RELEASED:
        s->list[c->place].finish_s = c->finish_s;
        break;
    case POPPED:
        stack_push(t, c->resource, c->start_s, c->finish_s);
        break;
    }
    set_end(t, c->resource);
}

/* ---- creation and reset ---- */

/* try_id goes on: entries of tails that say "of this try" must not come alive again. */
static void begin_empty(struct timelines *t)
{
    t->n_changes = 0;
    t->n_noted = 0;
    t->is_marked = false;
    memset(t->tails, 0, t->n_resources * sizeof *t->tails);
    for (size_t i = 0; t->technique == TECHNIQUE_END && i < t->n_resources; i++)
        t->stacks[i].n = 0;
    if (t->technique == TECHNIQUE_END)
        return;
    t->n_gaps = 1;
    t->first_unused = 0;
    memset(t->roots, 0, t->n_resources * sizeof *t->roots);
}

struct timelines *timelines_create(size_t n_resources, enum technique technique)
{
    struct timelines *t = mem_zalloc(1, sizeof *t);
    t->technique = technique;
    t->n_resources = n_resources;
    t->try_id = 1;
    t->tails = mem_zalloc(n_resources, sizeof *t->tails);
    if (technique == TECHNIQUE_END) {
        t->stacks = mem_zalloc(n_resources, sizeof *t->stacks);
    } else {
        t->roots = mem_zalloc(n_resources, sizeof *t->roots);
        MEM_GROW(t->gaps, 0, t->gaps_capacity);
        t->gaps[0] = (struct gap){.longest_s = -1};
    }
    begin_empty(t);
    return t;
}

void timelines_free(struct timelines *t)
{
    if (t == NULL)
        return;
    for (size_t i = 0; t->stacks != NULL && i < t->n_resources; i++)
        free(t->stacks[i].list);
    free(t->stacks);
    free(t->tails);
    free(t->roots);
    free(t->gaps);
    free(t->changes);
    free(t);
}

void timelines_reset(struct timelines *t)
{
    assert(!t->is_trying);
    begin_empty(t);
}

/* ---- booking ---- */

static bool has_tried(const struct timelines *t, const struct tail *tail)
{
    return tail->try_id == t->try_id;
}

/* The end of everything that is booked on the resource. */
static double end_s(const struct timelines *t, const struct tail *tail)
{
    return has_tried(t, tail) ? tail->tried_end_s : tail->end_s;
}

/* A booking of the try itself that blocks this interval on the resource. The last condition lets a duration that
   rounding makes empty still collide where it starts inside a booking. */
static const struct aside *find_in_the_way(const struct timelines *t, const struct tail *tail, double start_s,
                                           double finish_s)
{
    for (int i = has_tried(t, tail) ? tail->first_aside : -1; i >= 0; i = t->aside[i].next) {
        const struct aside *a = &t->aside[i];
        if (start_s < a->finish_s && (finish_s > a->start_s || start_s >= a->start_s))
            return a;
    }
    return NULL;
}

double timeline_fit(const struct timelines *t, size_t resource, double release_s, double duration_s)
{
    const struct tail *tail = &t->tails[resource];
    double last_s = end_s(t, tail);
    if (span_is_lost_at(release_s, duration_s))
        return release_s;
    /* most fits of a list scheduler end here, without a look at the tree */
    if (t->technique == TECHNIQUE_END || release_s >= last_s)
        return later_s(release_s, last_s);
    double start_s = insertion_fit(t, resource, release_s, duration_s);
    /* each turn moves the start past a booking of the try, of which there are few */
    for (const struct aside *a; (a = find_in_the_way(t, tail, start_s, start_s + duration_s)) != NULL;)
        start_s = insertion_fit(t, resource, a->finish_s, duration_s);
    return start_s;
}

double timeline_end_s(const struct timelines *t, size_t resource)
{
    return end_s(t, &t->tails[resource]);
}

uint64_t timelines_n_changes(const struct timelines *t)
{
    return t->n_noted;
}

uint64_t timeline_last_change(const struct timelines *t, size_t resource)
{
    return t->tails[resource].last_change;
}

/* Books for a try, aside from the stacks and trees; false if there is no room left aside. */
static bool book_aside(struct timelines *t, size_t resource, double start_s, double finish_s)
{
    struct tail *tail = &t->tails[resource];
    bool is_first = !has_tried(t, tail);
    tail->tried_end_s = later_s(finish_s, end_s(t, tail));
    tail->try_id = t->try_id;
    if (t->technique == TECHNIQUE_END)
        return true;
    if (is_first)
        tail->first_aside = -1;
    /* the caller then books for real; timelines_end_try takes it back */
    if (t->n_aside == MOST_ASIDE)
        return false;
    t->aside[t->n_aside] = (struct aside){start_s, finish_s, tail->first_aside};
    tail->first_aside = t->n_aside++;
    return true;
}

void timeline_book(struct timelines *t, size_t resource, double start_s, double finish_s)
{
    if (start_s == finish_s || (t->is_trying && book_aside(t, resource, start_s, finish_s)))
        return;
    if (t->technique == TECHNIQUE_END)
        stack_push(t, resource, start_s, finish_s);
    else
        insertion_book(t, resource, start_s, finish_s);
    remember(t, (struct change){.kind = BOOKED, .resource = resource, .start_s = start_s, .finish_s = finish_s});
}

void timeline_release(struct timelines *t, size_t resource, double start_s, double finish_s)
{
    if (start_s == finish_s)
        return;
    if (t->technique == TECHNIQUE_END) {
        stack_release(t, resource, start_s, finish_s);
        return;
    }
    insertion_release(t, resource, start_s, finish_s);
    remember(t, (struct change){.kind = RELEASED, .resource = resource, .start_s = start_s, .finish_s = finish_s});
}

/* ---- undoing ---- */

static void undo(struct timelines *t, const struct change *c)
{
    note_change(t, c->resource);
    if (t->technique == TECHNIQUE_END)
        stack_undo(t, c);
    else if (c->kind == RELEASED)
        insertion_book(t, c->resource, c->start_s, c->finish_s);
    else
        insertion_release(t, c->resource, c->start_s, c->finish_s);
}

size_t timelines_mark(struct timelines *t)
{
    assert(!t->is_trying);
    t->is_marked = true;
    return t->n_changes;
}

void timelines_rollback(struct timelines *t, size_t mark)
{
    assert(mark <= t->n_changes);
    while (t->n_changes > mark)
        undo(t, &t->changes[--t->n_changes]);
}

void timelines_begin_try(struct timelines *t)
{
    assert(!t->is_trying);
    t->is_trying = true;
    t->try_mark = t->n_changes;
}

void timelines_end_try(struct timelines *t)
{
    timelines_rollback(t, t->try_mark);
    t->is_trying = false;
    t->n_aside = 0;
    t->try_id++; /* makes the entries of this try in tails and lists outdated */
}
