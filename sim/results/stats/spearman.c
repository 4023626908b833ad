/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Twice a rank is a whole number, also where ranks are shared, so the sums are exact and only the last division
   rounds. */
#include "stats/stats.h"

#include "base/mem.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

struct ranked {
    double value;
    size_t place; /* in the array that is ranked */
};

static int by_value(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;
    return (x->value > y->value) -
           (x->value < y->value); /* equal values share a rank, so their order does not matter */
}

static bool are_equal(double a, double b, double tolerance)
{
    return a == b || (isfinite(a - b) && fabs(a - b) <= tolerance * fmax(fabs(a), fabs(b)));
}

/* away2[i]: twice the distance of the rank of values[i] from the middle of all ranks. */
static void rank_all(const double *values, size_t n, double tolerance, double *away2)
{
    struct ranked *r = mem_zalloc(n, sizeof *r);
    for (size_t i = 0; i < n; i++)
        r[i] = (struct ranked){values[i], i};
    if (n > 1)
        qsort(r, n, sizeof *r, by_value);
    for (size_t first = 0, end; first < n; first = end) {
        for (end = first + 1; end < n && are_equal(r[first].value, r[end].value, tolerance);)
            end++;
        for (size_t i = first; i < end; i++) /* ranks first + 1 to end */
            away2[r[i].place] = (double)(first + end) - (double)n;
    }
    free(r);
}

double spearman(const double *x, const double *y, size_t n, double tolerance)
{
    double *of_x = mem_zalloc(2 * n, sizeof *of_x), *of_y = of_x + n, xx = 0, yy = 0, xy = 0;
    rank_all(x, n, tolerance, of_x);
    rank_all(y, n, tolerance, of_y);
    for (size_t i = 0; i < n; i++) {
        xx += of_x[i] * of_x[i];
        yy += of_y[i] * of_y[i];
        xy += of_x[i] * of_y[i];
    }
    free(of_x);
    return xx > 0 && yy > 0 ? xy / sqrt(xx * yy) : NAN;
}
