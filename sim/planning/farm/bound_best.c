/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The best steady state under the constraints of [K] 3.2 (BOUND_LP: nothing else, not even the rule that prunes
   children) or of the world (BOUND_PHYSICAL). A linear program for the whole tree would give it; but a subtree meets
   the rest of the tree only in its T(n), and everything from 0 to its largest T(n) is possible there (doc/model.md,
   Bounds). So, from the leaves to the root, each node has a program of its own (node_best.c), in which the largest T(i)
   of its children are given. Then, from the root, nodes that are given less than they can take are reduced: they mix
   their best solution with that of computing alone, which keeps all constraints.

   stopped_by is read off the solution. If a node's processor is not used up, or if a child could take more and pass it
   on, the node lacks tasks: constraint 2. Otherwise, if some child could take more, it is the constraint that holds
   with equality (to 1e-7): 1, or else 3.

   Time: O(n log n); a tree of 100,000 nodes takes a quarter of a second, wide or deep. */
#include "farm/node_best.h"

#include "base/mem.h"

#include <math.h>
#include <stdlib.h>

static const double tight_ratio = 1e-7;
static const double most_missing_ratio = 1e-9;

struct best {
    const struct bound_problem *problem;
    struct node_solver *solver;
    struct node_best *nodes;
    double *most; /* T(n): of each subtree, whatever its parent has */
    double *sent; /* to each node */
};

/* Between two solutions of a node, and so a solution. */
static struct node_best mix(const struct node_best *a, const struct node_best *b, double share_of_b)
{
    double share_of_a = 1 - share_of_b;
    return (struct node_best){
        .total_tasks_per_s = share_of_a * a->total_tasks_per_s + share_of_b * b->total_tasks_per_s,
        .computed_tasks_per_s = share_of_a * a->computed_tasks_per_s + share_of_b * b->computed_tasks_per_s,
        .used_ratio = share_of_a * a->used_ratio + share_of_b * b->used_ratio,
        .standing_ratio = share_of_a * a->standing_ratio + share_of_b * b->standing_ratio,
    };
}

/* Gives node n no more than `given`: what it can compute alone comes first. */
static void reduce(struct best *x, node_id n, double given)
{
    const struct tree_node *node = &x->problem->tree->nodes[n];
    struct node_best none = {0}, alone = node_solver_find_alone(x->solver, n), *here = &x->nodes[n];
    double share = 0; /* of what it could send */
    if (given <= alone.total_tasks_per_s)
        *here = mix(&none, &alone, alone.total_tasks_per_s > 0 ? given / alone.total_tasks_per_s : 0);
    else {
        share = (given - alone.total_tasks_per_s) / (here->total_tasks_per_s - alone.total_tasks_per_s);
        *here = mix(&alone, here, share);
    }
    for (int c = 0; c < node->n_children; c++)
        x->sent[node->children[c]] *= share;
}

static bool is_tight(double value, double limit)
{
    return value >= limit * (1 - tight_ratio);
}

/* The constraint that stops node n; `can_take_more` is whether a larger T(n) would be possible. Call for children
   before their parents. */
static enum bound_stop find_stop(const struct best *x, const struct bound *out, node_id n, bool *can_take_more)
{
    const struct bound_problem *p = x->problem;
    const struct tree_node *node = &p->tree->nodes[n];
    const struct bound_terms *b = &p->terms[n];
    const struct bound_node *here = &out->nodes[n];
    double port = 0, sent = 0;
    bool child_can = false;
    for (int c = 0; c < node->n_children; c++) {
        node_id i = node->children[c];
        double total = out->nodes[i].total_tasks_per_s;
        if (total > 0)
            port += total / (p->ports == BOUND_SINGLE ? p->terms[i].recv_limit : b->send_limit);
        sent += total;
        child_can = child_can || (can_take_more[i] && !bound_is_pruned(p, out, i));
    }
    bool port_full = is_tight(port, 1);
    bool never_computes = b->compute > 0 && (here->computed_tasks_per_s <= tight_ratio * b->compute ||
                                             x->nodes[n].standing_ratio >= 1 - tight_ratio);
    bool is_used_up = b->compute <= 0 || is_tight(x->nodes[n].used_ratio, b->constant) ||
                      is_tight(here->computed_tasks_per_s, b->compute);
    bool has_spare = !is_used_up || (child_can && !port_full && !never_computes);
    can_take_more[n] = has_spare && !is_tight(here->total_tasks_per_s, b->recv_limit - b->recv_drop * sent);
    if (has_spare && n != p->tree->root)
        return BOUND_STOP_RECEIVE_LIMIT;
    if (child_can && port_full)
        return BOUND_STOP_SEND_LIMIT;
    return child_can && never_computes ? BOUND_STOP_COMPUTE : BOUND_STOP_NONE;
}

