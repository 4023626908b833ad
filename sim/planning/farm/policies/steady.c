/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Planned: each node gives its children tasks in the proportions of a solution of the physical bound (doc/model.md,
   Farms). The next task of a child is due when the plan would have given it: task k at k / T(i), and three tasks before
   for each free slot of the child, because stores that run empty are what is lost. The earliest date goes first. A
   child to which the solution gives nothing gets nothing.

   One port: what cannot be had (latency, stores) is lost at the child that is worth least, and a transfer stops for a
   decision before its siblings run dry.

   Many ports: sends that share the node's own link hold their tasks' slots for longer and bring no more, so no further
   one starts while those under way can fill the send limit by themselves. A child whose link the plan uses for most of
   the time cannot make up for such a wait, so it does not wait.

   The constants were tried on 72 random trees with 3 buffers; results change little around them. */
#include "farm/policy.h"

#include <math.h>

static const double full_ratio = 1 - 1e-6;
static const double tasks_per_request = 3;     /* how much earlier a child is served for each free slot */
static const double urgency = 2;               /* of the children that must not lose, against the one that may */
static const double standing_ratio = 1.5;      /* transfers that ask for so much of a processor often make it stand */
static const double piece_per_task = 0.5;      /* a piece lasts for at most this part of the busiest sibling's task, */
static const double largest_piece_ratio = 0.7; /* if that is not nearly all of a task */
static const double busy_ratio = 0.5;          /* part of the time for which the plan uses a link */

static double link_bytes_per_s(const struct policy_view *view, node_id child)
{
    return view->tree->nodes[child].max_transfer_bytes_per_s;
}

/* The part of the time for which the plan uses the child's link. */
static double planned_use(const struct policy_view *view, node_id child)
{
    return view->planned_tasks_per_s[child] * view->task_bytes / link_bytes_per_s(view, child);
}

/* ---- many ports ---- */

/* Those under way can fill what all sends may have together. */
static bool is_full(const struct policy_view *view, const struct policy_state *state)
{
    double limit = view->tree->nodes[state->node].send_limit_bytes_per_s, used = 0;
    for (int g = 0; g < policy_n_groups(state) && isfinite(limit); g++)
        for (int i = policy_group_from(state, g); i < policy_group_to(state, g); i++) {
            if (state->groups != NULL && state->groups[g].n_sent_to == 0)
                break;
            if (state->children[i].is_sent_to)
                used += link_bytes_per_s(view, state->children[i].node);
        }
    return isfinite(limit) && used >= limit * full_ratio;
}

/* ---- one port ---- */

/* Where transfers make the processor stand, the plan may want any of them. */
static bool often_stands(const struct policy_view *view, node_id node)
{
    const struct tree_node *n = &view->tree->nodes[node];
    double received = n->parent < 0 ? 0 : n->ir_recv_s_per_byte * n->max_transfer_bytes_per_s, sent = 0;
    for (int i = 0; i < n->n_children; i++) {
        node_id c = n->children[i];
        if (view->planned_tasks_per_s[c] > 0)
            sent = fmax(sent, view->tree->nodes[c].ir_send_s_per_byte * link_bytes_per_s(view, c));
    }
    return received + sent > standing_ratio * (1 - n->ir_floor_ratio);
}

/* What a second of sending to the child brings ([K] 3.2.2). */
static double worth_tasks_per_s(const struct policy_view *view, node_id node, node_id child)
{
    double parent_tasks_per_s = view->tree->nodes[node].compute_rate_flop_per_s / view->task_flop;
    double cost = view->tree->nodes[child].ir_send_s_per_byte * view->task_bytes * parent_tasks_per_s;
    return link_bytes_per_s(view, child) / view->task_bytes * (1 - cost);
}

