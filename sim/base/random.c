/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Counter-based: a block is the cipher of (position, stream) under the key (seed). There is no state to carry along:
   point 17 of a sweep draws the same numbers whether or not point 16 has run, in whichever process. */
#include "base/random.h"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#include <Random123/philox.h>
#pragma GCC diagnostic pop

void random_init(struct random_stream *r, uint64_t seed, uint64_t stream)
{
    *r = (struct random_stream){.seed = seed, .stream = stream};
}

static void refill(struct random_stream *r)
{
    /* Low half: the position, high half: the stream. Streams of one seed cannot overlap before 2^64 blocks of one
       are used. */
    philox4x32_ctr_t counter = {
        {(uint32_t)r->counter, (uint32_t)(r->counter >> 32), (uint32_t)r->stream, (uint32_t)(r->stream >> 32)}};
    philox4x32_key_t key = {{(uint32_t)r->seed, (uint32_t)(r->seed >> 32)}};
    philox4x32_ctr_t out = philox4x32(counter, key);
    for (int i = 0; i < 4; i++)
        r->block[i] = out.v[i];
    r->n_left = 4;
    r->counter++;
}

static uint32_t next_u32(struct random_stream *r)
{
    if (r->n_left == 0)
        refill(r);
    return r->block[4 - r->n_left--];
}

uint64_t random_u64(struct random_stream *r)
{
    uint64_t high = next_u32(r);
    return high << 32 | next_u32(r);
}

double random_unit(struct random_stream *r)
{
    /* The upper 53 bits times 2^-53: every result is exact and equally likely. 64 bits would be rounded, sometimes
       to 1. */
    return (double)(random_u64(r) >> 11) * 0x1p-53;
}

double random_between(struct random_stream *r, double low, double high)
{
    return low + (high - low) * random_unit(r);
}

uint64_t random_below(struct random_stream *r, uint64_t n)
{
    uint64_t reject_below = -n % n; /* the lowest 2^64 mod n values would come up once too often */
    uint64_t x;
    do
        x = random_u64(r);
    while (x < reject_below);
    return x % n;
}
