/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Holm's step-down method: the smallest p is multiplied by the number of tests, the next by one less, and so on. The
   running maximum keeps the order: a hypothesis with a larger p is never rejected at a lower level than one with a
   smaller p. */
#include "stats/stats.h"

#include "base/mem.h"

#include <math.h>
#include <stdlib.h>

struct test {
    double p;
    size_t place;
};

static int by_p(const void *a, const void *b)
{
    /* Equal ones by their place, so that qsort's choice is without effect. */
    const struct test *x = a, *y = b;
    return x->p != y->p ? (x->p > y->p) - (x->p < y->p) : (x->place > y->place) - (x->place < y->place);
}

void holm_adjust(const double *p, size_t n, double *adjusted)
{
    struct test *tests = mem_zalloc(n, sizeof *tests);
    size_t m = 0;
    for (size_t i = 0; i < n; i++) {
        adjusted[i] = NAN;
        if (!isnan(p[i]))
            tests[m++] = (struct test){p[i], i};
    }
    if (m > 1)
        qsort(tests, m, sizeof *tests, by_p);
    double largest = 0;
    for (size_t j = 0; j < m; j++) {
        /* At most 1: it is a probability. */
        largest = fmax(largest, fmin(1, (double)(m - j) * tests[j].p));
        adjusted[tests[j].place] = largest;
    }
    free(tests);
}
