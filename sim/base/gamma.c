/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Marsaglia and Tsang's method: with d = shape - 1/3, c = 1 / sqrt(9 d), x normal and v = (1 + c x)^3, the variate is d
   v with a probability that makes it gamma; else another x is tried, in one case of twenty at most. A shape a below 1
   takes one of shape a + 1, times u^(1/a). */
#include "base/gamma.h"

#include <math.h>

static const double ln2 = 0x1.62e42fefa39efp-1;
/* Split so that n ln2_high has no rounding error: it has 42 bits, and n has at most 11. */
static const double ln2_high = 0x1.62e42fefa38p-1, ln2_low = 0x1.ef35793c7673p-45; /* their sum has 90 bits of ln 2 */

/* Of x > 0: x = m 2^e, ln m = 2 (s + s^3/3 + s^5/5 ..) with s = (m - 1) / (m + 1), which is below 0.172. */
static double logarithm(double x)
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

/* Of x <= 0: 2^n e^y, with y between -ln 2 / 2 and ln 2 / 2, by its Taylor series. */
static double exponential(double x)
{
    double n = floor(x / ln2 + 0.5);
    /* Smaller than the least double, and than GAMMA_LEAST, which the caller puts in its place. */
    if (n < -1100)
        return 0;
    double y = x - n * ln2_high - n * ln2_low, sum = 1;
    /* Horner's scheme. With |y| < 0.35 the first term left out, y^17 / 17!, is below 1e-22. */
    for (int k = 16; k > 0; k--)
        sum = 1 + sum * y / k;
    return ldexp(sum, (int)n);
}

/* In (0, 1]: the logarithm of 0 would be infinite, and random_unit can be 0. */
static double unit(struct random_stream *r)
{
    return 1 - random_unit(r);
}

/* Marsaglia's polar method: a point that is uniform in the unit disc gives two normal variates. The other one is
   dropped, because there is no place to keep it: all state is in the stream. */
static double normal(struct random_stream *r)
{
    double x, square;
    do {
        double y = random_between(r, -1, 1);
        x = random_between(r, -1, 1);
        square = x * x + y * y;
    } while (square >= 1 || square == 0);
    return x * sqrt(-2 * logarithm(square) / square);
}

/* Over its mean; of shape >= 1. The cube would be negative for v <= 0, where the density is 0. */
static double of_large_shape(struct random_stream *r, double shape)
{
    double d = shape - 1. / 3, c = 1 / sqrt(9 * d), x, v;
    do {
        do {
            x = normal(r);
            v = 1 + c * x;
        } while (v <= 0);
        v = v * v * v;
    } while (logarithm(unit(r)) > x * x / 2 + d * (1 - v + logarithm(v)));
    return d / shape * v;
}

double random_gamma(struct random_stream *r, double cv)
{
    if (cv == 0)
        return 1;
    /* A gamma variate of this shape has the coefficient of variation 1 / sqrt(shape). */
    double shape = 1 / (cv * cv), x;
    if (shape >= 1) {
        x = of_large_shape(r, shape);
    } else {
        /* The variate of shape + 1 is over its own mean, shape + 1; the factor makes it one over `shape`. */
        x = of_large_shape(r, shape + 1) * (1 + 1 / shape);
        x *= exponential(logarithm(unit(r)) / shape);
    }
    return fmax(x, GAMMA_LEAST);
}
