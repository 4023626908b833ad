/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A second opinion on the protocol (doc/model.md, Farms), written from its rules alone on naive_fluid.h: every instant,
   every node and every child is looked at. What policies decide that look at the state: naive_choice.h. */
#ifndef IASIM_TEST_ENGINE_NAIVE_FARM_H
#define IASIM_TEST_ENGINE_NAIVE_FARM_H

#include "farm/policy.h"
#include "models/noise.h"
#include "naive_choice.h"
#include "naive_fluid.h"
#include "naive_measure.h"

#include <string.h>

enum { NAIVE_NODES = FLUID_HOSTS, NAIVE_BUFFERS = 16 };
enum naive_activity { NAIVE_COMPUTES, NAIVE_RECEIVES, NAIVE_REQUESTS, N_NAIVE };

struct naive_request {
    double date_s;
    int number;
};

struct naive_node {
    int parent;                                             /* -1: the root */
    int path[FLUID_PATH], n_path;                           /* from the parent */
    int up_path[FLUID_PATH];                                /* to it: as many links */
    double compute_rate, max_transfer, ir_send, send_limit; /* beliefs: flop/s, bytes/s, s/byte, bytes/s */
    /* state */
    bool is_computing;
    long computed_task, promised_task; /* numbers, of those below */
    long held[NAIVE_BUFFERS];
    int n_held;
    struct naive_request requests[NAIVE_BUFFERS]; /* to its parent, unanswered, oldest first */
    int n_requests, n_requests_made;
    bool is_promised; /* a task is on its way to it, */
    bool is_sent_to;  /* and a part of it right now */
    struct naive_request answered;
    double promised_bytes, missing_bytes, flying_bytes;
    /* results */
    uint64_t n_begun, n_sent_to; /* tasks: what noise counts */
    long n_got;
    long n_computed, n_forwarded;
    double received_bytes, sent_bytes, busy_s, stolen_s, began_s;
};

struct naive_farm {
    struct fluid fluid;                   /* host i is node i's */
    struct naive_node nodes[NAIVE_NODES]; /* in deployment order */
    int n_nodes;
    const char *policy;
    const struct policy *chooser; /* NULL: it has priorities */
    struct policy_view view;      /* of it */
    struct naive_measure measure;
    bool prunes, is_multi, has_exact_shares; /* the last: the policy is ia_multi[shares=exact] */
    double chunk_bytes;                      /* INFINITY: whole tasks */
    double task_bytes, task_flop, request_bytes;
    int n_buffers;
    long n_tasks, n_left;
    const double *arrivals_s; /* by task; NULL: all are there at 0 */
    long n_arrived, n_taken;
    double *completions_s, *ends_s; /* in the order of the dates; by task */
    long n_completed;
    const struct noise *noise; /* NULL: none. Of works and sizes; for that of speeds the hosts are changed */
};

/* Node i is on the host "h<i>". */
static inline double naive_noise(const struct naive_farm *f, enum noise_kind kind, int from, int to, uint64_t number)
{
    char names[2][16];
    snprintf(names[0], sizeof names[0], "h%d", from);
    snprintf(names[1], sizeof names[1], "h%d", to);
    struct noise_source s = noise_source_of(f->noise, kind, names[1], names[0], kind == NOISE_SIZE ? names[1] : NULL);
    return noise_draw(&s, number);
}

/* The policies that this file knows. Of those that look at the state, "sharing", the tests' own, is asked itself. */
static const char *const naive_policies[] = {"root_computes", "ia_multi", "ia_single", "opt_single", "bwc", "comp_rate",
                                             "fcfs",          "steady",   "pressure",  "sharing",    NULL};

static inline bool naive_knows(const char *policy)
{
    for (int i = 0; naive_policies[i] != NULL; i++)
        if (strcmp(naive_policies[i], policy) == 0)
            return true;
    return false;
}

static inline bool naive_is(const struct naive_farm *f, const char *policy)
{
    return strcmp(f->policy, policy) == 0;
}

/* ---- requests ---- */

static inline void naive_request_arrives(struct naive_farm *f, int child)
{
    struct naive_node *c = &f->nodes[child];
    c->requests[c->n_requests++] = (struct naive_request){f->fluid.now_s, ++c->n_requests_made};
    naive_measure_asks(&f->measure, f->fluid.now_s, child);
}

