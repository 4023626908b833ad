/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Schedulers of task graphs. There is one file for each, registered in schedulers.def; plugins (plugin/plugin.h)
   register theirs when they are loaded. */
#ifndef IASIM_SCHEDULERS_SCHEDULER_H
#define IASIM_SCHEDULERS_SCHEDULER_H

#include "base/param.h"
#include "plan/schedule.h"

struct check_result;
struct origin;

/* Who waits for a search (search.h). */
struct search_watch {
    bool (*is_stopped)(void *self);              /* whether the search should end with the best that it has found */
    void (*show)(void *self, const char *state); /* now and then: how far it is, in a few words */
    void *self;
};

/* A schedule that is not shorter than this is of no use: a scheduler that sees that its own will not be may end with
   ERR_NO. */
struct scheduler_limit {
    double length_s;
    const double *after_s; /* [task]: problem_least_after_s */
};

struct scheduler_inputs {
    /* What a user may prescribe; NULL: the scheduler decides. A scheduler must refuse inputs that it ignores. */
    const task_id *order;                /* all tasks, each after its predecessors */
    const host_id *allocation;           /* [task] */
    const struct search_watch *watch;    /* NULL: there is none. For searches; the others ignore it */
    const struct scheduler_limit *limit; /* NULL: there is none */
};

struct scheduler {
    const char *name, *summary, *source; /* source: a paper and section, or an author */
    const struct param *params;          /* ends with a NULL name; NULL: no parameters */
    const char *parts; /* the parameter that names other schedulers, "a+b[k=v]+c"; NULL: there is none */
    /* REQUIRED. `out` is empty on entry, and must be complete and valid on success, which plan/draft.h ensures. The
       same arguments must give the same schedule. Errors: ERR_INPUT if parameters, model and inputs do not fit
       together. */
    enum err_code (*plan)(const struct problem *p, const struct param_set *params, const struct scheduler_inputs *in,
                          struct schedule *out, struct err *e);
};

/* Ends with NULL; in the order of schedulers.def, then plugins in the order in which they were loaded. */
extern const struct scheduler *const *schedulers;
const struct scheduler *scheduler_find(const char *name);                 /* NULL: not found */
const struct origin *scheduler_origin(const struct scheduler *scheduler); /* NULL: it is built in */

/* Registers a scheduler; both arguments are borrowed until the program ends. The name must not be taken. */
void scheduler_register(const struct scheduler *scheduler, const struct origin *from);

/* A scheduler with its parameters, from "name[k=v,...]". */
struct scheduler_choice {
    const struct scheduler *scheduler;
    struct param_set *params;
    char *text;                  /* as given */
    const struct origin *origin; /* the plugin that makes the schedule, or a part of it; NULL: there is none */
};
/* Errors: ERR_INPUT: unknown scheduler (the message lists the known ones), unknown or bad parameter, parts from more
   than one plugin. */
enum err_code scheduler_choose(const char *text, struct scheduler_choice *out, struct err *e);
void scheduler_choice_clear(struct scheduler_choice *c);

/* The schedulers in the value of its parameter `parts`, which scheduler_choose has checked; *n = 0: there are none.
   Errors: those of scheduler_choose; else the caller ends with scheduler_clear_parts. */
enum err_code scheduler_choose_parts(const struct scheduler *scheduler, const struct param_set *params,
                                     struct scheduler_choice **out, size_t *n, struct err *e);
void scheduler_clear_parts(struct scheduler_choice *parts, size_t n);

/* Makes the whole schedule; on success the caller clears *out. `in` may be NULL. The validator checks the schedules of
   plugins. Errors: those of the scheduler and of problem_check_times; ERR_NO for an invalid schedule of a plugin, with
   the first condition that it violates. */
enum err_code scheduler_plan(const struct scheduler_choice *c, const struct problem *p,
                             const struct scheduler_inputs *in, struct schedule *out, struct err *e);
/* The same, and returns everything that an invalid schedule violates (plan/check_made.h); the caller clears it. */
enum err_code scheduler_plan_judged(const struct scheduler_choice *c, const struct problem *p,
                                    const struct scheduler_inputs *in, struct schedule *out,
                                    struct check_result *violations, struct err *e);

/* The text files of --order (one task per line) and --allocation (a task and a host per line); lines that begin with #
   are comments. The caller frees the arrays. Errors, with line: unknown, repeated or missing tasks, unknown hosts, an
   order that is not topological. */
enum err_code scheduler_read_order(const char *path, const struct dag *g, task_id **out, struct err *e);
enum err_code scheduler_read_allocation(const char *path, const struct dag *g, const struct machine *m, host_id **out,
                                        struct err *e);
/* The same from memory; `path` is for messages. */
enum err_code scheduler_parse_order(const char *bytes, size_t n, const char *path, const struct dag *g, task_id **out,
                                    struct err *e);
enum err_code scheduler_parse_allocation(const char *bytes, size_t n, const char *path, const struct dag *g,
                                         const struct machine *m, host_id **out, struct err *e);

#endif
