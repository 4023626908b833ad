/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Autonomous: by what a node has measured, without beliefs (doc/model.md, Farms, "Back-pressure"). A set of sends under
   way is worth the sum of its rates, each times the pressure at that child and what a byte gains there: a task for the
   child, less the part of a task that sending it takes from the node. The send starts that adds most to the worth of
   those under way; none where all would take more from the others than they bring.

   The exponents were found by trying on the trees 1001 to 1024 of the generator; roots, because they are the same on
   every machine. */
#include "farm/policy.h"

#include <math.h>

static const double least_gain_ratio = 0.01, least_hunger_ratio = 1e-3, rounding_ratio = 1e-6;
static const double rounding_of_bounds = 1e-12;

struct sends { /* as if each had the link to itself */
    double bytes_per_s, worth_per_s;
};

/* Of what a byte brings at the child: the rest is lost at the node. */
static double gain_ratio(const struct policy_view *view, const struct policy_state *state, const struct policy_child *c)
{
    if (!(state->task_s > 0))
        return 1;
    return fmax(least_gain_ratio, 1 - c->cost_s_per_byte * view->task_bytes / state->task_s);
}

/* Tasks that it misses count little, times in which it misses none more. */
static double pressure(const struct policy_child *c)
{
    int n_missing = c->n_requests + (c->is_sent_to || c->remaining_ratio > 0);
    double hunger_ratio = fmax(least_hunger_ratio, 1 - c->sated_ratio);
    return sqrt(sqrt(hunger_ratio * sqrt(sqrt(n_missing))));
}

static struct sends with(struct sends s, const struct policy_view *view, const struct policy_state *state,
                         const struct policy_child *c)
{
    return (struct sends){s.bytes_per_s + c->rate_bytes_per_s,
                          s.worth_per_s + c->rate_bytes_per_s * gain_ratio(view, state, c) * pressure(c)};
}

/* Where they want more than all can have, each gets less in proportion. */
static double worth(struct sends s, double limit_bytes_per_s)
{
    return s.bytes_per_s > limit_bytes_per_s ? s.worth_per_s * limit_bytes_per_s / s.bytes_per_s : s.worth_per_s;
}

/* Of a child whose rate is known: the most that its send is worth, whatever else is under way, and its rate, with the
   other sign. A cost below 0 is a guess that will be mended; it counts most where tasks are short. */
static void bounds(const struct policy_view *view, const struct policy_state *state, const struct policy_child *child,
                   double out[2])
{
    struct policy_state then = *state;
    out[0] = out[1] = -INFINITY;
    if (child->rate_bytes_per_s <= 0)
        return;
    then.task_s =
        child->cost_s_per_byte < 0 ? state->task_s / POLICY_TASK_S_RATIO : state->task_s * POLICY_TASK_S_RATIO;
    out[0] = child->rate_bytes_per_s * gain_ratio(view, &then, child) * pressure(child);
    out[1] = -child->rate_bytes_per_s;
}

/* Whether no child of the group adds more than `most`. */
static bool can_pass_over(const struct policy_state *state, int group, struct sends under_way, double worth_now,
                          double most)
{
    if (state->groups == NULL)
        return false;
    const struct policy_group *x = &state->groups[group];
    const struct sends with_best = {under_way.bytes_per_s - x->most[1], under_way.worth_per_s + x->most[0]};
    if (x->n_able == 0 || isinf(x->most[0]))
        return x->n_able == 0 || x->most[0] < 0;
    return worth(with_best, state->limit_bytes_per_s) * (1 + rounding_of_bounds) - worth_now <= most;
}

static node_id best(const struct policy_view *view, const struct policy_state *state, struct sends under_way)
{
    double worth_now = worth(under_way, state->limit_bytes_per_s), most = rounding_ratio * worth_now;
    node_id first = -1;
    for (int g = 0; g < policy_n_groups(state); g++) {
        if (can_pass_over(state, g, under_way, worth_now, most))
            continue;
        for (int i = policy_group_from(state, g); i < policy_group_to(state, g); i++) {
            const struct policy_child *c = &state->children[i];
            if (!c->can_be_served || c->rate_bytes_per_s <= 0)
                continue;
            if (isinf(c->rate_bytes_per_s))
                return c->node;
            double more = worth(with(under_way, view, state, c), state->limit_bytes_per_s) - worth_now;
            if (more > most) {
                first = c->node;
                most = more * (1 + rounding_ratio);
            }
        }
    }
    return first;
}

/* A child whose rate is not known, or not any more, is sent to alone, which measures it. */
static node_id choose_child(const struct policy_view *view, const struct policy_state *state)
{
    struct sends under_way = {0, 0};
    node_id unknown = -1;
    bool is_sending = false;
    for (int g = 0; g < policy_n_groups(state); g++) {
        if (state->groups != NULL && state->groups[g].n_sent_to == 0 && state->groups[g].n_unmeasured == 0)
            continue;
        for (int i = policy_group_from(state, g); i < policy_group_to(state, g); i++) {
            const struct policy_child *c = &state->children[i];
            if (c->is_sent_to && c->rate_bytes_per_s <= 0)
                return -1;
            if (c->is_sent_to)
                under_way = with(under_way, view, state, c);
            is_sending = is_sending || c->is_sent_to;
            if (unknown < 0 && c->can_be_served && c->rate_bytes_per_s <= 0)
                unknown = c->node;
        }
    }
    if (unknown >= 0)
        return is_sending ? -1 : unknown;
    return best(view, state, under_way);
}

static struct policy_send choose(const struct policy_view *view, const struct policy_state *state)
{
    return (struct policy_send){choose_child(view, state), INFINITY, 0};
}

extern const struct policy policy_pressure;
const struct policy policy_pressure = {
    .name = "pressure",
    .summary = "autonomous, multi-ported: the send that is worth most by measured rates and the children's hunger",
    .source = "after [Tassiulas 1992]; doc/model.md, Farms",
    .sends = true,
    .multi_port = true,
    .choose = choose,
    .measures = true,
    .bounds = bounds,
};
