/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The greedy bound of [K] 3.2. From the leaves to the root, each node computes all it can itself and then gives to its
   children, best first, until one of three constraints stops it:

       1  sum T(i) <= B_s  (multi-port)    sum T(i) / B_r(i) <= 1  (single-port)
       2  T(n) <= B_r - beta sum T(i) of the link from its parent (not at the root)
       3  S(n) >= 0

   The best child has the lowest IR_s with many ports, and the highest B_r (1 - IR_s Z C) with one. A child with
   IR_s Z C >= 1 gets nothing. As long as no constraint stops it, the processor is never idle, so with a = IR_r Z C and
   b(i) = IR_s(i) Z C

       T(n) = (C + sum T(i) (1 - b(i))) / (1 + a)

   One more task/s to child i changes T(n) by (1 - b(i)) / (1 + a), S(n) by -(a + b(i)) / (1 + a) and the limit of
   constraint 2 by -beta (footnote 3; 0 without a receive drop). The slack of each constraint, divided by that change,
   is exactly how much the last child may get. The limit falls while T(n) grows, so they meet once. With many ports the
   result is optimal: for any sum of T(i), the order of IR_s gives the largest T(n).

   A second pass, from the root, reduces subtrees that can do more than they are given, so the result is one consistent
   allocation. There stopped_by is also constraint 2 for a node whose parent gives it less than its link could carry.
   Time: O(n log n). */
#include "farm/bound_terms.h"

#include "base/mem.h"

#include <math.h>
#include <stdlib.h>

struct candidate {
    node_id node;
    double priority; /* lowest first */
};

struct greedy {
    const struct bound_problem *problem;
    struct bound_node *nodes; /* after the first pass, total is the most that the subtree can do */
    double *given;            /* by its parent, to each node */
    struct candidate *candidates;
};

/* One more task/s to a child increases T(n) by `gain` and decreases S(n) by `loss`. */
struct exchange {
    double gain, loss;
};

/* The state of a node while it gives to its children. */
struct giving {
    double total, computed, sent;
    double port_left; /* tasks/s with many ports, the fraction of time with one */
    enum bound_stop stopped_by;
};

static int compare_candidates(const void *left, const void *right)
{
    const struct candidate *a = left, *b = right;
    if (a->priority != b->priority)
        return a->priority < b->priority ? -1 : 1;
    return (a->node > b->node) - (a->node < b->node);
}

static double priority_of(const struct bound_problem *p, node_id child)
{
    const struct bound_terms *b = &p->terms[child];
    if (p->ports == BOUND_MULTI)
        return p->tree->nodes[child].ir_send_s_per_byte;
    return -b->recv_limit * (1 - b->send_loss);
}

static int sort_candidates(struct greedy *g, node_id n)
{
    const struct tree_node *node = &g->problem->tree->nodes[n];
    int n_candidates = 0;
    for (int c = 0; c < node->n_children; c++) {
        node_id child = node->children[c];
        g->given[child] = 0;
        if (!g->problem->terms[child].pruned)
            g->candidates[n_candidates++] = (struct candidate){child, priority_of(g->problem, child)};
    }
    qsort(g->candidates, (size_t)n_candidates, sizeof *g->candidates, compare_candidates);
    return n_candidates;
}

static struct exchange exchange_with(const struct bound_problem *p, node_id n, node_id child)
{
    double a = p->terms[n].recv_loss, b = p->terms[child].send_loss;
    return (struct exchange){.gain = (1 - b) / (1 + a), .loss = (a + b) / (1 + a)};
}

/* How much of the gain `x` the node can receive if its parent gives no more than `given`. */
static double most_by_receiving(const struct bound_terms *b, const struct giving *now, struct exchange x, double given)
{
    double most = (given - now->total) / x.gain;
    double own = b->recv_limit - b->recv_drop * now->sent - now->total;
    return fmin(most, own / (x.gain + b->recv_drop));
}

