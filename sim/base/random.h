/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Random streams: counter-based (Philox 4x32-10 of Random123 [Salmon 2011]). A stream is a pure function of its seed
   and its stream number, the same on every machine, and streams with different numbers are independent. */
#ifndef IASIM_BASE_RANDOM_H
#define IASIM_BASE_RANDOM_H

#include "base/api.h"

#include <stddef.h>
#include <stdint.h>

struct random_stream {
    uint64_t seed, stream, counter;
    uint32_t block[4];
    unsigned n_left; /* of block */
};

IASIM_API void random_init(struct random_stream *r, uint64_t seed, uint64_t stream);
IASIM_API uint64_t random_u64(struct random_stream *r);
IASIM_API double random_unit(struct random_stream *r);                             /* in [0, 1), 53 bits */
IASIM_API double random_between(struct random_stream *r, double low, double high); /* uniform in [low, high) */
IASIM_API uint64_t random_below(struct random_stream *r, uint64_t n);              /* 0 .. n-1, unbiased; n > 0 */

#endif
