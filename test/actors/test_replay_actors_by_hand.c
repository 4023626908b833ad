/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The replays worked out by hand of test/engine/test_replay.c, carried out by SimGrid actors. */
#include "actors/actors.h"
#include "actors/replay_actors.h"

#define REPLAY_RUN replay_actors_run
#define REPLAY_PREPARE actors_prepare
#define REPLAY_MAY_REFUSE(text) (strstr(text, ": use --engine events") != NULL)
#include "../engine/test_replay.c"