static void find_stops(const struct best *x, struct bound *out)
{
    bool *can_take_more = mem_zalloc((size_t)out->n_nodes, sizeof *can_take_more);
    for (int k = out->n_nodes - 1; k >= 0; k--) {
        node_id n = x->problem->order[k];
        out->nodes[n].stopped_by = find_stop(x, out, n, can_take_more);
    }
    free(can_take_more);
}

/* Of the largest T(n), what leaves its link and its slots as much time as a plan wants. */
static double with_reserve(const struct best *x, node_id n)
{
    const struct bound_problem *p = x->problem;
    const struct tree_node *node = &p->tree->nodes[n];
    double total = x->nodes[n].total_tasks_per_s, slots = total / p->terms[n].recv_limit;
    for (int c = 0; c < node->n_children; c++)
        if (x->sent[node->children[c]] > 0)
            slots += x->sent[node->children[c]] / p->terms[node->children[c]].recv_limit;
    double most = fmin(total, p->most_link_ratio * p->terms[n].recv_limit);
    return slots > p->most_slots ? fmin(most, total * p->most_slots / slots) : most;
}

static enum err_code go_up(struct best *x, struct err *e)
{
    const struct bound_problem *p = x->problem;
    for (int k = p->tree->n_nodes - 1; k >= 0; k--) {
        node_id n = p->order[k];
        x->nodes[n] = node_solver_find(x->solver, n, x->most, x->sent);
        x->most[n] = x->nodes[n].total_tasks_per_s;
        if (p->most_link_ratio < 1 && n != p->tree->root)
            x->most[n] = with_reserve(x, n);
        if (x->nodes[n].missing_ratio > most_missing_ratio)
            return err_set(e, ERR_INTERNAL, "host %s: its bound may be too low by a part of %g, expected at most %g",
                           p->tree->nodes[n].host_name, x->nodes[n].missing_ratio, most_missing_ratio);
    }
    return ERR_NONE;
}

static void go_down(struct best *x, struct bound *out)
{
    const struct bound_problem *p = x->problem;
    for (int k = 0; k < p->tree->n_nodes; k++) {
        node_id n = p->order[k];
        if (n != p->tree->root && x->sent[n] < x->nodes[n].total_tasks_per_s)
            reduce(x, n, x->sent[n]);
        out->nodes[n].total_tasks_per_s = x->nodes[n].total_tasks_per_s;
        out->nodes[n].computed_tasks_per_s = x->nodes[n].computed_tasks_per_s;
    }
}

enum err_code bound_best(const struct bound_problem *p, struct bound *out, struct err *e)
{
    size_t n_nodes = (size_t)p->tree->n_nodes;
    struct best x = {.problem = p,
                     .solver = node_solver_create(p),
                     .nodes = mem_zalloc(n_nodes, sizeof *x.nodes),
                     .most = mem_zalloc(n_nodes, sizeof *x.most),
                     .sent = mem_zalloc(n_nodes, sizeof *x.sent)};
    enum err_code code = go_up(&x, e);
    if (code == ERR_NONE) {
        go_down(&x, out);
        find_stops(&x, out);
    }
    node_solver_free(x.solver);
    free(x.nodes);
    free(x.most);
    free(x.sent);
    return code;
}