static inline void naive_ask(struct naive_farm *f, int child)
{
    struct naive_node *c = &f->nodes[child];
    if (c->parent < 0)
        return;
    if (f->request_bytes <= 0) {
        naive_request_arrives(f, child);
        return;
    }
    struct fluid_item x = {.kind = FLUID_FLOW,
                           .host = child,
                           .dst = c->parent,
                           .remaining = f->request_bytes,
                           .n_path = c->n_path,
                           .tag = N_NAIVE * child + NAIVE_REQUESTS};
    memcpy(x.path, c->up_path, sizeof x.path);
    fluid_add(&f->fluid, x);
}

/* ---- tasks, by number: first come, first gone ---- */

static inline void naive_arrive(struct naive_farm *f)
{
    while (f->n_arrived < f->n_tasks &&
           (f->arrivals_s == NULL || f->arrivals_s[f->n_arrived] <= f->fluid.now_s * (1 + 1e-12))) {
        f->n_arrived++;
        f->n_left++;
    }
}

static inline double naive_next_arrival_s(const struct naive_farm *f)
{
    return f->n_arrived < f->n_tasks ? f->arrivals_s[f->n_arrived] : INFINITY;
}

static inline long naive_take(struct naive_farm *f, int n)
{
    struct naive_node *node = &f->nodes[n];
    if (node->parent < 0) {
        f->n_left--;
        return ++f->n_taken;
    }
    long task = node->held[0];
    memmove(node->held, node->held + 1, (size_t)--node->n_held * sizeof node->held[0]);
    return task;
}

/* ---- computing ---- */

static inline void naive_compute(struct naive_farm *f, int n)
{
    struct naive_node *node = &f->nodes[n];
    bool has_task = node->parent < 0 ? f->n_left > 0 : node->n_held > 0;
    if (node->is_computing || !has_task)
        return;
    node->computed_task = naive_take(f, n);
    node->is_computing = true;
    node->began_s = f->fluid.now_s;
    naive_measure_begins(&f->measure, f->fluid.now_s, n);
    fluid_add(&f->fluid,
              (struct fluid_item){.kind = FLUID_EXEC,
                                  .host = n,
                                  .dst = -1,
                                  .remaining = f->task_flop * naive_noise(f, NOISE_WORK, n, n, node->n_begun++),
                                  .tag = N_NAIVE * n + NAIVE_COMPUTES});
    naive_ask(f, n);
}

/* ---- sending ---- */

static inline bool naive_is_pruned(const struct naive_farm *f, int child)
{
    const struct naive_node *c = &f->nodes[child], *p = &f->nodes[c->parent];
    return f->prunes && c->ir_send * f->task_bytes * (p->compute_rate / f->task_flop) >= 1;
}

static inline double naive_priority(const struct naive_farm *f, int child)
{
    const struct naive_node *c = &f->nodes[child], *p = &f->nodes[c->parent];
    if (naive_is(f, "comp_rate"))
        return c->compute_rate;
    if (naive_is(f, "bwc"))
        return c->max_transfer;
    if (naive_is(f, "opt_single"))
        return fmin(c->max_transfer, p->send_limit) / f->task_bytes *
               (1 - c->ir_send * f->task_bytes * (p->compute_rate / f->task_flop));
    return -c->ir_send; /* ia_single, ia_multi */
}

static inline bool naive_goes_first(const struct naive_farm *f, int a, int b)
{
    if (!naive_is(f, "fcfs"))
        return naive_priority(f, a) > naive_priority(f, b);
    const struct naive_node *x = &f->nodes[a], *y = &f->nodes[b];
    struct naive_request p = x->is_promised ? x->answered : x->requests[0];
    struct naive_request q = y->is_promised ? y->answered : y->requests[0];
    return p.date_s < q.date_s || (p.date_s == q.date_s && p.number < q.number);
}

static inline bool naive_can_serve(const struct naive_farm *f, int n, int child)
{
    bool has_task = f->nodes[n].parent < 0 ? f->n_left > 0 : f->nodes[n].n_held > 0;
    const struct naive_node *c = &f->nodes[child];
    return c->parent == n && !c->is_sent_to && !naive_is_pruned(f, child) &&
           (c->is_promised || (c->n_requests > 0 && has_task));
}

