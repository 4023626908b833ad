/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* How short a schedule can be at best if communication is counted (doc/model.md, Lower bounds). */
#ifndef IASIM_PLAN_BOUNDS_H
#define IASIM_PLAN_BOUNDS_H

#include "plan/problem.h"

/* A lower bound in seconds on the length of every schedule of the problem that is valid under its cost model; never
   below problem_critical_path_s and problem_work_bound_s. Holds exactly, but for the last bits of dates. Time: edges
   times hosts, and hosts squared; edges times hosts squared if the cost model has a formula for the time under way. */
double problem_communication_bound_s(const struct problem *p);

#endif
