/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The summary that `iasim run` and `iasim report` print: tables of means, then how many runs there are and which
   failed. A mean leaves out failed runs, so the number of failures always stands below the tables. */
#include "report/summary.h"

#include "base/mem.h"
#include "base/text.h"
#include "report/best_of.h"
#include "report/json_bytes.h"
#include "report/page.h"
#include "report/table.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A table of more cells could not be read. Failures are often of one kind: five show it, and the JSON has
   enough for a program to tell. */
enum { MAX_CELLS = 100000, SHOWN_FAILURES = 5, JSON_FAILURES = 1000, DIGITS = 4 };

/* A pivot: rows are the combinations of the values of the row parameters, the last one changing fastest. A table with
   best_of and without columns is a ranking: its columns are what is known about the runs of each row. */
struct pivot {
    const struct scenario *s;
    const struct scenario_table *t;
    const struct scenario_axis *columns; /* NULL: a ranking */
    size_t n_rows, n_columns;
    double *cells;             /* row by row; NAN: no result. In a ranking: the means of more metrics */
    struct best_of_cell *best; /* of each cell, in a ranking of each row; NULL: the table has no best_of */
    size_t filling;            /* column of a ranking */
    long base_column;          /* cells are relative to this one; -1: they are not */
};

static const struct scenario_axis *row_axis(const struct pivot *p, size_t i)
{
    return scenario_axis(p->s, p->t->rows.names[i]);
}

static long find_base(const struct pivot *p)
{
    for (size_t c = 0; p->t->relative_to != NULL && c < p->n_columns; c++)
        if (strcmp(p->columns->values[c].text, p->t->relative_to) == 0)
            return (long)c;
    return -1; /* not asked for, or removed by --set */
}

/* Cells without a base become NAN and are shown as missing: NAN or 0 / 0. */
static void make_relative(struct pivot *p)
{
    for (size_t r = 0; p->base_column >= 0 && r < p->n_rows; r++) {
        double *row = p->cells + r * p->n_columns;
        double base = row[p->base_column];
        for (size_t c = 0; c < p->n_columns; c++)
            row[c] /= base;
    }
}

static bool pivot_init(struct pivot *p, const struct scenario *s, const struct scenario_table *t)
{
    *p = (struct pivot){.s = s, .t = t, .n_rows = 1, .n_columns = t->means.n};
    if (t->columns != NULL) {
        p->columns = scenario_axis(s, t->columns);
        p->n_columns = p->columns->n_values;
    }
    /* Stops as soon as there are too many, before the product could overflow. */
    for (size_t i = 0; i < t->rows.n && p->n_rows <= MAX_CELLS; i++)
        p->n_rows *= row_axis(p, i)->n_values;
    p->base_column = find_base(p);
    return p->n_rows <= MAX_CELLS && p->n_rows * p->n_columns <= MAX_CELLS;
}

static void pivot_clear(struct pivot *p)
{
    free(p->cells);
    free(p->best);
}

/* The columns of a ranking are metrics; else the last parameter is the columns, and the cells are the cube. */
static enum err_code fill_means(struct pivot *p, const char *metric, const char *const *params, struct store *store,
                                struct err *e)
{
    if (p->columns != NULL)
        return store_mean_cube(store, metric, params, p->t->rows.n + 1, p->cells, e);
    double *means = mem_alloc(p->n_rows * sizeof *means);
    enum err_code code = store_mean_cube(store, metric, params, p->t->rows.n, means, e);
    for (size_t r = 0; r < p->n_rows && code == ERR_NONE; r++)
        p->cells[r * p->n_columns + p->filling] = means[r];
    free(means);
    return code;
}

static enum err_code fill_best(struct pivot *p, struct store *store, struct err *e)
{
    size_t n = p->n_rows * (p->columns != NULL ? p->n_columns : 1);
    p->best = mem_zalloc(n, sizeof *p->best);
    enum err_code code = best_of_fill(store, p->s, p->t, p->best, e);
    /* A ranking keeps best_of's cells as they are; a table with columns shows their mean ratios only. */
    for (size_t i = 0; p->columns != NULL && i < n; i++)
        p->cells[i] = best_of_mean_ratio(&p->best[i]);
    return code;
}

