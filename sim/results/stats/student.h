/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Student's t: how far an estimate may be from the truth, when its standard error is itself estimated [Student
   1908]. */
#ifndef IASIM_STATS_STUDENT_H
#define IASIM_STATS_STUDENT_H

#include <stddef.h>

/* The t for which P(|T| < t) = confidence, with n_free degrees of freedom; 0 < confidence < 1. An estimate plus and
   minus t standard errors is its confidence interval. NAN if n_free is 0. Exact to about 12 digits; time n_free. */
double student_t(double confidence, size_t n_free);

#endif
