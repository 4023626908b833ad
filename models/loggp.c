/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The machine of the cost model `loggp` (cost/loggp.c): hosts have ports, data are under way for L(c), and links carry
   nothing, so that it makes no difference how they are shared. */
#include "models/world.h"

extern const struct cost_model cost_model_loggp;
extern const struct world_model world_loggp;
const struct world_model world_loggp = {
    .name = "loggp",
    .summary = "long messages occupy processors for o, and ports for G per byte; links are not used (LogGP)",
    .source = "[S] 8.1.3",
    .reads = PROPERTIES_LOGP,
    .charges = &cost_model_loggp,
};
