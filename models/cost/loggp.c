/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* LogGP ([S] 8.1.3, [Alexandrov 1995]): LogP with long messages. The processor is busy for o only; then the port sends
   a byte every G:

       source        |-o-|                             o(c) = o
       its port      |----------------------|          g(c) = max(o, g) + (c - 1) G
       under way         |- L -|-(c - 1) G-|           L(c) = L + (c - 1) G, from the end of o
       destination                         |-o-|
       its port                |------------------|    from the first byte to max(o, g) after the last: g(c)

   Less than a byte counts as one byte. Each host has its own o, g and G; L(c) is that of the source. A destination
   cannot receive faster than the source sends: bytes come in at the G of the source, and if its own is longer, its port
   is occupied for that much longer. This is when LogGOPSim [Hoefler 2010] lets the next message in. Network contention
   is not part of the model. */
#include "models/cost/logp.h"

static const struct param params[] = {
    {"L", PARAM_NUMBER, "s", NULL, 0, 1e12, NULL, "latency; not given: the hosts' logp_L"},
    {"o", PARAM_NUMBER, "s", NULL, 0, 1e12, NULL, "overhead of a message at each end; not given: the hosts' logp_o"},
    {"g", PARAM_NUMBER, "s", NULL, 0, 1e12, NULL, "gap between messages of a port; not given: the hosts' logp_g"},
    {"G", PARAM_NUMBER, "s per byte", NULL, 0, 1e12, NULL, "gap between bytes; not given: the hosts' logp_G"},
    {0},
};

static double more_bytes_s(const struct cost_model *self, const struct machine *m, host_id h, double bytes)
{
    return fmax(0, bytes - 1) * logp_own(self, m->hosts[h].logp.gap_s_per_byte);
}

static struct cost_end end(const struct cost_model *self, const struct machine *m, host_id src, host_id dst,
                           enum direction dir, link_id link, double bytes)
{
    host_id here = dir == DIR_SEND ? src : dst;
    double in_s = dir == DIR_RECV ? more_bytes_s(self, m, src, bytes) : 0; /* has passed when the receive begins */
    double port_s = logp_interval_s(self, m, here) + fmax(0, more_bytes_s(self, m, here, bytes) - in_s);
    (void)link;
    return (struct cost_end){
        .overhead_s = logp_at(self, m, here, LOGP_OVERHEAD, bytes), .port_s = port_s, .port_before_s = in_s};
}

static double transit_s(const struct cost_model *self, const struct machine *m, host_id src, host_id dst, double bytes)
{
    (void)dst;
    return logp_at(self, m, src, LOGP_LATENCY, bytes) + more_bytes_s(self, m, src, bytes);
}

extern const struct cost_model cost_model_loggp;
const struct cost_model cost_model_loggp = {
    .name = "loggp",
    .summary = "LogGP: a long message occupies processors for o only, ports for G per byte, and no link",
    .source = "[S] 8.1.3, [Alexandrov 1995]",
    LOGP_FAMILY(params, end, transit_s),
    .check = logp_check_numbers,
    .is_uniform = logp_is_uniform,
};
