/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Unrelated hosts: how long each task takes on each host, from a table instead of work / speed, and where it may not
   run at all. The file is CSV; an empty cell forbids the host:

       task,p0,p1
       A,3,4.5
       B,,2 */
#ifndef IASIM_PLAN_TASK_COSTS_H
#define IASIM_PLAN_TASK_COSTS_H

#include "base/api.h"
#include "base/err.h"
#include "base/random.h"
#include "dag/dag.h"
#include "machine/machine.h"

struct task_costs {
    char *source;      /* the file; for messages */
    double *compute_s; /* [task * n_hosts + host]; INFINITY: the task may not run there */
};

/* Every host must have a column, every task a line with at least one number; their order is free. Errors, with line:
   ERR_IO; ERR_PARSE for what is not CSV, or a line of the wrong length; ERR_INPUT for an unknown, repeated or missing
   task or host, a cell that is not a number or is negative, a task that may run nowhere. On success the caller clears
   *out. */
enum err_code task_costs_read(const char *path, const struct dag *g, const struct machine *m, struct task_costs *out,
                              struct err *e);
/* The same from memory; `path` is for messages. */
enum err_code task_costs_parse(const char *bytes, size_t n, const char *path, const struct dag *g,
                               const struct machine *m, struct task_costs *out, struct err *e);
/* Draws each time from w (1 +- beta / 2), where w is the mean of the task's work / speed over the hosts [Topcuoglu
   2002]; 0 <= beta <= 2. Takes one number of the stream for each task and host. The caller clears *out. */
void task_costs_draw(const struct dag *g, const struct machine *m, double beta_ratio, struct random_stream *r,
                     struct task_costs *out);

void task_costs_clear(struct task_costs *c);

#endif
