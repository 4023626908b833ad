/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "cli/registered.h"

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
#include "schedulers/scheduler.h"

#include <string.h>

static const char *path_of(const struct origin *from)
{
    return from != NULL ? from->path : NULL;
}

static bool policy_entry(size_t i, struct registered *out)
{
    const struct policy *p = policies[i];
    if (p != NULL)
        *out = (struct registered){
            p->name, p->summary, p->source, p->sends ? policy_params : NULL, NULL, path_of(policy_origin(p)), NULL};
    return p != NULL;
}

static bool actor_entry(size_t i, struct registered *out)
{
    const struct farm_actor *a = farm_actors[i];
    if (a != NULL)
        *out = (struct registered){a->name, a->summary, a->source, NULL, NULL, path_of(farm_actor_origin(a)), NULL};
    return a != NULL;
}

static bool scheduler_entry(size_t i, struct registered *out)
{
    const struct scheduler *x = schedulers[i];
    if (x != NULL)
        *out = (struct registered){x->name, x->summary, x->source, x->params, NULL, path_of(scheduler_origin(x)), NULL};
    return x != NULL;
}

/* What a planner may believe, then what the simulated world may do. */
static bool model_entry(size_t i, struct registered *out)
{
    size_t n_costs = 0;
    while (cost_models[n_costs] != NULL)
        n_costs++;
    if (i < n_costs) {
        const struct cost_model *c = cost_models[i];
        *out = (struct registered){c->name, c->summary, c->source, c->params, "cost", path_of(c->from), NULL};
        return true;
    }
    const struct world_model *w = world_models[i - n_costs];
    if (w != NULL)
        *out = (struct registered){w->name, w->summary, w->source, world_params(w), "world", path_of(w->from), NULL};
    return w != NULL;
}

static bool format_entry(size_t i, struct registered *out)
{
    const struct dag_format *f = dag_formats[i];
    if (f != NULL)
        *out = (struct registered){f->name, f->summary, f->source, NULL, f->write != NULL ? "read and write" : "read",
                                   NULL,    NULL};
    return f != NULL;
}

static bool fit_entry(size_t i, struct registered *out)
{
    const struct fit *f = fits[i];
    if (f != NULL)
        *out = (struct registered){f->name, f->summary, f->source, NULL, NULL, NULL, NULL};
    return f != NULL;
}

static bool experiment_entry(size_t i, struct registered *out)
{
    const struct run_kind *x = run_kinds[i];
    if (x != NULL)
        *out = (struct registered){x->name, x->summary, x->source, run_params(x), NULL, NULL, x->metrics};
    return x != NULL;
}

static bool platform_entry(size_t i, struct registered *out)
{
    static const struct registered shapes[] = {
        {"star", "every host is fed by the root", "iasim platform generate", generate_params, "platform", NULL, NULL},
        {"tree", "a random tree of bounded degree", "iasim platform generate", generate_params, "platform", NULL, NULL},
    };
    if (i >= sizeof shapes / sizeof shapes[0])
        return false;
    *out = shapes[i];
    return true;
}

/* Of platforms, then of task graphs. */
static bool generator_entry(size_t i, struct registered *out)
{
    size_t n_platforms = 0;
    while (platform_entry(n_platforms, out))
        n_platforms++;
    if (i < n_platforms)
        return platform_entry(i, out);
    const struct dag_generator *g = dag_generators[i - n_platforms];
    if (g != NULL)
        *out = (struct registered){g->name, g->summary, g->source, g->params, "graph", NULL, NULL};
    return g != NULL;
}

static bool report_entry(size_t i, struct registered *out)
{
    const struct report *r = &reports[i];
    if (r->name != NULL)
        *out = (struct registered){r->name, r->summary, r->source, NULL, r->experiment, NULL, NULL};
    return r->name != NULL;
}

static bool command_entry(size_t i, struct registered *out)
{
    const struct command *c = commands[i];
    if (c != NULL)
        *out = (struct registered){c->name, c->summary, "", NULL, NULL, NULL, NULL};
    return c != NULL;
}

static bool world_entry(size_t i, struct registered *out)
{
    return registered_find("models:world", i, out);
}

static bool waiting_entry(size_t i, struct registered *out)
{
    const struct waiting_kind *w = waiting_kinds[i];
    if (w != NULL)
        *out = (struct registered){w->name, w->summary, w->source, w->params, NULL, NULL, NULL};
    return w != NULL;
}

/* ---- files that come with iasim ---- */

static bool shipped_entry(const char *folder, size_t i, struct registered *out)
{
    struct shipped_entry x;
    bool exists = shipped_list_entry(folder, i, &x);
    if (exists)
        *out = (struct registered){x.name, x.title, "", NULL, NULL, NULL, NULL};
    return exists;
}

static bool scenario_entry(size_t i, struct registered *out)
{
    return shipped_entry("scenarios", i, out);
}

static bool shipped_platform_entry(size_t i, struct registered *out)
{
    return shipped_entry("platforms", i, out);
}

static bool deployment_entry(size_t i, struct registered *out)
{
    return shipped_entry("deployments", i, out);
}

/* clang-format off */
const struct registered_kind registered_kinds[] = {
    {"scenarios", scenario_entry, false},
    {"platforms", shipped_platform_entry, false},
    {"deployments", deployment_entry, false},
    {"policies", policy_entry, false},
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
/* clang-format on */

bool registered_find(const char *kind, size_t i, struct registered *out)
{
    size_t n = strcspn(kind, ":");
    const char *role = kind[n] == ':' ? kind + n + 1 : NULL;
    const struct registered_kind *k = registered_kinds;
    while (k->name != NULL && (strncmp(k->name, kind, n) != 0 || k->name[n] != '\0'))
        k++;
    for (size_t at = 0; k->name != NULL && k->entry(at, out); at++)
        if ((role == NULL || strcmp(out->role, role) == 0) && i-- == 0)
            return true;
    return false;
}

void registered_add_names(const char *kind, struct text *t)
{
    struct registered x;
    for (size_t i = 0; registered_find(kind, i, &x); i++)
        text_addf(t, "%s%s", i ? ", " : "", x.name);
}
