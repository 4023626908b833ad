/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Trees of all shapes with all that nodes and links can have, and how bounds of them differ from those of one linear
   program for the whole tree, solved by CLP. */
#ifndef IASIM_TEST_FARM_BOUND_SHAPES_H
#define IASIM_TEST_FARM_BOUND_SHAPES_H

#include "bound_clp.h"
#include "bound_trees.h"
#include "check.h"

enum shape { CHAIN, STAR, BINARY, DEEP, WIDE, ANY, N_SHAPES };

static inline node_id parent_of(struct random_stream *r, enum shape shape, int n, int n_nodes)
{
    switch (shape) {
    case CHAIN:
        return n - 1;
    case STAR:
        return 0;
    case BINARY:
        return (n - 1) / 2;
    case DEEP:
        return (int)fmax(0, n - 1 - (int)random_below(r, 3));
    case WIDE:
        return (node_id)random_below(r, (uint64_t)fmin(n, 1 + sqrt(n_nodes)));
    default:
        return (node_id)random_below(r, (uint64_t)n);
    }
}

/* Hosts that differ little, as generated ones do: many children are nearly as good as each other. */
static inline void make_alike(struct random_stream *r, struct spec_node *s, double speed, double interference)
{
    s->compute = speed * random_between(r, 5, 25);
    s->max_transfer_MB = random_between(r, 1, 11);
    s->ir_send_per_MB = interference * random_between(r, 0.02, 0.065);
    s->ir_recv_per_MB = interference * random_between(r, 0.045, 0.09);
}

static inline void add_extremes(struct random_stream *r, struct tree_node *node, bool is_root)
{
    if (chance(r, 0.2))
        node->ir_free_ratio = 0.3 * random_unit(r);
    if (chance(r, 0.2))
        node->ir_free_duplex_ratio = 0.3 * random_unit(r);
    if (chance(r, 0.2) && !is_root)
        node->ir_send_relief_s_per_byte = random_unit(r) * node->ir_send_s_per_byte;
    if (chance(r, 0.2))
        node->ir_recv_relief_s_per_byte = random_unit(r) * node->ir_recv_s_per_byte;
    if (chance(r, 0.05))
        node->compute_rate_flop_per_s = 0;
    if (chance(r, 0.03) && !is_root)
        node->max_transfer_bytes_per_s = chance(r, 0.5) ? INFINITY : 0;
}

static inline struct tree tree_of_shape(struct random_stream *r, enum shape shape, int n_nodes)
{
    struct spec_node *specs = mem_zalloc((size_t)n_nodes, sizeof *specs);
    int kind = (int)random_below(r, 3);
    double speed = pow(10, random_between(r, -1, 1));
    for (int n = 0; n < n_nodes; n++) {
        specs[n] = random_node(r, n == 0 ? -1 : parent_of(r, shape, n, n_nodes));
        if (kind > 0)
            make_alike(r, &specs[n], speed, kind == 1 ? 1 : 10);
        specs[n].floor = chance(r, 0.3) ? random_unit(r) : 0;
        specs[n].receive_drop = n > 0 && chance(r, 0.3) ? pow(10, random_between(r, -2, 1)) : 0;
    }
    struct tree t = tree_of(specs, n_nodes);
    for (int n = 0; n < n_nodes; n++)
        add_extremes(r, &t.nodes[n], n == 0);
    free(specs);
    return t;
}

static inline double throughput_of(const struct bound_problem *p,
                                   enum err_code (*solve)(const struct bound_problem *, struct bound *, struct err *))
{
    struct err e = {0};
    struct bound b = {.n_nodes = p->tree->n_nodes};
    b.nodes = mem_zalloc((size_t)b.n_nodes, sizeof *b.nodes);
    CHECK_OK(solve(p, &b, &e), e);
    double throughput = b.nodes[p->tree->root].total_tasks_per_s;
    bound_clear(&b);
    return throughput;
}

/* With CLP, or without: the solver itself proves that no more than 1e-9 can be missing, or fails.
   The largest relative difference of both kinds of ports and both kinds of constraints. */
static inline double worst_difference(struct random_stream *r, enum shape shape, int n_nodes, bool with_clp)
{
    struct tree t = tree_of_shape(r, shape, n_nodes);
    const struct farm_app app = {.task_bytes = pow(10, random_between(r, 5, 7)),
                                 .task_flop = pow(10, random_between(r, -1, 3)),
                                 .request_bytes = chance(r, 0.3) ? 10 : 0};
    double worst = 0;
    for (int way = 0; way < 4; way++) {
        struct bound_problem p;
        struct err e = {0};
        CHECK_OK(bound_problem_init(&p, &t, &app, way & 1, way & 2 ? BOUND_PHYSICAL : BOUND_LP, &e), e);
        double got = throughput_of(&p, bound_best), want = with_clp ? throughput_of(&p, bound_clp) : got;
        worst = fmax(worst, fabs(got - want) / fmax(want, 1e-300));
        bound_problem_clear(&p);
    }
    tree_clear(&t);
    return worst;
}

#endif
