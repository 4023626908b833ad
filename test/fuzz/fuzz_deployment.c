/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Deployments: a refusal has a message; what is accepted is a tree whose beliefs are numbers in range. */
#include "farm/tree.h"
#include "fuzz.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

static void is_belief(double x)
{
    require(isnan(x) || (isfinite(x) && x >= 0));
}

static void is_tree(const struct tree *t)
{
    int n_edges = 0;
    require(t->n_nodes > 0 && t->root >= 0 && t->root < t->n_nodes && t->nodes[t->root].parent == -1);
    for (node_id i = 0; i < t->n_nodes; i++) {
        const struct tree_node *node = &t->nodes[i];
        int steps = 0;
        for (node_id j = i; j != t->root; j = t->nodes[j].parent)
            require(++steps < t->n_nodes);
        for (int k = 0; k < node->n_children; k++)
            require(t->nodes[node->children[k]].parent == i);
        n_edges += node->n_children;
        is_belief(node->compute_rate_flop_per_s);
        is_belief(node->max_transfer_bytes_per_s);
        is_belief(node->ir_send_s_per_byte);
        is_belief(node->ir_recv_s_per_byte);
        if (node->send_limit_bytes_per_s >= 0 || node->send_limit_bytes_per_s < TREE_LIMIT_OF_PLATFORM)
            is_belief(node->send_limit_bytes_per_s);
    }
    require(n_edges == t->n_nodes - 1);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    struct err e = {0};
    struct tree t;
    enum err_code code = deployment_parse((const char *)bytes, n, "fuzz.xml", &t, &e);
    if (code == ERR_NONE)
        is_tree(&t);
    else
        require(t.nodes == NULL && e.code == code && e.text[0] != '\0' && e.line >= 0);
    tree_clear(&t);
    return 0;
}
