/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "base/clock.h"

#include <time.h>

/* Monotonic: a time limit must not end, nor a progress bar jump back, because somebody sets the date of the machine. */
double clock_now_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
