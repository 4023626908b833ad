/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A table of claims.xml: a row for each combination of the values of some parameters, a column for each formula. Each
   formula is computed once, over everything; rows only pick their cells out of it. */
#include "report/claims_parts.h"

#include "base/mem.h"
#include "base/xml.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ROW_AXES = 4, MOST_COLUMNS = 64 };

struct column {
    enum { VALUE, INTERVAL, COUNT } kind;
    /* Over all rows. What varies beside them is reduced when a row is made. */
    struct cube cube;
    char *name, *header; /* header NULL: the name */
    const char *unit, *format;
};

struct grid {
    const struct claims *c;
    const xmlNode *element;
    const char *params[MOST_ROW_AXES]; /* of the rows, into `words` */
    char *words;
    size_t n_params;
    struct cube_set rows;
    struct column columns[MOST_COLUMNS];
    size_t n_columns;
};

static void column_clear(struct column *c)
{
    cube_clear(&c->cube);
    free(c->name);
    free(c->header);
}

static void grid_clear(struct grid *g)
{
    for (size_t i = 0; i < g->n_columns; i++)
        column_clear(&g->columns[i]);
    free(g->words);
}

/* ---- reading ---- */

static enum err_code read_rows(struct grid *g, struct err *e)
{
    const char *rows = xml_attribute(g->element, "rows");
    char *rest = g->words = mem_strdup(rows != NULL ? rows : "");
    for (char *word; (word = strtok_r(NULL, " ", &rest)) != NULL; g->n_params++) {
        if (g->n_params == MOST_ROW_AXES)
            return xml_refuse(e, g->c->path, g->element, "rows: more than %d parameters", MOST_ROW_AXES);
        long axis = cube_axis(&g->c->figures->axes, word);
        if (axis >= 0)
            g->rows.has[axis] = true;
        /* A parameter of one value is a column all the same: a file may be included for
           scenarios that sweep more or less. */
        else if (scenario_axis(g->c->figures->scenario, word) == NULL)
            return xml_refuse(e, g->c->path, g->element, "rows: the scenario has no parameter '%s'", word);
        g->params[g->n_params] = word;
    }
    return ERR_NONE;
}

/* Takes the column. The kind decides what is done with figures that vary within a row: their mean, their mean with its
   interval by graphs, or their number. */
static enum err_code add_column(struct grid *g, const xmlNode *element, struct column column, struct err *e)
{
    const char *kind = xml_attribute(element, "kind"), *unit = xml_attribute(element, "unit");
    bool is_interval = kind != NULL && strcmp(kind, "interval") == 0;
    enum err_code code = ERR_NONE;
    column.kind = kind == NULL ? VALUE : is_interval ? INTERVAL : COUNT;
    column.unit = unit != NULL ? unit : "";
    column.format = xml_attribute(element, "format");
    if (column.format != NULL && !claims_is_format(column.format))
        code = xml_refuse(e, g->c->path, element, "unknown format '%s'; expected %%.Nf or %%.Ng", column.format);
    else if (kind != NULL && !is_interval && strcmp(kind, "count") != 0)
        code = xml_refuse(e, g->c->path, element, "unknown kind '%s' of a column; known: count, interval", kind);
    else if (g->n_columns == MOST_COLUMNS)
        code = xml_refuse(e, g->c->path, element, "more than %d columns", MOST_COLUMNS);
    else
        g->columns[g->n_columns++] = column;
    if (code != ERR_NONE)
        column_clear(&column);
    return code;
}

/* A column for each value of `by`, in their order; with a name, "NAME VALUE". A figure that does not vary along `by` is
   repeated. */
static enum err_code add_columns_by(struct grid *g, const xmlNode *element, const char *by, struct cube *cube,
                                    struct err *e)
{
    const struct scenario_axis *a = scenario_axis(g->c->figures->scenario, by);
    const char *name = xml_attribute(element, "name");
    long axis = cube_axis(&g->c->figures->axes, by);
    enum err_code code = a != NULL ? ERR_NONE : xml_refuse(e, g->c->path, element, "by: unknown parameter '%s'", by);
    for (size_t i = 0; code == ERR_NONE && i < a->n_values; i++) {
        struct cube part = cube_copy(cube);
        if (axis >= 0 && part.step[axis] > 0)
            part = cube_slice(part, (size_t)axis, i);
        code = add_column(g, element,
                          (struct column){.cube = part,
                                          .name = mem_format("%s%s%s", name != NULL ? name : "",
                                                             name != NULL ? " " : "", a->values[i].text)},
                          e);
    }
    return code;
}

