/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Binds a deployment to a platform: hosts by their names, and beliefs that the deployment leaves open (NAN) from what
   the platform says, so that a deployment without properties believes the truth. */
#include "farm/tree.h"

#include "base/mem.h"
#include "base/name_index.h"

#include <math.h>
#include <stdlib.h>

void tree_clear(struct tree *t)
{
    for (node_id i = 0; i < t->n_nodes; i++) {
        free(t->nodes[i].host_name);
        free(t->nodes[i].parent_name);
        free(t->nodes[i].children);
    }
    free(t->nodes);
    free(t->source);
    *t = (struct tree){0};
}

static enum err_code find_host(const struct tree *t, struct tree_node *node, const struct machine *m, struct err *e)
{
    node->host = machine_host_id(m, node->host_name);
    if (node->host >= 0)
        return ERR_NONE;
    return err_set_at(e, ERR_INPUT, t->source ? t->source : "", node->line,
                      "there is no host '%s' among the %zu hosts of the platform%s", node->host_name, m->n_hosts,
                      name_index_hint(m->host_index, node->host_name).text);
}

static void believe(double *belief, double truth)
{
    if (isnan(*belief))
        *belief = truth;
}

/* By how much the rate that is believed is above what the host pays while it both sends and receives ([K] 2.5). */
static double relief_s_per_byte(const struct machine *m, host_id host, enum direction dir, host_id peer,
                                double believed_s_per_byte)
{
    double one_way = machine_ir_s_per_byte(m, host, REGIME_ONE_WAY, dir, peer);
    double duplex = machine_ir_s_per_byte(m, host, REGIME_DUPLEX, dir, peer);
    /* only if the platform saves: a belief that is simply too high is no relief */
    return duplex < one_way ? fmax(0, believed_s_per_byte - duplex) : 0;
}

/* For the data between a node and `peer`; that of its other peers has been found before or will be. */
static void find_free(struct tree_node *node, const struct machine *m, enum direction dir, host_id peer)
{
    double one_way = machine_ir_constant_ratio(m, node->host, REGIME_ONE_WAY, dir, peer) - 1;
    double duplex = machine_ir_constant_ratio(m, node->host, REGIME_DUPLEX, dir, peer) - 1;
    node->ir_free_ratio = fmax(node->ir_free_ratio, one_way);
    node->ir_free_duplex_ratio = fmax(node->ir_free_duplex_ratio, duplex);
}

/* What both directions at once may save at the two ends of an edge, if data pass in both. */
static void bind_synergy(struct tree *t, struct tree_node *node, const struct machine *m)
{
    struct tree_node *parent = &t->nodes[node->parent];
    node->ir_send_relief_s_per_byte =
        relief_s_per_byte(m, parent->host, DIR_SEND, node->host, node->ir_send_s_per_byte);
    node->ir_recv_relief_s_per_byte =
        relief_s_per_byte(m, node->host, DIR_RECV, parent->host, node->ir_recv_s_per_byte);
    find_free(parent, m, DIR_SEND, node->host);
    find_free(node, m, DIR_RECV, parent->host);
}

static bool is_curved(const struct machine *m, host_id src, host_id dst)
{
    return machine_ir_is_curved(m, src, DIR_SEND, dst) || machine_ir_is_curved(m, dst, DIR_RECV, src);
}

/* Beliefs about the transfers from the parent: taken from the platform unless the deployment gives them. */
static enum err_code bind_edge(struct tree *t, struct tree_node *node, const struct machine *m, struct err *e)
{
    host_id parent = t->nodes[node->parent].host;
    double bottleneck_bytes_per_s;
    struct err why = {0};
    enum err_code code = machine_bottleneck_bytes_per_s(m, parent, node->host, &bottleneck_bytes_per_s, &why);
    if (code != ERR_NONE)
        return err_set_at(e, code, t->source ? t->source : "", node->line, "%s", why.text);
    node->route_bytes_per_s = bottleneck_bytes_per_s;
    believe(&node->max_transfer_bytes_per_s, bottleneck_bytes_per_s);
    believe(&node->ir_send_s_per_byte, machine_ir_s_per_byte(m, parent, REGIME_ONE_WAY, DIR_SEND, node->host));
    believe(&node->ir_recv_s_per_byte, machine_ir_s_per_byte(m, node->host, REGIME_ONE_WAY, DIR_RECV, parent));
    bind_synergy(t, node, m);
    node->ir_is_curved = is_curved(m, parent, node->host);
    node->ir_of_requests_is_curved = is_curved(m, node->host, parent);
    return ERR_NONE;
}

