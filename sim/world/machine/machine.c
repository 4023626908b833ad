/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The look-ups in a machine, which planners and worlds call often. The precedence of interference rates is here and
   nowhere else: value_in says in which order duplex, one-way, peer and general values apply ([K] 2.5). */
#include "machine/machine.h"

#include "base/mem.h"
#include "base/name_index.h"

#include <assert.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>

static void clear_host(struct host *h)
{
    free(h->name);
    for (size_t i = 0; i < h->n_own; i++)
        free(h->own[i].id);
    free(h->own);
    for (int dir = 0; dir < N_DIRECTIONS; dir++) {
        for (int regime = 0; regime < N_REGIMES; regime++) {
            free(h->ir_s_per_byte[regime][dir].peers);
            free(h->ir_constant_ratio[regime][dir].peers);
        }
        free(h->ir_curve[dir].gamma.peers);
        free(h->ir_curve[dir].rate_bytes_per_s.peers);
        steps_clear(&h->overhead_s[dir]);
        steps_clear(&h->involvement_ratio[dir]);
    }
    steps_clear(&h->logp.latency_s);
    steps_clear(&h->logp.overhead_s);
    steps_clear(&h->logp.gap_s);
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
    /* Hosts are numbered by host_id, an int, everywhere else. */
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

/* Peers are few, and their list is sorted (properties.c), so a binary search serves. */
static int by_peer(const void *key, const void *element)
{
    host_id peer = *(const host_id *)key, other = ((const struct peer_value *)element)->peer;
    return (peer > other) - (peer < other);
}

/* One list of values: that of the peer goes before that for all peers. False: neither is given, so that the caller
   can go on to the next list. */
static bool find_value(const struct peer_values *v, host_id peer, double *out)
{
    const struct peer_value *own =
        v->n_peers > 0 ? bsearch(&peer, v->peers, v->n_peers, sizeof v->peers[0], by_peer) : NULL;
    if (own == NULL && !v->is_given)
        return false;
    *out = own != NULL ? own->value : v->value;
    return true;
}

static double value_in(const struct peer_values values[N_REGIMES][N_DIRECTIONS], enum regime regime, enum direction dir,
                       host_id peer, double absent)
{
    double value = absent;
    /* The duplex values are optional: a platform whose hosts behave alike in both regimes gives none. If neither
       list has a value, `absent` stays. */
    if (regime != REGIME_DUPLEX || !find_value(&values[REGIME_DUPLEX][dir], peer, &value))
        find_value(&values[REGIME_ONE_WAY][dir], peer, &value);
    return value;
}

double machine_ir_s_per_byte(const struct machine *m, host_id host, enum regime regime, enum direction dir,
                             host_id peer)
{
    return value_in(m->hosts[host].ir_s_per_byte, regime, dir, peer, 0);
}

double machine_ir_constant_ratio(const struct machine *m, host_id host, enum regime regime, enum direction dir,
                                 host_id peer)
{
    return value_in(m->hosts[host].ir_constant_ratio, regime, dir, peer, 1);
}

struct ir_curve machine_ir_curve(const struct machine *m, host_id host, enum direction dir, host_id peer)
{
    const struct peer_curves *given = &m->hosts[host].ir_curve[dir];
    struct ir_curve curve = {0};
    /* With gamma 1 the curve is the line for any rate. {0} says so, which callers test for instead of comparing
       numbers. */
    if (!find_value(&given->gamma, peer, &curve.gamma) || curve.gamma == 1)
        return (struct ir_curve){0};
    /* Given whenever gamma is: a curve is set as a whole (properties.c). */
    find_value(&given->rate_bytes_per_s, peer, &curve.rate_bytes_per_s);
    return curve;
}

bool machine_ir_is_curved(const struct machine *m, host_id host, enum direction dir, host_id peer)
{
    /* A curve without a rate of interference costs nothing, so it must not cause a warning about what the linear
       theory misses. */
    return machine_ir_curve(m, host, dir, peer).gamma > 0 &&
           (machine_ir_s_per_byte(m, host, REGIME_ONE_WAY, dir, peer) > 0 ||
            machine_ir_s_per_byte(m, host, REGIME_DUPLEX, dir, peer) > 0);
}

static double highest(const struct peer_values *v)
{
    /* Without any value there is no maximum; -INFINITY is above no limit that callers compare with. */
    double most = v->is_given ? v->value : -INFINITY;
    for (size_t i = 0; i < v->n_peers; i++)
        most = fmax(most, v->peers[i].value);
    return most;
}

static double lowest(const struct peer_values *v)
{
    double least = v->is_given ? v->value : INFINITY;
    for (size_t i = 0; i < v->n_peers; i++)
        least = fmin(least, v->peers[i].value);
    return least;
}

/* A constant below 1 slows a host down at any rate, even if its rate of interference is 0. */
bool machine_host_has_ir(const struct machine *m, host_id host)
{
    const struct host *h = &m->hosts[host];
    for (int regime = 0; regime < N_REGIMES; regime++)
        for (int dir = 0; dir < N_DIRECTIONS; dir++)
            if (highest(&h->ir_s_per_byte[regime][dir]) > 0 || lowest(&h->ir_constant_ratio[regime][dir]) < 1)
                return true;
    return false;
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
    /* Cleared here, so that a find_route that fails leaves nothing to free. */
    *out = (struct route){0};
    return m->find_route(m->route_context, src, dst, out, e);
}

enum err_code machine_bottleneck_bytes_per_s(const struct machine *m, host_id src, host_id dst, double *out,
                                             struct err *e)
{
    struct route route;
    enum err_code code = machine_route(m, src, dst, &route, e);
    /* A route without links (a host and itself, or loopback) limits nothing. */
    *out = INFINITY;
    for (size_t i = 0; code == ERR_NONE && i < route.n_links; i++)
        *out = fmin(*out, m->links[route.links[i]].bandwidth_bytes_per_s);
    if (code == ERR_NONE)
        free(route.links);
    return code;
}

double machine_mean_compute_s(const struct machine *m, double work_flop)
{
    double sum = 0;
    bool is_equal = true;
    for (size_t h = 0; h < m->n_hosts; h++) {
        sum += work_flop / m->hosts[h].speed_flop_per_s;
        is_equal = is_equal && m->hosts[h].speed_flop_per_s == m->hosts[0].speed_flop_per_s;
    }
    return is_equal ? work_flop / m->hosts[0].speed_flop_per_s : sum / (double)m->n_hosts;
}

/* One host by name and the others by number: a cluster has thousands. */
char *machine_cores_warning(const struct machine *m)
{
    int n_more = 0;
    const struct host *first = NULL;
    for (size_t h = 0; h < m->n_hosts; h++) {
        if (m->hosts[h].n_cores <= 1)
            continue;
        if (first == NULL)
            first = &m->hosts[h];
        else
            n_more++;
    }
    if (first == NULL)
        return NULL;
    char *others = n_more == 0   ? mem_strdup("")
                   : n_more == 1 ? mem_strdup(", another host has several")
                                 : mem_format(", %d other hosts have several", n_more);
    char *sentence =
        mem_format("%s: host '%s' has %d cores%s, and only one of them is used: a host computes one task at a time",
                   m->source, first->name, first->n_cores, others);
    free(others);
    return sentence;
}
