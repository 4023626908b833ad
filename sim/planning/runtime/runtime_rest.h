/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What is left to do, as a problem for a scheduler: all tasks that are known and have not started, of all jobs, in one
   graph. For policies that plan more than one task at a time.

   What has started or ended is fixed. Its data are there, on each host, when the policy's estimate says
   (runtime_arrival_s), and a host is free when it should be done with what it does. Approximated: these data and what
   they take of links and processors are dates in the plan, not bookings; and each is estimated as if the other tasks
   that wait for data did not ask for them. */
#ifndef IASIM_RUNTIME_RUNTIME_REST_H
#define IASIM_RUNTIME_RUNTIME_REST_H

#include "runtime/runtime.h"

struct runtime_rest {
    struct runtime *runtime;
    struct problem problem; /* date 0 is now */
    work_id *works;         /* [task] */
    int n;                  /* tasks; 0: nothing is left, and there is no problem */
    int whole_job;          /* all that is left is this job, and nothing of it has started; -1: it is not so */
    struct dag made;        /* of several jobs, or parts of one */
    double *busy_until_s, *data_s;
    task_id *sequence; /* after runtime_rest_put: all tasks by the dates of the plan */
};

/* The caller clears *x, also after errors. Time: edges times hosts, with the time of an estimate. */
enum err_code runtime_rest_init(struct runtime_rest *x, struct runtime *r, struct err *e);
void runtime_rest_clear(struct runtime_rest *x);

/* Puts all tasks into the queues of their hosts, in the order of their dates. A whole job is followed, messages
   included. Takes over the schedule, which is heap memory. */
void runtime_rest_put(struct runtime_rest *x, struct schedule *s);

/* A job's schedule by heft if it had the machine to itself; the caller clears it. */
enum err_code runtime_plan_alone(const struct runtime *r, int job, struct schedule *out, struct err *e);

#endif
