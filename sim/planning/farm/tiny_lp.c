/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A dense simplex for a handful of rows. Rounding is what needs care: prices know the size of the terms they are made
   of (price_terms), so that a gain below their rounding counts as none, and the inverse is made afresh now and then. */
#include "farm/tiny_lp.h"

#include "base/mem.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double rounding_ratio = 1e-14;
static const double smallest_pivot_ratio = 1e-11; /* of the largest coefficient of the column */

enum { N_IDLE_STEPS = 30, MAX_IDLE_STEPS = 300, N_STEPS_OF_INVERSE = 20, NOTHING = INT_MIN };

void tiny_lp_begin(struct tiny_lp *lp, const double limits[TINY_ROWS])
{
    lp->n_columns = 0;
    lp->value = 0;
    memset(lp->inverse, 0, sizeof lp->inverse);
    for (int r = 0; r < TINY_ROWS; r++) {
        lp->limits[r] = lp->amounts[r] = limits[r];
        /* x = 0: every row has its whole limit as slack */
        lp->basis[r] = -1 - r;
        lp->inverse[r][r] = 1;
        lp->prices[r] = lp->price_terms[r] = 0;
    }
}

void tiny_lp_clear(struct tiny_lp *lp)
{
    free(lp->columns);
    *lp = (struct tiny_lp){0};
}

void tiny_lp_add(struct tiny_lp *lp, const struct tiny_column *column)
{
    MEM_GROW(lp->columns, lp->n_columns, lp->capacity);
    lp->columns[lp->n_columns++] = *column;
}

/* The slack of row r is -1 - r. */
static struct tiny_column column_of(const struct tiny_lp *lp, int id)
{
    if (id >= 0)
        return lp->columns[id];
    struct tiny_column slack = {0};
    slack.of_row[-1 - id] = 1;
    return slack;
}

static void find_value_and_prices(struct tiny_lp *lp)
{
    lp->value = 0;
    for (int r = 0; r < TINY_ROWS; r++)
        lp->prices[r] = lp->price_terms[r] = 0;
    for (int i = 0; i < TINY_ROWS; i++) {
        double value = lp->basis[i] >= 0 ? lp->columns[lp->basis[i]].value : 0;
        lp->value += value * lp->amounts[i];
        for (int r = 0; r < TINY_ROWS && value != 0; r++) {
            lp->prices[r] += value * lp->inverse[i][r];
            lp->price_terms[r] += fabs(value * lp->inverse[i][r]);
        }
    }
}

double tiny_lp_gain(const struct tiny_lp *lp, const struct tiny_column *column)
{
    double gain = column->value, terms = fabs(column->value);
    for (int r = 0; r < TINY_ROWS; r++) {
        gain -= lp->prices[r] * column->of_row[r];
        terms += lp->price_terms[r] * fabs(column->of_row[r]);
    }
    return gain > rounding_ratio * terms ? gain : 0;
}

/* Slacks first, then columns in order: with takes_first this is a fixed order, as Bland's rule needs. */
static int find_entering(const struct tiny_lp *lp, bool takes_first)
{
    int best = NOTHING;
    double most = 0;
    for (int r = 0; r < TINY_ROWS; r++)
        if (-lp->prices[r] > fmax(most, rounding_ratio * lp->price_terms[r])) {
            best = -1 - r;
            most = -lp->prices[r];
        }
    for (int j = 0; j < lp->n_columns && !(takes_first && best != NOTHING); j++) {
        double gain = tiny_lp_gain(lp, &lp->columns[j]);
        if (gain > most) {
            best = j;
            most = gain;
        }
    }
    return best;
}

/* Of rows that allow the same step, the one with the largest pivot, or with the first column. -1: none. */
static int find_leaving(const struct tiny_lp *lp, const double *change, bool takes_first)
{
    double pivot = 0, least = INFINITY;
    for (int i = 0; i < TINY_ROWS; i++)
        /* a tiny pivot would blow up the inverse */
        pivot = fmax(pivot, smallest_pivot_ratio * fabs(change[i]));
    for (int i = 0; i < TINY_ROWS; i++)
        if (change[i] > pivot)
            least = fmin(least, lp->amounts[i] / change[i]);
    int best = -1;
    for (int i = 0; i < TINY_ROWS; i++) {
        if (change[i] <= pivot || lp->amounts[i] / change[i] > least * (1 + rounding_ratio))
            continue;
        if (best < 0 || (takes_first ? lp->basis[i] < lp->basis[best] : change[i] > change[best]))
            best = i;
    }
    return best;
}

