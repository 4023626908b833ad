/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Performance profiles: on which share of the instances is a variant within a factor tau of the best one there?
   [Dolan 2002] */
#ifndef IASIM_STATS_PROFILE_H
#define IASIM_STATS_PROFILE_H

#include <stdbool.h>
#include <stddef.h>

/* How many times worse each figure is than the best one of its instance. figures[instance * n_variants + variant] is at
   least 0, or NAN for a failure. The ratio of a failure is infinite; if all variants failed on an instance, all its
   ratios are. 0 to 0 is 1; any other figure to 0 is infinite. Ratios up to 1 + tolerance become 1. The result is
   ratios[variant * n_instances + i], sorted for each variant. Time n log n. */
void profile_ratios(const double *figures, size_t n_instances, size_t n_variants, bool higher_is_better,
                    double tolerance, double *ratios);

/* rho(tau): the share of a variant's sorted ratios that are at most tau; NAN if n is 0. Time log n. */
double profile_share(const double *sorted, size_t n, double tau);

/* larger / smaller by the rules above; both at least 0. */
double profile_ratio(double larger, double smaller);

#endif
