/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What a replay of actors is given, and how it ends. Not installed. */
#ifndef IASIM_ACTORS_REPLAY_OBJECT_H
#define IASIM_ACTORS_REPLAY_OBJECT_H

#include "engine/replay_steps.h"
#include "simgrid/preload.h"

/* Borrowed until the run is over. */
struct actors_replay {
    const struct replay_plan *plan;
    /* of libiasim, which the shared object does not link: the links of an edge, and the latency of its route */
    const link_id *(*route)(const struct schedule *s, edge_id e, size_t *n);
    double (*route_latency_s)(const struct replay_plan *p, edge_id e);
    const struct layer_loads *loads; /* of the layer below (simgrid/preload.h) */
    layer_host_use *host_use;
    void (*progress)(void *self, int n_done, int n_tasks);
    void *progress_self;
};

struct actors_replay_end {
    bool is_done;
    char why[900]; /* of a run that is not done, a sentence */
};

#endif