static enum err_code read_column(struct grid *g, const xmlNode *element, struct err *e)
{
    static const char *const known[] = {"name", "header", "value", "unit", "format", "kind", "by", NULL},
                             *const required[] = {"value", NULL};
    struct cube cube = {0};
    enum err_code code = xml_check_attributes(element, g->c->path, known, required, e);
    if (code == ERR_NONE)
        code = formula_value(g->c->figures, claims_formula(g->c, element, xml_attribute(element, "value")), &cube, e);
    const char *by = xml_attribute(element, "by"), *name = xml_attribute(element, "name"),
               *header = xml_attribute(element, "header");
    if (code == ERR_NONE && by == NULL)
        return add_column(g, element, /* without a name or header: an empty one */
                          (struct column){.cube = cube,
                                          .name = mem_strdup(name != NULL ? name : ""),
                                          .header = header != NULL ? mem_strdup(header) : NULL},
                          e);
    if (code == ERR_NONE)
        code = add_columns_by(g, element, by, &cube, e);
    cube_clear(&cube);
    return code;
}

/* ---- making ---- */

/* The unit is in each cell of the text, and in the name of the column in JSON. */
static void begin_value(struct table *t, const char *header, const char *name, const char *unit)
{
    /* JSON has no units in its cells: they are numbers there, so the name says "mean, %". */
    char *with_unit = mem_format("%s%s%s", name, *unit != '\0' ? "," : "", unit);
    table_column_as(t, TABLE_RIGHT, header, with_unit);
    free(with_unit);
}

/* A mean and its interval, which is one column of the text and two of JSON: four of the table. */
static void begin_interval(struct table *t, const struct column *c)
{
    char *interval = mem_format("95 %% of the %s", c->name), *low = mem_format("%s, low end of 95 %%", c->name),
         *high = mem_format("%s, high end of 95 %%", c->name);
    begin_value(t, c->name, c->name, c->unit);
    table_column_as(t, TABLE_RIGHT, interval, NULL);
    begin_value(t, NULL, low, c->unit);
    begin_value(t, NULL, high, c->unit);
    free(interval);
    free(low);
    free(high);
}

static struct table *begin_table(const struct grid *g)
{
    struct table *t = table_create();
    const char *given = xml_attribute(g->element, "labels");
    char *labels = mem_strdup(given != NULL ? given : ""), *rest = labels;
    for (size_t i = 0; i < g->n_params; i++) {
        char *label = rest != NULL && *rest != '\0' ? strsep(&rest, ",") : NULL;
        const struct scenario_axis *a = scenario_axis(g->c->figures->scenario, g->params[i]);
        double number;
        /* Decided by the first value, which stands for the others: an axis has numbers or names. */
        table_column(t, text_to_double(a->values[0].text, &number) ? TABLE_RIGHT : TABLE_LEFT,
                     label != NULL ? label : g->params[i]);
    }
    for (const struct column *c = g->columns; c < g->columns + g->n_columns; c++)
        if (c->kind == INTERVAL)
            begin_interval(t, c);
        else
            begin_value(t, c->header != NULL ? c->header : c->name, c->name, c->unit);
    table_key(t, g->n_params); /* repeated in each part of a table that is too wide */
    free(labels);
    return t;
}

static void add_value(struct table *t, const struct column *c, const char *unit, double value)
{
    struct text text = {0};
    char *number = NULL;
    if (isnan(value))
        text_addf(&text, "-");
    /* The format is known to be harmless (claims_is_format). */
    else if (c->format != NULL && asprintf(&number, c->format, value) >= 0) /* read_column has seen the format */
        text_addf(&text, "%s%s", number, unit);
    else {
        claims_add_number(&text, value);
        text_addf(&text, "%s", unit);
    }
    table_valuef(t, value, "%s", text_str(&text));
    free(number);
    text_clear(&text);
}

/* The figures of one row. Axes that the row fixes go; the others stay. */
static struct cube part_at(const struct grid *g, const struct column *c, const struct cube_place *p)
{
    struct cube part = cube_copy(&c->cube);
    for (size_t a = 0; a < g->c->figures->axes.n; a++)
        if (g->rows.has[a] && part.step[a] > 0)
            part = cube_slice(part, a, p->at[a]);
    return part;
}

/* What still varies is averaged, or counted. */
static double number_at(const struct grid *g, const struct column *c, const struct cube_place *p)
{
    return cube_number(part_at(g, c, p), c->kind == COUNT ? cube_count : cube_mean);
}

/* The next row, the last parameter of `rows` changing fastest; false after the last row. The order of `rows` is the
   author's and need not be that of the axes. */
static bool next_row(const struct grid *g, struct cube_place *p)
{
    for (size_t i = g->n_params; i-- > 0;) {
        long axis = cube_axis(&g->c->figures->axes, g->params[i]);
        if (axis >= 0 && ++p->at[axis] < g->c->figures->axes.list[axis]->n_values)
            return true;
        if (axis >= 0)
            p->at[axis] = 0;
    }
    return false;
}

