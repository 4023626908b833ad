/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Edges are scheduled on links, one at a time ([S] 7). They do not occupy processors. */
#include "models/cost/cost.h"

extern const struct cost_model cost_model_contention;
const struct cost_model cost_model_contention = {
    .name = "contention",
    .summary = "a communication occupies the links of its route, one after the other",
    .source = "[S] 7",
    .books_links = true,
};
