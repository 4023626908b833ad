/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Schedulers of task graphs: one file each, registered in schedulers.def. */
#ifndef IASIM_SCHEDULERS_SCHEDULER_H
#define IASIM_SCHEDULERS_SCHEDULER_H

#include "base/param.h"
#include "plan/schedule.h"

struct scheduler_inputs { /* what a user may prescribe; each NULL: the scheduler decides */
    const task_id *order;      /* all tasks, each after its predecessors */
    const host_id *allocation; /* [task] */
};

struct scheduler {
    const char *name, *summary, *source;
    const struct param *params;
    /* REQUIRED. `out` is initialised on entry, and complete and valid on success. Errors: ERR_INPUT when parameters,
       model and inputs do not fit together. */
    enum err_code (*plan)(const struct problem *p, const struct param_set *params, const struct scheduler_inputs *in,
                          struct schedule *out, struct err *e);
};

extern const struct scheduler *const schedulers[]; /* ends with NULL; the order of schedulers.def */

/* A scheduler with its parameters, from "name[k=v,...]". */
struct scheduler_choice {
    const struct scheduler *scheduler;
    struct param_set *params;
    char *text; /* as given */
};
/* Errors: ERR_INPUT: unknown scheduler (the known are listed), unknown or bad parameter. */
enum err_code scheduler_choose(const char *text, struct scheduler_choice *out, struct err *e);
void scheduler_choice_clear(struct scheduler_choice *c);

/* Makes the whole schedule; on success the caller clears *out. `in` may be NULL. Errors: those of the scheduler and
   of problem_check_times. */
enum err_code scheduler_plan(const struct scheduler_choice *c, const struct problem *p,
                             const struct scheduler_inputs *in, struct schedule *out, struct err *e);

/* Text files of --order (a task a line) and --allocation (a task and a host a line; # begins a comment line). The
   arrays are fresh. Errors, with line: unknown, repeated or missing tasks, unknown hosts, an order that is not
   topological. */
enum err_code scheduler_read_order(const char *path, const struct dag *g, task_id **out, struct err *e);
enum err_code scheduler_read_allocation(const char *path, const struct dag *g, const struct machine *m, host_id **out,
                                        struct err *e);
/* The same from memory; `path` is for messages. */
enum err_code scheduler_parse_order(const char *bytes, size_t n, const char *path, const struct dag *g, task_id **out,
                                    struct err *e);
enum err_code scheduler_parse_allocation(const char *bytes, size_t n, const char *path, const struct dag *g,
                                         const struct machine *m, host_id **out, struct err *e);

#endif
