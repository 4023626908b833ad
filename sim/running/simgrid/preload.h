/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The two shared objects of this room: the preload, which programs link or preload (preload.c), and the layer behind
   it, which alone needs SimGrid (layer.cpp). Not installed. */
#ifndef IASIM_SIMGRID_PRELOAD_H
#define IASIM_SIMGRID_PRELOAD_H

#include "base/api.h"

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What `iasim exec` tells the processes that it starts: the world, and interference rates of hosts that have no
   property. */
#define WORLD_VARIABLE "IASIM_WORLD"
#define WORLD_PLUGIN_VARIABLE "IASIM_WORLD_PLUGIN" /* the plugin that the world is in; not set: it is ours */
#define IR_SEND_VARIABLE "IASIM_IR_SEND"
#define IR_RECV_VARIABLE "IASIM_IR_RECV"

/* What the layer exports. To be called once, before the platform is loaded. `platform` gives the file that SimGrid
   has loaded last, or NULL: messages name it. Returns 0, or 2 after a message on stderr. */
typedef int layer_start(const char *world, const char *(*platform)(void));
IASIM_API layer_start iasim_layer_start;

/* SimGrid does not report that a program suspends a transfer. `n` counts the calls that may do so; NULL: they cannot be
   counted, and the layer has to look at all transfers all the time. */
typedef void layer_count_suspensions(const unsigned long *n);
IASIM_API layer_count_suspensions iasim_layer_count_suspensions;

/* For iasim's own actors (sim/running/actors), after that and before the simulation starts: these hosts, rates and
   world hold instead of the platform's properties. Borrowed until the process ends. `factor` is the caller's
   world_factor_ratio: the faults of plugins are known where it is. */
struct machine;
struct world_model;
struct host;
struct world_flow;
typedef double layer_factor(const struct world_model *w, const struct host *h, const struct world_flow *flows,
                            size_t n_flows);
typedef void layer_take(const struct machine *machine, const struct world_model *world, layer_factor *factor);
IASIM_API layer_take iasim_layer_take;

/* What a host of `iasim_layer_take` has had so far: time with an execution in progress; of that, what transfers took
   of its processor, also in flop. And what they took of all time, used or not. All 0 where no transfer can slow it
   down. */
struct layer_use {
    double busy_s, stolen_s, stolen_flop, charged_s;
};
typedef struct layer_use layer_host_use(int host);
IASIM_API layer_host_use iasim_layer_host_use;

/* A transfer that the actors carry out by themselves, as one of its two hosts feels it: at a rate that is 0 at
   first. `start` returns NULL where no transfer can slow the host down. */
struct layer_loads {
    void *(*start)(int host, int is_recv, int peer);
    void (*set_rate)(void *load, double bytes_per_s);
    void (*end)(void *load);
};
IASIM_API extern const struct layer_loads iasim_layer_loads;

#ifdef __cplusplus
}
#endif
#endif
