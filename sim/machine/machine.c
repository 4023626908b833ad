/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "machine/machine.h"

#include "base/name_index.h"

#include <assert.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>

static void clear_host(struct host *h)
{
    free(h->name);
    for (int dir = 0; dir < N_DIRECTIONS; dir++) {
        free(h->peer_ir[dir]);
        steps_clear(&h->overhead_s[dir]);
        steps_clear(&h->involvement_ratio[dir]);
    }
}

static void clear_link(struct link *l)
{
    free(l->name);
    for (int dir = 0; dir < N_DIRECTIONS; dir++) {
        steps_clear(&l->overhead_s[dir]);
        steps_clear(&l->involvement_ratio[dir]);
    }
}

void machine_clear(struct machine *m)
{
    for (size_t i = 0; i < m->n_hosts; i++)
        clear_host(&m->hosts[i]);
    for (size_t i = 0; i < m->n_links; i++)
        clear_link(&m->links[i]);
    free(m->hosts);
    free(m->links);
    free(m->source);
    name_index_free(m->host_index);
    *m = (struct machine){0};
}

void machine_seal(struct machine *m)
{
    assert(m->n_hosts <= INT_MAX);
    name_index_free(m->host_index);
    m->host_index = name_index_create();
    for (size_t i = 0; i < m->n_hosts; i++)
        name_index_add(m->host_index, m->hosts[i].name, (int)i);
}

host_id machine_host_id(const struct machine *m, const char *name)
{
    return name_index_find(m->host_index, name);
}

static int by_peer(const void *key, const void *element)
{
    host_id peer = *(const host_id *)key, other = ((const struct peer_ir *)element)->peer;
    return (peer > other) - (peer < other);
}

double machine_ir_s_per_byte(const struct machine *m, host_id host, enum direction dir, host_id peer)
{
    const struct host *h = &m->hosts[host];
    if (h->n_peer_ir[dir] == 0)
        return h->ir_s_per_byte[dir];
    const struct peer_ir *own = bsearch(&peer, h->peer_ir[dir], h->n_peer_ir[dir], sizeof h->peer_ir[dir][0], by_peer);
    return own != NULL ? own->ir_s_per_byte : h->ir_s_per_byte[dir];
}

static bool has_ir(const struct host *h, enum direction dir)
{
    for (size_t i = 0; i < h->n_peer_ir[dir]; i++)
        if (h->peer_ir[dir][i].ir_s_per_byte > 0)
            return true;
    return h->ir_s_per_byte[dir] > 0;
}

bool machine_host_has_ir(const struct machine *m, host_id host)
{
    const struct host *h = &m->hosts[host];
    return has_ir(h, DIR_SEND) || has_ir(h, DIR_RECV) || h->ir_send_duplex_s_per_byte > 0;
}

bool machine_overheads_are_numbers(const struct machine *m)
{
    size_t n_steps = 0;
    for (int dir = 0; dir < N_DIRECTIONS; dir++) {
        for (size_t h = 0; h < m->n_hosts; h++)
            n_steps += m->hosts[h].overhead_s[dir].n;
        for (size_t l = 0; l < m->n_links; l++)
            n_steps += m->links[l].overhead_s[dir].n;
    }
    return n_steps == 0;
}

bool machine_links_have_overheads(const struct machine *m)
{
    for (size_t l = 0; l < m->n_links; l++)
        if (m->links[l].overhead_s[DIR_SEND].is_given || m->links[l].overhead_s[DIR_RECV].is_given)
            return true;
    return false;
}

enum err_code machine_route(const struct machine *m, host_id src, host_id dst, struct route *out, struct err *e)
{
    *out = (struct route){0};
    return m->find_route(m->route_context, src, dst, out, e);
}

enum err_code machine_bottleneck_bytes_per_s(const struct machine *m, host_id src, host_id dst, double *out,
                                             struct err *e)
{
    struct route route;
    enum err_code code = machine_route(m, src, dst, &route, e);
    *out = INFINITY;
    for (size_t i = 0; code == ERR_NONE && i < route.n_links; i++)
        *out = fmin(*out, m->links[route.links[i]].bandwidth_bytes_per_s);
    if (code == ERR_NONE)
        free(route.links);
    return code;
}