static inline struct policy_child naive_look(const struct naive_farm *f, int n, int child)
{
    const struct naive_node *c = &f->nodes[child];
    double left = c->is_promised ? c->missing_bytes / c->promised_bytes : 0;
    return (struct policy_child){.node = child,
                                 .n_requests = c->n_requests,
                                 .request_s = c->is_promised      ? c->answered.date_s
                                              : c->n_requests > 0 ? c->requests[0].date_s
                                                                  : NAN,
                                 .given_tasks = (double)c->n_got + (c->is_promised ? 1 - left : 0),
                                 .remaining_ratio = left,
                                 .is_sent_to = c->is_sent_to,
                                 .can_be_served = naive_can_serve(f, n, child)};
}

static inline struct policy_send naive_ask_policy(const struct naive_farm *f, int n)
{
    struct policy_child children[NAIVE_NODES];
    const struct naive_node *node = &f->nodes[n];
    struct policy_state state = {.node = n,
                                 .now_s = f->fluid.now_s,
                                 .n_held = node->parent < 0 ? f->n_left : node->n_held,
                                 .n_computed = node->n_computed,
                                 .is_receiving = node->is_sent_to,
                                 .children = children};
    bool can_serve = false;
    for (int c = 0; c < f->n_nodes; c++)
        if (f->nodes[c].parent == n) {
            children[state.n_children++] = naive_look(f, n, c);
            can_serve = can_serve || children[state.n_children - 1].can_be_served;
        }
    if (f->chooser->measures)
        naive_measure_tell(&f->measure, &state, children);
    if (!can_serve)
        return (struct policy_send){-1, 0, 0};
    if (naive_is(f, "ia_multi"))
        return naive_exact_shares(&f->view, &state);
    if (naive_is(f, "steady"))
        return naive_steady(&f->view, &state);
    if (naive_is(f, "pressure"))
        return naive_pressure(&f->view, &state);
    return f->chooser->choose(&f->view, &state);
}

/* What n would send next; -1: nothing. */
static inline struct policy_send naive_next(const struct naive_farm *f, int n)
{
    int best = -1;
    if (f->chooser != NULL)
        return naive_ask_policy(f, n);
    for (int c = 0; c < f->n_nodes; c++)
        if (naive_can_serve(f, n, c) && (best < 0 || naive_goes_first(f, c, best)))
            best = c;
    return (struct policy_send){best, INFINITY, 0};
}

static inline void naive_send(struct naive_farm *f, int n, struct policy_send next)
{
    int child = next.child;
    struct naive_node *c = &f->nodes[child];
    if (!c->is_promised) {
        c->promised_task = naive_take(f, n);
        c->is_promised = true;
        c->promised_bytes = c->missing_bytes =
            fmax(1, rint(f->task_bytes * naive_noise(f, NOISE_SIZE, n, child, c->n_sent_to++)));
        c->answered = c->requests[0];
        c->n_requests--;
        memmove(c->requests, c->requests + 1, (size_t)c->n_requests * sizeof c->requests[0]);
    }
    c->is_sent_to = true;
    c->flying_bytes = fmin(f->chunk_bytes, c->missing_bytes);
    if (next.piece_bytes > 0)
        c->flying_bytes = fmin(c->flying_bytes, next.piece_bytes);
    naive_measure_send(&f->measure, f->fluid.now_s, child, c->flying_bytes);
    struct fluid_item x = {.kind = FLUID_FLOW,
                           .host = n,
                           .dst = child,
                           .remaining = c->flying_bytes,
                           .limit_bytes_per_s = isfinite(next.limit_bytes_per_s) ? next.limit_bytes_per_s : 0,
                           .n_path = c->n_path,
                           .tag = N_NAIVE * child + NAIVE_RECEIVES};
    memcpy(x.path, c->path, sizeof x.path);
    fluid_add(&f->fluid, x);
}

/* Rates of the last solution; in latency, what the scheduler believes. */
static inline double naive_used_bytes_per_s(const struct naive_farm *f, int n)
{
    double used = 0;
    for (int i = 0; i < f->fluid.n_items; i++) {
        const struct fluid_item *x = &f->fluid.items[i];
        if (x->kind == FLUID_FLOW && x->tag % N_NAIVE == NAIVE_RECEIVES && x->host == n)
            used += x->rate > 0 ? x->rate : f->nodes[x->dst].max_transfer;
    }
    return used;
}

static inline int naive_n_sends(const struct naive_farm *f, int n)
{
    int n_sends = 0;
    for (int c = 0; c < f->n_nodes; c++)
        n_sends += f->nodes[c].parent == n && f->nodes[c].is_sent_to;
    return n_sends;
}

