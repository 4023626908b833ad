/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "stats/stats.h"

#include <math.h>

/* P(|T| < t) for t = sqrt(n) tan(angle): with a whole number of degrees of freedom it is a finite sum of powers of the
   cosine, one for odd and one for even numbers [Abramowitz 1964] 26.7.3, 26.7.4. */
static double probability(double angle, size_t n)
{
    double c = cos(angle), s = sin(angle), sum = 0;
    double term = n % 2 == 1 ? c : 1;
    for (size_t k = n % 2 == 1 ? 3 : 2; k <= n; k += 2) {
        sum += term;
        term *= c * c * (double)(k - 1) / (double)k;
    }
    return n % 2 == 1 ? 2 / M_PI * (angle + s * sum) : s * sum;
}

double student_t(double confidence, size_t n_free)
{
    if (n_free == 0)
        return NAN;
    double low = 0, high = M_PI / 2;
    /* Bisection over the angle, which is bounded, while t is not. 60 halvings are finer than a double's last bit. */
    for (int step = 0; step < 60; step++) {
        double middle = (low + high) / 2;
        if (probability(middle, n_free) < confidence)
            low = middle;
        else
            high = middle;
    }
    return sqrt((double)n_free) * tan(low);
}
