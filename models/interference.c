/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Computing slows down linearly in the rates of the transfers of a host ([K] 2.3, 2.4, 3.1):

       factor = 1 - sum over sends of IR_s rate - sum over receives of IR_r rate

   Sending costs less while the host receives ([K] 2.5): if the platform gives ir_send_duplex, it replaces IR_s of every send
   while the host receives. */
#include "models/world.h"

#include <math.h>

static bool is_receiving(const struct world_flow *flows, size_t n_flows)
{
    for (size_t i = 0; i < n_flows; i++)
        if (flows[i].direction == DIR_RECV && flows[i].rate_bytes_per_s > 0)
            return true;
    return false;
}

static double speed_factor_ratio(const struct host *h, const struct world_flow *flows, size_t n_flows)
{
    bool duplex = !isnan(h->ir_send_duplex_s_per_byte) && is_receiving(flows, n_flows);
    double factor = 1;
    for (size_t i = 0; i < n_flows; i++) {
        double ir = duplex && flows[i].direction == DIR_SEND ? h->ir_send_duplex_s_per_byte : flows[i].ir_s_per_byte;
        factor -= ir * flows[i].rate_bytes_per_s;
    }
    return factor;
}

extern const struct world_model world_interference;
const struct world_model world_interference = {
    .name = "interference",
    .summary = "computing slows down linearly in the transfer rates of the host",
    .source = "[K] 3.1",
    .reads = PROPERTIES_INTERFERENCE,
    .speed_factor_ratio = speed_factor_ratio,
};
