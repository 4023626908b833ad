/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A second opinion on the decisions of policies that look at the state (doc/model.md, Farms, "Exact shares",
   "Following a plan", "Back-pressure"), for naive_farm.h. Sets of sends are valued anew each time, with the C library's
   powers. The plan is that of the program; test/farm checks it. */
#ifndef IASIM_TEST_ENGINE_NAIVE_CHOICE_H
#define IASIM_TEST_ENGINE_NAIVE_CHOICE_H

#include "farm/policy.h"

#include <math.h>
#include <stdbool.h>

static inline double naive_T(const struct policy_view *v, const struct policy_child *c)
{
    return v->planned_tasks_per_s[c->node];
}

static inline const struct tree_node *naive_of(const struct policy_view *v, const struct policy_child *c)
{
    return &v->tree->nodes[c->node];
}

/* ---- ia_multi[shares=exact] ---- */

static inline struct policy_send naive_exact_shares(const struct policy_view *v, const struct policy_state *s)
{
    const struct policy_child *first = NULL;
    for (int i = s->n_children - 1; i >= 0; i--) {
        const struct policy_child *c = &s->children[i];
        bool may = c->can_be_served && naive_T(v, c) > 0;
        if (may && (first == NULL || naive_of(v, c)->ir_send_s_per_byte <= naive_of(v, first)->ir_send_s_per_byte))
            first = c;
    }
    if (first == NULL)
        return (struct policy_send){-1, INFINITY, 0};
    double behind = fmin(1, fmax(0, naive_T(v, first) * s->now_s - first->given_tasks));
    return (struct policy_send){first->node, (1 + behind) * naive_T(v, first) * v->task_bytes, 0};
}

/* ---- steady ---- */

/* The part of the parent's tasks that sending to the child all of the time would cost: IR_s B. */
static inline double naive_asks(const struct policy_view *v, const struct policy_child *c)
{
    return naive_of(v, c)->ir_send_s_per_byte * naive_of(v, c)->max_transfer_bytes_per_s;
}

/* [K] 3.2.2, in bytes: B (1 - IR_s Z C). */
static inline double naive_worth(const struct policy_view *v, const struct policy_state *s,
                                 const struct policy_child *c)
{
    double C = v->tree->nodes[s->node].compute_rate_flop_per_s / v->task_flop;
    return naive_of(v, c)->max_transfer_bytes_per_s * (1 - naive_of(v, c)->ir_send_s_per_byte * v->task_bytes * C);
}

/* The child that may lose; NULL: none may, or all may alike. */
static inline const struct policy_child *naive_loser(const struct policy_view *v, const struct policy_state *s)
{
    const struct tree_node *n = &v->tree->nodes[s->node];
    const struct policy_child *loser = NULL;
    double most_asked = 0;
    for (int i = s->n_children - 1; i >= 0; i--) {
        const struct policy_child *c = &s->children[i];
        if (naive_T(v, c) <= 0)
            continue;
        most_asked = fmax(most_asked, naive_asks(v, c));
        if (loser == NULL || naive_worth(v, s, c) <= naive_worth(v, s, loser))
            loser = c;
    }
    if (s->node != v->tree->root)
        most_asked += n->ir_recv_s_per_byte * n->max_transfer_bytes_per_s;
    bool stands_often = most_asked > 1.5 * (1 - n->ir_floor_ratio);
    bool brings_nothing = loser != NULL && naive_worth(v, s, loser) <= 0;
    return stands_often || brings_nothing ? NULL : loser;
}

/* The next task's number, less three for each slot that is free, over the rate. */
static inline double naive_due_s(const struct policy_view *v, const struct policy_child *c,
                                 const struct policy_child *loser)
{
    bool has_part = c->remaining_ratio > 0;
    double number = floor(c->given_tasks) + 1;
    double rate = loser != NULL && c != loser ? 2 * naive_T(v, c) : naive_T(v, c);
    return (number - 3 * (has_part ? c->n_requests + 1 : c->n_requests)) / rate;
}

