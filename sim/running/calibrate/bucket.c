/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Pure arithmetic: no clock and no waiting here, so that it can be tested with any dates. */
#include "calibrate/bucket.h"

#include <math.h>

/* Pieces of 2 ms keep the rate smooth within an interval without a system call for every few bytes. memory_s bounds
   what a delayed sender may make up for, and so the length of a burst. */
static const double piece_s = 0.002, memory_s = 0.02;
static const double min_piece_bytes = 1024, max_piece_bytes = 65536;

void bucket_init(struct bucket *b, double rate_bytes_per_s, double now_s)
{
    /* At high rates 64 kB, at low ones 1 kB. */
    double piece = fmin(fmax(rate_bytes_per_s * piece_s, min_piece_bytes), max_piece_bytes);
    *b = (struct bucket){.rate_bytes_per_s = rate_bytes_per_s, .filled_s = now_s, .piece_bytes = (size_t)piece};
}

double bucket_wait_s(struct bucket *b, double now_s)
{
    /* The bucket must hold a piece, or a slow sender would never have one. */
    double most = fmax(b->rate_bytes_per_s * memory_s, (double)b->piece_bytes);
    b->tokens_bytes = fmin(b->tokens_bytes + (now_s - b->filled_s) * b->rate_bytes_per_s, most);
    b->filled_s = now_s;
    double missing = (double)b->piece_bytes - b->tokens_bytes;
    return missing > 0 ? missing / b->rate_bytes_per_s : 0;
}

/* More than there are tokens: the next wait is longer, so the mean rate is right. */
void bucket_take(struct bucket *b, size_t bytes)
{
    b->tokens_bytes -= (double)bytes;
}
