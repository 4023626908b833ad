/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Computing slows down linearly in the rates of the transfers of a host ([K] 2.3, 2.4, 3.1):

       factor = constant - sum over sends of IR_s rate - sum over receives of IR_r rate

   Where the platform gives a curve, IR RATE (rate / RATE)^GAMMA takes the place of IR rate ("marginally better",
   2.3: a parabola). The constant is 1 unless the platform gives what a fit found ([K], Tables 2 and 3); several
   transfers do not add up theirs, because the loss is largely independent of how many there are ([K] 1): the lowest
   counts. While a host both sends and receives, rates and constants are those of REGIME_DUPLEX: together they cost less
   than separately ([K] 2.5). */
#include "models/world.h"

#include <math.h>

static double speed_factor_ratio(const struct world_model *self, const struct host *h, const struct world_flow *flows,
                                 size_t n_flows)
{
    (void)self, (void)h;
    enum regime regime = world_regime(flows, n_flows);
    double constant = INFINITY;
    for (size_t i = 0; i < n_flows; i++)
        /* a flow in its latency moves no data, so it counts for neither the constant nor the regime */
        if (flows[i].rate_bytes_per_s > 0)
            constant = fmin(constant, flows[i].constant_ratio[regime]);
    double factor = isinf(constant) ? 1 : constant;
    for (size_t i = 0; i < n_flows; i++)
        factor -= world_flow_cost_ratio(&flows[i], regime);
    return factor;
}

extern const struct world_model world_interference;
const struct world_model world_interference = {
    .name = "interference",
    .summary = "computing slows down in the transfer rates of the host: linearly, or by curves of the platform",
    .source = "[K] 3.1",
    .reads = PROPERTIES_INTERFERENCE,
    .speed_factor_ratio = speed_factor_ratio,
};