static void add_interval(const struct grid *g, const struct column *c, const struct cube_place *p, struct table *t)
{
    struct cube part = part_at(g, c, p);
    struct sample s = figures_sample(g->c->figures, &part);
    struct text interval = {0};
    claims_add_number(&interval, s.low);
    text_addf(&interval, " to ");
    claims_add_number(&interval, s.high);
    add_value(t, c, c->unit, s.mean);
    table_cell(t, text_str(&interval));
    add_value(t, c, c->unit, s.low);
    add_value(t, c, c->unit, s.high);
    text_clear(&interval);
    cube_clear(&part);
}

/* Whether a row has any figure. How many there are of something is no figure by itself. */
static bool is_shown(const struct grid *g, const struct cube_place *p)
{
    for (const struct column *c = g->columns; c < g->columns + g->n_columns; c++)
        if (c->kind != COUNT && !isnan(number_at(g, c, p)))
            return true;
    return false;
}

/* A parameter's value is shown where it changes: where all parameters after it are at their first values. */
static bool changes(const struct grid *g, size_t i, const struct cube_place *p)
{
    for (size_t later = i + 1; later < g->n_params; later++) {
        long axis = cube_axis(&g->c->figures->axes, g->params[later]);
        if (axis >= 0 && p->at[axis] > 0)
            return false;
    }
    return true;
}

static void add_key(const struct grid *g, const struct cube_place *p, struct table *t)
{
    /* claims_label reads the value at the place where figures are taken. */
    struct figures *f = g->c->figures;
    const struct cube_place before = f->fixed;
    f->fixed = *p;
    for (size_t i = 0; i < g->n_params; i++) {
        const char *text = claims_label(f, g->params[i]);
        double number;
        if (text_to_double(text, &number))
            table_valuef(t, number, "%s", changes(g, i, p) ? text : "");
        else
            (changes(g, i, p) ? table_cell : table_ditto)(t, text);
    }
    f->fixed = before;
}

static void add_row(const struct grid *g, const struct cube_place *p, struct table *t)
{
    for (const struct column *c = g->columns; c < g->columns + g->n_columns; c++)
        if (c->kind == INTERVAL)
            add_interval(g, c, p, t);
        else if (c->kind == COUNT)
            /* cube_number is NAN where there is nothing to count, and fmax takes the other one of its arguments
               then. */
            table_count(t, (size_t)fmax(0, number_at(g, c, p)));
        else
            add_value(t, c, c->unit, number_at(g, c, p));
}

/* In the columns of begin_interval: the rows' samples are not one sample. */
static void add_no_interval(struct table *t, const struct column *c)
{
    table_cell(t, "");
    add_value(t, c, c->unit, NAN);
    add_value(t, c, c->unit, NAN);
}

/* The mean over the rows that are shown, each with the same weight. A column that lacks a figure in one of them has
   none: its mean would be over other rows than its neighbours'. */
static void add_average(const struct grid *g, struct table *t)
{
    table_cell(t, "average");
    for (size_t i = 1; i < g->n_params; i++)
        table_cell(t, "");
    for (const struct column *c = g->columns; c < g->columns + g->n_columns; c++) {
        struct cube_place p = {0};
        double sum = 0, n = 0;
        do
            if (is_shown(g, &p)) {
                sum += number_at(g, c, &p);
                n++;
            }
        while (next_row(g, &p));
        add_value(t, c, c->unit, sum / n);
        if (c->kind == INTERVAL)
            add_no_interval(t, c);
    }
}

static struct table *make(const struct grid *g)
{
    struct table *t = begin_table(g);
    struct cube_place p = {0};
    do
        if (is_shown(g, &p)) {
            add_key(g, &p, t);
            add_row(g, &p, t);
        }
    while (next_row(g, &p));
    if (xml_attribute(g->element, "average") != NULL)
        add_average(g, t);
    return t;
}

/* Nothing is added to the document before all columns have been read, so a mistake leaves no half table. */
enum err_code claims_table(const struct claims *c, const xmlNode *element, struct document *d, struct err *e)
{
    struct grid g = {.c = c, .element = element};
    struct text title = {0};
    enum err_code code = read_rows(&g, e);
    for (const xmlNode *n = xml_first(element); n != NULL && code == ERR_NONE; n = xml_next(n))
        code = xml_is(n, "column") ? read_column(&g, n, e)
                                   : xml_refuse(e, c->path, n, "<%s> in a table; expected <column>", xml_name(n));
    if (code == ERR_NONE)
        code = claims_text(c, element, xml_attribute(element, "title"), &title, e);
    if (code == ERR_NONE)
        document_table(d, text_str(&title), make(&g));
    text_clear(&title);
    grid_clear(&g);
    return code;
}
