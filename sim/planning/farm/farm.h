/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A task farm on a tree ([K] 3 and 4.1; doc/model.md, Farms): the protocol as a state machine, without a simulator. The
   caller reports what has ended, and the farm calls back to start activities. sim/running/engine/farm_run.c executes
   them with SimGrid, the tests with an independent fluid solver. */
#ifndef IASIM_FARM_FARM_H
#define IASIM_FARM_FARM_H

#include "base/err.h"
#include "farm/app.h"
#include "farm/farm_phases.h"
#include "farm/policy.h"
#include "farm/tree.h"

#include <stdbool.h>

/* Events for traces. `task` counts from 1 in the order in which tasks leave the root's pool; -1: no task. */
#define FARM_EVENT_LIST(X)                                                                                             \
    X(FARM_COMPUTE_START, "compute_start")                                                                             \
    X(FARM_COMPUTE_END, "compute_end")                                                                                 \
    X(FARM_SEND_START, "send_start") /* at the sender; `other` is the receiver */                                      \
    X(FARM_SEND_PAUSE, "send_pause") /* a chunk has arrived; the send may resume at once */                            \
    X(FARM_SEND_RESUME, "send_resume")                                                                                 \
    X(FARM_SEND_END, "send_end")                                                                                       \
    X(FARM_RECEIVE_END, "receive_end") /* at the receiver; `other` is the sender */                                    \
    X(FARM_REQUEST, "request")         /* at the child; `other` is the parent */                                       \
    X(FARM_ARRIVE, "arrive")           /* at the root; only where not all tasks are there at 0 */

enum farm_event {
#define X(id, name) id,
    FARM_EVENT_LIST(X)
#undef X
};
const char *farm_event_name(enum farm_event event);

/* The simulator's side. All functions except `trace` are called only from farm_decide. */
struct farm_ops {
    void *self;
    void (*compute)(void *self, node_id node, double flop); /* ends with farm_computed */
    /* Ends with farm_sent; the returned pointer is `send` below. No faster than the limit; INFINITY: it has none. */
    void *(*send)(void *self, node_id from, node_id to, double bytes, double limit_bytes_per_s);
    void (*request)(void *self, node_id child, double bytes); /* ends with farm_requested; only with request_bytes */
    /* The rate of a transfer in progress, as of the last solution of the network; 0 during its latency. */
    double (*rate_bytes_per_s)(void *self, void *send);
    /* May be NULL. */
    void (*trace)(void *trace_self, double now_s, node_id node, enum farm_event event, long task, node_id other);
    void *trace_self;
    /* OPTIONAL. The bytes of the task that is about to be sent to a node; else those of the application. */
    double (*task_bytes)(void *self, node_id to);
};

struct farm;

/* `t` is bound and outlives the farm, as do `policy` and `ops`. Errors: ERR_INPUT for an application out of range. */
enum err_code farm_create(const struct tree *t, const struct farm_app *app, const struct policy_choice *policy,
                          const struct farm_ops *ops, struct farm **out, struct err *e);
void farm_free(struct farm *f);

/* Report what has ended, in any order within one instant. */
void farm_computed(struct farm *f, double now_s, node_id node);
void farm_sent(struct farm *f, double now_s, node_id from, node_id to); /* a chunk or a whole task has arrived */
void farm_requested(struct farm *f, double now_s, node_id child);

/* Call after all endings of an instant. First tasks arrive; nodes but the root start work in deployment order, then the
   root takes a task, then sends start. Returns true if it must be called again at this instant after the network has
   been solved. */
bool farm_decide(struct farm *f, double now_s);
/* Whether farm_decide must also be called when rates have changed although nothing has ended. */
bool farm_watches_rates(const struct farm *f);

/* farm_decide must be called at this date, when the next task arrives; INFINITY: all have. */
double farm_next_arrival_s(const struct farm *f);

bool farm_is_over(const struct farm *f); /* every task has been computed */

struct farm_node_result {
    long tasks_computed, tasks_forwarded;
    double received_bytes, sent_bytes;
    double compute_busy_s; /* time from start to end of its computations */
    double first_start_s;  /* of its first computation; NAN: it computed nothing */
    double last_end_s;     /* of its last one; NAN likewise */
};

struct farm_node_result farm_node_result(const struct farm *f, node_id n);
double farm_makespan_s(const struct farm *f);
const double *farm_completion_dates_s(const struct farm *f, long *n); /* increasing; borrowed */
const double *farm_ends_s(const struct farm *f); /* of the tasks, by number - 1; NULL without arrivals. Borrowed */
const struct farm_meter *farm_phases_of(const struct farm *f);

#endif
