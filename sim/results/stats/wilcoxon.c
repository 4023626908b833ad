/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Ranks are kept doubled, so that shared ranks, which end in 1/2, are whole numbers and sums of them exact. The
   exact distribution counts sums of doubled ranks; ties are thereby taken into account without a correction. */
#include "stats/stats.h"

#include "base/mem.h"

#include <math.h>
#include <stdlib.h>

struct ranked {
    double size;
    bool is_positive;
    double rank2; /* twice the rank: a whole number even where ranks are shared */
};

static int by_size(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;
    return (x->size > y->size) - (x->size < y->size); /* equal sizes share a rank, so their order does not matter */
}

static size_t take_nonzero(const double *differences, size_t n, struct ranked *out)
{
    size_t kept = 0;
    for (size_t i = 0; i < n; i++)
        if (differences[i] != 0)
            out[kept++] = (struct ranked){.size = fabs(differences[i]), .is_positive = differences[i] > 0};
    return kept;
}

static void give_ranks(struct ranked *r, size_t n, double tolerance)
{
    for (size_t first = 0, end; first < n; first = end) {
        /* Compared with the smallest of the group, not with the neighbour: a chain of small steps would else become
           one group. Infinite sizes are equal, though their difference is NAN. */
        for (end = first + 1; end < n; end++)
            if (r[end].size != r[first].size && !(r[end].size - r[first].size <= tolerance))
                break;
        for (size_t i = first; i < end; i++)
            r[i].rank2 = (double)(first + 1 + end); /* ranks first + 1 to end */
    }
}

/* counts[s]: in how many of the 2^n sign patterns the doubled positive ranks sum to s. Each rank either adds to the sum
   or does not. */
static double exact_p(const struct ranked *r, size_t n, double plus2)
{
    size_t total2 = n * (n + 1), filled = 0;
    double *counts = mem_zalloc(total2 + 1, sizeof *counts);
    counts[0] = 1;
    for (size_t i = 0; i < n; i++) {
        size_t shift = (size_t)r[i].rank2;
        filled += shift;
        /* From above, so that each rank is added at most once. */
        for (size_t s = filled + 1; s-- > shift;)
            counts[s] += counts[s - shift];
    }
    double lower = 0, upper = 0;
    for (size_t s = 0; s <= total2; s++) {
        lower += (double)s <= plus2 ? counts[s] : 0;
        upper += (double)s >= plus2 ? counts[s] : 0;
    }
    free(counts);
    /* Twice the smaller tail can exceed 1, because the value itself counts in both tails. */
    return fmin(1, 2 * fmin(lower, upper) / ldexp(1, (int)n));
}

/* Each rank is positive with chance 1/2: the mean is half their sum, the variance a quarter of the sum of their
   squares. */
static double normal_p(const struct ranked *r, size_t n, double plus2)
{
    double sum = 0, squares = 0;
    for (size_t i = 0; i < n; i++) {
        sum += r[i].rank2 / 2;
        squares += r[i].rank2 * r[i].rank2 / 4;
    }
    /* The correction of 1/2 moves the sum towards the mean, but never past it. */
    double away = fmax(0, fabs(plus2 / 2 - sum / 2) - 0.5);
    return erfc(away / sqrt(squares / 4) / sqrt(2));
}

struct wilcoxon wilcoxon_test(const double *differences, size_t n, double tolerance)
{
    struct ranked *r = mem_zalloc(n, sizeof *r);
    struct wilcoxon w = {.n = take_nonzero(differences, n, r), .p = 1, .is_exact = true};
    if (w.n > 1)
        qsort(r, w.n, sizeof *r, by_size);
    give_ranks(r, w.n, tolerance);
    for (size_t i = 0; i < w.n; i++)
        *(r[i].is_positive ? &w.w_plus : &w.w_minus) += r[i].rank2 / 2;
    w.is_exact = w.n <= WILCOXON_MAX_EXACT;
    if (w.n > 0)
        w.p = (w.is_exact ? exact_p : normal_p)(r, w.n, 2 * w.w_plus);
    free(r);
    return w;
}
