/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A second opinion on what nodes measure (doc/model.md, Farms, "Measured rates"), for naive_farm.h: whatever happens
   is summed up interval by interval, and the costs are learnt with matrices. */
#ifndef IASIM_TEST_ENGINE_NAIVE_MEASURE_H
#define IASIM_TEST_ENGINE_NAIVE_MEASURE_H

#include "farm/policy.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct naive_passing { /* of a transfer, as one of its ends counts it */
    double since_s, bytes, in_task_bytes;
};

struct naive_measured {
    int parent;
    /* The transfer from its parent: */
    bool moves, has_arrived, has_company;
    double bytes, began_s, wanted_bytes, crowded_s, crowded_wanted_bytes;
    double rate, usual_rate;
    struct naive_passing at_parent, here;
    /* Its requests: */
    double asked_s, content_since_s, content_s, old_content_s, old_s;
    /* What it knows as a parent, and of its tasks: */
    double limit;
    bool computes_no_more, knows_costs;
    double task_began_s;
    int n_costs;
    double *costs, *variances; /* n_costs x n_costs */
};

struct naive_measure {
    struct naive_measured *nodes;
    int n_nodes;
    double task_bytes;
};

static inline void naive_measure_init(struct naive_measure *m, int n_nodes, double task_bytes)
{
    *m = (struct naive_measure){calloc((size_t)n_nodes, sizeof *m->nodes), n_nodes, task_bytes};
    for (int n = 0; n < n_nodes; n++) {
        m->nodes[n].limit = INFINITY;
        m->nodes[n].content_since_s = NAN;
    }
}

static inline void naive_measure_clear(struct naive_measure *m)
{
    for (int n = 0; n < m->n_nodes; n++) {
        free(m->nodes[n].costs);
        free(m->nodes[n].variances);
    }
    free(m->nodes);
}

/* ---- time passes ---- */

static inline void naive_measure_pass(struct naive_measure *m, double passed_s)
{
    for (int n = 0; n < m->n_nodes; n++) {
        int n_moving = 0;
        double wanted = 0;
        for (int c = 0; c < m->n_nodes; c++)
            if (m->nodes[c].parent == n && m->nodes[c].moves) {
                n_moving++;
                wanted += isinf(m->nodes[c].rate) ? 0 : m->nodes[c].rate;
            }
        bool is_crowded = n_moving >= 2 && (isinf(m->nodes[n].limit) || wanted > m->nodes[n].limit);
        for (int c = 0; c < m->n_nodes; c++) {
            struct naive_measured *x = &m->nodes[c];
            if (x->parent != n || !x->moves)
                continue;
            x->wanted_bytes += wanted * passed_s;
            x->crowded_s += is_crowded ? passed_s : 0;
            x->crowded_wanted_bytes += is_crowded ? wanted * passed_s : 0;
        }
    }
}

/* ---- sends ---- */

static inline void naive_measure_send(struct naive_measure *m, double now_s, int child, double bytes)
{
    struct naive_measured *x = &m->nodes[child];
    x->moves = true;
    x->has_company = false;
    for (int c = 0; c < m->n_nodes; c++)
        if (c != child && m->nodes[c].parent == x->parent && m->nodes[c].moves)
            x->has_company = m->nodes[c].has_company = true;
    x->bytes = bytes;
    x->began_s = now_s;
    x->wanted_bytes = x->crowded_s = x->crowded_wanted_bytes = 0;
    x->at_parent.since_s = x->here.since_s = now_s;
    x->at_parent.bytes = x->here.bytes = 0;
}

static inline void naive_measure_limit(struct naive_measured *p, const struct naive_measured *x, double lasted_s)
{
    double part = x->bytes / (x->rate * lasted_s);
    if (x->crowded_s >= lasted_s / 4) {
        double alone_s = lasted_s - x->crowded_s;
        double crowded_part = fmax(0, x->bytes - x->rate * alone_s) / (x->rate * x->crowded_s);
        double all = crowded_part * x->crowded_wanted_bytes / x->crowded_s;
        double weight = fmin(0.5, x->rate * x->crowded_s / x->bytes / 8);
        if (!isinf(p->limit))
            p->limit = (1 - weight) * p->limit + weight * all;
        else if (part < 0.97)
            p->limit = all;
    } else if (part < 0.9 && !isinf(p->limit)) {
        p->limit = 7 * p->limit / 8 + fmin(p->limit, part * x->wanted_bytes / lasted_s) / 8;
    } else if (part >= 0.97 && x->wanted_bytes / lasted_s > 0.97 * p->limit) {
        p->limit *= 1.02;
    }
}

static inline void naive_measure_arrived(struct naive_measure *m, double now_s, int child)
{
    struct naive_measured *x = &m->nodes[child], *p = &m->nodes[x->parent];
    double lasted_s = now_s - x->began_s;
    x->has_arrived = false;
    x->at_parent.in_task_bytes += x->bytes - x->at_parent.bytes;
    x->here.in_task_bytes += x->bytes - x->here.bytes;
    if (lasted_s <= 0) {
        x->rate = INFINITY;
        return;
    }
    double rate = x->bytes / lasted_s;
    x->usual_rate = x->usual_rate > 0 ? (7 * x->usual_rate + rate) / 8 : rate;
    x->rate = x->has_company ? fmax(x->rate, rate) : rate;
    if (x->has_company)
        naive_measure_limit(p, x, lasted_s);
    else
        p->limit = fmax(p->limit, rate);
    if (x->has_company && 0.8 * x->rate > p->limit)
        x->rate = 0;
}

