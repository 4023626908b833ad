/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Least squares by LAPACK's complete orthogonal factorisation (dgelsy), which also finds the rank. Points that do not
   determine the coefficients are therefore an error, instead of giving one of many answers. Columns are first divided
   by their largest entry, because the rank must not depend on units. Time: O(n p^2) for n points and p coefficients. */
#include "models/fits/fit.h"

#include "base/mem.h"

#include <lapacke.h>
#include <math.h>
#include <stdlib.h>

static const double rank_ratio = 1e-12; /* a smaller part of the largest singular value counts as rounding */

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

/* For each column the norm of its row of (X'X)^(-1/2): times the residuals' standard deviation it is the standard
   error. On entry the triangle R of the factorisation X P = Q R stands in `matrix`; afterwards its inverse. */
static void set_error_factors(double *matrix, lapack_int n_rows, const lapack_int *pivots, lapack_int n_columns,
                              double *factors)
{
    LAPACKE_dtrtri(LAPACK_COL_MAJOR, 'U', 'N', n_columns, matrix, n_rows);
    for (lapack_int i = 0; i < n_columns; i++) {
        double squares = 0;
        for (lapack_int j = i; j < n_columns; j++)
            squares += matrix[i + j * n_rows] * matrix[i + j * n_rows];
        factors[pivots[i] - 1] = sqrt(squares);
    }
}

/* On entry `solution` holds the compute ratios; afterwards it begins with the coefficients. */
static enum err_code solve(const struct fit_points *p, double *matrix, double *solution, double *error_factors,
                           size_t n_columns, const char *needs, struct err *e)
{
    lapack_int *pivots = mem_zalloc(n_columns, sizeof *pivots);
    lapack_int rank = 0, n = (lapack_int)p->n;
    lapack_int status = LAPACKE_dgelsy(LAPACK_COL_MAJOR, n, (lapack_int)n_columns, 1, matrix, n, solution, n, pivots,
                                       rank_ratio, &rank);
    if (status == 0 && (size_t)rank == n_columns)
        set_error_factors(matrix, n, pivots, rank, error_factors);
    free(pivots);
    if (status != 0)
        return err_set(e, ERR_INTERNAL, "LAPACK's dgelsy ends with status %d", (int)status);
    if ((size_t)rank < n_columns)
        return err_set_at(e, ERR_INPUT, p->source, 0, "the %zu points do not determine the fit: it needs at least %s",
                          p->n, needs);
    return ERR_NONE;
}

/* 1 - sum of squares of the residuals / sum of squares about the mean. */
static double explained_ratio(const struct fit_points *p, const double *residuals)
{
    double mean = 0, squares = 0, left = 0;
    for (size_t k = 0; k < p->n; k++)
        mean += p->points[k].compute_ratio / (double)p->n;
    for (size_t k = 0; k < p->n; k++) {
        squares += (p->points[k].compute_ratio - mean) * (p->points[k].compute_ratio - mean);
        left += residuals[k] * residuals[k];
    }
    return squares > 0 ? 1 - left / squares : NAN;
}

/* Coefficients are scaled back first; residuals are then those of the formula that users get. */
static void set_result(const struct fit_points *p, const struct fit_term *terms, size_t n_terms, const double *solution,
                       const double *error_factors, const double *scales, struct fit_result *out)
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
    for (size_t t = 0; t < n_terms; t++)
        out->coefficients[t].standard_error = out->standard_deviation * error_factors[t + 1] / scales[t + 1];
    out->r2 = explained_ratio(p, residuals);
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
    double *scales = mem_zalloc(n_columns, sizeof *scales), *error_factors = mem_zalloc(n_columns, sizeof *scales);
    for (size_t c = 0; c < n_columns; c++)
        fill_column(p, c == 0 ? NULL : &terms[c - 1], matrix + c * p->n, &scales[c]);
    for (size_t k = 0; k < p->n; k++)
        solution[k] = p->points[k].compute_ratio;
    enum err_code code = solve(p, matrix, solution, error_factors, n_columns, needs, e);
    if (code == ERR_NONE)
        set_result(p, terms, n_terms, solution, error_factors, scales, out);
    free(matrix);
    free(solution);
    free(scales);
    free(error_factors);
    return code;
}
