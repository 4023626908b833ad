/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Corrects the p-values of several tests: the chance that any true hypothesis is rejected stays below the level. */
#ifndef IASIM_STATS_HOLM_H
#define IASIM_STATS_HOLM_H

#include <stddef.h>

/* adjusted[i] is the smallest level at which hypothesis i is rejected among the others: for the sorted p(1) <= ... <=
   p(m), the maximum of (m - j + 1) p(j) over j <= i, at most 1 [Holm 1979]. Where p is NAN there was no test: it stays
   NAN and does not count towards m. Time n log n. */
void holm_adjust(const double *p, size_t n, double *adjusted);

#endif