/* ---- own tasks ---- */

static inline double naive_measure_take(const struct naive_measured *x, struct naive_passing *at, double now_s)
{
    if (x->moves) {
        double bytes = fmin(x->usual_rate * (now_s - at->since_s), x->bytes - at->bytes);
        at->bytes += bytes;
        at->in_task_bytes += bytes;
    }
    double all = at->in_task_bytes;
    at->since_s = now_s;
    at->in_task_bytes = 0;
    return all;
}

static inline int naive_measure_amounts(struct naive_measure *m, double now_s, int n, double *amounts)
{
    int k = 0;
    amounts[k++] = 1;
    amounts[k++] = naive_measure_take(&m->nodes[n], &m->nodes[n].here, now_s) / m->task_bytes;
    for (int c = 0; c < m->n_nodes; c++)
        if (m->nodes[c].parent == n)
            amounts[k++] = naive_measure_take(&m->nodes[c], &m->nodes[c].at_parent, now_s) / m->task_bytes;
    return k;
}

static inline void naive_measure_begins(struct naive_measure *m, double now_s, int n)
{
    double amounts[2 + 64];
    naive_measure_amounts(m, now_s, n, amounts);
    m->nodes[n].task_began_s = now_s;
}

/* The covariance after a value of variance 1, P - P a (1 + a'P a)^-1 a'P, plus the drift. */
static inline void naive_measure_learn(struct naive_measured *x, const double *amounts, double value)
{
    int n = x->n_costs;
    double guess = 0, variance = 1;
    double *change = calloc((size_t)n, sizeof *change);
    for (int i = 0; i < n; i++) {
        guess += amounts[i] * x->costs[i];
        for (int j = 0; j < n; j++)
            change[i] += x->variances[n * i + j] * amounts[j];
    }
    for (int i = 0; i < n; i++)
        variance += amounts[i] * change[i];
    for (int i = 0; i < n; i++) {
        x->costs[i] += change[i] * (value - guess) / variance;
        for (int j = 0; j < n; j++)
            x->variances[n * i + j] += (i == j ? (i == 0 ? 0.01 : 0.0001) : 0) - change[i] * change[j] / variance;
    }
    free(change);
}

static inline void naive_measure_computed(struct naive_measure *m, double now_s, int n)
{
    struct naive_measured *x = &m->nodes[n];
    double amounts[2 + 64], lasted_s = now_s - x->task_began_s;
    int n_costs = naive_measure_amounts(m, now_s, n, amounts);
    x->computes_no_more = false;
    if (!x->knows_costs) {
        x->n_costs = n_costs;
        x->costs = calloc((size_t)n_costs, sizeof(double));
        x->variances = calloc((size_t)(n_costs * n_costs), sizeof(double));
        for (int i = 0; i < n_costs; i++)
            x->variances[n_costs * i + i] = 100;
        x->costs[0] = lasted_s;
    }
    x->knows_costs = true;
    naive_measure_learn(x, amounts, lasted_s);
}

/* ---- what ends: transfers of an instant before its computations, each in the order of the nodes ---- */

static inline void naive_measure_end_instant(struct naive_measure *m, double now_s)
{
    for (int n = 0; n < m->n_nodes; n++)
        if (m->nodes[n].has_arrived)
            naive_measure_arrived(m, now_s, n);
    for (int n = 0; n < m->n_nodes; n++)
        if (m->nodes[n].computes_no_more)
            naive_measure_computed(m, now_s, n);
}

static inline void naive_measure_asks(struct naive_measure *m, double now_s, int n)
{
    struct naive_measured *x = &m->nodes[n];
    if (!isnan(x->content_since_s))
        x->content_s += now_s - x->content_since_s;
    x->content_since_s = NAN;
    x->old_content_s = x->old_content_s * 15 / 16 + x->content_s;
    x->old_s = x->old_s * 15 / 16 + now_s - x->asked_s;
    x->content_s = 0;
    x->asked_s = now_s;
}

/* ---- what policies are told ---- */

static inline void naive_measure_tell(const struct naive_measure *m, struct policy_state *state,
                                      struct policy_child *children)
{
    const struct naive_measured *p = &m->nodes[state->node];
    state->task_s = p->knows_costs ? p->costs[0] : NAN;
    state->receive_cost_s_per_byte = p->knows_costs ? p->costs[1] / m->task_bytes : 0;
    state->limit_bytes_per_s = p->limit;
    for (int i = 0; i < state->n_children; i++) {
        const struct naive_measured *x = &m->nodes[children[i].node];
        children[i].rate_bytes_per_s = x->rate;
        children[i].cost_s_per_byte = p->knows_costs ? p->costs[i + 2] / m->task_bytes : 0;
        children[i].sated_ratio = x->old_s > 0 ? x->old_content_s / x->old_s : 0;
    }
}

#endif
