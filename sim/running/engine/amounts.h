/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What there really is to do in a replay: the work of each task and the bytes of each edge, with the world's noise. The plan's
   own figures stay in its problem. */
#ifndef IASIM_ENGINE_AMOUNTS_H
#define IASIM_ENGINE_AMOUNTS_H

#include "models/noise.h"
#include "plan/schedule.h"

struct amounts {
    /* [task]: where the plan puts it. A host that computes faster than believed has less to do, which is the same. */
    double *flop;
    double *bytes; /* [edge] */
};

/* `noise` may be NULL. Errors: ERR_INPUT for noise of a host that the machine does not have. */
enum err_code amounts_init(struct amounts *a, const struct schedule *s, const struct noise *noise, struct err *e);
void amounts_clear(struct amounts *a);

#endif
