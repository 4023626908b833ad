/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Start-up, steady phase and wind-down of a farm's run, and its throughput in the steady phase (doc/model.md, Farms).
   Whoever runs the farm reports what has ended; both engines do. */
#ifndef IASIM_FARM_FARM_PHASES_H
#define IASIM_FARM_FARM_PHASES_H

#include "farm/tree.h"

/* Start-up ends when every node that computes has begun, and no later than wind-down begins: when the root has no task
   left to give. If both dates are the same, the run has no steady phase. */
struct farm_phases {
    double startup_end_s, wind_down_start_s;
};

struct farm_meter;
struct farm_meter *farm_meter_create(int n_nodes);
void farm_meter_free(struct farm_meter *m);

/* Dates never decrease. */
void farm_meter_node_begins(struct farm_meter *m, double now_s); /* its first task */
void farm_meter_root_is_empty(struct farm_meter *m, double now_s);
void farm_meter_computed(struct farm_meter *m, double now_s, node_id node, double begin_s);
/* `share_ratio` of a task has arrived. */
void farm_meter_sent(struct farm_meter *m, double now_s, node_id from, node_id to, double begin_s, double share_ratio);

struct farm_phases farm_meter_phases(const struct farm_meter *m);
/* Of the steady phase, once the run is over; NAN without such a phase, or if only stores were used up in it. If
   transfers were never reported, nothing is known of stores, and all that was computed counts. */
double farm_meter_steady_tasks_per_s(const struct farm_meter *m);

#endif
