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
    link_id *links;    /* of all routes, one after the other */
    size_t *start;     /* of the route from src to dst: start[src * n_hosts + dst]; its end is the next one's start */
    double *latency_s; /* [src * n_hosts + dst] */
    double *slowest_bytes_per_s; /* [src * n_hosts + dst]: bandwidth of its slowest link; infinite without links */
    bool *is_used;               /* [link]: by some route between two different hosts */
    struct link_group {          /* used links of one bandwidth */
        double bandwidth_bytes_per_s;
        size_t n_links;
    } * groups;
    size_t n_groups, n_used;
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

/* What so many bytes take on a link, on average over the links that some route uses ([S] 7.4.1, the
   average time a link is occupied); 0 where no link is between two hosts. */
IASIM_API double route_table_mean_link_s(const struct route_table *t, double bytes);

#endif
