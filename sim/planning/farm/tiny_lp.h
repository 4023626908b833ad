/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Linear programs of a few rows, whose columns are added while they are solved (column generation):

       maximise sum value(j) x(j)  where  sum of_row(j)[r] x(j) <= limit(r) for each row r,  x >= 0

   All limits are at least 0, so x = 0 is a start. The simplex method with an explicit inverse of the basis: the largest
   reduced value enters, and after many steps without progress the first one (Bland's rule, which never goes round in a
   circle). A step takes O(rows (rows + columns)). Coefficients should not be far above 1. */
#ifndef IASIM_FARM_TINY_LP_H
#define IASIM_FARM_TINY_LP_H

#include <stdbool.h>

enum { TINY_ROWS = 7 }; /* a row whose coefficients are all 0 limits nothing */

struct tiny_column {
    double value, of_row[TINY_ROWS];
};

struct tiny_lp {
    struct tiny_column *columns;
    int n_columns, capacity;
    double limits[TINY_ROWS];
    /* The solution. */
    double value;
    int basis[TINY_ROWS];          /* the columns whose x may be above 0; below 0: slacks of rows */
    double amounts[TINY_ROWS];     /* x of these */
    double prices[TINY_ROWS];      /* of the rows: what one more unit of the limit is worth */
    double price_terms[TINY_ROWS]; /* the sum of the absolute values that a price is the sum of: its rounding */
    double inverse[TINY_ROWS][TINY_ROWS];
};

/* Begins a program without columns. The first call wants a struct that is all 0, later ones use its memory again. */
void tiny_lp_begin(struct tiny_lp *lp, const double limits[TINY_ROWS]);
void tiny_lp_clear(struct tiny_lp *lp);

/* Columns are numbered from 0. */
void tiny_lp_add(struct tiny_lp *lp, const struct tiny_column *column);

/* Goes on from the solution of before, if columns have been added since. False: rounding errors kept it from the
   optimum. */
bool tiny_lp_solve(struct tiny_lp *lp);

/* By how much the value grows for each unit of this column, at the prices of the solution; 0 if that is not above the
   rounding of its terms. */
double tiny_lp_gain(const struct tiny_lp *lp, const struct tiny_column *column);

#endif
