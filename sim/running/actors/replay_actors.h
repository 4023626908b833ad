/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A replay whose hosts are SimGrid actors, with the results of engine/replay.h. */
#ifndef IASIM_ACTORS_REPLAY_ACTORS_H
#define IASIM_ACTORS_REPLAY_ACTORS_H

#include "engine/replay.h"

/* Which engine carries a schedule out, in the order of "events|actors". */
enum replay_engine { REPLAY_EVENTS, REPLAY_ACTORS };

/* As replay_run, of a platform that was opened after actors_prepare. Once per process. */
enum err_code replay_actors_run(struct engine *engine, const struct schedule *s, const struct replay_options *options,
                                struct replay_result *out, struct err *e);

/* By one or the other. */
enum err_code replay_run_by(enum replay_engine by, struct engine *engine, const struct schedule *s,
                            const struct replay_options *options, struct replay_result *out, struct err *e);

#endif
