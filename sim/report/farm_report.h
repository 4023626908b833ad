/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What a run of a farm has come to, for people and for programs. */
#ifndef IASIM_REPORT_FARM_REPORT_H
#define IASIM_REPORT_FARM_REPORT_H

#include "engine/farm_run.h"

#include <jansson.h>
#include <stdio.h>

struct farm_report {
    const struct tree *tree;
    const struct farm_run_options *options;
    const struct farm_run_result *result;
};

void farm_report_print(const struct farm_report *r, FILE *out);

/* SPEC section 7, and: world, tasks, the phases, throughput_over_time (20 equal intervals), and for each node its
   stolen time and flop and the share of the makespan in which it computed. A new reference. */
json_t *farm_report_json(const struct farm_report *r);

#endif