static enum err_code pivot_fill(struct pivot *p, struct store *store, struct err *e)
{
    size_t n = p->n_rows * p->n_columns;
    const char **params = mem_zalloc(p->t->rows.n + 1, sizeof *params);
    for (size_t i = 0; i < p->t->rows.n; i++)
        params[i] = p->t->rows.names[i];
    params[p->t->rows.n] = p->t->columns; /* NULL in a ranking, which does not pass it on */
    p->cells = mem_zalloc(n, sizeof *p->cells);
    /* With best_of the metric is compared rather than averaged. */
    enum err_code code = p->t->best_of.n > 0 ? fill_best(p, store, e) : fill_means(p, p->t->metric, params, store, e);
    for (p->filling = 0; code == ERR_NONE && p->filling < p->t->means.n; p->filling++)
        code = fill_means(p, p->t->means.names[p->filling], params, store, e);
    make_relative(p);
    free(params);
    return code;
}

/* The row's number written with the rows' axes as digits, the last one first. */
static const char *row_value(const struct pivot *p, size_t row, size_t i)
{
    for (size_t later = p->t->rows.n; --later > i;)
        row /= row_axis(p, later)->n_values;
    const struct scenario_axis *a = row_axis(p, i);
    return a->values[row % a->n_values].text;
}

/* --- text --- */

/* What the table shows; the caller frees it. */
static char *make_title(const struct pivot *p)
{
    const struct metric *m = run_metric(p->s->experiment, p->t->metric);
    struct text out = {0};
    text_addf(&out, "%s%s%s", p->t->title ? p->t->title : "", p->t->title ? ": " : "", m->name);
    for (size_t i = 0; i < p->t->best_of.n; i++)
        text_addf(&out, "%s%s", i ? " and " : ", relative to the best of all values of ", p->t->best_of.names[i]);
    if (p->base_column >= 0)
        text_addf(&out, ", relative to %s %s", p->t->columns, p->t->relative_to);
    /* Ratios have no unit. */
    else if (p->best == NULL && m->unit[0] != '\0')
        text_addf(&out, " in %s", m->unit);
    if (p->columns != NULL)
        text_addf(&out, ", by %s", p->t->columns);
    return text_take(&out);
}

/* Rounding errors are not shown: figures that are negligible beside the largest one are shown as 0. Differences of
   means, say, are seldom exactly 0. */
static double noise_of(const struct pivot *p)
{
    double largest = 0;
    for (size_t i = 0; i < p->n_rows * p->n_columns; i++)
        if (isfinite(p->cells[i]))
            largest = fmax(largest, fabs(p->cells[i]));
    return 1e-12 * largest;
}

static void add_key(const struct pivot *p, size_t row, struct table *table)
{
    for (size_t i = 0; i < p->t->rows.n; i++)
        table_cell(table, row_value(p, row, i));
}

static void add_cells(const struct pivot *p, struct table *table)
{
    for (size_t c = 0; c < p->columns->n_values; c++)
        table_column(table, TABLE_RIGHT, p->columns->values[c].text);
    double noise = noise_of(p);
    for (size_t r = 0; r < p->n_rows; r++) {
        const double *row = p->cells + r * p->n_columns;
        add_key(p, r, table);
        for (size_t c = 0; c < p->n_columns; c++)
            table_number(table, fabs(row[c]) < noise ? 0 : row[c], DIGITS);
    }
}

/* NAN, shown as "-": shares of nothing. */
static double percent(uint64_t n, uint64_t of)
{
    return of > 0 ? 100.0 * (double)n / (double)of : NAN;
}

