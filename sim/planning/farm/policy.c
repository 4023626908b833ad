/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Policies by their texts, what a node knows before the run, and the calls of a policy's functions. What those of
   plugins answer is checked here, once, so that the farm and the actors need not. */
#include "farm/policy.h"

#include "base/mem.h"
#include "base/registry.h"
#include "farm/bound.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

const struct param policy_params[] = {POLICY_PARAMS, {0}};

const struct param *policy_params_of(const struct policy *policy)
{
    return !policy->sends ? NULL : policy->params != NULL ? policy->params : policy_params;
}

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
        /* one that sends nothing has no parameters: "root_computes[chunk=1]" is an error */
        out->params = param_set_create(policy_params_of(out->policy));
        code = param_set_spec(out->params, owner, &spec, e);
        out->text = mem_strdup(text);
        if (code == ERR_NONE && out->policy->variant != NULL)
            code = out->policy->variant(out->params, &out->policy, e);
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
    /* 1 MB = 10^6 bytes; whole bytes, because engines send those */
    double bytes = c->policy->sends ? param_number(c->params, "chunk") * 1e6 : 0;
    *out = bytes > 0 ? rint(bytes) : INFINITY;
    if (*out < 1)
        return err_set(e, ERR_INPUT, "policy %s: a chunk of %g bytes is less than one byte", c->text, bytes);
    return ERR_NONE;
}

/* The parameter wins over the policy's default, which may be either. */
bool policy_prunes(const struct policy_choice *c)
{
    if (!c->policy->sends)
        return false;
    return param_has(c->params, "prune") ? param_is_on(c->params, "prune") : c->policy->prunes_by_default;
}

bool policy_is_multi_port(const struct policy_choice *c)
{
    bool is_given = c->policy->sends && param_has(c->params, "ports");
    return is_given ? strcmp(param_text(c->params, "ports"), "multi") == 0 : c->policy->multi_port;
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

/* All children in one foreign call: a process that is left behind by any of them is found once. */
enum err_code policy_rank(const struct policy *policy, const struct policy_view *view, double *out, struct err *e)
{
    enum err_code code = ERR_NONE;
    char owner[128];
    if (!policy->sends || policy->choose != NULL)
        return ERR_NONE;
    snprintf(owner, sizeof owner, "policy %s", policy->name);
    foreign_enter(policy_origin(policy), "priority", owner);
    for (node_id n = 0; n < view->tree->n_nodes; n++)
        if (n != view->tree->root)
            out[n] = policy->priority(view, n);
    if (!foreign_leave())
        code = err_set(e, ERR_INPUT, "%s of plugin %s has left a process behind", owner, policy_origin(policy)->path);
    code = foreign_judge(code, e);
    for (node_id n = 0; code == ERR_NONE && n < view->tree->n_nodes; n++)
        if (n != view->tree->root)
            code = check_priority(policy, view, n, out[n], e);
    return code;
}

enum err_code policy_view_init(struct policy_view *out, const struct tree *t, const struct farm_app *app,
                               const struct policy_choice *c, struct err *e)
{
    struct bound bound;
    *out = (struct policy_view){.tree = t,
                                .task_bytes = app->task_bytes,
                                .task_flop = app->task_flop,
                                .is_multi_port = policy_is_multi_port(c),
                                .params = c->params};
    if (c->policy->plans == POLICY_PLANS_NOTHING)
        return ERR_NONE;
    /* the plan of the ports that will be used, not of the policy's default ones */
    enum bound_ports ports = policy_is_multi_port(c) ? BOUND_MULTI : BOUND_SINGLE;
    enum err_code code = c->policy->plans == POLICY_PLANS_PHYSICAL
                             ? bound_plan(t, app, ports, &bound, e)
                             : bound_compute_of(t, app, ports, BOUND_GREEDY, &bound, e);
    if (code != ERR_NONE)
        return code;
    double *planned_tasks_per_s = mem_zalloc((size_t)t->n_nodes, sizeof *planned_tasks_per_s);
    for (node_id n = 0; n < t->n_nodes; n++)
        planned_tasks_per_s[n] = bound.nodes[n].total_tasks_per_s;
    out->planned_tasks_per_s = planned_tasks_per_s;
    bound_clear(&bound);
    return ERR_NONE;
}

void policy_view_clear(struct policy_view *v)
{
    free((void *)v->planned_tasks_per_s);
    *v = (struct policy_view){0};
}

static bool can_be_served(const struct policy_state *state, node_id child)
{
    for (int i = 0; i < state->n_children; i++)
        if (state->children[i].node == child)
            return state->children[i].can_be_served;
    return false;
}

/* A policy is not asked where no answer but -1 would be right. */
static bool can_serve(const struct policy_state *state)
{
    for (int g = 0; g < policy_n_groups(state); g++) {
        if (state->groups != NULL && state->groups[g].n_able == 0)
            continue;
        for (int i = policy_group_from(state, g); i < policy_group_to(state, g); i++)
            if (state->children[i].can_be_served)
                return true;
    }
    return false;
}

enum { FAULT_SIZE = 300 };

static bool is_whole(double bytes)
{
    return bytes >= 0 && isfinite(bytes) && bytes == rint(bytes);
}

/* What a plugin must not answer; NULL: it may. The text is in `words`. */
static const char *fault_of(const struct policy_view *view, const struct policy_state *state, struct policy_send next,
                            char words[FAULT_SIZE])
{
    const char *here = view->tree->nodes[state->node].host_name;
    bool is_node = next.child >= 0 && next.child < view->tree->n_nodes;
    const char *name = is_node ? view->tree->nodes[next.child].host_name : "";
    /* none for now is always right */
    if (next.child == -1)
        return NULL;
    if (!is_node)
        snprintf(words, FAULT_SIZE, "at %.9g s it chooses node %d for '%.80s'; it must be one of its children, or -1",
                 state->now_s, next.child, here);
    else if (!can_be_served(state, next.child))
        snprintf(words, FAULT_SIZE, "at %.9g s it chooses %.80s for '%.80s', a child that cannot be served now",
                 state->now_s, name, here);
    else if (!(next.limit_bytes_per_s > 0))
        snprintf(words, FAULT_SIZE,
                 "at %.9g s it limits a send from '%.60s' to '%.60s' to %g bytes/s; it must be above 0", state->now_s,
                 here, name, next.limit_bytes_per_s);
    else if (!is_whole(next.piece_bytes))
        snprintf(words, FAULT_SIZE,
                 "at %.9g s it cuts a send from '%.50s' to '%.50s' after %.15g bytes; it must be 0 or a whole number",
                 state->now_s, here, name, next.piece_bytes);
    else
        return NULL;
    return words;
}

struct policy_send policy_next(const struct policy *policy, const struct policy_view *view,
                               const struct policy_state *state)
{
    static const struct policy_send none = {-1, INFINITY, 0};
    const struct origin *from = policy_origin(policy);
    char words[FAULT_SIZE];
    if (!can_serve(state))
        return none;
    foreign_ask(from, "choose", "policy", policy->name);
    struct policy_send next = policy->choose(view, state);
    foreign_answered();
    const char *fault = state->groups != NULL ? NULL : fault_of(view, state, next, words); /* those are our own */
    if (fault != NULL && from != NULL)
        foreign_refuse(from, "policy", policy->name, fault);
    /* after a fault the run goes on without this send, to an end where the fault is reported */
    return fault == NULL && next.child >= 0 ? next : none;
}
