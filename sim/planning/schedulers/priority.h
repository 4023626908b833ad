/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The static list of list schedulers: the order in which tasks are placed ([S] 5.1, 8.4.1). */
#ifndef IASIM_SCHEDULERS_PRIORITY_H
#define IASIM_SCHEDULERS_PRIORITY_H

#include "base/api.h"
#include "plan/problem.h"

#define PRIORITY_CHOICES "bottom_level|top_level|t_plus_b_level|computation_bottom_level|alap"

/* All tasks by priority, each after its predecessors; ties go to the first in the file. The caller frees the list.
   bottom_level, computation_bottom_level, t_plus_b_level: largest first; top_level, alap (latest start): smallest
   first. */
IASIM_API task_id *priority_list(const struct problem *p, const char *priority);

/* The same by any values: the largest comes first. They are compared as in base/choose.h. */
IASIM_API task_id *priority_list_of(const struct dag *g, const double *value);

#endif
