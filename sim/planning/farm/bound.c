/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The best throughput of a tree in its steady state ([K] 3.2): converts the beliefs into tasks/s, calls a method, and
   warns if the answer may not be the best. The greedy method takes O(n log n); for the linear programs see
   bound_best.c. */
#include "farm/bound.h"

#include "base/mem.h"
#include "base/text.h"
#include "farm/bound_terms.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_NODES_IN_WARNING = 8 };
static const double nothing_ratio = 1e-9; /* a child that gets a smaller part of its limit counts as getting nothing */
/* Of plans: chosen by trying on 72 random trees. */
static const double easy_use_ratio = 0.7, loss_at_full_use = 0.02, worth_of_reserve = 0.001;
static const double same_ratio = 1e-9; /* two bounds that differ by less count as equal */

const char *bound_stop_name(enum bound_stop stop)
{
    static const char *const names[] = {
#define X(id, name) name,
        BOUND_STOP_LIST(X)
#undef X
    };
    return names[stop];
}

static const char *const method_names[N_BOUND_METHODS] = {
    [BOUND_GREEDY] = "greedy", [BOUND_LP] = "lp", [BOUND_PHYSICAL] = "physical"};

const char *bound_method_name(enum bound_method method)
{
    return method_names[method];
}

bool bound_method_find(const char *name, enum bound_method *out)
{
    for (int i = 0; i < N_BOUND_METHODS; i++)
        if (strcmp(name, method_names[i]) == 0) {
            *out = (enum bound_method)i;
            return true;
        }
    return false;
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

/* Orders every node after its parent: breadth first, without recursion (a chain may be 10,000 nodes deep). */
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

/* The root receives nothing but requests, a leaf sends nothing else. */
static bool sends_and_receives(const struct bound_problem *p, node_id n)
{
    return p->asks || (n != p->tree->root && p->tree->nodes[n].n_children > 0);
}

/* What a constant above 1 leaves unpaid. Which regime a node is in at a moment is not known, so a bound takes the
   better of both. */
static double free_ratio(const struct bound_problem *p, node_id n)
{
    const struct tree_node *node = &p->tree->nodes[n];
    return sends_and_receives(p, n) ? fmax(node->ir_free_ratio, node->ir_free_duplex_ratio) : node->ir_free_ratio;
}

/* The world differs from the paper: a transfer is never faster than all sends of the parent together; a route without
   links takes no time and costs nothing; while a node both sends and receives, each byte may cost less, and a constant
   above 1 gives some bytes for nothing. */
static void make_physical(struct bound_terms *b, const struct bound_problem *p, node_id n, double task_bytes)
{
    const struct tree *t = p->tree;
    const struct tree_node *node = &t->nodes[n];
    const struct bound_terms *parent = &p->terms[node->parent];
    b->recv_limit = fmin(b->recv_limit, t->nodes[node->parent].send_limit_bytes_per_s / task_bytes);
    if (sends_and_receives(p, node->parent))
        b->send_loss = fmax(0, b->send_loss - node->ir_send_relief_s_per_byte * task_bytes * parent->compute);
    if (sends_and_receives(p, n))
        b->recv_loss = fmax(0, b->recv_loss - node->ir_recv_relief_s_per_byte * task_bytes * b->compute);
    /* a route without links takes no time, and interference is charged by time */
    if (isinf(node->max_transfer_bytes_per_s))
        b->recv_loss = b->send_loss = 0;
    b->pruned = b->send_loss >= 1;
}

/* The parent's compute rate must be known, so nodes are taken in `order`. */
static struct bound_terms terms_of(const struct bound_problem *p, node_id n, double task_bytes, double task_flop)
{
    const struct tree_node *node = &p->tree->nodes[n];
    struct bound_terms b = {.compute = node->compute_rate_flop_per_s / task_flop,
                            .recv_limit = INFINITY,
                            .send_limit = INFINITY,
                            .floor = node->ir_floor_ratio,
                            .constant = p->method == BOUND_PHYSICAL ? 1 + free_ratio(p, n) : 1};
    if (p->ports == BOUND_MULTI)
        b.send_limit = node->send_limit_bytes_per_s / task_bytes;
    if (n == p->tree->root)
        return b;
    b.recv_limit = node->max_transfer_bytes_per_s / task_bytes;
    b.recv_drop = node->receive_drop_ratio;
    b.recv_loss = node->ir_recv_s_per_byte * task_bytes * b.compute;
    b.send_loss = node->ir_send_s_per_byte * task_bytes * p->terms[node->parent].compute;
    b.pruned =
        tree_is_pruned(p->tree, n, task_bytes, task_flop) || b.send_loss >= 1; /* the same rule, rounded in two ways */
    if (p->method == BOUND_PHYSICAL)
        make_physical(&b, p, n, task_bytes);
    return b;
}

/* Limits may be infinite, but rates and losses may not: they overflow if task sizes do not fit the machine at all. */
static bool is_usable(const struct bound_terms *b)
{
    return isfinite(b->compute) && isfinite(b->recv_loss) && isfinite(b->send_loss) && b->compute >= 0 &&
           b->recv_loss >= 0 && b->send_loss >= 0 && b->recv_limit >= 0 && b->send_limit >= 0 && b->recv_drop >= 0;
}

/* The largest part of n's processor that its transfers can ask for at one moment. */
static double most_asked_for(const struct bound_problem *p, node_id n)
{
    const struct tree_node *node = &p->tree->nodes[n];
    const struct bound_terms *b = &p->terms[n];
    double sends = 0;
    for (int c = 0; c < node->n_children; c++) {
        const struct bound_terms *child = &p->terms[node->children[c]];
        double loss = child->send_loss > 0 ? child->send_loss * child->recv_limit : 0;
        sends = p->ports == BOUND_SINGLE ? fmax(sends, loss) : sends + loss;
    }
    return sends + (b->recv_loss > 0 ? b->recv_loss * b->recv_limit : 0);
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
    /* after all terms are known: it looks at those of the children */
    for (node_id n = 0; p->method == BOUND_PHYSICAL && n < p->tree->n_nodes; n++)
        p->terms[n].can_stand = most_asked_for(p, n) > (1 - p->terms[n].floor) * p->terms[n].compute;
    return ERR_NONE;
}

bool bound_is_pruned(const struct bound_problem *p, const struct bound *out, node_id i)
{
    const struct bound_terms *b = &p->terms[i];
    return b->pruned &&
           (p->method != BOUND_PHYSICAL || out->nodes[i].total_tasks_per_s <= nothing_ratio * b->recv_limit);
}

static void list_pruned(const struct bound_problem *p, struct bound *out)
{
    for (node_id n = 0; n < out->n_nodes; n++) {
        const struct tree_node *node = &p->tree->nodes[n];
        struct bound_node *b = &out->nodes[n];
        if (node->n_children > 0)
            b->pruned = mem_zalloc((size_t)node->n_children, sizeof *b->pruned);
        for (int c = 0; c < node->n_children; c++)
            if (bound_is_pruned(p, out, node->children[c]))
                b->pruned[b->n_pruned++] = node->children[c];
    }
}

static void find_charges(const struct bound_problem *p, struct bound *out)
{
    for (node_id n = 0; n < out->n_nodes; n++) {
        const struct tree_node *node = &p->tree->nodes[n];
        const struct bound_terms *b = &p->terms[n];
        struct bound_node *here = &out->nodes[n];
        double lost = b->recv_loss * here->total_tasks_per_s; /* tasks/s */
        for (int c = 0; c < node->n_children; c++)
            lost += p->terms[node->children[c]].send_loss * out->nodes[node->children[c]].total_tasks_per_s;
        if (b->compute > 0)
            /* the world charges no more than what computing leaves */
            here->charged_ratio =
                fmax(0, fmin(lost / b->compute - (b->constant - 1), 1 - here->computed_tasks_per_s / b->compute));
    }
}

/* With one port, the order of the children is optimal if the port is scarce. It may not be optimal if computing is
   scarce (constraint 3): the first child may cost so much that two others would have given more. Nor if sending lowers
   what the node can receive (constraint 2 with a receive drop): a child that comes first because it takes tasks quickly
   may give less for each of them. */
static bool greedy_may_lose(const struct bound_problem *p, const struct bound *out, node_id n, enum bound_stop why)
{
    const struct tree_node *node = &p->tree->nodes[n];
    const struct bound_terms *b = &p->terms[n];
    const struct bound_node *here = &out->nodes[n];
    if (here->stopped_by != why)
        return false;
    if (why == BOUND_STOP_COMPUTE)
        return true;
    double sent = here->total_tasks_per_s - here->computed_tasks_per_s;
    double limit = b->recv_limit - b->recv_drop * sent; /* otherwise its parent is what limits it */
    return b->recv_drop > 0 && sent > 0 && node->n_children > 1 && here->total_tasks_per_s >= limit * (1 - same_ratio);
}

static void warn_where_greedy_may_lose(const struct bound_problem *p, struct bound *out, enum bound_stop why,
                                       const char *reason)
{
    struct text names = {0};
    int n_stopped = 0;
    for (node_id n = 0; n < out->n_nodes; n++) {
        if (!greedy_may_lose(p, out, n, why))
            continue;
        if (n_stopped < MAX_NODES_IN_WARNING)
            text_add_name(&names, p->tree->nodes[n].host_name);
        n_stopped++;
    }
    if (n_stopped > MAX_NODES_IN_WARNING)
        text_addf(&names, " and %d more", n_stopped - MAX_NODES_IN_WARNING);
    if (n_stopped > 0) {
        char *text = mem_format("the greedy single-port bound may lie below the best throughput, because %s at %s; the "
                                "LP gives the best",
                                reason, text_str(&names));
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
    enum err_code code = ERR_NONE;
    if (out->method == BOUND_GREEDY)
        bound_greedy(p, out);
    else
        code = bound_best(p, out, e);
    if (code != ERR_NONE)
        return code;
    if (out->method == BOUND_GREEDY && p->ports == BOUND_SINGLE) {
        warn_where_greedy_may_lose(p, out, BOUND_STOP_COMPUTE, "sending leaves no time to compute (constraint 3)");
        warn_where_greedy_may_lose(p, out, BOUND_STOP_RECEIVE_LIMIT,
                                   "sending lowers what can be received (constraint 2, receive_drop)");
    }
    list_pruned(p, out);
    find_charges(p, out);
    out->throughput_tasks_per_s = out->nodes[p->tree->root].total_tasks_per_s;
    return ERR_NONE;
}

enum err_code bound_problem_init(struct bound_problem *p, const struct tree *t, const struct farm_app *app,
                                 enum bound_ports ports, enum bound_method method, struct err *e)
{
    *p = (struct bound_problem){.tree = t,
                                .ports = ports,
                                .method = method,
                                .asks = app->request_bytes > 0,
                                .most_link_ratio = 1,
                                .terms = mem_zalloc((size_t)t->n_nodes, sizeof *p->terms),
                                .order = order_from_root(t)};
    return fill_terms(p, app->task_bytes, app->task_flop, e);
}

void bound_problem_clear(struct bound_problem *p)
{
    free(p->terms);
    free(p->order);
    *p = (struct bound_problem){0};
}

static enum err_code compute_within(const struct tree *t, const struct farm_app *app, enum bound_ports ports,
                                    enum bound_method method, double most_link_ratio, struct bound *out, struct err *e)
{
    struct bound_problem p;
    *out = (struct bound){.ports = ports, .method = method};
    enum err_code code = bound_problem_init(&p, t, app, ports, method, e);
    p.most_link_ratio = most_link_ratio;
    p.most_slots = most_link_ratio * app->n_buffers;
    if (code == ERR_NONE) {
        out->n_nodes = t->n_nodes;
        out->nodes = mem_zalloc((size_t)t->n_nodes, sizeof *out->nodes);
        code = solve(&p, out, e);
    }
    if (code != ERR_NONE)
        bound_clear(out);
    bound_problem_clear(&p);
    return code;
}

static enum err_code compute(const struct tree *t, const struct farm_app *app, enum bound_ports ports,
                             enum bound_method method, struct bound *out, struct err *e)
{
    return compute_within(t, app, ports, method, 1, out, e);
}

/* The paper's model does not clamp the speed factor. If transfers ask for more than the whole processor, the world
   charges them only for the whole, and a run can exceed the bound. */
static enum err_code warn_where_the_world_does_more(const struct tree *t, const struct farm_app *app, struct bound *out,
                                                    struct err *e)
{
    /* by solving it: no formula says whether transfers ever ask for too much at once */
    struct bound physical;
    enum err_code code = compute(t, app, out->ports, BOUND_PHYSICAL, &physical, e);
    if (code != ERR_NONE)
        return code;
    if (physical.throughput_tasks_per_s > out->throughput_tasks_per_s * (1 + same_ratio)) {
        char *text = mem_format("a run may exceed this bound: it can reach %.6g tasks/s (--method physical)",
                                physical.throughput_tasks_per_s);
        bound_warn(out, text);
        free(text);
    }
    bound_clear(&physical);
    return ERR_NONE;
}

/* The constraints are linear in rates. */
static void warn_of_curves(const struct tree *t, const struct farm_app *app, struct bound *out)
{
    struct text names = {0};
    int n_curved = 0;
    for (node_id n = 0; n < t->n_nodes; n++) {
        const struct tree_node *node = &t->nodes[n];
        if (!node->ir_is_curved && !(app->request_bytes > 0 && node->ir_of_requests_is_curved))
            continue;
        if (n_curved++ < MAX_NODES_IN_WARNING)
            text_add_name(&names, node->host_name);
    }
    if (n_curved > MAX_NODES_IN_WARNING)
        text_addf(&names, " and %d more", n_curved - MAX_NODES_IN_WARNING);
    out->ignores_curves = n_curved > 0;
    if (out->ignores_curves) {
        char *text = mem_format("this bound does not hold: it takes interference as linear in the rates, but the "
                                "platform has curves (ir_send_curve, ir_recv_curve) for the transfers to %s",
                                text_str(&names));
        bound_warn(out, text);
        free(text);
    }
    text_clear(&names);
}

enum err_code bound_compute_of(const struct tree *t, const struct farm_app *app, enum bound_ports ports,
                               enum bound_method method, struct bound *out, struct err *e)
{
    *out = (struct bound){.ports = ports, .method = method};
    enum err_code code = check_sizes(app->task_bytes, app->task_flop, e);
    if (code == ERR_NONE)
        code = compute(t, app, ports, method, out, e);
    if (code == ERR_NONE && method != BOUND_PHYSICAL) {
        code = warn_where_the_world_does_more(t, app, out, e);
        if (code != ERR_NONE)
            bound_clear(out);
    }
    if (code == ERR_NONE)
        warn_of_curves(t, app, out);
    return code;
}

/* What is expected of a plan that uses links and slots for this part of the time at most: the busier, the less of it is
   reached. Of equal plans, the one with more reserve. */
static double expected_tasks_per_s(const struct bound *b, double use_ratio)
{
    double excess = fmax(0, (use_ratio - easy_use_ratio) / (1 - easy_use_ratio));
    return b->throughput_tasks_per_s * (1 - loss_at_full_use * excess * excess + worth_of_reserve * (1 - use_ratio));
}

enum err_code bound_plan(const struct tree *t, const struct farm_app *app, enum bound_ports ports, struct bound *out,
                         struct err *e)
{
    enum { N_TRIALS = 15, STEPS = 20 };
    enum err_code code = bound_compute_of(t, app, ports, BOUND_PHYSICAL, out, e);
    if (code != ERR_NONE || ports == BOUND_SINGLE)
        return code;
    double best = expected_tasks_per_s(out, 1);
    bool may_be_better = true;
    /* use from 0.95 down to 0.25 of the time */
    for (int i = 1; code == ERR_NONE && may_be_better && i <= N_TRIALS; i++) {
        double use_ratio = 1 - (double)i / STEPS;
        struct bound trial;
        code = compute_within(t, app, ports, BOUND_PHYSICAL, use_ratio, &trial, e);
        double expected = expected_tasks_per_s(&trial, use_ratio);
        if (code == ERR_NONE && expected > best) {
            bound_clear(out);
            *out = trial;
            best = expected;
            continue;
        }
        /* Plans that use less bring less. Where that is more than the largest reserve is worth, none of them is better;
           it saves two trials of three. */
        may_be_better = trial.throughput_tasks_per_s * (1 + worth_of_reserve) > best;
        bound_clear(&trial);
    }
    if (code != ERR_NONE)
        bound_clear(out);
    return code;
}

enum err_code bound_compute(const struct tree *t, double task_bytes, double task_flop, enum bound_ports ports,
                            enum bound_method method, struct bound *out, struct err *e)
{
    const struct farm_app app = {.task_bytes = task_bytes, .task_flop = task_flop};
    return bound_compute_of(t, &app, ports, method, out, e);
}

/* Where only requests make a node send and receive at once. */
void bound_check_requests(struct bound *b, const struct tree *t)
{
    if (b->method != BOUND_PHYSICAL)
        return;
    for (node_id n = 0; n < t->n_nodes; n++) {
        const struct tree_node *node = &t->nodes[n];
        bool pays_less_as_leaf = node->n_children == 0 && node->ir_recv_relief_s_per_byte > 0;
        bool parent_pays_less = node->parent == t->root && node->ir_send_relief_s_per_byte > 0;
        bool is_end = n == t->root || node->n_children == 0;
        if (pays_less_as_leaf || parent_pays_less || (is_end && node->ir_free_duplex_ratio > node->ir_free_ratio)) {
            bound_warn(b,
                       "a run whose requests take time (--request-size) may exceed this bound, because hosts pay less "
                       "while they both send and receive");
            return;
        }
    }
}
