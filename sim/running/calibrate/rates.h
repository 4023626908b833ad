/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Interference rates from points, as `iasim fit` finds them (doc/model.md, Fits), with what is needed to trust them.
   Points belong to a direction by their two rates: those with only the send rate above 0 to sending, and so on; those
   with neither belong to all.

   A 95 % interval is the slope plus and minus Student's t times its standard error. It assumes that the points scatter
   independently around the line. */
#ifndef IASIM_CALIBRATE_RATES_H
#define IASIM_CALIBRATE_RATES_H

#include "base/err.h"
#include "models/fits/fit.h"

#include <stdbool.h>

enum rate_direction { RATE_SEND, RATE_RECV, RATE_BOTH, N_RATE_DIRECTIONS };

/* All rates are per MB/s. */
struct rate {
    bool is_known;        /* there were points of this direction */
    double ir, low, high; /* the interval is NAN where the points leave nothing to estimate it from */
    double constant, r2;
    double max_MB_per_s; /* the highest of the points */
    size_t n;
    /* The share of the processor's time that the computing thread lost: the slope of cpu_ratio. Where it agrees with
       `ir`, transfers slow computing down by running instead of it; what is above is caches and memory. NAN: not
       measured. */
    double stolen;
};

/* Of both directions at once, `ir` is per MB/s of sent plus received, in the mix of the points: with the plane
   constant - a * send rate - b * receive rate through them ([K] 2.5) and the mean rates S and R it is (a S + b R) / (S
   + R). Where the two rates are in a fixed ratio, so that no plane is determined, this is the line over their sum. */
struct rates {
    struct rate of[N_RATE_DIRECTIONS];
    double plane_send, plane_recv; /* a and b; NAN: not determined */
    /* Of sending while receiving, given of[RATE_RECV].ir, at least 0: what ir_send_duplex means ([K] 3.1). NAN:
       unknown. The platform gets this instead of the plane's two rates: where both directions speed up together, as
       TCP's do, the points show what they cost together, but hardly which of the two became cheaper. */
    double send_duplex, send_duplex_half; /* with half its 95 % interval */
};

extern const char *const rate_words[N_RATE_DIRECTIONS]; /* send, recv, both */

/* Errors: ERR_INPUT: no point has a transfer, or those of a direction do not determine a line. */
enum err_code rates_fit(const struct fit_points *p, struct rates *out, struct err *e);

#endif
