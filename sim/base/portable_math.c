/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "base/portable_math.h"

#include <math.h>

static const double ln2 = 0x1.62e42fefa39efp-1;
/* Split so that n ln2_high has no rounding error: it has 42 bits, and n has at most 11. */
static const double ln2_high = 0x1.62e42fefa38p-1, ln2_low = 0x1.ef35793c7673p-45; /* their sum has 90 bits of ln 2 */

/* x = m 2^e, ln m = 2 (s + s^3/3 + s^5/5 ..) with s = (m - 1) / (m + 1), which is below 0.172. */
double portable_log(double x)
{
    int e;
    double m = frexp(x, &e);
    if (m < 0x1.6a09e667f3bcdp-1) { /* 1 / sqrt 2 */
        m *= 2;
        e--;
    }
    double s = (m - 1) / (m + 1), square = s * s, sum = 0;
    /* Up to s^23. The next term is below 1e-19 of the sum, less than the rounding of a double. Added from the
       smallest on. */
    for (int k = 23; k > 0; k -= 2)
        sum = sum * square + 1. / k;
    return e * ln2 + 2 * s * sum;
}

/* 2^n e^y, with y between -ln 2 / 2 and ln 2 / 2, by its Taylor series. */
double portable_exp(double x)
{
    double n = floor(x / ln2 + 0.5);
    /* Below the least double, or above the largest. */
    if (fabs(n) > 1100)
        return n < 0 ? 0 : INFINITY;
    double y = x - n * ln2_high - n * ln2_low, sum = 1;
    /* Horner's scheme. With |y| < 0.35 the first term left out, y^17 / 17!, is below 1e-22. */
    for (int k = 16; k > 0; k--)
        sum = 1 + sum * y / k;
    return ldexp(sum, (int)n);
}
