/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* How many tasks per second a tree can compute at best in its steady state ([K] 3.2): turns the beliefs into
   tasks/s, lets a method decide, and says when its answer may not be the best. O(n log n) greedily; as an LP
   see bound_lp.c. */
#include "farm/bound.h"

#include "base/mem.h"
#include "base/text.h"
#include "farm/bound_terms.h"

#include <math.h>
#include <stdlib.h>

enum { MAX_NODES_IN_WARNING = 8 };

const char *bound_stop_name(enum bound_stop stop)
{
    static const char *const names[] = {
#define X(id, name) name,
        BOUND_STOP_LIST(X)
#undef X
    };
    return names[stop];
}

void bound_clear(struct bound *b)
{
    for (int n = 0; n < b->n_nodes; n++)
        free(b->nodes[n].pruned);
    free(b->nodes);
    free(b->warning);
    *b = (struct bound){0};
}

void bound_warn(struct bound *b, const char *text)
{
    char *old = b->warning;
    b->warning = old ? mem_format("%s; %s", old, text) : mem_strdup(text);
    free(old);
}

/* Every node after its parent: breadth first, without recursion (a chain may be 10,000 nodes deep). */
static node_id *order_from_root(const struct tree *t)
{
    node_id *order = mem_zalloc((size_t)t->n_nodes, sizeof *order);
    int n_found = 0;
    order[n_found++] = t->root;
    for (int k = 0; k < n_found; k++) {
        const struct tree_node *node = &t->nodes[order[k]];
        for (int c = 0; c < node->n_children; c++)
            order[n_found++] = node->children[c];
    }
    return order;
}

/* The parent's compute rate must be known: nodes are taken in `order`. */
static struct bound_terms terms_of(const struct bound_problem *p, node_id n, double task_bytes, double task_flop)
{
    const struct tree_node *node = &p->tree->nodes[n];
    struct bound_terms b = {
        .compute = node->compute_rate_flop_per_s / task_flop, .recv_limit = INFINITY, .send_limit = INFINITY};
    if (p->ports == BOUND_MULTI)
        b.send_limit = node->send_limit_bytes_per_s / task_bytes;
    if (n == p->tree->root)
        return b;
    b.recv_limit = node->max_transfer_bytes_per_s / task_bytes;
    b.recv_loss = node->ir_recv_s_per_byte * task_bytes * b.compute;
    b.send_loss = node->ir_send_s_per_byte * task_bytes * p->terms[node->parent].compute;
    b.pruned = tree_is_pruned(p->tree, n, task_bytes, task_flop) || b.send_loss >= 1; /* the rule, rounded twice */
    return b;
}

/* Limits may be infinite, rates and losses may not: sizes far from any machine's make them overflow. */
static bool is_usable(const struct bound_terms *b)
{
    return isfinite(b->compute) && isfinite(b->recv_loss) && isfinite(b->send_loss) && b->compute >= 0 &&
           b->recv_loss >= 0 && b->send_loss >= 0 && b->recv_limit >= 0 && b->send_limit >= 0;
}

static enum err_code fill_terms(struct bound_problem *p, double task_bytes, double task_flop, struct err *e)
{
    for (int k = 0; k < p->tree->n_nodes; k++) {
        node_id n = p->order[k];
        p->terms[n] = terms_of(p, n, task_bytes, task_flop);
        if (!is_usable(&p->terms[n]))
            return err_set_at(e, ERR_INPUT, p->tree->source, p->tree->nodes[n].line,
                              "host %s: tasks of %g bytes and %g flop do not give usable rates there",
                              p->tree->nodes[n].host_name, task_bytes, task_flop);
    }
    return ERR_NONE;
}

static void list_pruned(const struct bound_problem *p, struct bound *out)
{
    for (node_id n = 0; n < out->n_nodes; n++) {
        const struct tree_node *node = &p->tree->nodes[n];
        struct bound_node *b = &out->nodes[n];
        if (node->n_children > 0)
            b->pruned = mem_zalloc((size_t)node->n_children, sizeof *b->pruned);
        for (int c = 0; c < node->n_children; c++)
            if (p->terms[node->children[c]].pruned)
                b->pruned[b->n_pruned++] = node->children[c];
    }
}

/* With one port, the order of the children is the best for a scarce port. It is not for scarce computing
   (constraint 3): a child may come first and cost so much that two others would have given more. */
static void warn_where_greedy_may_lose(const struct tree *t, struct bound *out)
{
    struct text names = {0};
    int n_stopped = 0;
    for (node_id n = 0; n < out->n_nodes; n++) {
        if (out->nodes[n].stopped_by != BOUND_STOP_COMPUTE)
            continue;
        if (n_stopped < MAX_NODES_IN_WARNING)
            text_addf(&names, "%s%s", n_stopped ? ", " : "", t->nodes[n].host_name);
        n_stopped++;
    }
    if (n_stopped > MAX_NODES_IN_WARNING)
        text_addf(&names, " and %d more", n_stopped - MAX_NODES_IN_WARNING);
    if (n_stopped > 0) {
        char *text =
            mem_format("the greedy single-port bound may lie below the best throughput, because sending leaves "
                       "no time to compute (constraint 3) at %s; the LP gives the best",
                       text_str(&names));
        bound_warn(out, text);
        free(text);
    }
    text_clear(&names);
}

static enum err_code check_sizes(double task_bytes, double task_flop, struct err *e)
{
    if (!(task_bytes > 0) || !isfinite(task_bytes))
        return err_set(e, ERR_INPUT, "a task of %g bytes: its size must be positive and finite", task_bytes);
    if (!(task_flop > 0) || !isfinite(task_flop))
        return err_set(e, ERR_INPUT, "a task of %g flop: its work must be positive and finite", task_flop);
    return ERR_NONE;
}

static enum err_code solve(const struct bound_problem *p, struct bound *out, struct err *e)
{
    list_pruned(p, out);
    if (out->method == BOUND_LP) {
        enum err_code code = bound_lp(p, out, e);
        if (code != ERR_NONE)
            return code;
    } else {
        bound_greedy(p, out);
        if (p->ports == BOUND_SINGLE)
            warn_where_greedy_may_lose(p->tree, out);
    }
    out->throughput_tasks_per_s = out->nodes[p->tree->root].total_tasks_per_s;
    return ERR_NONE;
}

enum err_code bound_compute(const struct tree *t, double task_bytes, double task_flop, enum bound_ports ports,
                            enum bound_method method, struct bound *out, struct err *e)
{
    size_t n_nodes = (size_t)t->n_nodes;
    *out = (struct bound){.ports = ports, .method = method};
    enum err_code code = check_sizes(task_bytes, task_flop, e);
    if (code != ERR_NONE)
        return code;
    out->nodes = mem_zalloc(n_nodes, sizeof *out->nodes);
    out->n_nodes = t->n_nodes;
    struct bound_problem p = {
        .tree = t, .ports = ports, .terms = mem_zalloc(n_nodes, sizeof *p.terms), .order = order_from_root(t)};
    code = fill_terms(&p, task_bytes, task_flop, e);
    if (code == ERR_NONE)
        code = solve(&p, out, e);
    if (code != ERR_NONE)
        bound_clear(out);
    free(p.terms);
    free(p.order);
    return code;
}
