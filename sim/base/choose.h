/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Values that are compared in order to choose: priorities, dates, costs. The last bits of a sum depend on the order in
   which it was added up, and therefore on the compiler. They must not decide between two tasks or two hosts, so these
   values are rounded to 40 bits of mantissa (one part in 10^12) before they are compared. Among equals the task that is
   first in the file wins, then the host that is first in the platform.

   A question of feasibility (does this fit before that?) is not a choice and is decided with all bits. */
#ifndef IASIM_BASE_CHOOSE_H
#define IASIM_BASE_CHOOSE_H

#include <stdint.h>
#include <string.h>

enum { CHOOSE_BITS = 40 };

/* `value` with a mantissa of 40 bits, including the leading one. Halves round away from zero; infinities stay. */
static inline double choose_rounded(double value)
{
    const uint64_t dropped = 53 - CHOOSE_BITS;
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    bits = (bits + (UINT64_C(1) << (dropped - 1))) >> dropped << dropped; /* a carry moves into the exponent */
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* For qsort of doubles. */
static inline int choose_ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Things in the order of a value. */
struct choose_ranked {
    int id;
    double value;
};

/* For qsort of these: the largest value first, of equal ones the lowest id. */
static inline int choose_largest_first(const void *a, const void *b)
{
    const struct choose_ranked *x = (const struct choose_ranked *)a, *y = (const struct choose_ranked *)b;
    if (x->value != y->value)
        return x->value > y->value ? -1 : 1;
    return (x->id > y->id) - (x->id < y->id);
}

#endif
