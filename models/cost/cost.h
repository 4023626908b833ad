/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Cost models: what a planner believes a communication costs ([S]; SPEC section 5). One file each, registered in
   cost.def. */
#ifndef IASIM_MODELS_COST_COST_H
#define IASIM_MODELS_COST_COST_H

#include "base/err.h"
#include "machine/machine.h"

#include <stdbool.h>

struct cost_model {
    const char *name, *summary, *source;
    bool books_links; /* an edge occupies the links of its route; else it only takes time */
    /* OPTIONAL, both or none: an edge occupies both processors, too. The overhead o_s or o_r of a message at a host;
       and the involvement i_s or i_r, of a transfer whose first link (DIR_SEND) or last link (DIR_RECV) it is. */
    double (*overhead_s)(const struct machine *m, host_id host, enum direction dir);
    double (*involvement_s)(const struct machine *m, host_id host, enum direction dir, link_id link, double bytes);
};

extern const struct cost_model *const cost_models[]; /* ends with NULL; the order of cost.def */

/* Errors: ERR_INPUT for an unknown name; the message lists the known ones. */
enum err_code cost_model_find(const char *name, const struct cost_model **out, struct err *e);

#endif