static void add_ranking(const struct pivot *p, struct table *table)
{
    table_columns(table, "best, %>|wins, %>|ties, %>|losses, %>|mean ratio>|worst ratio>");
    for (size_t i = 0; i < p->t->means.n; i++)
        table_column(table, TABLE_RIGHT, p->t->means.names[i]);
    for (size_t r = 0; r < p->n_rows; r++) {
        const struct best_of_cell *b = &p->best[r];
        /* Wins, ties and losses are of pairs, `best` is of runs. */
        uint64_t n_pairs = b->n_wins + b->n_ties + b->n_losses;
        const double shares[] = {percent(b->n_best, b->n_runs), percent(b->n_wins, n_pairs),
                                 percent(b->n_ties, n_pairs), percent(b->n_losses, n_pairs)};
        add_key(p, r, table);
        for (size_t i = 0; i < sizeof shares / sizeof shares[0]; i++)
            table_valuef(table, shares[i], isnan(shares[i]) ? "-" : "%.1f", shares[i]);
        table_number(table, best_of_mean_ratio(b), DIGITS);
        table_number(table, b->n_runs > 0 ? b->worst_ratio : NAN, DIGITS);
        for (size_t i = 0; i < p->t->means.n; i++)
            table_number(table, p->cells[r * p->n_columns + i], DIGITS);
    }
}

static struct table *make_table(const struct pivot *p)
{
    struct table *table = table_create();
    /* By the type of the parameter: numbers to the right. */
    for (size_t i = 0; i < p->t->rows.n; i++)
        table_column(table, row_axis(p, i)->param->type == PARAM_TEXT ? TABLE_LEFT : TABLE_RIGHT, p->t->rows.names[i]);
    table_key(table, p->t->rows.n);
    (p->columns != NULL ? add_cells : add_ranking)(p, table);
    return table;
}

static bool has_name(const struct scenario_names *names, const char *name)
{
    for (size_t i = 0; i < names->n; i++)
        if (strcmp(names->names[i], name) == 0)
            return true;
    return false;
}

/* The swept parameters over which a cell is a mean, "platform (7), instance (6)"; "" if it shows all. The caller's. */
static char *averaged(const struct pivot *p)
{
    struct text out = {0};
    for (size_t i = 0; i < p->s->n_axes; i++) {
        const struct scenario_axis *a = &p->s->axes[i];
        const char *name = a->param->name;
        /* Parameters of best_of are listed, too, unless they are rows or columns. */
        if (a->n_values > 1 && a != p->columns && !has_name(&p->t->rows, name))
            text_addf(&out, "%s%s (%zu values)", out.size > 0 ? ", " : "", name, a->n_values);
    }
    if (p->s->n_replications > 1)
        text_addf(&out, "%s%ld replications", out.size > 0 ? ", " : "", p->s->n_replications);
    return text_take(&out);
}

static void print_pivot(const struct pivot *p, FILE *out)
{
    struct table *table = make_table(p);
    char *title = make_title(p), *over = averaged(p);
    fprintf(out, "\n%s\n\n", title);
    table_end(table, out);
    if (*over != '\0')
        page_paragraphf(out, "Over all values of %s.", over);
    free(over);
    free(title);
}

static enum err_code print_tables(const struct summary *s, FILE *out, struct err *e)
{
    enum err_code code = ERR_NONE;
    for (size_t i = 0; s->has_tables && code == ERR_NONE && i < s->scenario->n_tables; i++) {
        struct pivot p;
        /* One table that is too large does not keep the others from being shown. */
        if (!pivot_init(&p, s->scenario, &s->scenario->tables[i])) {
            fprintf(out, "\nThe table of %s has more than %d cells; `iasim export` writes the figures.\n",
                    s->scenario->tables[i].metric, MAX_CELLS);
            continue;
        }
        code = pivot_fill(&p, s->store, e);
        if (code == ERR_NONE)
            print_pivot(&p, out);
        pivot_clear(&p);
    }
    return code;
}

