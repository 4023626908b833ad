/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A task farm on a tree ([K] 3 and 4.1; doc/model.md, Farms): the protocol as a state machine, without any simulator. It is
   told what has ended and says what to start; sim/engine/farm_run.c lets SimGrid carry that out, the tests let an
   independent fluid solver do it. */
#ifndef IASIM_FARM_FARM_H
#define IASIM_FARM_FARM_H

#include "base/err.h"
#include "farm/policy.h"
#include "farm/tree.h"

#include <stdbool.h>

struct farm_app {
    long n_tasks;         /* all at the root */
    double task_bytes;    /* Z */
    double task_flop;     /* W */
    int n_buffers;        /* task slots of every other node */
    double request_bytes; /* 0: a request takes no time */
};

/* What happens, for traces. `task` counts from 1 in the order tasks leave the root's pool; -1: none. */
#define FARM_EVENT_LIST(X)                                                                                             \
    X(FARM_COMPUTE_START, "compute_start")                                                                             \
    X(FARM_COMPUTE_END, "compute_end")                                                                                 \
    X(FARM_SEND_START, "send_start") /* at the sender; `other` is the receiver */                                      \
    X(FARM_SEND_PAUSE, "send_pause") /* a chunk of it is over; it may resume at once */                                \
    X(FARM_SEND_RESUME, "send_resume")                                                                                 \
    X(FARM_SEND_END, "send_end")                                                                                       \
    X(FARM_RECEIVE_END, "receive_end") /* at the receiver; `other` is the sender */                                    \
    X(FARM_REQUEST, "request")         /* at the child; `other` is the parent */

enum farm_event {
#define X(id, name) id,
    FARM_EVENT_LIST(X)
#undef X
};
const char *farm_event_name(enum farm_event event);

/* The simulator's side, called from farm_decide only, but for trace. */
struct farm_ops {
    void *self;
    void (*compute)(void *self, node_id node, double flop); /* ends with farm_computed */
    void *(*send)(void *self, node_id from, node_id to,
                  double bytes);                              /* ends with farm_sent; its return is `send` below */
    void (*request)(void *self, node_id child, double bytes); /* ends with farm_requested; only with request_bytes */
    /* What a transfer under way uses, as of the last solution of the network; 0 while in latency. */
    double (*rate_bytes_per_s)(void *self, void *send);
    /* May be NULL. */
    void (*trace)(void *trace_self, double now_s, node_id node, enum farm_event event, long task, node_id other);
    void *trace_self;
};

struct farm;

/* `t` is bound and outlives the farm, as do `policy` and `ops`. Errors: ERR_INPUT for an application out of range. */
enum err_code farm_create(const struct tree *t, const struct farm_app *app, const struct policy_choice *policy,
                          const struct farm_ops *ops, struct farm **out, struct err *e);
void farm_free(struct farm *f);

/* Endings, in any order within one instant. */
void farm_computed(struct farm *f, double now_s, node_id node);
void farm_sent(struct farm *f, double now_s, node_id from, node_id to); /* a chunk or a whole task has arrived */
void farm_requested(struct farm *f, double now_s, node_id child);

/* After all endings of an instant: other nodes start work in deployment order, the root takes a task, sends start.
   Returns true if it must be called again at this instant, after the network has been solved with what it started. */
bool farm_decide(struct farm *f, double now_s);
/* Whether it must also be called when rates have changed and nothing has ended. */
bool farm_watches_rates(const struct farm *f);

bool farm_is_over(const struct farm *f); /* every task has been computed */

struct farm_node_result {
    long tasks_computed, tasks_forwarded;
    double received_bytes, sent_bytes;
    double compute_busy_s; /* time from start to end of its computations */
    double first_start_s;  /* of its first computation; NAN: none */
};

struct
    farm_phases { /* start-up ends when every node that computes has started; wind-down begins when the root has none left to give */
    double startup_end_s, wind_down_start_s;
};

struct farm_node_result farm_node_result(const struct farm *f, node_id n);
int farm_n_nodes(const struct farm *f);
double farm_makespan_s(const struct farm *f);
double farm_wind_down_start_s(const struct farm *f);                  /* when the last task left the root's pool */
const double *farm_completion_dates_s(const struct farm *f, long *n); /* increasing; borrowed */

/* farm_phases.c */
struct farm_phases farm_find_phases(const struct farm *f);
/* Tasks per second in the steady phase, from its first completion to its last; where it holds less than a quarter of
   all completions, from the first to the third quarter of them. */
double farm_steady_tasks_per_s(const struct farm *f);

#endif
