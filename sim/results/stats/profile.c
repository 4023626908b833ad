/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "stats/stats.h"

#include <math.h>

double profile_ratio(double larger, double smaller)
{
    return larger == smaller ? 1 : larger / smaller;
}

static double best_of(const double *figures, size_t n, bool higher_is_better)
{
    double best = NAN;
    for (size_t i = 0; i < n; i++)
        best = higher_is_better ? fmax(best, figures[i]) : fmin(best, figures[i]); /* both ignore NAN */
    return best;
}

void profile_ratios(const double *figures, size_t n_instances, size_t n_variants, bool higher_is_better,
                    double tolerance, double *ratios)
{
    for (size_t i = 0; i < n_instances; i++) {
        const double *row = figures + i * n_variants;
        double best = best_of(row, n_variants, higher_is_better);
        for (size_t v = 0; v < n_variants; v++) {
            double ratio = INFINITY;
            if (!isnan(row[v]))
                ratio = higher_is_better ? profile_ratio(best, row[v]) : profile_ratio(row[v], best);
            ratios[v * n_instances + i] = ratio - 1 <= tolerance ? 1 : ratio;
        }
    }
    for (size_t v = 0; v < n_variants; v++)
        quantile_sort(ratios + v * n_instances, n_instances);
}

double profile_share(const double *sorted, size_t n, double tau)
{
    size_t low = 0, high = n; /* values before `low` are at most tau; those from `high` on are larger */
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (sorted[middle] <= tau)
            low = middle + 1;
        else
            high = middle;
    }
    return n > 0 ? (double)low / (double)n : NAN;
}
