/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Which transfers are measured, in which order. A round has a few intervals of computing alone, several rates of
   sending, of receiving, and of both. Rates are drawn anew in each round, one from each of as many equal parts of the
   range, so that they cover it; of both, the two rates are drawn independently, which a plane needs ([K] 2.5). Within a
   round the order is random: a machine that becomes slower meanwhile then adds scatter, but no slope. */
#ifndef IASIM_CALIBRATE_CALIBRATE_PLAN_H
#define IASIM_CALIBRATE_CALIBRATE_PLAN_H

#include <stddef.h>
#include <stdint.h>

enum { PLAN_ALONE = 3, PLAN_LEVELS = 4, PLAN_INTERVALS = PLAN_ALONE + 3 * PLAN_LEVELS };

struct plan_interval {
    double send_bytes_per_s, recv_bytes_per_s; /* of the measured host; 0: none */
};

/* Depends on its arguments alone. The rates are up to 1.1 times the given ones, which were reached before. */
void plan_round(uint64_t round, double max_send_bytes_per_s, double max_recv_bytes_per_s,
                struct plan_interval out[PLAN_INTERVALS]);

/* How many rounds a measurement of so many seconds should have. */
size_t plan_rounds(double seconds);

#endif
