/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Performance profiles: on which share of the instances is a variant within a factor tau of the best one there?
   Dolan and More, Benchmarking Optimization Software with Performance Profiles, Mathematical Programming 91 (2002). */
#ifndef IASIM_STATS_PROFILE_H
#define IASIM_STATS_PROFILE_H

#include <stdbool.h>
#include <stddef.h>

/* How many times worse each figure is than the best of its instance. figures[instance * n_variants + variant] is not
   negative, NAN for a failure, whose ratio is infinite; so are all of an instance on which everybody failed. 0 against 0
   is 1, anything against 0 infinite. Ratios up to 1 + tolerance become 1. ratios[variant * n_instances + instance],
   sorted for each variant. Time n log n. */
void profile_ratios(const double *figures, size_t n_instances, size_t n_variants, bool higher_is_better,
                    double tolerance, double *ratios);

/* rho(tau): the share of a variant's sorted ratios that are at most tau; NAN for n 0. Time log n. */
double profile_share(const double *sorted, size_t n, double tau);

/* How many times `larger` is `smaller`, by the rules above; both at least 0. */
double profile_ratio(double larger, double smaller);

#endif
