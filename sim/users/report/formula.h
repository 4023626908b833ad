/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Formulas over the results of a scenario, as its claims.xml has them (scenarios/README.md has the language):

       mean(makespan_s[policy=fcfs] / makespan_s[policy=root_computes] over compute_size)

   A name is a metric, bound.METRIC of the scenario of bounds, paper.COLUMN of the paper's table, or one that claims.xml
   defines. It stands for all its figures at once (cube.h). */
#ifndef IASIM_REPORT_FORMULA_H
#define IASIM_REPORT_FORMULA_H

#include "report/cube.h"
#include "store/store.h"

struct named_cube {
    char *name;
    struct cube cube;
};

struct figures {
    const struct scenario *scenario, *bounds; /* bounds NULL: none */
    struct store *results, *bound_results;
    struct cube_axes axes; /* of both scenarios */
    struct named_cube *known;
    size_t n_known, known_capacity;
    struct cube_set samples; /* the axes that name a graph: a random sample is made of graphs */
    struct cube copies;      /* NAN where a graph repeats another one, else 0; no cells: none does */
    bool is_fixed[CUBE_AXES];
    struct cube_place fixed; /* figures are taken at these places, unless a formula names others */
};

/* Errors: ERR_INPUT if both scenarios sweep a parameter and differ in its values. Clear it in any case. */
enum err_code figures_init(struct figures *f, struct err *e);
void figures_clear(struct figures *f);

/* The values that formulas mean by this name: those of the scenario, or of the bounds where they alone have it. NULL:
   neither has. */
const struct scenario_axis *figures_axis(const struct figures *f, const char *param);

/* Gives figures a name for later formulas. Takes the cube. */
void figures_define(struct figures *f, const char *name, struct cube cube);
void figures_forget(struct figures *f); /* all that have names */

/* `path` and `line` say where the formula stands. Errors: ERR_INPUT for a mistake in it, or a value or parameter that
   the scenario does not have; ERR_IO. The caller clears *out. */
struct formula {
    const char *text, *path;
    int line;
};
enum err_code formula_value(struct figures *f, struct formula from, struct cube *out, struct err *e);

/* The mean over all samples (of the mean of each) and its 95 % interval. NAN without figures. */
struct sample {
    double mean, low, high;
    size_t n;
};
struct sample figures_sample(const struct figures *f, const struct cube *c);

#endif
