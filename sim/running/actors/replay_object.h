/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What a replay of actors is given, and how it ends. Not installed. */
#ifndef IASIM_ACTORS_REPLAY_OBJECT_H
#define IASIM_ACTORS_REPLAY_OBJECT_H

#include "actors/replay_script.h"
#include "simgrid/preload.h"

#include <stdint.h>

/* Borrowed until the run is over. */
struct actors_replay {
    const struct script *script;
    const struct layer_loads *loads; /* of the layer below (simgrid/preload.h) */
    layer_host_use *host_use;
    void (*progress)(void *self, int n_done, int n_tasks);
    void *progress_self;
};

struct actors_replay_end {
    bool is_done;
    bool is_circle; /* the order of the schedule waits for itself */
    char why[900];  /* of a run that is not done, a sentence */
};

#endif
