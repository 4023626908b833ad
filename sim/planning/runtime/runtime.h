/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Decisions while a run goes on: what a runtime policy knows at a date, and what it may do (doc/model.md, Online).

   Jobs, each a task graph, are released over time. The tasks and the edges of all jobs are numbered one after the
   other: a `work_id` is the number of a job's first task plus that of the task in its graph, a `data_id` likewise for
   edges. Each host has one queue of tasks, which the policy fills; what is in it starts as the machine allows
   (engine/online_run.h). What the policy knows of works and sizes are estimates: with noise the truth differs. */
#ifndef IASIM_RUNTIME_RUNTIME_H
#define IASIM_RUNTIME_RUNTIME_H

#include "base/param.h"
#include "base/random.h"
#include "plan/problem.h"
#include "plan/schedule.h"

#include <stdbool.h>

typedef int work_id; /* -1: none */
typedef int data_id;

enum work_state {
    WORK_UNKNOWN, /* its job is not released, or the task is not revealed */
    WORK_KNOWN,   /* in no queue */
    WORK_QUEUED,
    WORK_STARTED,
    WORK_ENDED,
};

struct runtime_job {
    const char *name;
    struct problem problem;               /* the graph; the cost model is what the policy believes */
    double release_s, weight, deadline_s; /* deadline_s: INFINITY: there is none */
    work_id first_work;
    data_id first_data;
    bool is_released;
    int n_left; /* tasks that have not ended */
};

struct runtime_work {
    int job;
    enum work_state state;
    host_id host;             /* of its queue, or where it has started; -1: none */
    int n_before;             /* predecessors that have not ended */
    double start_s, finish_s; /* NAN before */
};

/* What a queue holds: a task, or (only in queues that follow a schedule) a send or a receive of an edge. */
typedef int item_id; /* a work_id; or n_works + 2 data + direction */

struct runtime_host {
    item_id first, last; /* -1: the queue is empty */
    int n_queued;        /* tasks */
    double queued_s;     /* what they take here, as estimated */
    work_id running;     /* -1: none */
    double until_s;      /* when that one should end, as estimated */
};

/* A message that has been asked for, and whose data are not ready at its destination yet. */
struct runtime_flow {
    data_id data;
    host_id src, dst;
    double left_bytes;                 /* on their way, or to be sent */
    double send_start_s, recv_start_s; /* at the two processors; NAN: not begun */
};

/* What a policy has decided in one call, in this order. */
struct runtime_action {
    enum { ACTION_PUT, ACTION_FOLLOW } kind;
    work_id work;                /* PUT */
    host_id host, from_host;     /* PUT; -1: in no queue */
    work_id before, from_before; /* PUT: the task behind it in the queue; -1: it is the last */
    int job;                     /* FOLLOW */
    struct schedule *schedule;   /* FOLLOW */
};

enum runtime_event_kind { EVENT_RELEASED, EVENT_ENDED, EVENT_READY, EVENT_CALLED };

/* RELEASED: a job, whose tasks are known from now on (or, with `reveals_tasks`, one by one with READY). ENDED: a task.
   READY: a task whose predecessors have all ended. CALLED: a date has come that the policy had asked for. In one call
   by job, then by task (a released job first, a ready task before its end cannot be). */
struct runtime_event {
    enum runtime_event_kind kind;
    int job;
    work_id work; /* -1 in RELEASED and CALLED */
    host_id host; /* ENDED: where; else -1 */
};

struct runtime {
    const struct machine *machine;
    const struct route_table *routes;
    struct runtime_job *jobs;
    struct runtime_work *works;
    struct runtime_host *hosts;
    item_id *next, *previous; /* [item] */
    host_id *queue_of;        /* [item]; -1: in no queue */
    int n_jobs, n_works, n_data;
    bool reveals_tasks; /* a task is known when its predecessors have ended; else with its job */
    double now_s;
    struct random_stream random;                                           /* of the policy */
    double (*data_there_s)(const struct runtime *r, data_id d, host_id h); /* set by the engine; see runtime_data_s */
    void (*add_flows)(struct runtime *r); /* set by the engine: gives all of them to runtime_add_flow; NULL: none */
    void *engine;
    struct runtime_traffic *traffic; /* runtime_estimate.c */

