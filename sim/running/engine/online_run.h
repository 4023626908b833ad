/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Jobs carried out while a runtime policy decides (doc/model.md, Online): a client of the engine. */
#ifndef IASIM_ENGINE_ONLINE_RUN_H
#define IASIM_ENGINE_ONLINE_RUN_H

#include "engine/engine.h"
#include "models/noise.h"
#include "plan/span.h"
#include "runtime/runtime_policy.h"

struct online_options {
    const struct world_model *world; /* without ports and times under way of its own */
    const struct runtime_policy_choice *policy;
    bool takes_ready_first;    /* of a queue the first task whose data are there starts; else only the first */
    long prefetch;             /* data move for the first so many tasks of a queue; 0: for all */
    double decision_s;         /* of each call */
    double decision_task_s;    /* of each task that a call has looked at */
    const struct noise *noise; /* NULL: none */
};

struct online_copy { /* of an edge's data: on the way from one host to another, or there */
    data_id data;
    host_id src, dst;
    double bytes;
    struct span send, transfer, recv; /* as in struct replayed_edge; NAN: not begun */
    bool is_used;                     /* its task ran at `dst` */
};

struct online_job {
    double start_s, finish_s; /* of its first and its last task */
};

struct online_result {
    struct span *works; /* [work] */
    host_id *hosts;     /* [work] */
    struct online_job *jobs;
    struct online_copy *copies; /* in the order in which they were asked for */
    size_t n_copies;
    struct engine_use *use; /* [host] */
    double makespan_s;
    double moved_bytes, wasted_bytes; /* wasted: for a task that then ran elsewhere */
    long n_calls, n_moves;            /* n_moves: of tasks from one queue to another, or back */
};

/* Call once per process (engine.h); the runtime's machine is the engine's, and the runtime is new. Errors: ERR_INPUT
   when a host or link fails while it is used, when tasks remain that can never start (the message names one), noise of
   an unknown host; errors of the policy. *out then needs no clearing. */
enum err_code online_run(struct engine *engine, struct runtime *r, const struct online_options *options,
                         struct online_result *out, struct err *e);
void online_result_clear(struct online_result *x);

#endif
