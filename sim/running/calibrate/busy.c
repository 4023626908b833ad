/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What else ran meanwhile, as differences of counters that only grow. Every counter may be missing (another system, a
   container without /proc): then the answer is NAN, and the measurement goes on without it. */
#include "calibrate/busy.h"

#include "base/clock.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

/* Guest time is contained in USER and NICE and must not be added. */
enum { USER, NICE, SYSTEM, IDLE, IO_WAIT, IRQ, SOFT_IRQ, STEAL, N_STATES }; /* proc(5), /proc/stat, the line `cpu` */

/* Seconds of all processors together in each state since the system began. False: the system does not say. */
static bool read_states(double out[N_STATES])
{
    FILE *f = fopen("/proc/stat", "re");
    double ticks_per_s = (double)sysconf(_SC_CLK_TCK);
    int n = f != NULL && fscanf(f, "cpu") == 0 ? 0 : -1;
    while (n >= 0 && n < N_STATES && fscanf(f, "%lf", &out[n]) == 1)
        out[n++] /= ticks_per_s;
    if (f != NULL)
        fclose(f);
    return n == N_STATES;
}

static double seconds_of(struct timeval t)
{
    return (double)t.tv_sec + 1e-6 * (double)t.tv_usec;
}

static double own_processor_s(void)
{
    struct rusage r;
    return getrusage(RUSAGE_SELF, &r) == 0 ? seconds_of(r.ru_utime) + seconds_of(r.ru_stime) : NAN;
}

void busy_start(struct busy_meter *m)
{
    double s[N_STATES];
    *m = (struct busy_meter){.work_s = NAN, .steal_s = NAN, .all_s = NAN};
    m->at_s = clock_now_s();
    m->own_s = own_processor_s();
    if (!read_states(s))
        return;
    /* What runs on interrupts is the network's work, perhaps that of this measurement, and is not "others". */
    m->work_s = s[USER] + s[NICE] + s[SYSTEM];
    m->steal_s = s[STEAL];
    m->all_s = m->work_s + s[IDLE] + s[IO_WAIT] + s[IRQ] + s[SOFT_IRQ] + s[STEAL];
}

struct busy busy_since(const struct busy_meter *start)
{
    struct busy_meter now;
    busy_start(&now);
    double all_s = now.all_s - start->all_s, time_s = now.at_s - start->at_s;
    /* NAN fails these comparisons, too. */
    if (!(all_s > 0) || !(time_s > 0))
        return (struct busy){NAN, NAN};
    /* Ours includes the threads that transfer: all that is left is other programs'. Clocks of different resolution may
       make it a little less than 0. */
    double others_s = now.work_s - start->work_s - (now.own_s - start->own_s);
    return (struct busy){(now.steal_s - start->steal_s) / all_s, fmax(0, others_s) / time_s};
}
