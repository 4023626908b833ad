/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The dates of a hop: a transfer crosses one link of its route, cut-through, while links are exclusive
   (doc/model.md, Replay). Which hop has a link, and when, is decided by those who carry transfers out: hops.c, and
   the actors of sim/running/actors. */
#ifndef IASIM_ENGINE_HOP_DATES_H
#define IASIM_ENGINE_HOP_DATES_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

struct hop_dates {
    double start_s, finish_s, latency_s; /* finish_s: a prediction, until the hop is over */
    double remaining_bytes, bytes_per_s, bandwidth_bytes_per_s, since_s; /* at since_s */
    double least_s; /* the earliest that the last byte can have come */
};

/* When a hop with this bandwidth may begin after the one before it: so late that it does not overtake the data, and not
   before their first byte. */
static inline double hop_release_s(const struct hop_dates *before, double size_bytes, double bandwidth_bytes_per_s)
{
    double date_s = before->start_s;
    if (bandwidth_bytes_per_s > 0)
        date_s = fmax(date_s, before->finish_s - size_bytes / bandwidth_bytes_per_s);
    return date_s + before->latency_s;
}

static inline void hop_begin(struct hop_dates *h, double now_s, double size_bytes, double latency_s)
{
    h->start_s = h->since_s = now_s;
    h->remaining_bytes = size_bytes;
    h->latency_s = latency_s;
    h->bandwidth_bytes_per_s = NAN; /* not known: nothing is predicted */
}

/* Finish and rate, as things look now; false: as before. A hop ends when its bytes have crossed the link, and not
   before the last one has come over the link before (`before`, NULL: the first link); one that waits for that goes
   as slowly. Without bandwidth it never ends. */
static inline bool hop_predict(struct hop_dates *h, const struct hop_dates *before, double now_s,
                               double bandwidth_bytes_per_s)
{
    double least_s = before != NULL ? before->finish_s + before->latency_s : h->start_s;
    if (bandwidth_bytes_per_s == h->bandwidth_bytes_per_s && least_s == h->least_s)
        return false;
    h->remaining_bytes = fmax(0, h->remaining_bytes - h->bytes_per_s * (now_s - h->since_s));
    h->since_s = now_s;
    h->bandwidth_bytes_per_s = bandwidth_bytes_per_s;
    h->least_s = least_s;
    double own_s = bandwidth_bytes_per_s > 0 ? now_s + h->remaining_bytes / bandwidth_bytes_per_s : INFINITY;
    h->finish_s = fmax(own_s, least_s);
    if (isinf(h->finish_s))
        h->bytes_per_s = 0;
    else if (own_s >= least_s || h->finish_s <= now_s)
        h->bytes_per_s = bandwidth_bytes_per_s;
    else
        h->bytes_per_s = h->remaining_bytes / (h->finish_s - now_s);
    return true;
}

#endif
