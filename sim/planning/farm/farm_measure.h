/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the nodes of a farm measure while it runs (doc/model.md, Farms, "Measured rates"), for policies that have no
   beliefs: from the dates and sizes of a node's own transfers, tasks and requests alone, so that all engines measure
   the same. */
#ifndef IASIM_FARM_FARM_MEASURE_H
#define IASIM_FARM_FARM_MEASURE_H

#include "farm/policy.h"

struct farm_measure;

/* NULL if the policy does not measure: nothing is done then by any function here. Borrows the tree. */
struct farm_measure *farm_measure_create(const struct policy *policy, const struct tree *t, double task_bytes);
void farm_measure_free(struct farm_measure *m);

/* What has ended at a date, in any order. The last: all bytes of the send have arrived, a chunk or a task;
   `wants_nothing`: it was a whole task, and the child has asked for no other. */
void farm_measure_request(struct farm_measure *m, double now_s, node_id child);
void farm_measure_computed(struct farm_measure *m, double now_s, node_id node);
void farm_measure_sent(struct farm_measure *m, double now_s, node_id child, bool wants_nothing);

/* What starts, after all that ends at that date has been reported. */
void farm_measure_compute(struct farm_measure *m, double now_s, node_id node);
void farm_measure_send(struct farm_measure *m, double now_s, node_id child, double bytes);

/* Fills in what has been measured, in the state and in its children; likewise after all that ends at that date. */
void farm_measure_tell(struct farm_measure *m, struct policy_state *state, struct policy_child *children);

/* The same in parts: the state, which must be told first, and then each child of its node. Of a child, values change
   with its requests, with the end of a send to it, and as farm_measure_changed says: true: this child's have changed,
   or, if it is -1, those of all; call until it returns false. */
void farm_measure_tell_state(struct farm_measure *m, struct policy_state *state);
void farm_measure_tell_child(const struct farm_measure *m, struct policy_child *child);
bool farm_measure_changed(struct farm_measure *m, node_id node, node_id *child);

#endif
