/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Least squares by LAPACK's complete orthogonal factorisation (dgelsy), which finds the rank on the way:
   points that do not determine the coefficients are an error instead of one of many answers. Columns are
   divided by their largest entry first, so that the rank does not depend on units. O(n p^2) for n points and
   p coefficients. */
#include "models/fits/fit.h"

#include "base/mem.h"

#include <lapacke.h>
#include <math.h>
#include <stdlib.h>

static const double rank_ratio = 1e-12; /* smaller than this to the largest singular value is rounding */

/* Column 0 belongs to the constant, column k to term k - 1. */
static void fill_column(const struct fit_points *p, const struct fit_term *term, double *column, double *scale)
{
    *scale = 0;
    for (size_t k = 0; k < p->n; k++) {
        column[k] = term ? -term->value(&p->points[k]) : 1;
        *scale = fmax(*scale, fabs(column[k]));
    }
    for (size_t k = 0; k<p->n && * scale> 0; k++)
        column[k] /= *scale;
}

/* `solution` holds the compute ratios on entry, the coefficients in its first places at the end. */
static enum err_code solve(const struct fit_points *p, double *matrix, double *solution, size_t n_columns,
                           const char *needs, struct err *e)
{
    lapack_int *pivots = mem_zalloc(n_columns, sizeof *pivots);
    lapack_int rank = 0, n = (lapack_int)p->n;
    lapack_int status = LAPACKE_dgelsy(LAPACK_COL_MAJOR, n, (lapack_int)n_columns, 1, matrix, n, solution, n, pivots,
                                       rank_ratio, &rank);
    free(pivots);
    if (status != 0)
        return err_set(e, ERR_INTERNAL, "LAPACK's dgelsy ends with status %d", (int)status);
    if ((size_t)rank < n_columns)
        return err_set_at(e, ERR_INPUT, p->source, 0, "the %zu points do not determine the fit: it needs at least %s",
                          p->n, needs);
    return ERR_NONE;
}

static void set_result(const struct fit_points *p, const struct fit_term *terms, size_t n_terms, const double *solution,
                       const double *scales, struct fit_result *out)
{
    double *residuals = mem_zalloc(p->n, sizeof *residuals);
    out->constant = solution[0];
    for (size_t t = 0; t < n_terms; t++)
        fit_result_add(out, terms[t].unit, solution[t + 1] / scales[t + 1], "%s", terms[t].name);
    for (size_t k = 0; k < p->n; k++) {
        residuals[k] = p->points[k].compute_ratio - out->constant;
        for (size_t t = 0; t < n_terms; t++)
            residuals[k] += out->coefficients[t].value * terms[t].value(&p->points[k]);
    }
    fit_result_set_errors(out, residuals, p->n, n_terms + 1);
    free(residuals);
}

enum err_code fit_least_squares(const struct fit_points *p, const struct fit_term *terms, size_t n_terms,
                                const char *needs, struct fit_result *out, struct err *e)
{
    size_t n_columns = n_terms + 1;
    if (p->n < n_columns)
        return err_set_at(e, ERR_INPUT, p->source, 0, "too few points: the fit needs at least %zu, found %zu",
                          n_columns, p->n);
    double *matrix = mem_zalloc(p->n * n_columns, sizeof *matrix), *solution = mem_zalloc(p->n, sizeof *solution);
    double *scales = mem_zalloc(n_columns, sizeof *scales);
    for (size_t c = 0; c < n_columns; c++)
        fill_column(p, c == 0 ? NULL : &terms[c - 1], matrix + c * p->n, &scales[c]);
    for (size_t k = 0; k < p->n; k++)
        solution[k] = p->points[k].compute_ratio;
    enum err_code code = solve(p, matrix, solution, n_columns, needs, e);
    if (code == ERR_NONE)
        set_result(p, terms, n_terms, solution, scales, out);
    free(matrix);
    free(solution);
    free(scales);
    return code;
}
