/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What else ran on this machine meanwhile: the reason for most measurements that cannot be used. From /proc/stat, whose
   clock has ticks of 10 ms on most systems: over less than a second it says little. */
#ifndef IASIM_CALIBRATE_BUSY_H
#define IASIM_CALIBRATE_BUSY_H

struct busy {
    /* Of all processors' time, the share that the hypervisor gave to other virtual machines. NAN: unknown. */
    double steal_ratio;
    /* How many processors other programs kept busy on average, in user mode and in the kernel, without interrupts. NAN:
       unknown. */
    double others_processors;
};

struct busy_meter {
    double at_s, own_s, work_s, steal_s, all_s; /* NAN: unknown */
};

void busy_start(struct busy_meter *m);
struct busy busy_since(const struct busy_meter *start);

#endif
