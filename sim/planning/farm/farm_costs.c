/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Farms learn on the way, so each value is taken in once and not kept. The covariance says which costs a value was made
   of: amounts that always come together share a correction. Above MOST_WITH_COVARIANCES costs its n^2 numbers for each
   task would cost more than the farm itself, and only the diagonal is kept. */
#include "farm/farm_costs.h"

#include "base/mem.h"

#include <stdlib.h>

enum { MOST_WITH_COVARIANCES = 64 };
static const double UNSURE = 100, DRIFT = 1e-4, DRIFT_OF_FIRST = 1e-2;

void farm_costs_init(struct farm_costs *c, int n)
{
    *c = (struct farm_costs){.n = n, .is_diagonal = n > MOST_WITH_COVARIANCES};
    size_t size = (size_t)n, n_rows = c->is_diagonal ? 1 : size;
    c->costs = mem_zalloc(size, sizeof(double));
    c->product = mem_zalloc(size, sizeof(double));
    c->covariance = mem_zalloc(n_rows * size, sizeof(double));
    c->n_drifts = c->is_diagonal ? mem_zalloc(size, sizeof(long)) : NULL;
    for (size_t i = 0; i < size; i++)
        c->covariance[c->is_diagonal ? i : i * size + i] = UNSURE;
}

void farm_costs_clear(struct farm_costs *c)
{
    free(c->costs);
    free(c->covariance);
    free(c->product);
    free(c->n_drifts);
    *c = (struct farm_costs){0};
}

static void multiply(struct farm_costs *c, const double *amounts)
{
    for (int i = 0; i < c->n; i++) {
        const double *row = c->covariance + i * c->n;
        c->product[i] = 0;
        for (int j = 0; j < c->n; j++)
            c->product[i] += row[j] * amounts[j];
    }
}

static void learn_all(struct farm_costs *c, const double *amounts, double sum)
{
    /* error: what the present costs do not explain; variance: of the value, given how sure the costs are */
    double error = sum, variance = 1;
    multiply(c, amounts);
    for (int i = 0; i < c->n; i++) {
        error -= c->costs[i] * amounts[i];
        variance += c->product[i] * amounts[i];
    }
    for (int i = 0; i < c->n; i++) {
        double *row = c->covariance + i * c->n;
        double gain = c->product[i] / variance;
        c->costs[i] += gain * error;
        for (int j = 0; j < c->n; j++)
            row[j] -= gain * c->product[j];
        /* costs drift, so certainty fades; the first one, a task's own time, drifts most */
        row[i] += i == 0 ? DRIFT_OF_FIRST : DRIFT;
    }
}

/* One by one, as if each value had added its own: rounding must not depend on when an amount is 0. */
static void drift(struct farm_costs *c, int i)
{
    for (; c->n_drifts[i] < c->n_learnt; c->n_drifts[i]++)
        c->covariance[i] += i == 0 ? DRIFT_OF_FIRST : DRIFT;
}

static void learn_some(struct farm_costs *c, const double *amounts, const int *some, int n_some, double sum)
{
    double error = sum, variance = 1;
    for (int k = 0; k < n_some; k++) {
        int i = some[k];
        drift(c, i);
        c->product[i] = c->covariance[i] * amounts[i];
        error -= c->costs[i] * amounts[i];
        variance += c->product[i] * amounts[i];
    }
    for (int k = 0; k < n_some; k++) {
        int i = some[k];
        double gain = c->product[i] / variance;
        c->costs[i] += gain * error;
        c->covariance[i] -= gain * c->product[i];
    }
    c->n_learnt++;
}

void farm_costs_learn(struct farm_costs *c, const double *amounts, const int *some, int n_some, double sum)
{
    if (c->is_diagonal)
        learn_some(c, amounts, some, n_some, sum);
    else
        learn_all(c, amounts, sum);
}
