/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "stats/stats.h"

#include "base/choose.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

void quantile_sort(double *values, size_t n)
{
    if (n > 1)
        qsort(values, n, sizeof *values, choose_ascending);
}

/* Equal values are returned unchanged: their sum could overflow. */
double quantile_median(const double *sorted, size_t n)
{
    if (n == 0)
        return NAN;
    double low = sorted[(n - 1) / 2], high = sorted[n / 2];
    return low == high ? low : low * 0.5 + high * 0.5;
}

/* exp and log differ in their last digit between libraries; 12 digits are the same everywhere. */
double quantile_geometric_mean(const double *ratios, size_t n)
{
    char text[32];
    double sum = 0;
    if (n <= 1)
        return n == 1 ? ratios[0] : NAN;
    for (size_t i = 0; i < n; i++)
        sum += log(ratios[i]);
    snprintf(text, sizeof text, "%.12g", exp(sum / (double)n));
    return strtod(text, NULL);
}
