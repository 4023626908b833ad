/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Multi-ported: throughput is maximal if the children that interfere least are served first ([K] 3.2.1).

   shares=exact: the solution of 3.2.1 gives the first children all that they can handle, and one of the others what is
   left. Its rates add to no more than the node can send, so all transfers can be under way at once, each no faster than
   its child's share: what the paper calls packetizing and multiplexing by hand. A child that has got less than its
   share (latency, a store that was full) is sent to faster until it has caught up. */
#include "farm/policy.h"

#include <math.h>
#include <string.h>

static double priority(const struct policy_view *view, node_id child)
{
    return -view->tree->nodes[child].ir_send_s_per_byte;
}

/* ---- exact shares ---- */

static const double most_haste = 1; /* a child that is a task behind, or more, is sent to at twice its rate */

static double share_bytes_per_s(const struct policy_view *view, const struct policy_state *state,
                                const struct policy_child *c)
{
    double planned = view->planned_tasks_per_s[c->node];
    double behind_tasks = planned * state->now_s - c->given_tasks;
    return planned * view->task_bytes * (1 + fmin(most_haste, fmax(0, behind_tasks)));
}

static struct policy_send choose(const struct policy_view *view, const struct policy_state *state)
{
    const struct policy_child *first = NULL;
    for (int i = 0; i < state->n_children; i++) {
        const struct policy_child *c = &state->children[i];
        if (c->can_be_served && view->planned_tasks_per_s[c->node] > 0 &&
            (first == NULL || priority(view, c->node) > priority(view, first->node)))
            first = c;
    }
    if (first == NULL)
        return (struct policy_send){-1, INFINITY, 0};
    return (struct policy_send){first->node, share_bytes_per_s(view, state, first), 0};
}

/* ---- */

static const struct param params[] = {
    POLICY_PARAMS,
    {"shares", PARAM_CHOICE, "", "equal", 0, 0, "equal|exact",
     "equal: as the links give them; exact: those of the paper's optimum, as limits to the rate of each send"},
    {0},
};

extern const struct policy policy_ia_multi;
static const struct policy exact = {
    .name = "ia_multi",
    .summary = "multi-ported: each send at its child's share of the optimum",
    .source = "[K] 3.2.1",
    .params = params,
    .sends = true,
    .multi_port = true,
    .choose = choose,
    .plans = POLICY_PLANS_GREEDY,
};

static enum err_code variant(const struct param_set *given, const struct policy **out, struct err *e)
{
    bool is_exact = strcmp(param_text(given, "shares"), "exact") == 0;
    *out = is_exact ? &exact : &policy_ia_multi;
    if (is_exact && param_has(given, "ports") && strcmp(param_text(given, "ports"), "multi") != 0)
        return err_set(e, ERR_INPUT, "policy ia_multi: shares=exact needs many ports, but ports=single is given");
    return ERR_NONE;
}

const struct policy policy_ia_multi = {
    .name = "ia_multi",
    .summary = "multi-ported: lowest interference rate first, while the send limit is not used up",
    .source = "[K] 4.1, IA:Multi; shares=exact: [K] 3.2.1",
    .params = params,
    .sends = true,
    .multi_port = true,
    .priority = priority,
    .variant = variant,
};
