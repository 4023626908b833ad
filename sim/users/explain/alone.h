/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The rate that a transfer gets when it has the network to itself, as SimGrid's model of the network has it: what
   sharing took of a transfer is measured against it. */
#ifndef IASIM_EXPLAIN_ALONE_H
#define IASIM_EXPLAIN_ALONE_H

#include "engine/engine.h"
#include "plan/schedule.h"

/* Simulates the transfers of those edges whose rate is not 0, one after the other, and puts their rates there, at the
   platform's bandwidths whatever a profile makes of them meanwhile. 0: it has none (no links, no data, or a link that
   is down). Once per process (engine.h). */
void explain_alone(struct engine *engine, const struct schedule *s, double *bytes_per_s);

#endif
