/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What is to be scheduled, where, and what is believed of communication: read-only for schedulers. */
#ifndef IASIM_PLAN_PROBLEM_H
#define IASIM_PLAN_PROBLEM_H

#include "dag/dag.h"
#include "machine/routes.h"
#include "models/cost/cost.h"

struct problem {
    const struct dag *dag;
    const struct machine *machine;
    const struct route_table *routes; /* of the machine */
    const struct cost_model *model;
};

/* omega(n, P): seconds of a task on a host. */
double problem_compute_s(const struct problem *p, task_id t, host_id h);
/* o_s + i_s or o_r + i_r: how long an edge occupies the processor of its origin (DIR_SEND) or destination (DIR_RECV) when
   it goes from src to dst. 0 unless the model says so. */
double problem_overhead_s(const struct problem *p, host_id h, enum direction dir);
double problem_involvement_s(const struct problem *p, edge_id e, host_id src, host_id dst, enum direction dir);

/* Mean costs ([S] 7.4.1, 8.2.3): per task, the mean over hosts of omega; per edge, O + cbar. Arrays of the caller. */
void problem_mean_costs(const struct problem *p, double *task_s, double *edge_s);

/* Communication-to-computation ratio: the sum of cbar over edges over the sum of mean omega over tasks. NAN without
   work. */
double dag_ccr(const struct dag *g, const struct route_table *routes);
/* Scales the edges so that the CCR is this. Errors: ERR_INPUT: the graph has no work or no data, or no link is between
   two hosts, or problem_check_times says no. */
enum err_code dag_set_ccr(struct dag *g, const struct route_table *routes, double ccr, struct err *e);

/* Errors: ERR_INPUT when dates of a schedule, or the mean costs, might not be finite numbers: a host, a link or a latency
   is out of all proportion to the graph. `model` may be NULL: nothing is believed of communication but what links
   tell. */
enum err_code problem_check_times(const struct problem *p, struct err *e);

/* Lower bounds on the length of any schedule of any model: the costliest path, each task on the fastest host; and all
   work at the speed of all hosts together. */
double problem_critical_path_s(const struct problem *p);
double problem_work_bound_s(const struct problem *p);
/* All tasks on the host where that takes least. */
double problem_sequential_s(const struct problem *p, host_id *host);

#endif
