/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A task farm whose nodes are SimGrid actors, with the results of engine/farm_run.h. */
#ifndef IASIM_ACTORS_FARM_ACTORS_H
#define IASIM_ACTORS_FARM_ACTORS_H

#include "base/err.h"
#include "engine/farm_run.h"
#include "farm/actor.h"

/* Which engine runs a farm, in the order of the names. */
enum farm_engine { FARM_EVENTS, FARM_ACTORS };
#define FARM_ENGINE_NAMES "events|actors"
#define FARM_ENGINE_MEANING "a state machine (events, if not given), or one SimGrid actor per node"

/* Where SimGrid finds the deployment of the tree: in a file, or in these bytes. */
struct farm_deployment {
    const char *path; /* NULL: in the bytes */
    const char *text;
    size_t size;
};

/* Whether these can be run together. Errors: ERR_INPUT: a world that occupies processors; an actor of a plugin under
   the engine events. */
enum err_code farm_engine_check(enum farm_engine engine, const struct world_model *world,
                                const struct farm_actor *actor, struct err *e);

/* As farm_run, of a platform that was opened after actors_prepare. Once per process. Additional errors: ERR_INPUT for a
   plugin's actor that ends before all tasks are computed, waits for ever, or computes too much. */
enum err_code farm_actors_run(struct engine *engine, const struct tree *t, const struct farm_deployment *deployment,
                              const struct farm_actor *actor, const struct farm_run_options *options,
                              struct farm_run_result *out, struct err *e);

#endif
