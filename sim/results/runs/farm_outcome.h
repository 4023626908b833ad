/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A run of a farm, and all that came out: its figures in a sweep, and what text, JSON, charts, pages and
   explanations are made of. */
#ifndef IASIM_RUNS_FARM_OUTCOME_H
#define IASIM_RUNS_FARM_OUTCOME_H

#include "engine/farm_run.h"
#include "farm/arrivals.h"
#include "farm/bound.h"
#include "farm/policy.h"
#include "models/noise.h"
#include "runs/farm_rows.h"

struct farm_outcome { /* stays where it is: parts of it point at others */
    struct farm_point point;
    struct policy_choice policy;
    const struct farm_actor *actor;
    struct noise noise;
    uint64_t seed;                            /* of noise and arrivals */
    double *arrivals_s, arriving_tasks_per_s; /* NULL: all tasks are at the root at 0 */
    struct arrivals_responses responses;      /* after the run, of arrivals */
    struct farm_run_options how;              /* whoever wants a trace or a record says so here before the run */
    struct farm_run_result result;
};

/* What the parameters say. `out` is cleared by the caller, also after errors. */
enum err_code farm_outcome_init(struct farm_outcome *out, const struct point *p, struct err *e);
/* Once per process. Errors: those of farm_run or farm_actors_run. */
enum err_code farm_outcome_run(struct farm_outcome *x, struct err *e);
void farm_outcome_clear(struct farm_outcome *x);

/* A bound of a farm, and what it was found for. */
struct bound_outcome {
    struct farm_point point;
    struct farm_app app; /* sizes of a task and of a request */
    struct bound bound;
};

/* `out` is cleared by the caller, also after errors. Errors: those of the tree's deployment and of bound_compute. */
enum err_code bound_outcome_find(struct bound_outcome *out, const struct point *p, struct err *e);
void bound_outcome_clear(struct bound_outcome *x);

#endif
