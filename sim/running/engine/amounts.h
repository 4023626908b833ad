/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What there really is to do in a replay: the work of each task and the bytes of each edge, with the world's noise.
   The plan's own figures stay in its problem. */
#ifndef IASIM_ENGINE_AMOUNTS_H
#define IASIM_ENGINE_AMOUNTS_H

#include "engine/replay.h"

struct amounts {
    /* [task]: where the plan puts it. A host that computes faster than believed has less to do, which is the same. */
    double *flop;
    double *bytes; /* [edge] */
};

/* Errors: ERR_INPUT for a task on a host where it may not run, and for noise of a host that the machine does not
   have. */
enum err_code amounts_init(struct amounts *a, const struct schedule *s, const struct replay_options *options,
                           struct err *e);
void amounts_clear(struct amounts *a);

#endif