    /* Of the call in progress. */
    struct runtime_action *actions;
    size_t n_actions, actions_capacity;
    double call_at_s; /* INFINITY: it has not asked for a call */
    int *looked_at;   /* [work]: the last call in which it was */
    int n_calls, n_looked_at;
};

/* The jobs' problems, names and dates are given, and borrowed; all else is filled. Until runtime_clear. */
void runtime_init(struct runtime *r, const struct machine *m, const struct route_table *routes,
                  struct runtime_job *jobs, int n_jobs);
void runtime_clear(struct runtime *r);

static inline task_id runtime_task(const struct runtime *r, work_id w)
{
    return w - r->jobs[r->works[w].job].first_work;
}
static inline const struct problem *runtime_problem(const struct runtime *r, work_id w)
{
    return &r->jobs[r->works[w].job].problem;
}
int runtime_job_of_data(const struct runtime *r, data_id d); /* time: logarithmic in the number of jobs */
work_id runtime_source(const struct runtime *r, data_id d);
work_id runtime_destination(const struct runtime *r, data_id d);

/* ---- what a policy may ask; all of it is estimated ---- */

/* Seconds of a task on a host; INFINITY: it may not run there. */
double runtime_compute_s(const struct runtime *r, work_id w, host_id h);
/* When the host will have done what is in its queue, and the messages for which it must be there. */
double runtime_free_s(struct runtime *r, host_id h);
/* The same without its queue: when it ends what it is doing, and these messages. */
double runtime_idle_s(struct runtime *r, host_id h);
/* When the data of a task could be on a host, if what is not under way left now; the belief decides what counts
   (runtime_estimate.c). A task whose predecessors have not ended: of the others alone. */
double runtime_data_s(struct runtime *r, work_id w, host_id h);
/* The same, and of predecessors that run, from when they should end. */
double runtime_arrival_s(struct runtime *r, work_id w, host_id h);
/* When it would end there behind all that waits; or behind so many seconds of what waits. */
double runtime_finish_s(struct runtime *r, work_id w, host_id h);
double runtime_finish_behind_s(struct runtime *r, work_id w, host_id h, double queued_s);
/* The host with the least of these, of equal ones the first; -1: it may run nowhere. With `counts_data` false data cost
   nothing. */
host_id runtime_best_host(struct runtime *r, work_id w, bool counts_data);

/* The first task in a queue, or behind a task; -1: none. */
work_id runtime_first(const struct runtime *r, host_id h);
work_id runtime_behind(const struct runtime *r, work_id w);
work_id runtime_last(const struct runtime *r, host_id h);

/* ---- what a policy may do with a task that is known and has not started ---- */

/* Puts it into the queue of a host, before another task of that queue (-1: at the end). It leaves the queue in which it
   was. The task must be allowed to run there. */
void runtime_put(struct runtime *r, work_id w, host_id h, work_id before);
void runtime_take_back(struct runtime *r, work_id w);
/* Puts all tasks of a job into queues, behind what is there, in the order of a schedule, whose sends and receives the
   processors then do in its order, too. The schedule is freed with the runtime's actions. */
void runtime_follow(struct runtime *r, int job, struct schedule *s);
void runtime_call_at(struct runtime *r, double date_s);

/* ---- for the engine ---- */

/* The policy's parameter `model`, if it has one and it is given, is what it believes instead of the jobs' model. */
enum err_code runtime_believe(struct runtime *r, const struct param_set *params, struct err *e);
void runtime_add_flow(struct runtime *r, const struct runtime_flow *f);

void runtime_begin_call(struct runtime *r);
void runtime_end_actions(struct runtime *r); /* forgets them */
/* As if they had not been decided; and again: what has started meanwhile stays. False: it has started, or there was
   nothing to do. */
void runtime_undo_actions(struct runtime *r);
bool runtime_redo_action(struct runtime *r, const struct runtime_action *a);
/* Takes an item out of its queue; puts one before another (-1: at the end) without an action. */
void runtime_unlink(struct runtime *r, item_id i);
void runtime_link(struct runtime *r, item_id i, host_id h, item_id before);

/* ---- between the files of this room ---- */

void runtime_look_at(struct runtime *r, work_id w);       /* a call's time may depend on how many it looked at */
void runtime_traffic_moved(struct runtime *r, work_id w); /* it is in another queue, or in none */
void runtime_traffic_free(struct runtime *r);

#endif
