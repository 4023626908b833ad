/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Values that are compared in order to choose: priorities, dates, costs. The last bits of a sum depend on the order in
   which it was added up, and so, in the end, on the compiler; they must not decide between two tasks or two hosts. So
   whatever is compared in order to choose is compared after rounding to 40 bits of mantissa, one part in 10^12. Between
   equals the task first in the file goes first, then the host first in the platform.

   A feasibility (does this fit before that?) is no choice: it is decided with all bits. */
#ifndef IASIM_BASE_CHOOSE_H
#define IASIM_BASE_CHOOSE_H

#include <stdint.h>
#include <string.h>

enum { CHOOSE_BITS = 40 };

/* `value` with a mantissa of 40 bits, the leading one included; halves go away from zero, infinities stay. */
static inline double choose_rounded(double value)
{
    const uint64_t dropped = 53 - CHOOSE_BITS;
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    bits = (bits + (UINT64_C(1) << (dropped - 1))) >> dropped << dropped; /* a carry goes on into the exponent */
    memcpy(&value, &bits, sizeof value);
    return value;
}

#endif
