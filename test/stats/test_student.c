/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "check.h"
#include "stats/stats.h"

/* The density's integral from 0 to t by Simpson's rule: a computation of its own. */
static double probability(double t, double n)
{
    enum { N = 20000 };
    double scale = exp(lgamma((n + 1) / 2) - lgamma(n / 2)) / sqrt(n * M_PI), sum = 0;
    for (int i = 0; i <= N; i++) {
        double x = t * i / N;
        sum += (i == 0 || i == N ? 1 : i % 2 == 1 ? 4 : 2) * pow(1 + x * x / n, -(n + 1) / 2);
    }
    return 2 * scale * sum * t / N / 3;
}

static void the_density_between_minus_t_and_t_has_the_confidence(void)
{
    const double confidences[] = {0.5, 0.9, 0.95, 0.99};
    const size_t free_ones[] = {1, 2, 3, 4, 5, 10, 19, 40, 101, 1000};
    for (size_t i = 0; i < 4; i++)
        for (size_t k = 0; k < 10; k++)
            CHECK_CLOSE(probability(student_t(confidences[i], free_ones[k]), (double)free_ones[k]), confidences[i],
                        1e-7);
}

static void closed_forms(void)
{
    CHECK_CLOSE(student_t(0.95, 1), tan(M_PI / 2 * 0.95), 1e-10);                           /* Cauchy */
    CHECK_CLOSE(student_t(0.95, 2), 0.95 * sqrt(2 / (1 - 0.95 * 0.95)), 1e-10);             /* P = t / sqrt(2 + t^2) */
    CHECK_CLOSE(student_t(0.95, 1000000), 1.9599639845400545 * (1 + 0.96e-6 * 1.25), 2e-6); /* nearly normal */
    CHECK(isnan(student_t(0.95, 0)));
}

static const struct test tests[] = {
    {"the density between -t and t has the confidence", the_density_between_minus_t_and_t_has_the_confidence},
    {"closed forms for 1, 2 and very many degrees of freedom", closed_forms},
};
TEST_MAIN(tests)
