/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Marsaglia and Tsang's method: with d = shape - 1/3, c = 1 / sqrt(9 d), x normal and v = (1 + c x)^3, the variate is d
   v with a probability that makes it gamma; else another x is tried, in one case of twenty at most. A shape a below 1
   takes one of shape a + 1, times u^(1/a). */
#include "base/gamma.h"

#include "base/portable_math.h"

#include <math.h>

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
    return x * sqrt(-2 * portable_log(square) / square);
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
    } while (portable_log(unit(r)) > x * x / 2 + d * (1 - v + portable_log(v)));
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
        x *= portable_exp(portable_log(unit(r)) / shape);
    }
    return fmax(x, GAMMA_LEAST);
}
