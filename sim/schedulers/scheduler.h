/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Schedulers of task graphs: one file each, registered in schedulers.def; or one of a plugin (plugin/plugin.h),
   registered when it is loaded. */
#ifndef IASIM_SCHEDULERS_SCHEDULER_H
#define IASIM_SCHEDULERS_SCHEDULER_H

#include "base/param.h"
#include "plan/schedule.h"

struct check_result;
struct origin;

struct
    scheduler_inputs { /* what a user may prescribe; each NULL: the scheduler decides. What is not heeded is refused */
    const task_id *order;      /* all tasks, each after its predecessors */
    const host_id *allocation; /* [task] */
};

struct scheduler {
    const char *name, *summary, *source; /* source: a paper and section, or who made it */
    const struct param *params;          /* ends with a NULL name; NULL: none. */
    /* REQUIRED. `out` is empty on entry, and complete and valid on success: plan/draft.h makes it so. The same arguments
       give the same schedule. Errors: ERR_INPUT when parameters, model and inputs do not fit together. */
    enum err_code (*plan)(const struct problem *p, const struct param_set *params, const struct scheduler_inputs *in,
                          struct schedule *out, struct err *e);
};

/* Ends with NULL; the order of schedulers.def, then those of plugins as they were loaded. */
extern const struct scheduler *const *schedulers;
const struct scheduler *scheduler_find(const char *name);                 /* NULL: none */
const struct origin *scheduler_origin(const struct scheduler *scheduler); /* NULL: it comes with iasim */

/* Adds one; all is borrowed for good. The name is not taken. */
void scheduler_register(const struct scheduler *scheduler, const struct origin *from);

/* A scheduler with its parameters, from "name[k=v,...]". */
struct scheduler_choice {
    const struct scheduler *scheduler;
    struct param_set *params;
    char *text; /* as given */
};
/* Errors: ERR_INPUT: unknown scheduler (the known are listed), unknown or bad parameter. */
enum err_code scheduler_choose(const char *text, struct scheduler_choice *out, struct err *e);
void scheduler_choice_clear(struct scheduler_choice *c);

/* Makes the whole schedule; on success the caller clears *out. `in` may be NULL. What a plugin makes is judged by the
   validator. Errors: those of the scheduler and of problem_check_times; ERR_NO for an invalid schedule of a plugin, with
   the first condition that it violates. */
enum err_code scheduler_plan(const struct scheduler_choice *c, const struct problem *p,
                             const struct scheduler_inputs *in, struct schedule *out, struct err *e);
/* The same, and everything that an invalid schedule violates (plan/check_made.h), for the caller to clear. */
enum err_code scheduler_plan_judged(const struct scheduler_choice *c, const struct problem *p,
                                    const struct scheduler_inputs *in, struct schedule *out,
                                    struct check_result *violations, struct err *e);

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
