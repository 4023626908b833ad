/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The results of a farm run, as text and as JSON. */
#ifndef IASIM_REPORT_FARM_REPORT_H
#define IASIM_REPORT_FARM_REPORT_H

#include "runs/farm_outcome.h"

#include <jansson.h>
#include <stdio.h>

void farm_report_print(const struct farm_outcome *x, FILE *out);

/* Policy, world, engine and actor unless they are the usual ones, noise and its seed if there is any, tasks, makespan,
   throughput, the phases, throughput_over_time (20 equal intervals), and for each node its tasks, traffic, stolen time
   and flop, and the share of the makespan in which it computed. The caller's. */
json_t *farm_report_json(const struct farm_outcome *x);

#endif
