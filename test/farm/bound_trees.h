/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Trees for tests of bounds: written as one line for each node, or random. */
#ifndef IASIM_TEST_FARM_BOUND_TREES_H
#define IASIM_TEST_FARM_BOUND_TREES_H

#include "base/mem.h"
#include "base/random.h"
#include "farm/bound.h"

#include <math.h>
#include <stdlib.h>

/* ---- trees: tasks/s of 1 work unit, MB/s, interference per MB/s ---- */

struct spec_node {
    node_id parent;
    double compute, max_transfer_MB, ir_send_per_MB, ir_recv_per_MB, send_limit_MB, receive_drop, floor;
};

static inline void set_beliefs(struct tree_node *node, const struct spec_node *s)
{
    node->parent = s->parent;
    node->compute_rate_flop_per_s = s->compute;
    node->max_transfer_bytes_per_s = s->parent < 0 ? NAN : s->max_transfer_MB * 1e6;
    node->ir_send_s_per_byte = s->parent < 0 ? NAN : s->ir_send_per_MB / 1e6;
    node->ir_recv_s_per_byte = s->parent < 0 ? 0 : s->ir_recv_per_MB / 1e6;
    node->send_limit_bytes_per_s = s->send_limit_MB > 0 ? s->send_limit_MB * 1e6 : INFINITY;
    node->receive_drop_ratio = s->receive_drop;
    node->ir_floor_ratio = s->floor;
}

/* A send limit of 0 means none. */
static inline struct tree tree_of(const struct spec_node *specs, int n)
{
    struct tree t = {.source = mem_strdup("test"), .n_nodes = n, .root = -1};
    t.nodes = mem_zalloc((size_t)n, sizeof *t.nodes);
    for (node_id i = 0; i < n; i++) {
        t.nodes[i].host_name = mem_format("h%d", i);
        t.nodes[i].host = i;
        set_beliefs(&t.nodes[i], &specs[i]);
        if (specs[i].parent < 0)
            t.root = i;
        else
            t.nodes[specs[i].parent].n_children++;
    }
    for (node_id i = 0; i < n; i++) {
        t.nodes[i].children = mem_zalloc((size_t)t.nodes[i].n_children + 1, sizeof(node_id));
        t.nodes[i].n_children = 0;
    }
    for (node_id i = 0; i < n; i++)
        if (specs[i].parent >= 0) {
            struct tree_node *p = &t.nodes[specs[i].parent];
            p->children[p->n_children++] = i;
        }
    return t;
}

/* ---- random trees ---- */

static inline bool chance(struct random_stream *r, double p)
{
    return random_unit(r) < p;
}

/* All over three orders of magnitude; some without interference, some with limits, some worth pruning. */
static inline struct spec_node random_node(struct random_stream *r, node_id parent)
{
    return (struct spec_node){.parent = parent,
                              .compute = pow(10, random_between(r, -1.5, 1.5)),
                              .max_transfer_MB = pow(10, random_between(r, -1, 1.5)),
                              .ir_send_per_MB = chance(r, 0.1) ? 0 : pow(10, random_between(r, -3.5, -0.5)),
                              .ir_recv_per_MB = chance(r, 0.1) ? 0 : pow(10, random_between(r, -3.5, -0.5)),
                              .send_limit_MB = chance(r, 0.3) ? pow(10, random_between(r, -1, 1.5)) : 0};
}

/* The root is anywhere: ids are a random permutation of the order in which nodes were attached. */
static inline struct tree random_tree(struct random_stream *r, int n)
{
    struct spec_node *specs = mem_zalloc((size_t)n, sizeof *specs);
    node_id *ids = mem_zalloc((size_t)n, sizeof *ids);
    for (int k = 0; k < n; k++) {
        int other = (int)random_below(r, (uint64_t)k + 1);
        ids[k] = ids[other];
        ids[other] = k;
    }
    for (int k = 0; k < n; k++)
        specs[ids[k]] = random_node(r, k == 0 ? -1 : ids[random_below(r, (uint64_t)k)]);
    struct tree t = tree_of(specs, n);
    free(specs);
    free(ids);
    return t;
}

#endif
