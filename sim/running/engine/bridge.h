/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What sim/running/engine needs of SimGrid, in C. Internal to this folder; not installed. */
#ifndef IASIM_ENGINE_BRIDGE_H
#define IASIM_ENGINE_BRIDGE_H

#include "base/api.h"
#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

struct bridge_comm;

/* What the bridge calls. Only `instant` may start activities; the others record. */
struct bridge_hooks {
    void *self;
    /* Every date at which something happens, once all of it has happened and before time passes. May start activities;
       calls solve_network; sets speeds. Returns the seconds until it must be called again even if nothing happens, or a
       negative number for never. */
    double (*instant)(void *self, double now_s);
    void (*comm_ended)(void *self, void *owner, bool failed);
    void (*comm_rate)(void *self, void *owner, double bytes_per_s); /* from solve_network: it has changed */
    void (*host_changed)(void *self, int host);                     /* its speed, or whether it is up */
    void (*link_changed)(void *self, int link);                     /* its bandwidth, or whether it is up */
};

/* What a bridge can do. Nothing but `begin` and `load` before a platform is loaded. */
struct bridge {
    /* OPTIONAL, before `load`: starts SimGrid's engine without a platform; processes that are forked later have it. */
    void (*begin)(void);

    /* Loads a platform into this process's engine. Hosts are numbered in the order of the file, links by name. False:
       `error` holds what SimGrid said. Without hooks (NULL) SimGrid's own actors will run on it, perhaps on hosts whose
       speed becomes 0: nothing of `run` to `solve_network` may be called. */
    bool (*load)(const char *path, const struct bridge_hooks *hooks, bool may_have_profiles, char *error, size_t size);

    size_t (*n_hosts)(void);
    const char *(*host_name)(int host);
    double (*host_peak_flop_per_s)(int host); /* of one core, at full availability */
    double (*host_flop_per_s)(int host);      /* of one core, now */
    bool (*host_is_up)(int host);
    int (*host_n_cores)(int host);
    size_t (*n_links)(void);
    const char *(*link_name)(int link);
    double (*link_bytes_per_s)(int link);
    double (*link_latency_s)(int link);
    bool (*link_is_up)(int link);
    bool (*link_is_fatpipe)(int link);
    bool (*link_is_one_way)(int link); /* l_UP or l_DOWN of a split-duplex link l */
    bool (*hides_latencies)(void);     /* network/optim is Full: nobody knows how much of a latency is left */

    /* Calls `property` for each property of a host or link, by increasing name; of a direction of a split-duplex
       link, for that link's. */
    void (*host_properties)(int host, void (*property)(void *self, const char *id, const char *value), void *self);
    void (*link_properties)(int link, void (*property)(void *self, const char *id, const char *value), void *self);

    /* Whether there is nothing between two hosts, neither link nor latency: what is sent is there. SimGrid aborts on
       such transfers: do not start them. */
    bool (*is_at_one_place)(int src, int dst);

    /* The links of a route; memory is the caller's (free). Returns their number, -1: no route. */
    int (*route)(int src, int dst, int **links, double *latency_s);

    /* Runs until nothing happens any more: there is an instant at the date of every event of a profile. With
       `waits`, such an event may be what comes next, though there is no transfer. */
    void (*run)(void);
    void (*set_waits)(bool waits);
    double (*now_s)(void);

    /* Starts a transfer; from `instant` only; also of fractions of a byte. Its rate never exceeds the limit, which is
       positive; INFINITY: none. NULL: it failed at once (host or link down), and no end will be reported. */
    struct bridge_comm *(*comm_start)(int src, int dst, double bytes, double limit_bytes_per_s, void *owner);

    double (*comm_remaining_bytes)(struct bridge_comm *c);
    /* It stands still until it is let go: the rest of its latency and its bytes stay. One without links goes on. */
    void (*comm_hold)(struct bridge_comm *c, bool stands);

    /* Before the run: what the platform says of a link is changed. */
    void (*set_link_bytes_per_s)(int link, double bytes_per_s);
    void (*set_link_fatpipe)(int link);

    /* Shares the network among the transfers as they are now, and reports the rates that have changed. */
    void (*solve_network)(double now_s);
};

/* What the bridge's shared object exports. */
IASIM_API const struct bridge *iasim_bridge(void);

/* bridge_load.c: finds the shared object and loads it, and SimGrid with it, once in a process; `bridge` is NULL before.
   Errors: ERR_INTERNAL when it cannot be loaded. */
extern const struct bridge *bridge;
enum err_code bridge_find(struct err *e);

#ifdef __cplusplus
}
#endif
#endif
