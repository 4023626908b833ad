/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A token bucket: bytes may be sent at a mean rate, in pieces. Time is the caller's. */
#ifndef IASIM_CALIBRATE_BUCKET_H
#define IASIM_CALIBRATE_BUCKET_H

#include <stddef.h>

struct bucket {
    double rate_bytes_per_s, tokens_bytes, filled_s; /* negative tokens: sent ahead of time */
    size_t piece_bytes;
};

/* An empty bucket. Pieces are what the rate gives in 2 ms, between 1 kB and 64 kB: large enough that starting a piece
   costs little beside sending it, small enough that an interval holds many. */
void bucket_init(struct bucket *b, double rate_bytes_per_s, double now_s);

/* Seconds until a piece may be sent; 0: now. What a sender that was kept away missed, it makes up for, but never more
   than 20 ms of it: a rate that cannot be reached is not followed by a burst. */
double bucket_wait_s(struct bucket *b, double now_s);

void bucket_take(struct bucket *b, size_t bytes);

#endif