static inline double naive_piece_bytes(const struct policy_view *v, const struct policy_state *s,
                                       const struct policy_child *to)
{
    double least_s = INFINITY; /* between two tasks of another child */
    for (int i = 0; i < s->n_children; i++)
        if (&s->children[i] != to && naive_T(v, &s->children[i]) > 0)
            least_s = fmin(least_s, 1 / naive_T(v, &s->children[i]));
    double bytes = rint(naive_of(v, to)->max_transfer_bytes_per_s * least_s / 2);
    if (bytes < 1)
        bytes = 1;
    return bytes >= 0.7 * v->task_bytes ? 0 : bytes;
}

static inline struct policy_send naive_steady(const struct policy_view *v, const struct policy_state *s)
{
    const struct policy_child *loser = v->is_multi_port ? NULL : naive_loser(v, s), *first = NULL;
    double used = 0;
    for (int i = 0; i < s->n_children; i++)
        used += s->children[i].is_sent_to ? naive_of(v, &s->children[i])->max_transfer_bytes_per_s : 0;
    bool is_full = v->is_multi_port && used >= (1 - 1e-6) * v->tree->nodes[s->node].send_limit_bytes_per_s;
    for (int i = 0; i < s->n_children; i++) {
        const struct policy_child *c = &s->children[i];
        double use = naive_T(v, c) * v->task_bytes / naive_of(v, c)->max_transfer_bytes_per_s;
        bool may = c->can_be_served && naive_T(v, c) > 0 && (!is_full || use >= 0.5);
        if (may && (first == NULL || naive_due_s(v, c, loser) < naive_due_s(v, first, loser)))
            first = c;
    }
    if (first == NULL)
        return (struct policy_send){-1, INFINITY, 0};
    return (struct policy_send){first->node, INFINITY, v->is_multi_port ? 0 : naive_piece_bytes(v, s, first)};
}

/* ---- pressure ---- */

/* U of the sends under way, and of one more; NULL: of no more. */
static inline double naive_U(const struct policy_view *v, const struct policy_state *s, const struct policy_child *more)
{
    double bytes_per_s = 0, sum = 0;
    for (int i = 0; i < s->n_children; i++) {
        const struct policy_child *c = &s->children[i];
        if (!c->is_sent_to && c != more)
            continue;
        double missing = c->n_requests + (c->is_sent_to || c->remaining_ratio > 0 ? 1 : 0);
        double gain = isnan(s->task_s) || s->task_s <= 0 ? 1 : 1 - c->cost_s_per_byte * v->task_bytes / s->task_s;
        double p = pow(fmax(0.001, 1 - c->sated_ratio), 0.25) * pow(missing, 0.0625);
        sum += c->rate_bytes_per_s * fmax(0.01, gain) * p;
        bytes_per_s += c->rate_bytes_per_s;
    }
    return bytes_per_s > 0 ? fmin(1, s->limit_bytes_per_s / bytes_per_s) * sum : 0;
}

static inline int naive_find_unknown(const struct policy_state *s, bool is_sent_to)
{
    for (int i = 0; i < s->n_children; i++)
        if (s->children[i].rate_bytes_per_s <= 0 &&
            (is_sent_to ? s->children[i].is_sent_to : s->children[i].can_be_served))
            return s->children[i].node;
    return -1;
}

static inline struct policy_send naive_pressure(const struct policy_view *v, const struct policy_state *s)
{
    double now = naive_U(v, s, NULL), most = 0;
    bool is_sending = false;
    for (int i = 0; i < s->n_children; i++) {
        const struct policy_child *c = &s->children[i];
        is_sending = is_sending || c->is_sent_to;
        if (c->can_be_served)
            most = fmax(most, naive_U(v, s, c) - now);
    }
    if (naive_find_unknown(s, true) >= 0 || (is_sending && naive_find_unknown(s, false) >= 0))
        return (struct policy_send){-1, INFINITY, 0};
    if (naive_find_unknown(s, false) >= 0)
        return (struct policy_send){naive_find_unknown(s, false), INFINITY, 0};
    for (int i = 0; i < s->n_children && most > 1e-6 * now; i++)
        if (s->children[i].can_be_served && naive_U(v, s, &s->children[i]) - now >= (1 - 1e-6) * most)
            return (struct policy_send){s->children[i].node, INFINITY, 0};
    return (struct policy_send){-1, INFINITY, 0};
}

#endif
