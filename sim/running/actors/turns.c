/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "actors/turns.h"

#include "base/heap.h"

#include <stddef.h>

static struct heap asked, later; /* in this round; in the next */

void turn_init(struct turn *t, int phase, long order)
{
    *t = (struct turn){.phase = phase, .order = order, .given = sg_sem_init(0)};
}

void turn_clear(struct turn *t)
{
    if (t->given != NULL)
        sg_sem_destroy(t->given);
    *t = (struct turn){0};
}

static void ask(struct heap *in, struct turn *t)
{
    if (!t->is_asked)
        heap_add(in, (struct heap_entry){.key = t->phase, .number = t->order, .item = t});
    t->is_asked = true;
}

void turn_ask(struct turn *t)
{
    ask(&asked, t);
}

void turn_ask_later(struct turn *t)
{
    ask(&later, t);
}

static bool give_next(void)
{
    if (asked.n == 0)
        return false;
    struct turn *t = heap_take(&asked).item;
    t->is_asked = false;
    sg_sem_release(t->given);
    return true;
}

void turn_wait(struct turn *t)
{
    sg_sem_acquire(t->given);
}

void turn_end(void)
{
    give_next();
}

bool turns_are_asked(void)
{
    return asked.n + later.n > 0;
}

bool turns_resume(void)
{
    if (asked.n == 0) {
        struct heap over = asked;
        asked = later;
        later = over;
    }
    return give_next();
}

void turns_clear(void)
{
    heap_clear(&asked);
    heap_clear(&later);
}
