/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Schedulers, farm policies, actors, worlds and cost models in a shared object of your own (README.md here has whole
   ones):

       cc -shared -fPIC $(pkg-config --cflags iasim) mine.c -o mine.so
       iasim --plugin ./mine.so list

   Write one C file that includes this header, fills a struct scheduler, policy, farm_actor, world_model or cost_model,
   and names it:

       IASIM_PLUGIN(.schedulers = {&mine}, .policies = {&first, &second}, .actors = {&stealing}, .worlds = {&bus})

   Make everything else static. Where to read on, in the folder iasim/ of the installed headers:

       schedulers/scheduler.h       struct scheduler: what a scheduler is given and must give
       plan/draft.h                 a schedule under construction: trying and placing tasks; edges on links, hosts
       plan/timeline.h              what is occupied when, if you keep your own bookings
       plan/problem.h               the graph, the machine, the cost model, times on unrelated hosts; mean costs, bounds
       dag/dag.h, dag/levels.h      tasks and edges; lengths of paths below and above a task
       machine/machine.h, routes.h  hosts, links, routes
       schedulers/priority.h        static lists of tasks
       plan/schedule.h              the schedule so far
       base/param.h                 parameters of a scheduler
       base/choose.h                comparing dates and costs so that rounding does not decide
       base/random.h                random streams from a seed
       base/err.h, base/mem.h       errors; memory
       farm/policy.h, farm/tree.h   struct policy; what a node believes about its children
       models/world.h               struct world_model: what transfers leave of the speed of a host
       models/cost/cost.h           struct cost_model: what a message occupies, and how long
       farm/actor.h                 struct farm_actor: a SimGrid actor that runs at each node of a farm (doc/actors.md)

   A plugin can call the functions that are marked IASIM_API; the program that loads it provides them. A plugin that
   calls any other function is refused when it is loaded. */
#ifndef IASIM_PLUGIN_PLUGIN_H
#define IASIM_PLUGIN_PLUGIN_H

#ifdef __cplusplus
extern "C" {
#endif

#include "base/choose.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/param.h"
#include "base/random.h"
#include "dag/dag.h"
#include "dag/levels.h"
#include "farm/actor.h"
#include "farm/policy.h"
#include "models/world.h"
#include "plan/draft.h"
#include "plan/problem.h"
#include "plan/schedule.h"
#include "schedulers/priority.h"
#include "schedulers/scheduler.h"

/* Incremented whenever one of the headers above changes what a plugin may rely on: functions, or fields of
   structures. */
#define IASIM_PLUGIN_ABI 11u

/* The structures that pass between iasim and a plugin: their sizes must agree. */
#define IASIM_PLUGIN_STRUCTS(X)                                                                                        \
    X(err)                                                                                                             \
    X(param)                                                                                                           \
    X(farm_actor)                                                                                                      \
    X(farm_app)                                                                                                        \
    X(farm_self)                                                                                                       \
    X(policy)                                                                                                          \
    X(policy_child)                                                                                                    \
    X(policy_send)                                                                                                     \
    X(policy_state)                                                                                                    \
    X(policy_view)                                                                                                     \
    X(tree)                                                                                                            \
    X(tree_node)                                                                                                       \
    X(scheduler)                                                                                                       \
    X(scheduler_inputs)                                                                                                \
    X(search_watch)                                                                                                    \
    X(problem)                                                                                                         \
    X(task_costs)                                                                                                      \
    X(cost_model)                                                                                                      \
    X(cost_end)                                                                                                        \
    X(world_model)                                                                                                     \
    X(world_flow)                                                                                                      \
    X(dag)                                                                                                             \
    X(dag_shape)                                                                                                       \
    X(task)                                                                                                            \
    X(edge)                                                                                                            \
    X(machine)                                                                                                         \
    X(host)                                                                                                            \
    X(host_logp)                                                                                                       \
    X(steps)                                                                                                           \
    X(step)                                                                                                            \
    X(peer_value)                                                                                                      \
    X(peer_values)                                                                                                     \
    X(own_property)                                                                                                    \
    X(link)                                                                                                            \
    X(route)                                                                                                           \
    X(route_table)                                                                                                     \
    X(schedule)                                                                                                        \
    X(draft_options)                                                                                                   \
    X(draft_mark)                                                                                                      \
    X(random_stream)                                                                                                   \
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
    const struct farm_actor *actors[IASIM_PLUGIN_MAX];
    const struct cost_model *models[IASIM_PLUGIN_MAX];
    const struct world_model *worlds[IASIM_PLUGIN_MAX];
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

/* ---- plugins that are not shared objects: the package for Python reads files in Python (analysis/iasim) ---- */

/* Fills *out, which is all NULL, with what the file holds. That stays until the process ends. Errors: ERR_INPUT, with a
   sentence that does not name the file. */
typedef enum err_code iasim_plugin_read(const char *path, struct iasim_plugin_lists *out, struct err *e);

/* From now on this function reads plugins whose names end in ".py". */
IASIM_API void iasim_plugin_reader(iasim_plugin_read *read);

/* Within a function of such a plugin that has no way to fail (`choose`, `priority`): it has failed. What it returns
   does not count; the run ends with these words as its error. */
IASIM_API void iasim_plugin_failed(const char *words);

/* The bytes of a structure in IASIM_PLUGIN_STRUCTS, by its name; 0: it is not one of these. */
IASIM_API size_t iasim_plugin_size_of(const char *name);

#ifdef __cplusplus
}
#endif

#endif
