/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A quantity that depends on the size of a message ([S] 8.2.1): a number for all sizes, or steps, written as SimGrid's
   smpi/os: MIN_BYTES:CONSTANT:PER_BYTE;... or MIN_BYTES:CONSTANT;... A step holds for messages of more than MIN_BYTES
   bytes, up to and including the MIN_BYTES of the next step; the first one also holds for all smaller messages. That is
   how SimGrid 3.32 reads smpi/os (SimGrid 4.0 charges nothing to messages up to the first MIN_BYTES). */
#ifndef IASIM_BASE_STEPS_H
#define IASIM_BASE_STEPS_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>

struct step {
    double above_bytes, constant, per_byte;
};

struct steps { /* all zero: not given, and 0 for all sizes */
    bool is_given;
    double number; /* for all sizes, if there are no steps */
    size_t n;
    struct step *list; /* by increasing above_bytes */
};

/* How a step is written, e.g. STEPS_LINEAR, and the largest and least constant and per_byte that make sense. */
struct steps_form {
    const char *text;
    double most, least; /* least: 0, or negative where a cost may be */
};
#define STEPS_LINEAR "MIN_BYTES:CONSTANT:PER_BYTE"
#define STEPS_SHARE "MIN_BYTES:FRACTION"

/* Whether a value is written as steps; else it is a number. */
bool steps_are_in(const char *text);

/* Reads steps; a ';' after the last one is allowed. What `out` had is freed. Errors: ERR_INPUT for what is no such
   step, out of the form's bounds, or not in increasing order of MIN_BYTES, which are never negative; *out is then
   unchanged. */
enum err_code steps_read(struct steps *out, struct steps_form form, const char *text, struct err *e);

/* Whether both were written with the same numbers. */
bool steps_are_equal(const struct steps *a, const struct steps *b);

/* Back to all zero. */
void steps_clear(struct steps *s);

/* Planners call this millions of times. */
static inline double steps_at(const struct steps *s, double bytes)
{
    size_t i = 0;
    if (s->n == 0)
        return s->number;
    while (i + 1 < s->n && bytes > s->list[i + 1].above_bytes)
        i++;
    return s->list[i].constant + s->list[i].per_byte * bytes;
}

#endif
