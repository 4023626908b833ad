/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What a sum is made of, learnt from its values: y = sum of costs x amounts, for costs that drift slowly. A Kalman
   filter ([Kalman 1960]): the best guess for costs that are random walks, where a value has the variance 1 and the
   first guesses one of 100; each value adds 1e-2 to that of the first cost and 1e-4 to that of each other. */
#ifndef IASIM_FARM_FARM_COSTS_H
#define IASIM_FARM_FARM_COSTS_H

#include <stdbool.h>

struct farm_costs {
    int n;
    double *costs;
    double *covariance; /* n x n; the diagonal alone where there are too many costs for all of it */
    bool is_diagonal;
    double *product; /* of the covariance and the amounts */
    long n_learnt,
        *n_drifts; /* diagonal: values; drifts that each cost's certainty has seen. Those since are added when
                                 an amount is not 0 */
};

void farm_costs_init(struct farm_costs *c, int n); /* all costs are 0 */
void farm_costs_clear(struct farm_costs *c);
/* `some`: increasing, the places of the amounts that are not 0. O(n^2); if diagonal, O(n_some) and the drifts that
   these have missed. */
void farm_costs_learn(struct farm_costs *c, const double *amounts, const int *some, int n_some, double sum);

#endif