static void enter(struct tiny_lp *lp, int id, bool takes_first)
{
    struct tiny_column column = column_of(lp, id);
    double change[TINY_ROWS] = {0};
    for (int i = 0; i < TINY_ROWS; i++)
        for (int r = 0; r < TINY_ROWS; r++)
            change[i] += lp->inverse[i][r] * column.of_row[r];
    int leaving = find_leaving(lp, change, takes_first);
    /* nothing limits this column but rounding: the step is left out, and counts as one without progress */
    if (leaving < 0)
        return;
    double amount = lp->amounts[leaving] / change[leaving];
    for (int r = 0; r < TINY_ROWS; r++)
        lp->inverse[leaving][r] /= change[leaving];
    for (int i = 0; i < TINY_ROWS; i++) {
        if (i == leaving)
            continue;
        /* below 0 by rounding only */
        lp->amounts[i] = fmax(0, lp->amounts[i] - amount * change[i]);
        for (int r = 0; r < TINY_ROWS; r++)
            lp->inverse[i][r] -= change[i] * lp->inverse[leaving][r];
    }
    lp->amounts[leaving] = amount;
    lp->basis[leaving] = id;
}

static void swap_rows(double *a, double *b, int n)
{
    for (int k = 0; k < n; k++) {
        double x = a[k];
        a[k] = b[k];
        b[k] = x;
    }
}

/* Afresh, by Gauss and Jordan's method with row pivoting: steps add up rounding errors. */
static void invert_basis(struct tiny_lp *lp)
{
    double a[TINY_ROWS][2 * TINY_ROWS] = {{0}}; /* the basis, and beside it what becomes the inverse */
    for (int i = 0; i < TINY_ROWS; i++) {
        struct tiny_column column = column_of(lp, lp->basis[i]);
        for (int r = 0; r < TINY_ROWS; r++)
            a[r][i] = column.of_row[r];
        a[i][TINY_ROWS + i] = 1;
    }
    for (int i = 0; i < TINY_ROWS; i++) {
        int pivot = i;
        for (int r = i + 1; r < TINY_ROWS; r++)
            if (fabs(a[r][i]) > fabs(a[pivot][i]))
                pivot = r;
        swap_rows(a[i], a[pivot], 2 * TINY_ROWS);
        for (int k = 2 * TINY_ROWS - 1; k >= i; k--)
            a[i][k] /= a[i][i];
        for (int r = 0; r < TINY_ROWS; r++)
            for (int k = 2 * TINY_ROWS - 1; r != i && k >= i; k--)
                a[r][k] -= a[r][i] * a[i][k];
    }
    for (int i = 0; i < TINY_ROWS; i++) {
        double amount = 0;
        memcpy(lp->inverse[i], a[i] + TINY_ROWS, sizeof lp->inverse[i]);
        for (int r = 0; r < TINY_ROWS; r++)
            amount += lp->inverse[i][r] * lp->limits[r];
        lp->amounts[i] = fmax(0, amount);
    }
}

bool tiny_lp_solve(struct tiny_lp *lp)
{
    double highest = -1;
    for (int k = 1, n_idle = 0; n_idle <= MAX_IDLE_STEPS; k++) {
        find_value_and_prices(lp);
        /* degenerate steps change the basis and not the value: many in a row may be a circle */
        n_idle = lp->value > highest * (1 + rounding_ratio) ? 0 : n_idle + 1;
        highest = fmax(highest, lp->value);
        bool takes_first = n_idle > N_IDLE_STEPS;
        int id = find_entering(lp, takes_first);
        if (id == NOTHING)
            return true;
        enter(lp, id, takes_first);
        if (k % N_STEPS_OF_INVERSE == 0)
            invert_basis(lp);
    }
    return false;
}
