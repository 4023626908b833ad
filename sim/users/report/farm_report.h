/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The results of a farm run, and what keeps the farm below its bound: as text and as JSON. */
#ifndef IASIM_REPORT_FARM_REPORT_H
#define IASIM_REPORT_FARM_REPORT_H

#include "explain/farm_losses.h"
#include "runs/farm_outcome.h"

#include <jansson.h>
#include <stdio.h>

void farm_report_print(const struct farm_outcome *x, FILE *out);

/* Policy, world, engine and actor unless they are the usual ones, noise and its seed if there is any, `given`
   (point_report_given; taken), tasks, makespan, throughput, the phases, throughput_over_time (20 equal intervals), and
   for each node its tasks, traffic, stolen time and flop, and the share of the makespan in which it computed. The
   caller's. */
json_t *farm_report_json(const struct farm_outcome *x, json_t *given);

/* What matters most in a few sentences; the losses by cause; then for each node its time, and its losses. */
void farm_losses_print(const struct farm_losses *x, const struct tree *t, FILE *out);

/* {"bound_tasks_per_s", "tasks_per_s", "loss_by_cause": {cause: tasks/s, ..}, "warning", "nodes": [{"host",
   "computing_s", "stolen_s", "stolen_send_s", "stolen_recv_s", "starved_s", "start_up_s", "done_s", "held_by",
   "bound_tasks_per_s", "tasks_per_s", "loss_by_cause"}]}. The caller's. */
json_t *farm_losses_json(const struct farm_losses *x, const struct tree *t);

#endif
