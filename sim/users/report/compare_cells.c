/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the tables, the JSON and the CSV of a comparison and of its prediction have in common, so that a group or an
   interval looks the same in both parts. */
#include "report/compare_cells.h"

#include "base/mem.h"
#include "base/text.h"
#include "report/json_bytes.h"

#include <math.h>
#include <stdlib.h>

const char *compare_variant_name(const struct compare_data *d, size_t variant)
{
    return d->variants.values[variant].text;
}

static const char *group_name(const struct compare_data *d, size_t i)
{
    return d->params[d->group_params[i]].name;
}

void compare_add_group_columns(const struct compare_data *d, struct table *t)
{
    for (size_t i = 0; i < d->n_group_params; i++)
        table_column(t, TABLE_LEFT, group_name(d, i));
}

void compare_add_group(const struct compare_data *d, size_t group, struct table *t)
{
    for (size_t i = 0; i < d->n_group_params; i++)
        table_cell(t, compare_group_value(d, group, i));
}

void compare_add_interval_column(const struct compare_settings *s, struct table *t)
{
    char *interval = mem_format("%g %% interval", 100 * s->confidence);
    table_column(t, TABLE_RIGHT, interval);
    free(interval);
}

void compare_add_interval(double low, double high, struct table *t)
{
    if (isnan(low))
        table_cell(t, "-");
    else
        table_cellf(t, "%.*g .. %.*g", COMPARE_DIGITS, low, COMPARE_DIGITS, high);
}

/* JSON has no infinity. A ratio to a figure of 0 is infinite. */
json_t *compare_json_figure(double value)
{
    return isnan(value) ? json_null() : isinf(value) ? json_string("inf") : json_real(value);
}

json_t *compare_json_group(const struct compare_data *d, size_t group)
{
    json_t *values = json_object();
    for (size_t i = 0; i < d->n_group_params; i++)
        json_object_set_new(values, group_name(d, i), json_bytes(compare_group_value(d, group, i)));
    return values;
}

void compare_write_group_names(const struct compare_data *d, FILE *out)
{
    for (size_t i = 0; i < d->n_group_params; i++) {
        text_write_csv_field(out, group_name(d, i));
        putc(',', out);
    }
}

void compare_write_group(const struct compare_data *d, size_t group, FILE *out)
{
    for (size_t i = 0; i < d->n_group_params; i++) {
        text_write_csv_field(out, compare_group_value(d, group, i));
        putc(',', out);
    }
}

/* CSV: an empty field is a missing figure; text_number writes "inf" for infinity. */
void compare_write_figure(double value, FILE *out)
{
    char number[TEXT_NUMBER_SIZE];
    if (!isnan(value))
        fputs(text_number(value, number), out);
    putc(',', out);
}
