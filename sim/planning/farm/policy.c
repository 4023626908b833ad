/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "farm/policy.h"

#include "base/mem.h"
#include "base/registry.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define POLICY(name) extern const struct policy policy_##name;
#include "farm/policies/policies.def"
#undef POLICY

static const struct policy *const built_in[] = {
#define POLICY(name) &policy_##name,
#include "farm/policies/policies.def"
#undef POLICY
    NULL,
};

const struct policy *const *policies = built_in;
static struct registry registered;

const struct param policy_params[] = {
    {"chunk", PARAM_NUMBER, "MB", "0", 0, 1e9, NULL,
     "send in chunks of this size and decide again after each; 0: whole tasks"},
    {"prune", PARAM_CHOICE, "", NULL, 0, 0, "on|off",
     "never send to a child for which IR_s Z C >= 1; default: off, opt_single: on"},
    {0},
};

const struct policy *policy_find(const char *name)
{
    return registry_find(policies, name);
}

const struct origin *policy_origin(const struct policy *policy)
{
    return registry_origin(&registered, policy);
}

void policy_register(const struct policy *policy, const struct origin *from)
{
    policies = registry_add(&registered, policies, &policy, from);
}

enum err_code policy_choose(const char *text, struct policy_choice *out, struct err *e)
{
    struct spec spec;
    *out = (struct policy_choice){0};
    enum err_code code = spec_parse(&spec, text, e);
    if (code != ERR_NONE)
        return code;
    out->policy = registry_choose(policies, "policy", spec.name, e);
    if (out->policy != NULL) {
        char owner[128];
        snprintf(owner, sizeof owner, "policy %s", out->policy->name);
        out->params = param_set_create(out->policy->sends ? policy_params : NULL);
        code = param_set_spec(out->params, owner, &spec, e);
        out->text = mem_strdup(text);
    } else {
        code = ERR_INPUT;
    }
    spec_clear(&spec);
    if (code != ERR_NONE)
        policy_choice_clear(out);
    return code;
}

void policy_choice_clear(struct policy_choice *c)
{
    param_set_free(c->params);
    free(c->text);
    *c = (struct policy_choice){0};
}

enum err_code policy_chunk_bytes(const struct policy_choice *c, double *out, struct err *e)
{
    double bytes = c->policy->sends ? param_number(c->params, "chunk") * 1e6 : 0;
    *out = bytes > 0 ? rint(bytes) : INFINITY;
    if (*out < 1)
        return err_set(e, ERR_INPUT, "policy %s: a chunk of %g bytes is less than one byte", c->text, bytes);
    return ERR_NONE;
}

bool policy_prunes(const struct policy_choice *c)
{
    if (!c->policy->sends)
        return false;
    return param_has(c->params, "prune") ? param_is_on(c->params, "prune") : c->policy->prunes_by_default;
}

/* Priorities of built-in policies may be infinite, if a route has no link: infinities also have an order. */
static enum err_code check_priority(const struct policy *policy, const struct policy_view *view, node_id child,
                                    double priority, struct err *e)
{
    const struct origin *from = policy_origin(policy);
    if (from == NULL || isfinite(priority))
        return ERR_NONE;
    return err_set(e, ERR_INPUT,
                   "policy %s of plugin %s gives the child '%s' the priority %s; it must be a finite number",
                   policy->name, from->path, view->tree->nodes[child].host_name, foreign_odd_number(priority));
}

enum err_code policy_rank(const struct policy *policy, const struct policy_view *view, double *out, struct err *e)
{
    enum err_code code = ERR_NONE;
    char owner[128];
    snprintf(owner, sizeof owner, "policy %s", policy->name);
    foreign_enter(policy_origin(policy), "priority", owner);
    for (node_id n = 0; n < view->tree->n_nodes; n++)
        if (n != view->tree->root)
            out[n] = policy->priority(view, n);
    if (!foreign_leave())
        code = err_set(e, ERR_INPUT, "%s of plugin %s has left a process behind", owner, policy_origin(policy)->path);
    for (node_id n = 0; code == ERR_NONE && n < view->tree->n_nodes; n++)
        if (n != view->tree->root)
            code = check_priority(policy, view, n, out[n], e);
    return code;
}
