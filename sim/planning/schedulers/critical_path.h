/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The critical path of CPOP and BSA: from the entry on the longest path to an exit, always on to the successor on the
   longest path; among equals the task that is first in the file. */
#ifndef IASIM_SCHEDULERS_CRITICAL_PATH_H
#define IASIM_SCHEDULERS_CRITICAL_PATH_H

#include "plan/problem.h"

/* [task]: the length of the longest path through it, with mean costs: top level plus bottom level; `edges`: a value of
   CORE_PARAM_EDGES. The caller frees it. */
double *critical_path_lengths(const struct problem *p, const char *edges);

task_id critical_path_first(const struct dag *g, const double *length_s);
task_id critical_path_next(const struct dag *g, const double *length_s, task_id t); /* -1: `t` is an exit */

#endif
