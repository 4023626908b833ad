/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A resample of sorted values x[0..n-1] is n draws u, uniform in [0, 1), each standing for x[floor(n u)]. Because floor
   is increasing, the middle values of the resample are those of its middle draws. So the draws are never made one by
   one: [0, 1) is halved again and again. Each time a random number says how many of the n' draws in the current
   interval fall into its lower half (as many as n' fair coins show heads), and the search goes on in the half with the
   wanted draw:

       [0 ................ 1)   7 draws; number 3 (from 0) is wanted
       [0 ... .5)               4 of them; the wanted one is the last
           [.25 .5)             2 of them; the wanted one is the last ...

   until the whole interval stands for one value. */
#include "stats/stats.h"

#include <math.h>

struct interval {
    uint64_t low; /* in 2^-64 */
    int n_bits;   /* its width is 2^-n_bits */
    size_t n;     /* draws in it */
};

static size_t heads(struct random_stream *random, size_t n)
{
    size_t sum = 0;
    for (; n >= 64; n -= 64)
        sum += (size_t)__builtin_popcountll(random_u64(random));
    if (n > 0)
        sum += (size_t)__builtin_popcountll(random_u64(random) >> (64 - n));
    return sum;
}

static size_t place(uint64_t u, size_t n_values)
{
    return (size_t)((unsigned __int128)u * n_values >> 64);
}

static bool is_settled(const struct interval *at, size_t n_values)
{
    uint64_t rest = at->n_bits < 64 ? UINT64_MAX >> at->n_bits : 0;
    return place(at->low, n_values) == place(at->low + rest, n_values);
}

static struct interval half(const struct interval *at, bool upper, size_t n)
{
    struct interval next = {at->low, at->n_bits + 1, n};
    if (upper)
        next.low |= UINT64_C(1) << (63 - at->n_bits);
    return next;
}

/* The place in x of draw number `rank` of the interval. */
static size_t find_one(struct random_stream *random, struct interval at, size_t rank, size_t n_values)
{
    while (!is_settled(&at, n_values)) {
        size_t lower = heads(random, at.n);
        bool upper = rank >= lower;
        at = half(&at, upper, upper ? at.n - lower : lower);
        rank -= upper ? lower : 0;
    }
    return place(at.low, n_values);
}

/* The places in x of draws number `rank` and rank + 1, which share a path until one halving separates them. */
static void find_two(struct random_stream *random, size_t n_values, size_t rank, size_t out[2])
{
    struct interval at = {.n = n_values};
    while (!is_settled(&at, n_values)) {
        size_t lower = heads(random, at.n);
        if (rank + 1 == lower) {
            out[0] = find_one(random, half(&at, false, lower), rank, n_values);
            out[1] = find_one(random, half(&at, true, at.n - lower), 0, n_values);
            return;
        }
        bool upper = rank >= lower;
        at = half(&at, upper, upper ? at.n - lower : lower);
        rank -= upper ? lower : 0;
    }
    out[0] = out[1] = place(at.low, n_values);
}

void bootstrap_medians(const double *sorted, size_t n, struct random_stream *random, double *medians,
                       size_t n_resamples)
{
    for (size_t i = 0; i < n_resamples; i++) {
        size_t middle[2];
        if (n % 2 == 0)
            find_two(random, n, n / 2 - 1, middle);
        else
            middle[0] = middle[1] = find_one(random, (struct interval){.n = n}, n / 2, n);
        const double pair[2] = {sorted[middle[0]], sorted[middle[1]]};
        medians[i] = quantile_median(pair, 2);
    }
}

void bootstrap_means(const double *values, size_t n, struct random_stream *random, double *means, size_t n_resamples)
{
    for (size_t k = 0; k < n_resamples; k++) {
        double sum = 0;
        for (size_t i = 0; i < n; i++)
            sum += values[random_below(random, n)];
        means[k] = sum / (double)n;
    }
}

bool bootstrap_interval(double *values, size_t n, double confidence, double *low, double *high)
{
    double k = floor((double)(n + 1) * (1 - confidence) / 2 * (1 + 1e-12)); /* 1 - 0.95 is a little less than 0.05 */
    if (k < 1)
        return false;
    quantile_sort(values, n);
    *low = values[(size_t)k - 1];
    *high = values[n - (size_t)k];
    return true;
}
