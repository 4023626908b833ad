/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Communication costs the processor nothing: the assumption of most of the literature, and the yardstick. */
#include "models/world.h"

extern const struct world_model world_none;
const struct world_model world_none = {
    .name = "none",
    .summary = "communication costs the processor nothing",
    .source = "the classic assumption ([S] 8.1)",
};
