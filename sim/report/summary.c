/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "report/summary.h"

#include "base/mem.h"
#include "report/json_bytes.h"
#include "report/table.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_CELLS = 100000, SHOWN_FAILURES = 5, JSON_FAILURES = 1000, DIGITS = 4 };

/* A pivot: rows are the combinations of the values of the row parameters, the last one changing fastest. */
struct pivot {
    const struct scenario *s;
    const struct scenario_table *t;
    const struct scenario_axis *columns;
    size_t n_rows;
    double *cells;    /* row by row; NAN: no result */
    long base_column; /* cells are relative to this one; -1: they are not */
};

static const struct scenario_axis *row_axis(const struct pivot *p, size_t i)
{
    return scenario_axis(p->s, p->t->rows[i]);
}

static void take_mean(void *self, const size_t *values, double mean)
{
    struct pivot *p = self;
    size_t row = 0;
    for (size_t i = 0; i < p->t->n_rows; i++)
        row = row * row_axis(p, i)->n_values + values[i];
    p->cells[row * p->columns->n_values + values[p->t->n_rows]] = mean;
}

static long find_base(const struct pivot *p)
{
    for (size_t c = 0; p->t->relative_to != NULL && c < p->columns->n_values; c++)
        if (strcmp(p->columns->values[c].text, p->t->relative_to) == 0)
            return (long)c;
    return -1; /* not asked for, or removed by --set */
}

static void make_relative(struct pivot *p)
{
    for (size_t r = 0; p->base_column >= 0 && r < p->n_rows; r++) {
        double *row = p->cells + r * p->columns->n_values;
        double base = row[p->base_column];
        for (size_t c = 0; c < p->columns->n_values; c++)
            row[c] /= base;
    }
}

static bool pivot_init(struct pivot *p, const struct scenario *s, const struct scenario_table *t)
{
    *p = (struct pivot){.s = s, .t = t, .columns = scenario_axis(s, t->columns), .n_rows = 1};
    for (size_t i = 0; i < t->n_rows && p->n_rows <= MAX_CELLS; i++)
        p->n_rows *= row_axis(p, i)->n_values;
    p->base_column = find_base(p);
    return p->n_rows <= MAX_CELLS && p->n_rows * p->columns->n_values <= MAX_CELLS;
}

static enum err_code pivot_fill(struct pivot *p, struct store *store, struct err *e)
{
    size_t n = p->n_rows * p->columns->n_values;
    const char **params = mem_zalloc(p->t->n_rows + 1, sizeof *params);
    for (size_t i = 0; i < p->t->n_rows; i++)
        params[i] = p->t->rows[i];
    params[p->t->n_rows] = p->t->columns;
    p->cells = mem_zalloc(n, sizeof *p->cells);
    for (size_t i = 0; i < n; i++)
        p->cells[i] = NAN;
    enum err_code code = store_each_mean(store, p->t->metric, params, p->t->n_rows + 1, take_mean, p, e);
    make_relative(p);
    free(params);
    return code;
}

static const char *row_value(const struct pivot *p, size_t row, size_t i)
{
    for (size_t later = p->t->n_rows; --later > i;)
        row /= row_axis(p, later)->n_values;
    const struct scenario_axis *a = row_axis(p, i);
    return a->values[row % a->n_values].text;
}

/* --- text --- */

static void print_title(const struct pivot *p, FILE *out)
{
    const struct metric *m = experiment_metric(p->s->experiment, p->t->metric);
    fprintf(out, "\n%s%s%s", p->t->title ? p->t->title : "", p->t->title ? ": " : "", m->name);
    if (p->base_column >= 0)
        fprintf(out, ", relative to %s %s", p->t->columns, p->t->relative_to);
    else if (m->unit[0] != '\0')
        fprintf(out, " in %s", m->unit);
    fprintf(out, ", by %s\n\n", p->t->columns);
}

/* Rounding errors are not shown: figures that are negligible beside the largest one are shown as 0. */
static double noise_of(const struct pivot *p)
{
    double largest = 0;
    for (size_t i = 0; i < p->n_rows * p->columns->n_values; i++)
        if (isfinite(p->cells[i]))
            largest = fmax(largest, fabs(p->cells[i]));
    return 1e-12 * largest;
}

static void print_pivot(const struct pivot *p, FILE *out)
{
    struct table *table = table_create();
    for (size_t i = 0; i < p->t->n_rows; i++)
        table_column(table, row_axis(p, i)->param->type == PARAM_TEXT ? TABLE_LEFT : TABLE_RIGHT, p->t->rows[i]);
    for (size_t c = 0; c < p->columns->n_values; c++)
        table_column(table, TABLE_RIGHT, p->columns->values[c].text);
    double noise = noise_of(p);
    table_key(table, p->t->n_rows);
    for (size_t r = 0; r < p->n_rows; r++) {
        const double *row = p->cells + r * p->columns->n_values;
        for (size_t i = 0; i < p->t->n_rows; i++)
            table_cell(table, row_value(p, r, i));
        for (size_t c = 0; c < p->columns->n_values; c++)
            table_number(table, fabs(row[c]) < noise ? 0 : row[c], DIGITS);
    }
    print_title(p, out);
    table_print(table, out);
    table_free(table);
}

