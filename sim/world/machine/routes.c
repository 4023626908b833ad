/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Finding a route asks SimGrid and allocates, so all are found once and stored end to end in one array. What
   schedulers need in their inner loops, such as the slowest link, is found with them.

   Memory: hosts squared times the mean length of a route. That bounds the platforms that can be planned for, not the
   schedulers' time. */
#include "machine/routes.h"

#include "base/mem.h"

#include <math.h>
#include <stdlib.h>

static enum err_code take_route(struct route_table *t, host_id src, host_id dst, size_t *capacity, struct err *e)
{
    const struct machine *m = t->machine;
    size_t at = (size_t)src * m->n_hosts + (size_t)dst, n = t->start[at];
    struct route route = {0};
    /* The way from a host to itself is not asked for: SimGrid may have a loopback link there, but data that stay on
       a host cost nothing in our models. */
    enum err_code code = src == dst ? ERR_NONE : machine_route(m, src, dst, &route, e);
    /* A minimum over links that may be none. */
    t->slowest_bytes_per_s[at] = INFINITY;
    for (size_t i = 0; i < route.n_links; i++) {
        double bandwidth = m->links[route.links[i]].bandwidth_bytes_per_s;
        MEM_GROW(t->links, n, *capacity);
        t->links[n++] = route.links[i];
        t->is_used[route.links[i]] = true;
        t->slowest_bytes_per_s[at] = fmin(t->slowest_bytes_per_s[at], bandwidth);
    }
    t->latency_s[at] = route.latency_s;
    /* Set even if the route failed: the table is then cleared as a whole. */
    t->start[at + 1] = n;
    free(route.links);
    return code;
}

static int by_bandwidth(const void *a, const void *b)
{
    double x = ((const struct link_group *)a)->bandwidth_bytes_per_s;
    double y = ((const struct link_group *)b)->bandwidth_bytes_per_s;
    return (x > y) - (x < y);
}

/* Equal bandwidths are summed at once: a platform has thousands of links but few bandwidths. */
static void group_links(struct route_table *t)
{
    const struct machine *m = t->machine;
    struct link_group *groups = mem_alloc((m->n_links + 1) * sizeof *groups);
    for (size_t l = 0; l < m->n_links; l++)
        if (t->is_used[l])
            groups[t->n_used++] = (struct link_group){m->links[l].bandwidth_bytes_per_s, 1};
    qsort(groups, t->n_used, sizeof *groups, by_bandwidth);
    /* Sorted, so equal bandwidths follow each other. Writing never overtakes reading: n_groups <= i. */
    for (size_t i = 0; i < t->n_used; i++) {
        if (t->n_groups > 0 && groups[t->n_groups - 1].bandwidth_bytes_per_s == groups[i].bandwidth_bytes_per_s)
            groups[t->n_groups - 1].n_links++;
        else
            groups[t->n_groups++] = groups[i];
    }
    t->groups = groups;
}

/* Sums are of parts of the largest value, so that the mean of equal numbers is that number, and no sum overflows.
   The diagonal adds 0 to both: its latency is 0 and its slowest link infinite. */
static void find_means(struct route_table *t)
{
    size_t n_hosts = t->machine->n_hosts, n_pairs = n_hosts * n_hosts, n_routes = n_pairs - n_hosts;
    double longest_s = 0, slowest = INFINITY, latency = 0, time = 0;
    for (size_t i = 0; i < n_pairs; i++) {
        longest_s = fmax(longest_s, t->latency_s[i]);
        slowest = fmin(slowest, t->slowest_bytes_per_s[i]);
    }
    for (size_t i = 0; i < n_pairs; i++) {
        latency += longest_s > 0 ? t->latency_s[i] / longest_s : 0;
        time += isfinite(slowest) ? slowest / t->slowest_bytes_per_s[i] : 0;
    }
    /* With one host there is no pair; the means stay 0. */
    if (n_routes > 0)
        t->means = (struct route_means){longest_s * (latency / (double)n_routes), slowest, time / (double)n_routes};
}

enum err_code route_table_init(struct route_table *out, const struct machine *m, struct err *e)
{
    size_t n_pairs = m->n_hosts * m->n_hosts, capacity = 0;
    enum err_code code = ERR_NONE;
    *out = (struct route_table){.machine = m};
    out->start = mem_zalloc(n_pairs + 1, sizeof *out->start);
    out->latency_s = mem_zalloc(n_pairs, sizeof *out->latency_s);
    out->slowest_bytes_per_s = mem_zalloc(n_pairs, sizeof *out->slowest_bytes_per_s);
    out->is_used = mem_zalloc(m->n_links + 1, sizeof *out->is_used);
    /* By source, then destination: `start` of a route is the end of the one before, so the order matters. */
    for (size_t i = 0; i < n_pairs && code == ERR_NONE; i++)
        code = take_route(out, (host_id)(i / m->n_hosts), (host_id)(i % m->n_hosts), &capacity, e);
    if (code != ERR_NONE) {
        route_table_clear(out);
        return code;
    }
    group_links(out);
    find_means(out);
    return ERR_NONE;
}

void route_table_clear(struct route_table *t)
{
    free(t->links);
    free(t->start);
    free(t->latency_s);
    free(t->slowest_bytes_per_s);
    free(t->is_used);
    free(t->groups);
    *t = (struct route_table){0};
}

double route_table_mean_link_s(const struct route_table *t, double bytes)
{
    double sum = 0;
    if (t->n_groups == 0)
        return 0;
    if (t->n_groups == 1) /* the mean of equal numbers, without rounding */
        return bytes / t->groups[0].bandwidth_bytes_per_s;
    for (size_t i = 0; i < t->n_groups; i++)
        sum += (double)t->groups[i].n_links * (bytes / t->groups[i].bandwidth_bytes_per_s);
    return sum / (double)t->n_used;
}

double route_table_mean_route_s(const struct route_table *t, double bytes)
{
    if (t->means.ratio == 0) /* no route has links */
        return t->means.latency_s;
    return t->means.latency_s + bytes / t->means.bytes_per_s * t->means.ratio;
}

/* A linear search among the links found for this host: a host usually has one or two, whatever the number of routes. */
void route_table_end_links(const struct route_table *t, enum direction dir, size_t **start, link_id **links)
{
    host_id n_hosts = (host_id)t->machine->n_hosts;
    size_t n_found = 0, capacity = 0, n;
    *start = mem_zalloc((size_t)n_hosts + 1, sizeof **start);
    *links = NULL;
    for (host_id here = 0; here < n_hosts; here++) {
        for (host_id there = 0; there < n_hosts; there++) {
            const link_id *route = dir == DIR_SEND ? route_links(t, here, there, &n) : route_links(t, there, here, &n);
            link_id link = machine_end_link(route, n, dir);
            size_t i = (*start)[here];
            while (i < n_found && (*links)[i] != link)
                i++;
            /* Checked after the search for `there`, since the way to itself has no links and would count as -1. */
            if (i < n_found || here == there)
                continue;
            MEM_GROW(*links, n_found, capacity);
            (*links)[n_found++] = link;
        }
        (*start)[here + 1] = n_found;
    }
}
