/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A task farm on the simulated machine: sim/planning/farm says what to start, the engine carries it out. */
#ifndef IASIM_ENGINE_FARM_RUN_H
#define IASIM_ENGINE_FARM_RUN_H

#include "base/err.h"
#include "engine/engine.h"
#include "engine/farm_record.h"
#include "farm/farm.h"
#include "models/noise.h"

struct farm_run_options {
    struct farm_app app;
    const struct policy_choice *policy;
    const struct world_model *world;
    const struct noise *noise; /* NULL: none */
    /* Called for everything that happens, in order; NULL: no trace. */
    void (*trace)(void *self, double now_s, node_id node, enum farm_event event, long task, node_id other);
    void *trace_self;
    /* The same for rates, in any order within one date; NULL: none. Not called when actors run the farm. A transfer
       from a node to another has a new rate (0: it is over); and what transfers leave of the processor, and its
       speed. */
    void (*trace_rate)(void *self, double now_s, node_id from, node_id to, double before_bytes_per_s,
                       double bytes_per_s);
    void (*trace_speed)(void *self, double now_s, node_id node, double factor_ratio, double flop_per_s);
    struct farm_record *record; /* NULL: nothing is recorded; else filled by a run without errors. Not by actors */
    bool splits_stolen;         /* wants use.stolen_recv_s of the nodes */
};

struct farm_run_node {
    struct farm_node_result farm;
    struct engine_use use; /* stolen_recv_s is NAN where it is not known: not asked for, or run by actors */
};

struct farm_run_result {
    double makespan_s, throughput_tasks_per_s;
    double steady_tasks_per_s; /* NAN: the run has no steady phase */
    struct farm_phases phases;
    struct farm_run_node *nodes; /* one for each node of the tree */
    int n_nodes;
    double *completions_s; /* increasing */
    long n_completions;
    double *ends_s; /* by task, in the order of arrival; NULL: all tasks are there at 0 */
};

/* Every parent and child of the (bound) tree has a route; call once per process (engine.h). Errors: ERR_INPUT for an
   application out of range, noise of a host without a node, a host or link that fails while it is used (the protocol
   has no recovery), a deadlock. */
enum err_code farm_run(struct engine *engine, const struct tree *t, const struct farm_run_options *options,
                       struct farm_run_result *out, struct err *e);
void farm_run_result_clear(struct farm_run_result *r);

/* ERR_INPUT: at this date the host, or a link that it uses, failed while it did this. */
enum farm_run_activity { FARM_RUN_COMPUTES, FARM_RUN_RECEIVES, FARM_RUN_REQUESTS };
enum err_code farm_run_refuse_failure(const struct engine *engine, double now_s, const char *host_name,
                                      enum farm_run_activity what, struct err *e);

#endif
