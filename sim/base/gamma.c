/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Marsaglia and Tsang's method: with d = shape - 1/3, c = 1 / sqrt(9 d), x normal and v = (1 + c x)^3, the variate is d
   v with a probability that makes it gamma; else another x is tried, in one case of twenty at most. A shape a below 1
   takes one of shape a + 1, times u^(1/a). */
#include "base/gamma.h"

#include <math.h>

static const double ln2 = 0x1.62e42fefa39efp-1;
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
    for (int k = 23; k > 0; k -= 2)
        sum = sum * square + 1. / k;
    return e * ln2 + 2 * s * sum;
}

/* Of x <= 0: 2^n e^y, with y between -ln 2 / 2 and ln 2 / 2, by its Taylor series. */
static double exponential(double x)
{
    double n = floor(x / ln2 + 0.5);
    if (n < -1100)
        return 0;
    double y = x - n * ln2_high - n * ln2_low, sum = 1;
    for (int k = 16; k > 0; k--)
        sum = 1 + sum * y / k;
    return ldexp(sum, (int)n);
}

/* In (0, 1]. */
static double unit(struct random_stream *r)
{
    return 1 - random_unit(r);
}

/* Marsaglia's polar method. */
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

/* Over its mean; of shape >= 1. */
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
    double shape = 1 / (cv * cv), x;
    if (shape >= 1) {
        x = of_large_shape(r, shape);
    } else {
        x = of_large_shape(r, shape + 1) * (1 + 1 / shape);
        x *= exponential(logarithm(unit(r)) / shape);
    }
    return fmax(x, GAMMA_LEAST);
}