enum err_code summary_add_table(const struct scenario *s, struct store *store, size_t table, struct document *d,
                                struct err *e)
{
    struct pivot p;
    if (!pivot_init(&p, s, &s->tables[table]))
        return err_set(e, ERR_INPUT, "the table of %s has more than %d cells", s->tables[table].metric, MAX_CELLS);
    enum err_code code = pivot_fill(&p, store, e);
    if (code == ERR_NONE) {
        char *title = make_title(&p);
        char *over = averaged(&p);
        document_table(d, title, make_table(&p));
        if (*over != '\0')
            document_paragraphf(d, "Over all values of %s.", over);
        free(over);
        free(title);
    }
    pivot_clear(&p);
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
    /* The counts come even if the tables could not be read: they do not need the database. */
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

/* Text may be that of a crashed process, and so any bytes. */
static void add_failure(void *self, const struct store_failure *f)
{
    json_array_append_new(self,
                          json_pack("{s:s, s:I, s:o, s:o}", "key", f->key, "replication", (json_int_t)f->replication,
                                    "where", json_bytes(f->where), "error", json_bytes(f->error)));
}

/* What a ranking knows about a row. */
static void json_row(const struct pivot *p, size_t row, json_t *out)
{
    const struct best_of_cell *b = &p->best[row];
    json_t *means = json_object();
    for (size_t i = 0; i < p->t->means.n; i++)
        json_object_set_new(means, p->t->means.names[i], json_finite(p->cells[row * p->n_columns + i]));
    json_object_update_new(out, json_pack("{s:I, s:I, s:I, s:I, s:I, s:o, s:o, s:o}", "runs", (json_int_t)b->n_runs,
                                          "best", (json_int_t)b->n_best, "wins", (json_int_t)b->n_wins, "ties",
                                          (json_int_t)b->n_ties, "losses", (json_int_t)b->n_losses, "mean_ratio",
                                          json_finite(best_of_mean_ratio(b)), "worst_ratio",
                                          json_finite(b->n_runs > 0 ? b->worst_ratio : NAN), "means", means));
}

static json_t *json_cells(const struct pivot *p)
{
    json_t *cells = json_array();
    size_t n_columns = p->columns != NULL ? p->n_columns : 1; /* a ranking has one cell a row */
    for (size_t i = 0; i < p->n_rows * n_columns; i++) {
        size_t row = i / n_columns, column = i % n_columns;
        json_t *cell = json_object();
        for (size_t r = 0; r < p->t->rows.n; r++)
            json_object_set_new(cell, p->t->rows.names[r], json_bytes(row_value(p, row, r)));
        if (p->columns != NULL) {
            json_object_set_new(cell, p->t->columns, json_bytes(p->columns->values[column].text));
            json_object_set_new(cell, "mean", json_finite(p->cells[i]));
        } else {
            json_row(p, row, cell);
        }
        json_array_append_new(cells, cell);
    }
    return cells;
}

static json_t *json_table(const struct pivot *p)
{
    const char *unit = run_metric(p->s->experiment, p->t->metric)->unit;
    json_t *table = json_pack("{s:s?, s:s, s:s, s:s?, s:o}", "title", p->t->title, "metric", p->t->metric, "unit", unit,
                              "relative_to", p->base_column >= 0 ? p->t->relative_to : NULL, "cells", json_cells(p));
    if (p->t->best_of.n > 0)
        json_object_set_new(table, "best_of", json_array());
    for (size_t i = 0; i < p->t->best_of.n; i++)
        json_array_append_new(json_object_get(table, "best_of"), json_string(p->t->best_of.names[i]));
    return table;
}

static enum err_code json_tables(const struct summary *s, json_t *tables, struct err *e)
{
    enum err_code code = ERR_NONE;
    for (size_t i = 0; s->has_tables && code == ERR_NONE && i < s->scenario->n_tables; i++) {
        struct pivot p;
        if (!pivot_init(&p, s->scenario, &s->scenario->tables[i])) {
            json_array_append_new(tables, json_pack("{s:s?, s:s, s:s, s:[]}", "title", p.t->title, "metric",
                                                    p.t->metric, "error", "the table has too many cells", "cells"));
            continue;
        }
        code = pivot_fill(&p, s->store, e);
        json_array_append_new(tables, json_table(&p));
        pivot_clear(&p);
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
    /* Names of parameters and metrics are ASCII, everything else goes through json_bytes: NULL is a mistake of ours. */
    *out =
        json_pack("{s:s, s:o, s:I, s:I, s:I, s:I, s:o, s:o}", "scenario", s->scenario->name, "database",
                  json_bytes(s->database), "runs", (json_int_t)p->n_total, "resumed", (json_int_t)p->n_passed, "done",
                  (json_int_t)p->n_done, "failed", (json_int_t)p->n_failed, "failures", failures, "tables", tables);
    if (*out == NULL)
        code = err_set(e, ERR_INTERNAL, "the summary cannot be made into JSON");
    return code;
}
