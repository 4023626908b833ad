/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Edges are scheduled on links and on both processors. Each message occupies a processor for the overhead, and for the
   involvement, a share of the time on the first or last link ([S] 8.2, equations 8.9, 8.12 and 8.13). Both are
   properties of the machine, and may depend on the size of the message ([S] 8.2.1). */
#include "models/cost/cost.h"

static const struct param params[] = {
    {"aligned", PARAM_INTEGER, "", "0", 0, 1, NULL,
     "1: a processor is involved at the same time as its link: i_s begins with the first link, i_r ends with the last"},
    {0},
};

extern const struct cost_model cost_model_involvement;
const struct cost_model cost_model_involvement = {
    .name = "involvement",
    .summary = "a communication occupies links and, for overhead and involvement, both processors",
    .source = "[S] 8.2",
    .params = params,
    .books_processors = true,
    .reads = PROPERTIES_OVERHEAD | PROPERTIES_INVOLVEMENT,
    .books_links = true,
};
