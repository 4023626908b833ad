/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Communication costs the processor nothing. Most of the literature assumes this, so other worlds are compared with
   it. */
#include "models/world.h"

extern const struct world_model world_none;
const struct world_model world_none = {
    .name = "none",
    .summary = "communication costs the processor nothing",
    .source = "the classic assumption ([S] 8.1)",
};
