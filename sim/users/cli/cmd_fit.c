/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* `iasim fit`: interference rates from measured points, by one of the fits of models/fits ([K] 2.5). The points may
   come from `iasim measure`, `iasim calibrate --out` or a file of one's own. */
#include "cli/command.h"
#include "models/fits/fit.h"
#include "report/json_bytes.h"
#include "report/table.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>

struct options {
    const char *fit, *points;
    enum fit_rate rate;
    bool json;
};

static const struct command_option options[] = {
    {"rate", 'r', "send|recv", "the rate that linear and quadratic fit over (default: the one that varies)",
     OPTION_AT(struct options, rate), .min = FIT_RATE_SEND},
    OPTION_JSON(struct options),
    {NULL, 0, "FIT", "the name of a fit", OPTION_AT(struct options, fit), .required = true, .values = "fits"},
    {NULL, 0, "POINTS.csv", "a file of points", OPTION_AT(struct options, points), .required = true, .values = "*.csv"},
    {0},
};

static void print_json(const struct fit *fit, const struct fit_result *r)
{
    json_t *coefficients = json_array();
    for (size_t c = 0; c < r->n_coefficients; c++)
        json_array_append_new(coefficients, json_pack("{s:s, s:s, s:f}", "name", r->coefficients[c].name, "unit",
                                                      r->coefficients[c].unit, "value", r->coefficients[c].value));
    json_t *root = json_pack("{s:s, s:s, s:f, s:o, s:o, s:f, s:f, s:I}", "fit", fit->name, "formula", fit->formula,
                             "constant", r->constant, "coefficients", coefficients, "standard_deviation",
                             /* NAN where the points just determine the fit: no residuals are left. */
                             json_finite(r->standard_deviation), "max_abs_error", r->max_abs_error, "mean_abs_error",
                             r->mean_abs_error, "n_points", (json_int_t)r->n_points);
    command_print_json(root);
}

static void add_row(struct table *t, const char *name, double value, const char *unit)
{
    table_cell(t, name);
    table_number(t, value, 6);
    table_cell(t, unit);
}

/* The formula first: it says what the coefficients below multiply. */
static void print_table(const struct fit *fit, const struct fit_result *r)
{
    struct table *t = table_create();
    printf("compute ratio = %s\n\n", fit->formula);
    table_column(t, TABLE_LEFT, "");
    table_column(t, TABLE_RIGHT, "value");
    table_column(t, TABLE_LEFT, "unit");
    add_row(t, "constant", r->constant, "");
    for (size_t c = 0; c < r->n_coefficients; c++)
        add_row(t, r->coefficients[c].name, r->coefficients[c].value, r->coefficients[c].unit);
    add_row(t, "standard deviation", r->standard_deviation, "");
    add_row(t, "largest error", r->max_abs_error, "");
    add_row(t, "mean error", r->mean_abs_error, "");
    add_row(t, "points", (double)r->n_points, "");
    table_print(t, stdout);
    table_free(t);
}

static enum err_code compute(const struct options *o, const struct fit *fit, const struct fit_points *p, struct err *e)
{
    struct fit_result r = {0};
    enum err_code code = fit->compute(p, o->rate, &r, e);
    if (code == ERR_NONE && o->json)
        print_json(fit, &r);
    else if (code == ERR_NONE)
        print_table(fit, &r);
    fit_result_clear(&r);
    return code;
}

/* The fit is found before the points are read, so that a misspelt name is told at once. */
static enum err_code run(void *self, struct err *e)
{
    struct options *o = self;
    const struct fit *fit;
    struct fit_points points = {0};
    enum err_code code = fit_find(o->fit, &fit, e);
    /* Refused rather than ignored: planar uses both rates, so --rate would not do what the user thinks. */
    if (code == ERR_NONE && o->rate != FIT_RATE_ANY && !fit->takes_one_rate)
        code = err_set(e, ERR_USAGE, "--rate is not for the fit %s, which uses both rates", fit->name);
    if (code == ERR_NONE)
        code = fit_points_read(o->points, &points, e);
    if (code == ERR_NONE)
        code = compute(o, fit, &points, e);
    fit_points_clear(&points);
    return code;
}

const struct command command_fit = {
    .name = "fit",
    .summary = "fit interference rates to measured points",
    .size = sizeof(struct options),
    .defaults = &(const struct options){.rate = FIT_RATE_ANY},
    .options = options,
    .about = "Fits interference rates to measurements. FIT is linear or quadratic (over one rate), planar (over both) "
             "or three_point (the scheduler's model, from one point alone, one receiving, and one sending to each "
             "child). POINTS.csv has the columns send_rate_MB_per_s, recv_rate_MB_per_s and compute_ratio (of the "
             "compute rate without communication), in any order; others are ignored.",
    .notes =
        "The standard deviation is that of the residuals; its divisor is n_points minus the number of fitted values.",
    .examples = "cat >points.csv <<END\n"
                "send_rate_MB_per_s,recv_rate_MB_per_s,compute_ratio\n"
                "0,0,1\n"
                "0,10,0.56\n"
                "8,5,0.59\n"
                "END\n"
                "iasim fit three_point points.csv\n",
    .run = run,
};
