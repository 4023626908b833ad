/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the tables, the JSON and the CSV of a comparison and of its prediction show in the same way. */
#ifndef IASIM_REPORT_COMPARE_CELLS_H
#define IASIM_REPORT_COMPARE_CELLS_H

#include "report/compare_report.h"
#include "report/table.h"

enum { COMPARE_DIGITS = 4 }; /* of figures in tables */

const char *compare_variant_name(const struct compare_data *d, size_t variant);

/* Columns of the parameters that group the cases, and the cells of a group. */
void compare_add_group_columns(const struct compare_data *d, struct table *t);
void compare_add_group(const struct compare_data *d, size_t group, struct table *t);
/* A column for an interval, and a cell; low NAN: there is none. */
void compare_add_interval_column(const struct compare_settings *s, struct table *t);
void compare_add_interval(double low, double high, struct table *t);

/* NAN is null, infinity "inf". The caller's. */
json_t *compare_json_figure(double value);
/* {NAME: "value"}. The caller's. */
json_t *compare_json_group(const struct compare_data *d, size_t group);

/* Each with a comma behind it; NAN is empty. */
void compare_write_group_names(const struct compare_data *d, FILE *out);
void compare_write_group(const struct compare_data *d, size_t group, FILE *out);
void compare_write_figure(double value, FILE *out);

/* prediction_report.c: the part of the report that is about the predictor. */
void prediction_report_print(const struct compare_report *r, FILE *out);
json_t *prediction_report_json(const struct compare_report *r);

#endif
