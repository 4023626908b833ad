/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Gamma variates against the distribution's closed forms. */
#include "base/gamma.h"

#include "base/mem.h"
#include "check.h"

#include <stdlib.h>

enum { N = 40000 };

static const double cvs[] = {1e-4, 0.01, 0.1, 0.3, 0.7, 0.99, 1, 1.01, 1.5, 2, 3};
enum { N_CVS = sizeof cvs / sizeof cvs[0] };

/* P(a, x) by its power series, x^a e^-x sum x^k / Gamma(a + k + 1); of large a, where terms are many, by as many as it
 * takes. */
static double regularised_lower_gamma(double a, double x)
{
    if (x <= 0)
        return 0;
    double term = exp(a * log(x) - x - lgamma(a + 1)), sum = term;
    for (double k = 1; term > 1e-17 * sum && k < 1e6; k++) {
        term *= x / (a + k);
        sum += term;
    }
    return fmin(sum, 1);
}

/* Of shape 1/cv^2 and mean 1. Where cv is tiny: Wilson and Hilferty's cube root, which is normal then. */
static double cumulative(double cv, double x)
{
    double a = 1 / (cv * cv);
    if (a < 1e5)
        return regularised_lower_gamma(a, x * a);
    return 0.5 * erfc(-(cbrt(x) - (1 - 1 / (9 * a))) * sqrt(9 * a) / sqrt(2));
}

static int ascending(const void *x, const void *y)
{
    double a = *(const double *)x, b = *(const double *)y;
    return (a > b) - (a < b);
}

static double *sample(double cv, uint64_t seed)
{
    double *x = mem_alloc(N * sizeof *x);
    for (uint64_t i = 0; i < N; i++) {
        struct random_stream r;
        random_init(&r, seed, i);
        x[i] = random_gamma(&r, cv);
    }
    return x;
}

/* The largest distance of the sample's distribution, which is sorted. Above GAMMA_LEAST, where it has no atom. */
static double distance(double *x, double cv)
{
    double largest = 0;
    qsort(x, N, sizeof *x, ascending);
    for (int i = 0; i < N; i++) {
        double p = cumulative(cv, x[i]);
        if (x[i] > GAMMA_LEAST)
            largest = fmax(largest, fmax(fabs(p - (double)i / N), fabs(p - (i + 1.) / N)));
    }
    return largest;
}

/* 1.95 / sqrt N is exceeded by one sample in 1000, and the samples are fixed by their seeds. */
static void the_distribution_is_gamma(void)
{
    for (int i = 0; i < N_CVS; i++) {
        double *x = sample(cvs[i], 17);
        double d = distance(x, cvs[i]);
        if (d > 1.95 / sqrt(N))
            fprintf(stderr, "cv %g: distance %g\n", cvs[i], d);
        CHECK(d <= 1.95 / sqrt(N));
        free(x);
    }
}

/* The variance's own deviation: sqrt((kurtosis - 1) / N) with kurtosis 3 + 6 cv^2. */
static void mean_and_variance_are_as_asked_for(void)
{
    for (int i = 0; i < N_CVS; i++) {
        double *x = sample(cvs[i], 4), mean = 0, variance = 0, cv = cvs[i];
        for (int k = 0; k < N; k++)
            mean += x[k] / N;
        for (int k = 0; k < N; k++)
            variance += (x[k] - 1) * (x[k] - 1) / N;
        CHECK(fabs(mean - 1) < 4 * cv / sqrt(N));
        CHECK(fabs(variance / (cv * cv) - 1) < 4 * sqrt((2 + 6 * cv * cv) / N));
        free(x);
    }
}

static void no_variation_is_exactly_1(void)
{
    struct random_stream r;
    random_init(&r, 1, 1);
    CHECK(random_gamma(&r, 0) == 1);
    CHECK(r.counter == 0);
}

static void variates_are_finite_and_never_0(void)
{
    for (int i = 0; i < N_CVS; i++) {
        double *x = sample(cvs[i], 9);
        for (int k = 0; k < N; k++)
            CHECK(isfinite(x[k]) && x[k] >= GAMMA_LEAST);
        free(x);
    }
}

/* Results are made of these bytes: any compiler, library and machine must give them. A program in Python that does the
   same operations (Philox, too) has given them. */
static void the_bytes_are_these(void)
{
    static const struct {
        double cv, want;
    } known[] = {{0.1, 0x1.2e652fc3a098dp+0},
                 {0.5, 0x1.39889f3826dd7p+0},
                 {1, 0x1.d106a7aa2e458p-3},
                 {2, 0x1.908ff3c9f6f31p-1},
                 {3, 0x1.7e5948109741dp-2}};
    for (uint64_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        struct random_stream r;
        random_init(&r, 2026, i);
        double x = random_gamma(&r, known[i].cv);
        CHECK_CLOSE(x, known[i].want, 0);
    }
}

/* The method once more, with the C library's functions: the same to a few last bits. */
static double reference(struct random_stream *r, double shape)
{
    double d = shape - 1. / 3, c = 1 / sqrt(9 * d);
    for (;;) {
        double y = random_between(r, -1, 1), x = random_between(r, -1, 1), s = x * x + y * y;
        if (s >= 1 || s == 0)
            continue;
        x *= sqrt(-2 * log(s) / s);
        double v = pow(1 + c * x, 3);
        if (v > 0 && log(1 - random_unit(r)) <= x * x / 2 + d * (1 - v + log(v)))
            return d * v;
    }
}

static void own_logarithms_are_right(void)
{
    for (int i = 1; i < N_CVS; i++)
        for (uint64_t k = 0; k < 2000; k++) {
            struct random_stream a, b;
            double shape = 1 / (cvs[i] * cvs[i]), want;
            random_init(&a, 5, k);
            b = a;
            if (shape >= 1) {
                want = reference(&b, shape) / shape;
            } else {
                want = reference(&b, shape + 1) / shape;
                want *= pow(1 - random_unit(&b), 1 / shape);
            }
            CHECK_CLOSE(random_gamma(&a, cvs[i]), fmax(want, GAMMA_LEAST), 1e-12);
        }
}

static const struct test tests[] = {
    {"the distribution is gamma", the_distribution_is_gamma},
    {"mean and variance are as asked for", mean_and_variance_are_as_asked_for},
    {"no variation is exactly 1", no_variation_is_exactly_1},
    {"variates are finite and never 0", variates_are_finite_and_never_0},
    {"the bytes are these", the_bytes_are_these},
    {"own logarithms are right", own_logarithms_are_right},
};
TEST_MAIN(tests)
