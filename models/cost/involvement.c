/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Edges are scheduled on links and on both processors: overhead, a time for each message, and involvement, a part of the
   time on the first or last link ([S] 8.2, equations 8.9, 8.12 and 8.13). */
#include "models/cost/cost.h"

#include <math.h>

static double overhead_s(const struct machine *m, host_id host, enum direction dir)
{
    return m->hosts[host].overhead_s[dir];
}

static double involvement_s(const struct machine *m, host_id host, enum direction dir, link_id link, double bytes)
{
    const struct link *l = &m->links[link];
    double ratio = isnan(l->involvement_ratio[dir]) ? m->hosts[host].involvement_ratio[dir] : l->involvement_ratio[dir];
    return ratio * (bytes / l->bandwidth_bytes_per_s);
}

extern const struct cost_model cost_model_involvement;
const struct cost_model cost_model_involvement = {
    .name = "involvement",
    .summary = "a communication occupies links and, for overhead and involvement, both processors",
    .source = "[S] 8.2",
    .books_links = true,
    .overhead_s = overhead_s,
    .involvement_s = involvement_s,
};
