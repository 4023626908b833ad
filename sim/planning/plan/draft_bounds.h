/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Dates from below, for draft.c: what a try on a host cannot undercut, for all hosts together at the cost of a few
   tries. A scheduler that wants the host with the least date then tries few of them.

   They hold where the model leaves the costs of a message to the machine (draft_bounds_apply). Roundings are on the
   safe side. */
#ifndef IASIM_PLAN_DRAFT_BOUNDS_H
#define IASIM_PLAN_DRAFT_BOUNDS_H

#include "plan/draft.h"

struct draft_bounds;

bool draft_bounds_apply(const struct cost_model *model);
/* The draft is borrowed. */
struct draft_bounds *draft_bounds_create(const struct draft *d);
void draft_bounds_free(struct draft_bounds *b);

/* [host]: no try of `t` there starts earlier; edges from tasks that are not placed yet are left out. Valid until the
   next call. */
const double *draft_bounds_find(struct draft_bounds *b, task_id t);

#endif
