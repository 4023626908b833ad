/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A calibration between two sides that have met. Each host is measured in turn, the caller's first: it computes all the
   while and says what is to be transferred, and the other side does that and nothing else. An interval:

       measured  go RATE ->          computes, sends                       stop ->
       other              <- going         sends                                 <- stopped
                                    | settles | what counts: one point |

   Only the measured host counts: its flop, the bytes that were acknowledged to it and those it has received. Before the
   next interval all bytes have arrived, so that none is counted there. */
#ifndef IASIM_CALIBRATE_SESSION_H
#define IASIM_CALIBRATE_SESSION_H

#include "calibrate/listener.h"
#include "calibrate/points.h"

#include <stdbool.h>

struct session_options {
    bool is_caller;
    size_t matrix; /* of the kernel */
    /* OPTIONAL. Of 1000 thousandths of the time, how many are over. */
    void (*progress)(void *self, long n_done, long n_total);
    void *progress_self;
};

/* Takes the meeting's connections. `own` and `peer` are initialised by points_init, and complete at the end. The run
   ends, in one way or another, at the latest 15 s after the meeting's seconds: a slow connection needs more than its
   time for the least that is measured, one round of intervals. Errors: ERR_IO: the other side is gone or does not
   answer; ERR_INPUT: it says what it must not. */
enum err_code session_run(struct meeting *m, const struct session_options *options, struct measured *own,
                          struct measured *peer, struct err *e);

#endif