/* The child that is worth least of those that the plan uses; -1: there is none that may lose. */
static node_id worth_least(const struct policy_view *view, node_id node)
{
    const struct tree_node *n = &view->tree->nodes[node];
    node_id least = -1;
    if (view->is_multi_port || often_stands(view, node))
        return -1;
    for (int i = 0; i < n->n_children; i++) {
        node_id c = n->children[i];
        if (view->planned_tasks_per_s[c] > 0 &&
            (least < 0 || worth_tasks_per_s(view, node, c) < worth_tasks_per_s(view, node, least)))
            least = c;
    }
    return least >= 0 && worth_tasks_per_s(view, node, least) > 0 ? least : -1;
}

/* A long transfer stops while the busiest of the others still has tasks; 0: it does not. */
static double piece_bytes(const struct policy_view *view, const struct policy_note *note, node_id child)
{
    double busiest = child == note->other ? note->second : note->most;
    double bytes = busiest > 0 ? fmax(1, rint(piece_per_task * link_bytes_per_s(view, child) / busiest)) : INFINITY;
    return bytes < largest_piece_ratio * view->task_bytes ? bytes : 0;
}

/* ---- */

/* The child that may lose, and the busiest one: how busy it is, and the next. */
static void note(const struct policy_view *view, node_id node, struct policy_note *out)
{
    const struct tree_node *n = &view->tree->nodes[node];
    *out = (struct policy_note){.child = worth_least(view, node), .other = -1};
    for (int i = 0; i < n->n_children; i++) {
        double planned = view->planned_tasks_per_s[n->children[i]];
        if (planned > out->most) {
            out->second = out->most;
            out->most = planned;
            out->other = n->children[i];
        } else {
            out->second = fmax(out->second, planned);
        }
    }
}

static double due_s(const struct policy_view *view, const struct policy_note *note, const struct policy_child *c)
{
    double planned = view->planned_tasks_per_s[c->node] * (note->child >= 0 && c->node != note->child ? urgency : 1);
    int n_free = c->n_requests + (c->remaining_ratio > 0);
    return planned > 0 ? (floor(c->given_tasks) + 1 - tasks_per_request * n_free) / planned : INFINITY;
}

/* The earliest is the one with the most of these; the second is of those that need not wait for a full port. */
static void bounds(const struct policy_view *view, const struct policy_state *state, const struct policy_child *child,
                   double out[2])
{
    out[0] = -due_s(view, state->note, child);
    out[1] = planned_use(view, child->node) < busy_ratio ? -INFINITY : out[0];
}

static bool can_pass_over(const struct policy_state *state, int group, bool must_wait, double first_s)
{
    return state->groups != NULL &&
           (state->groups[group].n_able == 0 || -state->groups[group].most[must_wait] >= first_s);
}

static struct policy_send choose(const struct policy_view *view, const struct policy_state *state)
{
    struct policy_send first = {-1, INFINITY, 0};
    struct policy_note found;
    double first_s = INFINITY;
    bool must_wait = view->is_multi_port && is_full(view, state);
    if (state->note == NULL)
        note(view, state->node, &found);
    const struct policy_note *noted = state->note != NULL ? state->note : &found;
    for (int g = 0; g < policy_n_groups(state); g++) {
        if (can_pass_over(state, g, must_wait, first_s))
            continue;
        for (int i = policy_group_from(state, g); i < policy_group_to(state, g); i++) {
            const struct policy_child *c = &state->children[i];
            if (!c->can_be_served || (must_wait && planned_use(view, c->node) < busy_ratio))
                continue;
            double date_s = due_s(view, noted, c);
            if (date_s < first_s) {
                first.child = c->node;
                first_s = date_s;
            }
        }
    }
    if (first.child >= 0 && !view->is_multi_port)
        first.piece_bytes = piece_bytes(view, noted, first.child);
    return first;
}

extern const struct policy policy_steady;
const struct policy policy_steady = {
    .name = "steady",
    .summary = "planned: the child that is furthest behind its share of the bound first",
    .source = "doc/model.md, Farms",
    .sends = true,
    .choose = choose,
    .plans = POLICY_PLANS_PHYSICAL,
    .bounds = bounds,
    .note = note,
};