static bool passes(const struct route *r, link_id link)
{
    for (size_t i = 0; i < r->n_links; i++)
        if (r->links[i] == link)
            return true;
    return false;
}

/* Leaves the links in *shared that the route to a child passes, too. */
static enum err_code keep_shared(const struct machine *m, host_id from, host_id to, struct route *shared, struct err *e)
{
    struct route r = {0};
    size_t n = 0;
    enum err_code code = machine_route(m, from, to, &r, e);
    for (size_t i = 0; i < shared->n_links; i++)
        if (passes(&r, shared->links[i]))
            shared->links[n++] = shared->links[i];
    shared->n_links = n;
    free(r.links);
    return code;
}

/* The limit of all sends that the platform has: links that the data for each child pass. */
static enum err_code bind_send_limit(const struct tree *t, struct tree_node *node, const struct machine *m,
                                     struct err *e)
{
    struct route shared = {0};
    enum err_code code = ERR_NONE;
    node->send_limit_bytes_per_s = INFINITY;
    if (node->n_children > 0)
        code = machine_route(m, node->host, t->nodes[node->children[0]].host, &shared, e);
    for (int c = 1; code == ERR_NONE && c < node->n_children; c++)
        code = keep_shared(m, node->host, t->nodes[node->children[c]].host, &shared, e);
    for (size_t i = 0; code == ERR_NONE && i < shared.n_links; i++)
        if (m->links[shared.links[i]].sharing != LINK_FATPIPE)
            node->send_limit_bytes_per_s =
                fmin(node->send_limit_bytes_per_s, m->links[shared.links[i]].bandwidth_bytes_per_s);
    free(shared.links);
    return code;
}

enum err_code tree_bind(struct tree *t, const struct machine *m, struct err *e)
{
    enum err_code code = ERR_NONE;
    for (node_id i = 0; code == ERR_NONE && i < t->n_nodes; i++) {
        code = find_host(t, &t->nodes[i], m, e);
        /* maxima over the edges of a node, which both of its ends raise */
        t->nodes[i].ir_free_ratio = t->nodes[i].ir_free_duplex_ratio = 0;
    }
    for (node_id i = 0; code == ERR_NONE && i < t->n_nodes; i++) {
        struct tree_node *node = &t->nodes[i];
        believe(&node->compute_rate_flop_per_s, m->hosts[node->host].speed_flop_per_s);
        believe(&node->send_limit_bytes_per_s, INFINITY);
        believe(&node->receive_drop_ratio, 0);
        node->ir_floor_ratio = m->hosts[node->host].ir_floor_ratio;
        /* of the root, to which no route leads */
        node->route_bytes_per_s = NAN;
        if (i != t->root)
            code = bind_edge(t, node, m, e);
        /* TREE_LIMIT_OF_PLATFORM; routes are asked for only then */
        if (code == ERR_NONE && node->send_limit_bytes_per_s < 0)
            code = bind_send_limit(t, node, m, e);
    }
    if (code == ERR_NONE)
        t->nodes[t->root].ir_recv_s_per_byte = 0;
    return code;
}

/* The rule of [K] 3.2: to send a task costs the parent at least one that it could compute itself. */
bool tree_is_pruned(const struct tree *t, node_id i, double task_bytes, double task_flop)
{
    const struct tree_node *node = &t->nodes[i];
    if (node->parent < 0)
        return false;
    double parent_tasks_per_s = t->nodes[node->parent].compute_rate_flop_per_s / task_flop;
    return node->ir_send_s_per_byte * task_bytes * parent_tasks_per_s >= 1;
}
