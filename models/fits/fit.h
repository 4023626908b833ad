/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Interference rates from measurements ([K] 2, 3.1): points of (send rate, receive rate, normalised compute rate), and
   fits that turn them into coefficients. In this folder alone, rates are in MB/s, as in the files and in the paper. */
#ifndef IASIM_MODELS_FITS_FIT_H
#define IASIM_MODELS_FITS_FIT_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>

struct fit_point {
    double send_MB_per_s, recv_MB_per_s;
    double compute_ratio; /* of the compute rate without communication */
    int line;             /* in the file; 0: not from a file */
    /* OPTIONAL, NAN where they were not measured: the compute rate itself, and the share of the time in which the
       computing thread had the processor. No fit uses them. */
    double compute_flop_per_s, cpu_ratio;
};

struct fit_points {
    char *source; /* the file, for messages */
    struct fit_point *points;
    size_t n, capacity;
};

/* CSV (RFC 4180) whose header names at least send_rate_MB_per_s, recv_rate_MB_per_s and compute_ratio, in any
   order, and perhaps compute_flop_per_s and cpu_ratio; other columns are ignored, and so are empty lines. Errors, with
   line: ERR_IO, ERR_PARSE (no or a bad header, a row of another width, a bad quote, a value that is not a number, or is
   neither 0 nor in 1e-12..1e12; of compute_flop_per_s, ..1e18). */
enum err_code fit_points_read(const char *path, struct fit_points *out, struct err *e);
enum err_code fit_points_parse(const char *bytes, size_t n, const char *path, struct fit_points *out, struct err *e);
void fit_points_clear(struct fit_points *p);

struct fit_coefficient {
    char name[32];
    const char *unit;
    double value;
    double
        standard_error; /* of least squares, the points' scatter being independent and the same everywhere; else NAN */
};

/* compute ratio = constant - sum of coefficient * its rate (or product of rates). */
struct fit_result {
    double constant;
    struct fit_coefficient *coefficients;
    size_t n_coefficients;
    size_t n_points;
    /* Of the residuals (measured - fitted), in the unit of the compute ratio. */
    double max_abs_error, mean_abs_error;
    /* sqrt(sum of squares / (n_points - n_fitted)), where n_fitted counts the coefficients and, unless it is given, the
       constant. This estimates the scatter of the measurements without bias, so a fit does not look better merely
       because it has more coefficients. NAN if n_points is not larger than n_fitted. */
    double standard_deviation;
    double r2; /* share of the variance of the compute ratio that the fit explains; NAN if there is no variance */
};
void fit_result_clear(struct fit_result *r);

enum fit_rate { FIT_RATE_ANY, FIT_RATE_SEND, FIT_RATE_RECV };

struct fit {
    const char *name, *summary, *source, *formula;
    bool takes_one_rate; /* it fits over one rate, `rate`; other fits always get FIT_RATE_ANY */
    /* `out` is empty on entry. Errors: ERR_INPUT, with the reason, for points that do not determine the fit. */
    enum err_code (*compute)(const struct fit_points *p, enum fit_rate rate, struct fit_result *out, struct err *e);
};

extern const struct fit *const fits[]; /* ends with NULL; the order of fits.def */

/* Errors: ERR_INPUT for an unknown name; the message lists the known ones. */
enum err_code fit_find(const char *name, const struct fit **out, struct err *e);

/* ---- for the fits themselves ---- */

struct fit_term {
    const char *name, *unit;
    double (*value)(const struct fit_point *p);
};
double fit_send_rate(const struct fit_point *p);
double fit_recv_rate(const struct fit_point *p);

/* Replaces FIT_RATE_ANY by the rate that varies. Errors: ERR_INPUT if both vary, or neither. */
enum err_code fit_choose_rate(const struct fit_points *p, enum fit_rate *rate, struct err *e);

/* Least squares of constant - sum of coefficient * term. `needs` completes "needs at least ..." in the message for
   points that do not determine the coefficients. */
enum err_code fit_least_squares(const struct fit_points *p, const struct fit_term *terms, size_t n_terms,
                                const char *needs, struct fit_result *out, struct err *e);

/* Sets the figures that follow from n residuals of a fit that determined n_fitted numbers. */
void fit_result_set_errors(struct fit_result *r, const double *residuals, size_t n, size_t n_fitted);
void fit_result_add(struct fit_result *r, const char *unit, double value, const char *name_format, ...)
    __attribute__((format(printf, 4, 5)));

#endif
