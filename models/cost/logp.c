/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* LogP ([S] 8.1.3, [Culler 1993]): data of c bytes are n = ceil(c / M) messages, one every max(o, g); data without
   bytes are one message. The processor is busy from the first to the last of them:

       source        |-o-|  |-o-|  |-o-|               o(c) = o + (n - 1) max(o, g)
       its port      |------|------|------|            g(c) = n max(o, g)
       under way          L      L      L              L(c) = L - (n - 1) max(o, g), from the end of o(c)
       destination            |-o-|  |-o-|  |-o-|      from s + o + L of the source, or later

   Each host has its own o and g; L and M, and so n, are those of the source. A destination cannot receive faster than
   the source sends: its interval is the longer of both, its port is occupied for (n - 1) intervals and its own
   max(o, g). Network contention is not part of the model; LogP's limit of ceil(L / g) messages under way would change
   no receive, only hold senders longer (doc/model.md, Beliefs). */
#include "models/cost/logp.h"

static const struct param params[] = {
    {"L", PARAM_NUMBER, "s", NULL, 0, 1e12, NULL, "latency; not given: the hosts' logp_L"},
    {"o", PARAM_NUMBER, "s", NULL, 0, 1e12, NULL, "overhead of a message at each end; not given: the hosts' logp_o"},
    {"g", PARAM_NUMBER, "s", NULL, 0, 1e12, NULL, "gap between messages of a port; not given: the hosts' logp_g"},
    {"M", PARAM_NUMBER, "bytes", NULL, 1e-9, 1e18, NULL,
     "size of a message, longer data take several; not given: the hosts' logp_M, or else all data are one message"},
    {0},
};

/* n - 1 */
static double n_more_messages(const struct cost_model *self, const struct machine *m, host_id src, double bytes)
{
    double message_bytes = logp_own(self, m->hosts[src].logp.message_bytes);
    return message_bytes > 0 ? fmax(0, ceil(bytes / message_bytes) - 1) : 0;
}

static struct cost_end end(const struct cost_model *self, const struct machine *m, host_id src, host_id dst,
                           enum direction dir, link_id link, double bytes)
{
    host_id here = dir == DIR_SEND ? src : dst;
    double n_more = n_more_messages(self, m, src, bytes);
    double own_s = logp_interval_s(self, m, here), interval_s = fmax(own_s, logp_interval_s(self, m, src));
    (void)link;
    return (struct cost_end){.overhead_s = logp_at(self, m, here, LOGP_OVERHEAD, bytes) + n_more * interval_s,
                             .port_s = n_more * interval_s + own_s};
}

static double transit_s(const struct cost_model *self, const struct machine *m, host_id src, host_id dst, double bytes)
{
    (void)dst;
    return logp_at(self, m, src, LOGP_LATENCY, bytes) -
           n_more_messages(self, m, src, bytes) * logp_interval_s(self, m, src);
}

extern const struct cost_model cost_model_logp;
const struct cost_model cost_model_logp = {
    .name = "logp",
    .summary = "LogP: data are messages of a fixed size; each occupies processors and ports, but no link",
    .source = "[S] 8.1.3, [Culler 1993]",
    LOGP_FAMILY(params, end, transit_s),
    .check = logp_check_numbers,
    .is_uniform = logp_is_uniform,
};
