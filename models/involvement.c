/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A message occupies both processors for its overhead and involvement. An occupied processor computes nothing;
   otherwise it has its full speed ([S] 8.2). The engine books the occupations (sim/running/engine/occupation.c). */
#include "models/world.h"

extern const struct cost_model cost_model_involvement;
extern const struct world_model world_involvement;
const struct world_model world_involvement = {
    .name = "involvement",
    .summary = "a message occupies both processors for its overhead and involvement",
    .source = "[S] 8.2",
    .reads = PROPERTIES_OVERHEAD | PROPERTIES_INVOLVEMENT,
    .charges = &cost_model_involvement,
};
