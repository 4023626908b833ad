/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Counters, not names, tell the tasks of a node apart: which task of the pool a node gets depends on the policy, and
   noise must not. So two policies meet the same k-th task at every node. */
#include "farm/farm_noise.h"

#include "base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct node_noise {
    double rate_ratio;
    struct noise_source work, size; /* of what it computes; of what its parent sends it */
    uint64_t n_computed, n_sent;
};

struct farm_noise {
    struct node_noise *nodes;
};

static bool has_node(const struct tree *t, const char *host)
{
    for (node_id n = 0; n < t->n_nodes; n++)
        if (strcmp(t->nodes[n].host_name, host) == 0)
            return true;
    return false;
}

/* A host of the platform without a node would have no effect at all: most likely a slip. */
static enum err_code check_hosts(const struct noise *noise, const struct tree *t, struct err *e)
{
    for (size_t i = 0; i < noise->n_items; i++)
        if (noise->items[i].host != NULL && !has_node(t, noise->items[i].host))
            return err_set(e, ERR_INPUT, "noise '%.200s': the farm has no node on a host '%.200s'", noise->text,
                           noise->items[i].host);
    return ERR_NONE;
}

static void find_sources(struct node_noise *x, const struct noise *noise, const struct tree *t, node_id n)
{
    const struct tree_node *node = &t->nodes[n];
    x->rate_ratio = noise_rate_ratio(noise, node->host_name);
    x->work = noise_source_of(noise, NOISE_WORK, node->host_name, node->host_name, NULL);
    if (node->parent >= 0)
        x->size =
            noise_source_of(noise, NOISE_SIZE, node->host_name, t->nodes[node->parent].host_name, node->host_name);
}

enum err_code farm_noise_create(const struct noise *noise, const struct tree *t, struct farm_noise **out, struct err *e)
{
    *out = NULL;
    enum err_code code = noise != NULL ? check_hosts(noise, t, e) : ERR_NONE;
    if (code != ERR_NONE || noise == NULL)
        return code;
    *out = mem_zalloc(1, sizeof **out);
    (*out)->nodes = mem_zalloc((size_t)t->n_nodes, sizeof *(*out)->nodes);
    for (node_id n = 0; n < t->n_nodes; n++)
        find_sources(&(*out)->nodes[n], noise, t, n);
    return ERR_NONE;
}

void farm_noise_free(struct farm_noise *n)
{
    if (n == NULL)
        return;
    free(n->nodes);
    free(n);
}

double farm_noise_flop(struct farm_noise *n, node_id node, double flop)
{
    if (n == NULL)
        return flop;
    struct node_noise *x = &n->nodes[node];
    /* less work takes as long as a faster host: the engine knows only the platform's speed */
    return flop * noise_draw(&x->work, x->n_computed++) / x->rate_ratio;
}

double farm_noise_bytes(struct farm_noise *n, node_id to, double bytes)
{
    if (n == NULL)
        return bytes;
    struct node_noise *x = &n->nodes[to];
    /* engines send whole bytes, and a task without any would not be a transfer */
    return fmax(1, rint(bytes * noise_draw(&x->size, x->n_sent++)));
}

double farm_noise_rate_ratio(const struct farm_noise *n, node_id node)
{
    return n != NULL ? n->nodes[node].rate_ratio : 1;
}
