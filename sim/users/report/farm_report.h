/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The results of a farm run, as text and as JSON. */
#ifndef IASIM_REPORT_FARM_REPORT_H
#define IASIM_REPORT_FARM_REPORT_H

#include "engine/farm_run.h"

#include <jansson.h>
#include <stdio.h>

struct farm_report {
    const struct tree *tree;
    const struct farm_run_options *options;
    const struct farm_run_result *result;
    const char *engine, *actor; /* NULL: the usual one */
};

void farm_report_print(const struct farm_report *r, FILE *out);

/* Policy, world, engine and actor unless they are the usual ones, noise and its seed if there is any, tasks, makespan, throughput, the phases,
   throughput_over_time (20 equal intervals), and for each node its tasks, traffic, stolen time and flop, and the share of
   the makespan in which it computed. The caller's. */
json_t *farm_report_json(const struct farm_report *r);

#endif
