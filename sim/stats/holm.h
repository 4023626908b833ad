/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Several tests together: the chance that any true hypothesis is rejected stays below the level. */
#ifndef IASIM_STATS_HOLM_H
#define IASIM_STATS_HOLM_H

#include <stddef.h>

/* adjusted[i] is the least level at which hypothesis i is rejected beside the others: with p(1) <= p(2) <= ... of m,
   the largest of (m - j + 1) p(j) over j <= i, at most 1. Holm, A Simple Sequentially Rejective Multiple Test Procedure,
   Scandinavian Journal of Statistics 6 (1979). Where p is NAN there was no test: it stays NAN and does not count.
   Time n log n. */
void holm_adjust(const double *p, size_t n, double *adjusted);

#endif
