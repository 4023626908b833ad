/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* All routes of a machine, found once: schedulers ask for them in their inner loops. Memory and time: hosts squared. */
#ifndef IASIM_MACHINE_ROUTES_H
#define IASIM_MACHINE_ROUTES_H

#include "base/api.h"
#include "machine/machine.h"

#include <stdbool.h>
#include <stddef.h>

struct route_table {
    const struct machine *machine;
    link_id *links; /* of all routes, one after the other */
    /* start[src * n_hosts + dst]: where the route from src to dst begins; it ends where the next one begins. */
    size_t *start;
    double *latency_s;           /* [src * n_hosts + dst] */
    double *slowest_bytes_per_s; /* [src * n_hosts + dst]: bandwidth of the slowest link; INFINITY without links */
    bool *is_used;               /* [link]: whether some route between two different hosts uses it */
    struct link_group {          /* used links of one bandwidth */
        double bandwidth_bytes_per_s;
        size_t n_links;
    } * groups;
    size_t n_groups, n_used;
    struct route_means { /* over all ordered pairs of different hosts */
        double latency_s;
        double bytes_per_s,
            ratio; /* a byte takes ratio / bytes_per_s; the slowest route, and 1 where all are like it */
    } means;
};

/* Errors: ERR_INPUT when two hosts have no route; then *out needs no clearing. */
enum err_code route_table_init(struct route_table *out, const struct machine *m, struct err *e);
void route_table_clear(struct route_table *t);

/* The links that data pass from src to dst, in order; none when they are the same host. */
static inline const link_id *route_links(const struct route_table *t, host_id src, host_id dst, size_t *n)
{
    size_t at = (size_t)src * t->machine->n_hosts + (size_t)dst;
    *n = t->start[at + 1] - t->start[at];
    return t->links + t->start[at];
}

/* The links by which data can leave each host (DIR_SEND) or reach it (DIR_RECV): those of host h are links[start[h]] to
   links[start[h + 1] - 1], each once; -1 stands for routes without links. The caller frees both arrays. Time: hosts
   squared, times what is found for one host. */
void route_table_end_links(const struct route_table *t, enum direction dir, size_t **start, link_id **links);

/* The mean time of `bytes` on a link, over the links that some route uses ([S] 7.4.1: the average time a link is
   occupied); 0 if no route uses a link. */
IASIM_API double route_table_mean_link_s(const struct route_table *t, double bytes);

/* The mean time of a message of `bytes` between two different hosts, over all ordered pairs of them: the latency of the
   route plus the time on its slowest link. 0 with one host. */
IASIM_API double route_table_mean_route_s(const struct route_table *t, double bytes);

#endif
