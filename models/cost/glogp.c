/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Generalised LogP ([S] 8.1.3, [Loewe 1997]): L, o and g are functions of the size c of the data, given as steps. o(c)
   is overhead and involvement. L(c) counts from the end of o(c) at the source, and may be negative, since the first
   data may arrive while the last are still to be sent:

       source        |------- o(c) -------|
       its port      |-------- g(c) --------|
       destination               |------- o(c) -------|      from s + o(c) + L(c), or later; its port likewise

   Each host has its own o and g; L is that of the source. Data arrive neither before their send starts nor, at the end
   of the receive, before it ends: L(c) is at least -o(c), of each host. Network contention is not part of the model. */
#include "base/steps.h"
#include "models/cost/logp.h"

static const struct param params[] = {
    {"L", PARAM_STEPS, "s", NULL, -1e12, 1e12, STEPS_LINEAR, "latency, may be negative; not given: the hosts' logp_L"},
    {"o", PARAM_STEPS, "s", NULL, 0, 1e12, STEPS_LINEAR, "overhead at each end; not given: the hosts' logp_o"},
    {"g", PARAM_STEPS, "s", NULL, 0, 1e12, STEPS_LINEAR, "occupation of a port; not given: the hosts' logp_g"},
    {0},
};

static struct cost_end end(const struct cost_model *self, const struct machine *m, host_id src, host_id dst,
                           enum direction dir, link_id link, double bytes)
{
    host_id here = dir == DIR_SEND ? src : dst;
    (void)link;
    return (struct cost_end){.overhead_s = logp_at(self, m, here, LOGP_OVERHEAD, bytes),
                             .port_s = logp_at(self, m, here, LOGP_GAP, bytes)};
}

static double transit_s(const struct cost_model *self, const struct machine *m, host_id src, host_id dst, double bytes)
{
    (void)dst;
    return logp_at(self, m, src, LOGP_LATENCY, bytes);
}

/* The parameters are to blame, or a host of the platform. */
static enum err_code refuse(const struct cost_model *self, const struct machine *m, host_id h, host_id least,
                            double bytes, struct err *e)
{
    double latency_s = logp_at(self, m, h, LOGP_LATENCY, bytes),
           least_s = logp_at(self, m, least, LOGP_OVERHEAD, bytes);
    const char *host = m->hosts[least].name;
    if (self->steps == NULL || !self->steps[LOGP_LATENCY].is_given)
        return err_set(e, ERR_INPUT,
                       "host '%s': logp_L is %g for %g bytes, but logp_o of host '%s' is only %g; model glogp takes "
                       "no L below -o, because data would arrive before they are sent",
                       m->hosts[h].name, latency_s, bytes, host, least_s);
    bool is_own = !self->steps[LOGP_OVERHEAD].is_given;
    return err_set_at(e, ERR_INPUT, "model glogp", 0,
                      "L is %g for %g bytes, but %s%s%s is only %g; L must not be below -o, because data would arrive "
                      "before they are sent",
                      latency_s, bytes, is_own ? "logp_o of host '" : "o", is_own ? host : "", is_own ? "'" : "",
                      least_s);
}

static enum err_code check(const struct cost_model *self, const struct machine *m, double bytes, struct err *e)
{
    host_id least = 0;
    double least_s = INFINITY;
    for (host_id h = 0; h < (host_id)m->n_hosts; h++) {
        double overhead_s = logp_at(self, m, h, LOGP_OVERHEAD, bytes);
        least = overhead_s < least_s ? h : least;
        least_s = fmin(least_s, overhead_s);
    }
    for (host_id h = 0; h < (host_id)m->n_hosts; h++) {
        double latency_s = logp_at(self, m, h, LOGP_LATENCY, bytes);
        if (latency_s + least_s < -1e-9 * least_s) /* but for rounding */
            return refuse(self, m, h, least, bytes, e);
    }
    return ERR_NONE;
}

static bool is_uniform(const struct cost_model *self, const struct machine *m)
{
    bool is_same = true;
    for (host_id h = 1; h < (host_id)m->n_hosts && is_same; h++)
        for (int i = 0; i < LOGP_N_SHARED && is_same; i++)
            is_same = steps_are_equal(logp_steps(self, m, h, (enum logp_parameter)i),
                                      logp_steps(self, m, 0, (enum logp_parameter)i));
    return is_same;
}

extern const struct cost_model cost_model_glogp;
const struct cost_model cost_model_glogp = {
    .name = "glogp",
    .summary = "generalised LogP: L, o and g are functions of the size; processors and ports, but no link",
    .source = "[S] 8.1.3, [Loewe 1997]",
    LOGP_FAMILY(params, end, transit_s),
    .check = check,
    .is_uniform = is_uniform,
};