static enum err_code print_tables(const struct summary *s, FILE *out, struct err *e)
{
    enum err_code code = ERR_NONE;
    for (size_t i = 0; s->has_tables && code == ERR_NONE && i < s->scenario->n_tables; i++) {
        struct pivot p;
        if (!pivot_init(&p, s->scenario, &s->scenario->tables[i])) {
            fprintf(out, "\nThe table of %s has more than %d cells; `iasim export` writes the figures.\n",
                    s->scenario->tables[i].metric, MAX_CELLS);
            continue;
        }
        code = pivot_fill(&p, s->store, e);
        if (code == ERR_NONE)
            print_pivot(&p, out);
        free(p.cells);
    }
    return code;
}

static void print_failure(void *self, const struct store_failure *f)
{
    fprintf(self, "  %s: %s\n", f->where, f->error);
}

enum err_code summary_print(const struct summary *s, FILE *out, struct err *e)
{
    const struct run_progress *p = s->progress;
    enum err_code code = print_tables(s, out, e);
    fprintf(out, "%s%" PRIu64, s->has_tables && s->scenario->n_tables ? "\n" : "", p->n_passed + p->n_done);
    if (p->n_passed + p->n_done < p->n_total)
        fprintf(out, " of %" PRIu64, p->n_total);
    fprintf(out, " runs of %s in %s", s->scenario->name, s->database);
    if (p->n_passed > 0)
        fprintf(out, ", %" PRIu64 " of them done before", p->n_passed);
    fprintf(out, "; %" PRIu64 " failed%s\n", p->n_failed, p->n_failed > 0 ? ":" : "");
    if (code == ERR_NONE && p->n_failed > 0)
        code = store_each_failure(s->store, SHOWN_FAILURES, print_failure, out, e);
    if (p->n_failed > SHOWN_FAILURES)
        fprintf(out, "  and %" PRIu64 " more\n", p->n_failed - SHOWN_FAILURES);
    return code;
}

/* --- JSON --- */

static void add_failure(void *self, const struct store_failure *f)
{
    json_array_append_new(self,
                          json_pack("{s:s, s:I, s:o, s:o}", "key", f->key, "replication", (json_int_t)f->replication,
                                    "where", json_bytes(f->where), "error", json_bytes(f->error)));
}

static json_t *json_cells(const struct pivot *p)
{
    json_t *cells = json_array();
    for (size_t i = 0; i < p->n_rows * p->columns->n_values; i++) {
        size_t row = i / p->columns->n_values, column = i % p->columns->n_values;
        json_t *cell = json_object();
        for (size_t r = 0; r < p->t->n_rows; r++)
            json_object_set_new(cell, p->t->rows[r], json_bytes(row_value(p, row, r)));
        json_object_set_new(cell, p->t->columns, json_bytes(p->columns->values[column].text));
        json_object_set_new(cell, "mean", json_finite(p->cells[i]));
        json_array_append_new(cells, cell);
    }
    return cells;
}

static enum err_code json_tables(const struct summary *s, json_t *tables, struct err *e)
{
    enum err_code code = ERR_NONE;
    for (size_t i = 0; s->has_tables && code == ERR_NONE && i < s->scenario->n_tables; i++) {
        struct pivot p;
        const struct scenario_table *t = &s->scenario->tables[i];
        if (!pivot_init(&p, s->scenario, t))
            continue;
        code = pivot_fill(&p, s->store, e);
        json_array_append_new(tables,
                              json_pack("{s:s?, s:s, s:s, s:s?, s:o}", "title", t->title, "metric", t->metric, "unit",
                                        experiment_metric(s->scenario->experiment, t->metric)->unit, "relative_to",
                                        p.base_column >= 0 ? t->relative_to : NULL, "cells", json_cells(&p)));
        free(p.cells);
    }
    return code;
}

enum err_code summary_json(const struct summary *s, json_t **out, struct err *e)
{
    const struct run_progress *p = s->progress;
    json_t *failures = json_array(), *tables = json_array();
    enum err_code code = store_each_failure(s->store, JSON_FAILURES, add_failure, failures, e);
    if (code == ERR_NONE)
        code = json_tables(s, tables, e);
    *out =
        json_pack("{s:s, s:o, s:I, s:I, s:I, s:I, s:o, s:o}", "scenario", s->scenario->name, "database",
                  json_bytes(s->database), "runs", (json_int_t)p->n_total, "resumed", (json_int_t)p->n_passed, "done",
                  (json_int_t)p->n_done, "failed", (json_int_t)p->n_failed, "failures", failures, "tables", tables);
    if (*out == NULL)
        code = err_set(e, ERR_INTERNAL, "the summary cannot be made into JSON");
    return code;
}
