/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Gamma variates of mean 1 ([Marsaglia 2000]): shape 1/cv^2, scale cv^2. They are made of sums, products, quotients and
   square roots only, which IEEE 754 defines to the last bit. The logarithm and the exponential are those of
   portable_math.h: the same stream gives the same bytes with any compiler and any library. */
#ifndef IASIM_BASE_GAMMA_H
#define IASIM_BASE_GAMMA_H

#include "base/random.h"

/* The coefficients of variation (standard deviation over mean) that there are; 0, exactly 1 always, is possible, too.
   Below the least one, rounding would decide. Above the largest, most variates are next to nothing. */
#define GAMMA_MIN_CV 1e-4
#define GAMMA_MAX_CV 3.0

/* The least variate; a smaller one becomes this. Nothing is made 0 by it, and dates stay apart. */
#define GAMMA_LEAST 0x1p-60

/* Takes as many numbers from the stream as it needs. */
double random_gamma(struct random_stream *r, double cv);

#endif
