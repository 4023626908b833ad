/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The machine of the cost model `logp` (cost/logp.c): hosts have ports, data are under way for L(c), and links carry
   nothing, so that it makes no difference how they are shared. */
#include "models/world.h"

extern const struct cost_model cost_model_logp;
extern const struct world_model world_logp;
const struct world_model world_logp = {
    .name = "logp",
    .summary = "messages of a fixed size occupy processors and ports; links are not used (LogP)",
    .source = "[S] 8.1.3",
    .reads = PROPERTIES_LOGP,
    .charges = &cost_model_logp,
};
