/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* How far figures are from the best of their case. The parameters that a table names as best_of tell variants apart;
   runs that agree in all other parameters are a case. Each figure is divided by the best one of its case, and compared
   with all others. */
#ifndef IASIM_REPORT_BEST_OF_H
#define IASIM_REPORT_BEST_OF_H

#include "store/store.h"

/* What is found about the runs of one cell. Figures that differ by at most 1e-9, relatively, are equal. */
struct best_of_cell {
    uint64_t n_runs, n_best;           /* n_best: no other one of the case was better */
    uint64_t n_wins, n_ties, n_losses; /* against each of the other runs of the case */
    double ratio_sum, worst_ratio;     /* to the best of the case */
};

/* Adds to `cells`, zero on entry; a cell is a combination of the values of the table's rows, and of its columns if it
   has any, the last parameter changing fastest. Replications are averaged first; failed runs do not count. Memory: one
   case. Errors: ERR_IO. */
enum err_code best_of_fill(struct store *st, const struct scenario *s, const struct scenario_table *t,
                           struct best_of_cell *cells, struct err *e);

double best_of_mean_ratio(const struct best_of_cell *c); /* NAN: no runs */

#endif
