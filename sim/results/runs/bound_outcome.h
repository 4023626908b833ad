/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A bound of a farm, and what it was found for. */
#ifndef IASIM_RUNS_BOUND_OUTCOME_H
#define IASIM_RUNS_BOUND_OUTCOME_H

#include "farm/bound.h"
#include "runs/farm_rows.h"

struct bound_outcome {
    struct farm_point point;
    struct farm_app app; /* sizes of a task and of a request */
    struct bound bound;
};

/* `out` is cleared by the caller, also after errors. Errors: those of the tree's deployment and of bound_compute. */
enum err_code bound_outcome_find(struct bound_outcome *out, const struct point *p, struct err *e);
void bound_outcome_clear(struct bound_outcome *x);

#endif
