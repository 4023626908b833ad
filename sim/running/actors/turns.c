/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Semaphores alone would let actors act in the order in which SimGrid wakes them, which depends on who was
   created first and on the order of ends in its heaps. A turn is a place in an order that both engines share, so
   that they agree on every date.

   At most one actor has a turn at a time: it is given when nobody can go on, or by the one before, in turn_end. */
#include "actors/turns.h"

#include <stddef.h>

void turn_init(struct turn *t, struct turns *of, int phase, long order)
{
    *t = (struct turn){.of = of, .phase = phase, .order = order, .given = sg_sem_init(0)};
}

void turn_clear(struct turn *t)
{
    if (t->given != NULL)
        sg_sem_destroy(t->given);
    *t = (struct turn){0};
}

static void ask(struct heap *in, struct turn *t)
{
    /* Once is enough: when the actor has its turn it looks at everything that has changed. */
    if (!t->is_asked)
        heap_add(in, (struct heap_entry){.key = t->phase, .number = t->order, .item = t});
    /* in one of the two heaps, never in both: who asks for now and for later gets what it asked for first */
    t->is_asked = true;
}

void turn_ask(struct turn *t)
{
    ask(&t->of->asked, t);
}

void turn_ask_later(struct turn *t)
{
    ask(&t->of->later, t);
}

static bool give_next(struct turns *x)
{
    if (x->asked.n == 0)
        return false;
    struct turn *t = heap_take(&x->asked).item;
    t->is_asked = false;
    /* remembered by the semaphore: an actor that is busy at the moment takes its turn when it waits for it */
    sg_sem_release(t->given);
    return true;
}

void turn_wait(struct turn *t)
{
    sg_sem_acquire(t->given);
}

/* Passes on to the next of this round without a return to SimGrid; after the last one, `quiet` is called again. */
void turn_end(struct turns *x)
{
    give_next(x);
}

bool turns_are_asked(const struct turns *x)
{
    return x->asked.n + x->later.n > 0;
}

/* O(log n) for each turn. */
bool turns_resume(struct turns *x)
{
    /* the round is over: those that wanted to see its rates first come now */
    if (x->asked.n == 0) {
        struct heap over = x->asked;
        x->asked = x->later;
        x->later = over;
    }
    return give_next(x);
}

void turns_clear(struct turns *x)
{
    heap_clear(&x->asked);
    heap_clear(&x->later);
}
