/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The machine of the cost model `glogp` (cost/glogp.c): hosts have ports, data are under way for L(c), and links carry
   nothing, so that it makes no difference how they are shared. */
#include "models/world.h"

extern const struct cost_model cost_model_glogp;
extern const struct world_model world_glogp;
const struct world_model world_glogp = {
    .name = "glogp",
    .summary = "messages occupy processors and ports by their size; links are not used (generalised LogP)",
    .source = "[S] 8.1.3",
    .reads = PROPERTIES_LOGP,
    .charges = &cost_model_glogp,
};
