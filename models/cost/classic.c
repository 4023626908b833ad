/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* No contention: data arrive after the time on the slowest link of the route, even if other data use it too ([S]
   4.1). */
#include "models/cost/cost.h"

extern const struct cost_model cost_model_classic;
const struct cost_model cost_model_classic = {
    .name = "classic",
    .summary = "no contention: a communication takes time, and occupies nothing",
    .source = "[S] 4.1",
};