/* The most that `child` may get in addition to what is already given, and the constraint that limits it. */
static double most_for(const struct greedy *g, const struct giving *now, node_id n, node_id child, double given,
                       enum bound_stop *stop)
{
    struct exchange x = exchange_with(g->problem, n, child);
    double by_port = now->port_left;
    if (g->problem->ports == BOUND_SINGLE && now->port_left > 0)
        by_port *= g->problem->terms[child].recv_limit;
    double by_receive = most_by_receiving(&g->problem->terms[n], now, x, given);
    double by_compute = x.loss > 0 ? now->computed / x.loss : INFINITY;

    double most = g->nodes[child].total_tasks_per_s;
    *stop = BOUND_STOP_NONE;
    if (by_port < most) {
        most = by_port;
        *stop = BOUND_STOP_SEND_LIMIT;
    }
    if (by_receive < most) {
        most = by_receive;
        *stop = BOUND_STOP_RECEIVE_LIMIT;
    }
    if (by_compute < most) {
        most = by_compute;
        *stop = BOUND_STOP_COMPUTE;
    }
    return most;
}

static void give(struct greedy *g, struct giving *now, node_id n, node_id child, double amount)
{
    struct exchange x = exchange_with(g->problem, n, child);
    g->given[child] = amount;
    now->sent += amount;
    now->total += amount * x.gain;
    now->computed -= amount * x.loss;
    if (amount > 0)
        now->port_left -= g->problem->ports == BOUND_SINGLE ? amount / g->problem->terms[child].recv_limit : amount;
}

/* The constraint that stopped the node holds with equality: set it exactly, without the rounding of many small
   steps. */
static void settle(struct giving *now, double limit)
{
    if (now->stopped_by == BOUND_STOP_RECEIVE_LIMIT)
        now->computed = limit - now->sent;
    if (now->stopped_by == BOUND_STOP_COMPUTE || now->computed < 0)
        now->computed = 0;
    now->total = now->computed + now->sent;
}

/* Computes node n if its parent gives no more than `given` tasks/s and its children can take their totals. */
static void solve_node(struct greedy *g, node_id n, double given)
{
    const struct bound_terms *here = &g->problem->terms[n];
    double alone = here->compute / (1 + here->recv_loss);
    struct giving now = {.total = alone, .computed = alone, .port_left = 1};
    if (g->problem->ports == BOUND_MULTI)
        now.port_left = here->send_limit;
    int n_candidates = sort_candidates(g, n);
    if (alone > given)
        now.stopped_by = BOUND_STOP_RECEIVE_LIMIT;
    for (int c = 0; c < n_candidates && now.stopped_by == BOUND_STOP_NONE; c++) {
        node_id child = g->candidates[c].node;
        double amount = most_for(g, &now, n, child, given, &now.stopped_by);
        give(g, &now, n, child, fmax(0, amount));
    }
    settle(&now, fmin(given, here->recv_limit - here->recv_drop * now.sent));
    g->nodes[n].total_tasks_per_s = now.total;
    g->nodes[n].computed_tasks_per_s = now.computed;
    g->nodes[n].stopped_by = now.stopped_by;
}

void bound_greedy(const struct bound_problem *p, struct bound *out)
{
    size_t n_nodes = (size_t)p->tree->n_nodes;
    struct greedy g = {.problem = p, .nodes = out->nodes};
    g.given = mem_zalloc(n_nodes, sizeof *g.given);
    g.candidates = mem_zalloc(n_nodes, sizeof *g.candidates);
    for (size_t k = n_nodes; k-- > 0;)
        solve_node(&g, p->order[k], p->terms[p->order[k]].recv_limit);
    for (size_t k = 1; k < n_nodes; k++) {
        node_id n = p->order[k];
        if (g.given[n] < g.nodes[n].total_tasks_per_s)
            solve_node(&g, n, g.given[n]);
    }
    free(g.given);
    free(g.candidates);
}
