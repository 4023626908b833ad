/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Warns about what a bound cannot see: routes to several children that share a link. The paper uses the send limit B_s
   for this ([K] 2.4, 3.2.1), which a deployment may omit. Time: linear in the links of all routes. */
#include "farm/bound_terms.h"

#include "base/mem.h"

#include <math.h>
#include <stdlib.h>

static const double rounding_ratio = 1e-9;

struct load { /* of a link, by the sends of one node */
    node_id sender;
    double bytes_per_s;
    int n_children;
};

/* The most overloaded of the links that several children of a node share. */
struct worst {
    link_id link; /* -1: no link */
    double ratio;
};

static void load_route(const struct machine *m, const struct route *route, node_id sender, double bytes_per_s,
                       struct load *loads, struct worst *worst)
{
    for (size_t k = 0; k < route->n_links; k++) {
        link_id l = route->links[k];
        if (m->links[l].sharing == LINK_FATPIPE)
            continue;
        /* loads of another node's sends are forgotten without a loop over all links */
        if (loads[l].sender != sender)
            loads[l] = (struct load){.sender = sender};
        loads[l].bytes_per_s += bytes_per_s;
        loads[l].n_children++;
        double ratio = loads[l].bytes_per_s / m->links[l].bandwidth_bytes_per_s;
        if (loads[l].n_children > 1 && ratio > 1 + rounding_ratio && ratio > worst->ratio)
            *worst = (struct worst){l, ratio};
    }
}

static enum err_code check_node(struct bound *b, const struct tree *t, const struct machine *m, double task_bytes,
                                node_id n, struct load *loads, struct err *e)
{
    const struct tree_node *node = &t->nodes[n];
    struct worst worst = {.link = -1};
    for (int c = 0; c < node->n_children; c++) {
        node_id child = node->children[c];
        double bytes_per_s = b->nodes[child].total_tasks_per_s * task_bytes;
        /* no need to look up a route that the bound does not use */
        if (bytes_per_s <= 0)
            continue;
        struct route route = {0};
        enum err_code code = machine_route(m, node->host, t->nodes[child].host, &route, e);
        if (code != ERR_NONE)
            return code;
        load_route(m, &route, n, bytes_per_s, loads, &worst);
        free(route.links);
    }
    if (worst.link < 0)
        return ERR_NONE;
    const struct link *link = &m->links[worst.link];
    char *text =
        mem_format("%s has no send_limit, but %d of its children share link %s of %g MB/s and are given %g MB/s",
                   node->host_name, loads[worst.link].n_children, link->name, link->bandwidth_bytes_per_s / 1e6,
                   loads[worst.link].bytes_per_s / 1e6);
    bound_warn(b, text);
    free(text);
    return ERR_NONE;
}

enum err_code bound_check_links(struct bound *b, const struct tree *t, const struct machine *m, double task_bytes,
                                struct err *e)
{
    if (b->ports != BOUND_MULTI)
        return ERR_NONE;
    struct load *loads = mem_zalloc(m->n_links, sizeof *loads);
    for (size_t l = 0; l < m->n_links; l++)
        loads[l].sender = -1;
    enum err_code code = ERR_NONE;
    for (node_id n = 0; n < t->n_nodes && code == ERR_NONE; n++)
        if (isinf(t->nodes[n].send_limit_bytes_per_s) && t->nodes[n].n_children > 1)
            code = check_node(b, t, m, task_bytes, n, loads, e);
    free(loads);
    return code;
}
