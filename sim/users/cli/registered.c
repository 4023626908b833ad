/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* One view of everything that is registered, for those who treat all kinds alike (`iasim list`, messages, completion).
   Nothing is copied: an entry is read off the list of its kind each time, so what a plugin has added is in it. */
#include "cli/registered.h"

#include "base/registry.h"
#include "cli/command.h"
#include "cli/shipped_list.h"
#include "dag/dag_generate.h"
#include "dag/format.h"
#include "engine/waiting.h"
#include "farm/actor.h"
#include "farm/farm_generate.h"
#include "farm/policy.h"
#include "models/cost/cost.h"
#include "models/fits/fit.h"
#include "models/world.h"
#include "report/report.h"
#include "runs/run.h"
#include "runtime/runtime_policy.h"
#include "schedulers/scheduler.h"

#include <string.h>

static const char *path_of(const struct origin *from)
{
    return from != NULL ? from->path : NULL;
}

/* The structs differ, but these lists are all arrays of pointers that end with NULL. ENTRY makes the function
   NAME_entry of such a list; `x`, one of its entries, may stand in the fields that follow. */
#define ENTRY(name_, type, list, ...)                                                                                  \
    static bool name_##_entry(size_t i, struct registered *out)                                                        \
    {                                                                                                                  \
        const type *x = (list)[i];                                                                                     \
        if (x != NULL)                                                                                                 \
            *out = (struct registered){x->name, x->summary, x->source, __VA_ARGS__};                                   \
        return x != NULL;                                                                                              \
    }
ENTRY(policy, struct policy, policies, .params = policy_params_of(x), .plugin = path_of(policy_origin(x)))
ENTRY(runtime_policy, struct runtime_policy, runtime_policies, .params = x->params)
ENTRY(actor, struct farm_actor, farm_actors, .plugin = path_of(farm_actor_origin(x)))
ENTRY(scheduler, struct scheduler, schedulers, .params = x->params, .plugin = path_of(scheduler_origin(x)))
ENTRY(belief, struct cost_model, cost_models, .params = x->params, .role = "cost", .plugin = path_of(x->from))
ENTRY(world, struct world_model, world_models, .params = world_params(x), .role = "world", .plugin = path_of(x->from))
ENTRY(format, struct dag_format, dag_formats, .role = x->write != NULL ? "read and write" : "read")
ENTRY(fit, struct fit, fits, .role = NULL)
ENTRY(experiment, struct run_kind, run_kinds, .params = run_params(x), .metrics = x->metrics)
ENTRY(waiting, struct waiting_kind, waiting_kinds, .params = x->params)
ENTRY(graph, struct dag_generator, dag_generators, .params = x->params, .role = "graph")

/* What a planner may believe, then what the simulated world may do. Names may be in both (`involvement`): the role
   tells them apart. */
static bool model_entry(size_t i, struct registered *out)
{
    size_t n = registry_count(cost_models);
    return i < n ? belief_entry(i, out) : world_entry(i - n, out);
}

/* Of platforms, then of task graphs. The shapes of platforms are not a registry: `iasim platform generate` has both
   built in. */
static bool generator_entry(size_t i, struct registered *out)
{
    static const struct registered shapes[] = {
        {"star", "every host is fed by the root", "iasim platform generate", generate_params, "platform", NULL, NULL},
        {"tree", "a random tree of bounded degree", "iasim platform generate", generate_params, "platform", NULL, NULL},
    };
    const size_t n = sizeof shapes / sizeof shapes[0];
    if (i < n)
        *out = shapes[i];
    return i < n || graph_entry(i - n, out);
}

/* Reports are an array of structs that ends with a NULL name, not one of pointers, so ENTRY does not fit. */
static bool report_entry(size_t i, struct registered *out)
{
    const struct report *r = &reports[i];
    if (r->name != NULL)
        *out = (struct registered){r->name, r->summary, r->source, .role = r->experiment};
    return r->name != NULL;
}

static bool command_entry(size_t i, struct registered *out)
{
    const struct command *c = commands[i];
    if (c != NULL)
        *out = (struct registered){.name = c->name, .summary = c->summary, .source = ""};
    return c != NULL;
}

/* ---- files that come with iasim ---- */

static bool shipped_entry(const char *folder, size_t i, struct registered *out)
{
    struct shipped_entry x;
    bool exists = shipped_list_entry(folder, i, &x);
    if (exists)
        *out = (struct registered){.name = x.name, .summary = x.title, .source = ""};
    return exists;
}

/* In the order of `iasim list`. Worlds and ways of waiting are also entries or parameters of other kinds; they have a
   kind of their own for completion and messages. */
const struct registered_kind registered_kinds[] = {
    {"scenarios", NULL, false},
    {"platforms", NULL, false},
    {"deployments", NULL, false},
    {"policies", policy_entry, false},
    {"runtime_policies", runtime_policy_entry, false},
    {"actors", actor_entry, false},
    {"schedulers", scheduler_entry, false},
    {"models", model_entry, false},
    {"worlds", world_entry, true},
    {"waiting", waiting_entry, true},
    {"graph_formats", format_entry, false},
    {"generators", generator_entry, false},
    {"fits", fit_entry, false},
    {"experiments", experiment_entry, false},
    {"reports", report_entry, false},
    {"commands", command_entry, false},
    {0},
};

bool registered_entry(const struct registered_kind *k, size_t i, struct registered *out)
{
    return k->entry != NULL ? k->entry(i, out) : shipped_entry(k->name, i, out);
}

bool registered_find(const char *kind, size_t i, struct registered *out)
{
    /* Time: linear in the number of entries before the i-th, so a loop over all is quadratic. There are a few dozen. */
    size_t n = strcspn(kind, ":");
    const char *role = kind[n] == ':' ? kind + n + 1 : NULL;
    const struct registered_kind *k = registered_kinds;
    while (k->name != NULL && (strncmp(k->name, kind, n) != 0 || k->name[n] != '\0'))
        k++;
    for (size_t at = 0; k->name != NULL && registered_entry(k, at, out); at++)
        /* `i` counts down over the entries that fit. */
        if ((role == NULL || strcmp(out->role, role) == 0) && i-- == 0)
            return true;
    return false;
}

void registered_add_names(const char *kind, struct text *t)
{
    struct registered x;
    for (size_t i = 0; registered_find(kind, i, &x); i++)
        text_add_name(t, x.name);
}
