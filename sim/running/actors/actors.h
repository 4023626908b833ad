/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* All that libiasim asks of libiasim-actors.so, which holds the workloads as ordinary SimGrid actors, and SimGrid
   with them. It is opened when it is needed (actors_prepare). Internal; not installed. */
#ifndef IASIM_ACTORS_ACTORS_H
#define IASIM_ACTORS_ACTORS_H

#include "actors/replay_object.h"
#include "base/api.h"
#include "base/err.h"
#include "engine/farm_run.h"
#include "farm/actor.h"
#include "farm/policy.h"
#include "simgrid/preload.h"

#include <stdbool.h>

/* What a farm of actors is given. Borrowed until `farm_run` returns. */
struct actors_farm {
    const struct tree *tree;
    const struct farm_app *app;
    const char *deployment; /* the file that SimGrid loads */
    const struct farm_actor *actor;
    const struct policy *policy;
    const struct policy_view *view; /* of it */
    bool multi_port;
    double chunk_bytes;     /* INFINITY: whole tasks */
    const double *priority; /* by node */
    const bool *is_pruned;  /* by node: never served */
    const bool *is_near;    /* by node: transfers from and to its parent take no time, and SimGrid aborts on them */
    const char **links;     /* between parents and children, by name; ends with NULL */
    bool (*has_route)(void *self, node_id from, node_id to);
    /* What the next task really is that the node computes, that it is sent. */
    double (*next_flop)(void *self, node_id node);
    double (*next_bytes)(void *self, node_id to);
    struct policy_send (*next)(const struct policy *policy, const struct policy_view *view,
                               const struct policy_state *state); /* policy_next */
    void *self;                                                   /* of has_route, next_flop, next_bytes and progress */
    /* May be NULL. Called for everything that happens, in order; now and then, with the number of computed tasks. */
    void (*trace)(void *self, double now_s, node_id node, enum farm_event event, long task, node_id other);
    void *trace_self;
    void (*progress)(void *self, long n_computed);
};

enum actors_end {
    ACTORS_DONE,
    ACTORS_FAILED,   /* at `failed_s` a host or link failed while `failed_node` was doing what `failed_what` says */
    ACTORS_STUCK,    /* what is in progress can never proceed, or nothing is */
    ACTORS_CLOSED,   /* a link between a parent and a child, `failed_link`, has lost its bandwidth */
    ACTORS_GONE,     /* all actors have returned, and tasks are left */
    ACTORS_TOO_MANY, /* `failed_node` has computed a task too many */
    ACTORS_TWICE,    /* `failed_node` has computed two tasks at once */
};

struct actors_node_result {
    struct farm_node_result farm;
    /* of a run that is stuck: what is in progress */
    bool is_computing, is_receiving;
    int n_requesting;
};

struct actors_farm_result { /* arrays are the caller's, of n_nodes and n_tasks */
    enum actors_end end;
    double end_s;
    enum farm_run_activity failed_what;
    node_id failed_node;
    const char *failed_link;
    struct farm_phases phases;
    double steady_tasks_per_s; /* NAN: no steady phase */
    long n_completions;
    double *completions_s;
    double *ends_s; /* by task; NULL: not wanted */
    struct actors_node_result *nodes;
};

struct actors {
    /* Before the platform is loaded. */
    void (*prepare)(void);
    /* After, once in a process. */
    void (*farm_run)(const struct actors_farm *farm, struct actors_farm_result *out);
    /* `out` has its arrays, with NAN for every date; what hosts did (`hosts`) is not filled but for what sends and
       receives took. */
    void (*replay_run)(const struct actors_replay *replay, struct replay_result *out, struct actors_replay_end *end);
};

/* What the shared object exports. */
IASIM_API const struct actors *iasim_actors(void);

/* load.c. From then on the platform that engine_open loads is for actors, in any world that changes the speed of hosts
   (interference, none). `actors` is NULL before. Errors: ERR_INTERNAL when a part of iasim is missing. */
extern const struct actors *actors;
extern layer_take *actors_layer_take; /* of the layer below (simgrid/preload.h) */
extern layer_host_use *actors_layer_host_use;
extern const struct layer_loads *actors_layer_loads;
enum err_code actors_prepare(struct err *e);

#endif
