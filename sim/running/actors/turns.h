/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Turns at one date: actors that decide something wait until all that ends at this date is known, and then act one
   after the other in a stated order, whoever was woken first. Nothing of this takes simulated time. */
#ifndef IASIM_ACTORS_TURNS_H
#define IASIM_ACTORS_TURNS_H

#include "base/heap.h"

#include <simgrid/semaphore.h>
#include <stdbool.h>

struct turns {
    struct heap asked, later; /* in this round; in the next */
};

struct turn {
    struct turns *of;
    int phase;  /* lower ones first, */
    long order; /* then these */
    bool is_asked;
    sg_sem_t given;
};

void turn_init(struct turn *t, struct turns *of, int phase, long order);
void turn_clear(struct turn *t);

/* Asks for a turn on behalf of the actor that waits for it, or will. Asking twice is asking once. */
void turn_ask(struct turn *t);
/* The same, but not before the network has been solved with what is started in the present round of turns. */
void turn_ask_later(struct turn *t);

/* In the actor: blocks until it has its turn. What it then does must not wait for simulated time before turn_end, which
   lets the next one act. */
void turn_wait(struct turn *t);
void turn_end(struct turns *x);

/* ---- for whoever is called when no actor can go on (simgrid/instants.h) ---- */

bool turns_are_asked(const struct turns *x);
/* Gives the next turn, of a new round if this one is over. False: nobody asks. */
bool turns_resume(struct turns *x);
void turns_clear(struct turns *x); /* forgets all that have been asked for */

#endif
