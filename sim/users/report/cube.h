/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Figures as arrays whose dimensions are axes of a scenario: the makespan by policy and send size, say. A figure that
   does not vary along an axis has step 0 there, so arrays of different axes can be combined cell by cell.

                 policy
                 fcfs  bwc           steps: send_size 2, policy 1
   send_size  2   1.1  1.0           cell of (send_size 5, policy bwc): 1 * 2 + 1 * 1
              5   1.3  1.2
*/
#ifndef IASIM_REPORT_CUBE_H
#define IASIM_REPORT_CUBE_H

#include "scenario/scenario.h"

enum { CUBE_AXES = 20 };

struct cube_axes {
    const struct scenario_axis *list[CUBE_AXES]; /* of more than one value each */
    size_t n;
};

struct cube {
    const struct cube_axes *axes;
    size_t step[CUBE_AXES], n_cells;
    double *cells; /* NAN: no figure */
};

struct cube_set { /* of axes */
    bool has[CUBE_AXES];
};

struct cube_place {
    size_t at[CUBE_AXES];
};

/* The place of an axis in the list; -1: it is not there. */
long cube_axis(const struct cube_axes *axes, const char *param);

/* All cells NAN; the last axis of the set changes fastest. cube_clear frees the cells. */
struct cube cube_along(const struct cube_axes *axes, struct cube_set along);
struct cube cube_of_number(const struct cube_axes *axes, double value);
void cube_clear(struct cube *c);
struct cube cube_copy(const struct cube *c);

struct cube_set cube_set_of(const struct cube *c);
double *cube_at(const struct cube *c, const struct cube_place *p);

/* Moves to the next place of a set of axes, the last changing fastest; false after the last one. Start with all at
   0. */
bool cube_next(const struct cube_axes *axes, struct cube_set along, struct cube_place *p);

/* Cell by cell; the result varies along all axes of both. Takes both. */
struct cube cube_combine(struct cube a, struct cube b, double (*f)(double, double));

/* The part at one value of an axis, which then is no axis of the result any more. Takes `c`. */
struct cube cube_slice(struct cube c, size_t axis, size_t at);

/* `f` of all figures that differ only along the axes `over`; cells without a figure do not count. `f` may sort them,
   and gets at least one. Takes `c`. */
struct cube cube_reduce(struct cube c, struct cube_set over, double (*f)(double *values, size_t n));
double cube_mean(double *values, size_t n);
double cube_count(double *values, size_t n);

/* One number of all cells, which are NAN if there is no figure. Takes `c`. */
double cube_number(struct cube c, double (*f)(double *values, size_t n));

#endif
