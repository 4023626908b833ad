/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The machine of a cost model of the LogP family (cost/logp.h): hosts have ports, data are under way for L(c), and
   links carry nothing, so that it makes no difference how they are shared. */
#ifndef IASIM_MODELS_LOGP_WORLD_H
#define IASIM_MODELS_LOGP_WORLD_H

#include "models/world.h"

#define LOGP_WORLD(family, what)                                                                                       \
    extern const struct cost_model cost_model_##family;                                                                \
    extern const struct world_model world_##family;                                                                    \
    const struct world_model world_##family = {.name = #family,                                                        \
                                               .summary = (what),                                                      \
                                               .source = "[S] 8.1.3",                                                  \
                                               .reads = PROPERTIES_LOGP,                                               \
                                               .charges = &cost_model_##family}

#endif
