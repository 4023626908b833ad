/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "stats/quantile.h"

#include <math.h>
#include <stdlib.h>

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

void quantile_sort(double *values, size_t n)
{
    if (n > 1)
        qsort(values, n, sizeof *values, ascending);
}

/* Equal ends are given back as they are: halving and adding could round, and twice infinity is no number's half. */
static double between(double low, double high, double part)
{
    return low == high ? low : low * (1 - part) + high * part;
}

double quantile_median(const double *sorted, size_t n)
{
    return n > 0 ? between(sorted[(n - 1) / 2], sorted[n / 2], 0.5) : NAN;
}

double quantile_of(const double *sorted, size_t n, double q)
{
    if (n == 0)
        return NAN;
    double at = q * (double)(n - 1), below = floor(at);
    size_t i = (size_t)below;
    return i + 1 < n && at > below ? between(sorted[i], sorted[i + 1], at - below) : sorted[i];
}