static inline bool naive_has_port(const struct naive_farm *f, int n)
{
    if (!f->is_multi)
        return naive_n_sends(f, n) == 0;
    if (f->chooser != NULL)
        return true;
    return naive_used_bytes_per_s(f, n) < f->nodes[n].send_limit * (1 - 1e-9);
}

static inline void naive_send_all(struct naive_farm *f)
{
    for (bool again = !naive_is(f, "root_computes"); again;) {
        again = false;
        fluid_solve(&f->fluid);
        for (int n = 0; n < f->n_nodes; n++) {
            struct policy_send next = naive_has_port(f, n) ? naive_next(f, n) : (struct policy_send){-1, 0, 0};
            if (next.child < 0)
                continue;
            naive_send(f, n, next);
            again = true;
        }
    }
}

/* ---- endings ---- */

static inline void naive_computed(struct naive_farm *f, int n)
{
    f->nodes[n].is_computing = false;
    f->measure.nodes[n].computes_no_more = true;
    f->nodes[n].n_computed++;
    f->nodes[n].busy_s += f->fluid.now_s - f->nodes[n].began_s;
    f->completions_s[f->n_completed++] = f->fluid.now_s;
    f->ends_s[f->nodes[n].computed_task - 1] = f->fluid.now_s;
}

static inline void naive_received(struct naive_farm *f, int child)
{
    struct naive_node *c = &f->nodes[child], *p = &f->nodes[c->parent];
    c->is_sent_to = false;
    f->measure.nodes[child].moves = false;
    f->measure.nodes[child].has_arrived = true;
    c->missing_bytes -= c->flying_bytes;
    c->received_bytes += c->flying_bytes;
    p->sent_bytes += c->flying_bytes;
    if (c->missing_bytes > 0)
        return;
    c->is_promised = false;
    if (c->n_requests == 0)
        f->measure.nodes[child].content_since_s = f->fluid.now_s;
    c->held[c->n_held++] = c->promised_task;
    c->n_got++;
    p->n_forwarded++;
    naive_ask(f, c->parent);
}

static inline void naive_take_endings(struct naive_farm *f)
{
    for (int tag; (tag = fluid_take_ended(&f->fluid)) >= 0;) {
        int n = tag / N_NAIVE;
        if (tag % N_NAIVE == NAIVE_COMPUTES)
            naive_computed(f, n);
        else if (tag % N_NAIVE == NAIVE_RECEIVES)
            naive_received(f, n);
        else
            naive_request_arrives(f, n);
    }
    naive_measure_end_instant(&f->measure, f->fluid.now_s);
}

/* ---- a run ---- */

static inline void naive_decide(struct naive_farm *f)
{
    int root = 0;
    for (int n = 0; n < f->n_nodes; n++) {
        if (f->nodes[n].parent < 0)
            root = n;
        else
            naive_compute(f, n);
    }
    naive_compute(f, root);
    naive_send_all(f);
}

static inline void naive_account(struct naive_farm *f, double passed_s)
{
    for (int n = 0; n < f->n_nodes; n++)
        if (f->nodes[n].is_computing)
            f->nodes[n].stolen_s += passed_s * (1 - fluid_factor(&f->fluid, n));
}

/* Until all tasks are computed, or nothing happens any more. */
static inline void naive_run(struct naive_farm *f)
{
    f->completions_s = calloc((size_t)f->n_tasks, sizeof(double));
    f->ends_s = calloc((size_t)f->n_tasks, sizeof(double));
    naive_measure_init(&f->measure, f->n_nodes, f->task_bytes);
    for (int n = 0; n < f->n_nodes; n++)
        f->measure.nodes[n].parent = f->nodes[n].parent;
    for (int n = 0; n < f->n_nodes; n++)
        for (int i = 0; i < f->n_buffers; i++)
            naive_ask(f, n);
    while (f->n_completed < f->n_tasks) {
        naive_arrive(f);
        naive_decide(f);
        fluid_solve(&f->fluid);
        double next_s = fmin(fluid_next_s(&f->fluid), naive_next_arrival_s(f) - f->fluid.now_s);
        if (isinf(next_s))
            return;
        naive_account(f, next_s);
        naive_measure_pass(&f->measure, next_s);
        fluid_advance(&f->fluid, next_s);
        naive_take_endings(f);
    }
}

static inline void naive_clear(struct naive_farm *f)
{
    free(f->fluid.items);
    free(f->completions_s);
    free(f->ends_s);
    if (f->measure.nodes != NULL)
        naive_measure_clear(&f->measure);
}

#endif
