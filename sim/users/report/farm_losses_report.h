/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Where the time of a farm's nodes went and what keeps the farm below its bound, as text and as JSON. */
#ifndef IASIM_REPORT_FARM_LOSSES_REPORT_H
#define IASIM_REPORT_FARM_LOSSES_REPORT_H

#include "explain/farm_losses.h"

#include <jansson.h>
#include <stdio.h>

/* What matters most in a few sentences; the losses by cause; then for each node its time, and its losses. */
void farm_losses_print(const struct farm_losses *x, const struct tree *t, FILE *out);

/* {"bound_tasks_per_s", "tasks_per_s", "loss_by_cause": {cause: tasks/s, ..}, "warning", "nodes": [{"host",
   "computing_s", "stolen_s", "stolen_send_s", "stolen_recv_s", "starved_s", "start_up_s", "done_s", "held_by",
   "bound_tasks_per_s", "tasks_per_s", "loss_by_cause"}]}. The caller's. */
json_t *farm_losses_json(const struct farm_losses *x, const struct tree *t);

#endif
