/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The LogP family as worlds, by hand and beside the simulator of test/engine/test_replay_logp.c, carried out by SimGrid
 * actors. */
#include "actors/actors.h"
#include "actors/replay_actors.h"

#define REPLAY_RUN replay_actors_run
#define REPLAY_PREPARE actors_prepare
#define REPLAY_MAY_REFUSE(text) false
#include "../engine/test_replay_logp.c"
