/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Transfers that one actor carries out alone, what their receiver can see of them on the way, and when the platform
   changes: for the actors of sim/running/actors. SimGrid's C interface has none of these. Internal: not installed. */
#ifndef IASIM_SIMGRID_ONE_SIDED_H
#define IASIM_SIMGRID_ONE_SIDED_H

#include <simgrid/comm.h>
#include <simgrid/host.h>
#include <simgrid/link.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

struct one_sided {
    sg_comm_t comm; /* for sg_comm_wait, which frees it; NULL: SimGrid refused it, because one of the hosts is down */
    void *action;   /* valid until the date at which it ends has passed; NULL: it takes no time */
};

/* Starts a transfer of so many bytes, of which a part may be a fraction. In an actor. */
struct one_sided one_sided_start(sg_host_t from, sg_host_t to, double bytes);

/* As of the last solution of the network. The rate is 0 during the latency. */
double one_sided_rate_bytes_per_s(const struct one_sided *x);
double one_sided_remaining_bytes(const struct one_sided *x);

bool one_sided_link_is_on(sg_link_t l);

/* Whether a host or a link has gone up or down, or has another speed or bandwidth, since this was last asked; the
   first time, whether it may have. */
bool one_sided_platform_changed(void);

#ifdef __cplusplus
}
#endif
#endif
