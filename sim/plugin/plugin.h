/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Farm policies and schedulers in a shared object of your own (README.md here has a whole one):

       cc -shared -fPIC $(pkg-config --cflags iasim) mine.c -o mine.so
       iasim --plugin ./mine.so list

   Write one C file that includes this header, fills a struct scheduler or a struct policy, and names it:

       IASIM_PLUGIN(.schedulers = {&mine}, .policies = {&first, &second})

   Make everything else static. Where to read on:

       schedulers/scheduler.h   struct scheduler: what a scheduler is given and must give
       plan/draft.h             a schedule under construction: trying and placing tasks; edges on links and processors
       plan/problem.h           the graph, the machine, the cost model; mean costs and bounds
       dag/dag.h, dag/levels.h  tasks and edges; lengths of paths below and above a task
       schedulers/priority.h    static lists of tasks
       plan/schedule.h          the schedule so far
       base/param.h             parameters of a scheduler
       farm/policy.h, farm/tree.h   struct policy; what a node believes about its children                              */
#ifndef IASIM_PLUGIN_PLUGIN_H
#define IASIM_PLUGIN_PLUGIN_H

#ifdef __cplusplus
extern "C" {
#endif

#include "base/err.h"
#include "base/mem.h"
#include "base/param.h"
#include "dag/dag.h"
#include "dag/levels.h"
#include "farm/policy.h"
#include "plan/draft.h"
#include "plan/problem.h"
#include "plan/schedule.h"
#include "schedulers/priority.h"
#include "schedulers/scheduler.h"

/* Incremented whenever one of the headers above changes what a plugin may rely on: functions, or fields of structures. */
#define IASIM_PLUGIN_ABI 2u

/* The structures that pass between iasim and a plugin: their sizes must agree. */
#define IASIM_PLUGIN_STRUCTS(X)                                                                                        \
    X(err)                                                                                                             \
    X(param)                                                                                                           \
    X(policy)                                                                                                          \
    X(policy_view)                                                                                                     \
    X(tree)                                                                                                            \
    X(tree_node)                                                                                                       \
    X(scheduler)                                                                                                       \
    X(scheduler_inputs)                                                                                                \
    X(problem)                                                                                                         \
    X(cost_model)                                                                                                      \
    X(dag)                                                                                                             \
    X(task)                                                                                                            \
    X(edge)                                                                                                            \
    X(machine)                                                                                                         \
    X(host)                                                                                                            \
    X(link)                                                                                                            \
    X(route_table)                                                                                                     \
    X(schedule)                                                                                                        \
    X(planned_task)                                                                                                    \
    X(planned_edge)                                                                                                    \
    X(span)

enum {
#define X(name) IASIM_PLUGIN_SIZE_OF_##name,
    IASIM_PLUGIN_STRUCTS(X)
#undef X
        IASIM_PLUGIN_N_STRUCTS
};

enum { IASIM_PLUGIN_MAX = 64 }; /* of each kind */

struct iasim_plugin_lists { /* in the order in which `iasim list` shows them; NULL after the last */
    const struct scheduler *schedulers[IASIM_PLUGIN_MAX];
    const struct policy *policies[IASIM_PLUGIN_MAX];
};

struct iasim_plugin { /* the only symbol that a plugin exports, iasim_plugin; `abi` will always be its first field */
    unsigned abi, size;
    unsigned sizes[IASIM_PLUGIN_N_STRUCTS];
    struct iasim_plugin_lists lists;
};

#define IASIM_PLUGIN_SIZE(name) (unsigned)sizeof(struct name),
#ifdef __cplusplus
#define IASIM_PLUGIN_EXPORT extern "C"
#else
#define IASIM_PLUGIN_EXPORT extern
#endif

/* Use once in a plugin, at the end of its file, without a semicolon. */
#define IASIM_PLUGIN(...)                                                                                              \
    IASIM_PLUGIN_EXPORT const struct iasim_plugin iasim_plugin __attribute__((visibility("default")));                 \
    const struct iasim_plugin iasim_plugin = {IASIM_PLUGIN_ABI,                                                        \
                                              (unsigned)sizeof(struct iasim_plugin),                                   \
                                              {IASIM_PLUGIN_STRUCTS(IASIM_PLUGIN_SIZE)},                               \
                                              {__VA_ARGS__}};

/* ---- the program's side ---- */

/* Loads the plugin in the file at `path` (borrowed until the program ends) and registers its policies and schedulers after
   the existing ones. Call once for each plugin, before starting any thread or process. Errors, with the path: ERR_IO: not
   a regular file; ERR_INPUT: not a shared object, undefined symbols, not a plugin, built for another version of iasim,
   empty, names that are ill-formed or taken, missing functions or texts, bad parameters. */
enum err_code plugin_load(const char *path, struct err *e);

/* The loaded plugins in the order of loading; the path as it was given. */
int plugin_count(void);
const char *const *plugin_paths(void);

#ifdef __cplusplus
}
#endif

#endif
