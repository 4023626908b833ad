/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Dates at which SimGrid's own actors act in a stated order: for the actors that iasim brings along
   (sim/running/actors), which must agree with sim/running/engine on every date. Internal: not installed. */
#ifndef IASIM_SIMGRID_INSTANTS_H
#define IASIM_SIMGRID_INSTANTS_H

#include <simgrid/comm.h>
#include <simgrid/mailbox.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

enum instant {
    INSTANT_GOES_ON, /* actors have been woken: they run at this date, then it is asked again */
    INSTANT_PASSES,
    INSTANTS_END, /* no actor is left: the run is over */
};

struct instants {
    void *self;
    /* Called at every date at which something happens, when no actor can go on, and the network has been solved with
       all that they have started. May wake actors (release semaphores, kill). `next_s` is the date at which the next
       activity ends; INFINITY: none will. */
    enum instant (*quiet)(void *self, double now_s, double next_s);
    /* OPTIONAL. The next date at which `quiet` is to be called even if nothing ends; INFINITY: none. It counts as an
       end. */
    double (*next_s)(void *self);
    /* Nothing in progress can ever proceed. Must end the actors. */
    void (*stuck)(void *self);
};

/* Before the platform is loaded; once in a process. SimGrid's clock is exact from then on: it hits the dates of ends
   to the last bit (the bridge sets the precision; sim/running/engine/bridge.cpp). */
void instants_watch(void);
/* Whom to call from now on; NULL: nobody. */
void instants_call(const struct instants *hooks);

/* sg_mailbox_put_async with a limit to the rate of the transfer, which is positive; INFINITY: none. The C interface
   of SimGrid has no such limit. */
sg_comm_t instants_put_async(sg_mailbox_t box, void *payload, long bytes, double limit_bytes_per_s);

/* The transfer behind a communication that has just been started by both sides; NULL: not yet, or it takes no time.
   Valid until the date at which it ends has passed. */
struct instants_flow;
struct instants_flow *instants_flow_of(sg_comm_t comm);
/* As of the last solution of the network; 0 during its latency. */
double instants_rate_bytes_per_s(const struct instants_flow *flow);

/* Whether a link's bandwidth has changed since this was last asked. */
bool instants_bandwidth_has_changed(void);

#ifdef __cplusplus
}
#endif
#endif
