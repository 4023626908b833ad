/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Definitions: what later formulas may use (<let>, <paper>), and what they may rely on (<complete>). Figures are
   defined for all settings at once; where they are taken is decided when they are used. */
#include "report/claims_parts.h"

#include "base/mem.h"
#include "base/xml.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool has_parameter(const struct claims *c, const char *name)
{
    return run_row(c->figures->scenario->experiment, name) != NULL;
}

/* A parameter that the experiment has but the scenario does not sweep is accepted and adds nothing: the same file is
   used for scenarios that sweep less. */
enum err_code claims_axes(const struct claims *c, const xmlNode *n, const char *attribute, struct cube_set *out,
                          struct err *e)
{
    const char *given = xml_attribute(n, attribute);
    char *words = mem_strdup(given != NULL ? given : ""), *rest = words;
    enum err_code code = ERR_NONE;
    for (char *word; code == ERR_NONE && (word = strtok_r(NULL, " ", &rest)) != NULL;) {
        long axis = cube_axis(&c->figures->axes, word);
        if (axis >= 0)
            out->has[axis] = true;
        else if (!has_parameter(c, word))
            code = xml_refuse(e, c->path, n, "%s: unknown parameter '%s'", attribute, word);
    }
    free(words);
    return code;
}

char *claims_file(const struct claims *c, const char *name)
{
    const char *slash = strrchr(c->path, '/');
    return mem_format("%.*s%s", slash != NULL ? (int)(slash + 1 - c->path) : 0, c->path, name);
}

/* ---- copies ----

   A generator that draws nothing gives the same graph for each instance. Counted each time, it would make intervals too
   narrow: the bootstrap assumes samples that are independent. ---- */

/* Exactly equal, without a tolerance: the same graph gives the same bytes, and near figures are no evidence. */
static bool are_same(const struct cube *figure, struct cube_set runs, size_t axis, struct cube_place p, size_t i,
                     size_t j)
{
    do { /* runs have all axes that do not name a graph; those that the figure lacks only repeat a comparison */
        p.at[axis] = i;
        double a = *cube_at(figure, &p);
        p.at[axis] = j;
        double b = *cube_at(figure, &p);
        if (a != b && !(isnan(a) && isnan(b))) /* both missing: nothing tells them apart */
            return false;
    } while (cube_next(figure->axes, runs, &p));
    return true;
}

/* Marks the instances that repeat an earlier one in all figures: the first of each group counts. Time: the square of
   the number of instances, times the runs of one. */
static void mark_copies(struct figures *f, const struct cube *figures, size_t n_figures, size_t axis)
{
    struct cube_set runs, others = f->samples;
    struct cube_place p = {0};
    others.has[axis] = false;
    for (size_t a = 0; a < CUBE_AXES; a++)
        runs.has[a] = !f->samples.has[a];
    /* For each graph apart from the instance (generator, size): copies are found only within it. */
    do
        for (size_t i = 0; i < f->axes.list[axis]->n_values; i++) {
            bool is_copy = false;
            for (size_t j = 0; j < i && !is_copy; j++) {
                is_copy = true;
                for (size_t k = 0; k < n_figures && is_copy; k++)
                    is_copy = are_same(&figures[k], runs, axis, p, i, j);
            }
            p.at[axis] = i;
            *cube_at(&f->copies, &p) = is_copy ? NAN : 0;
            p.at[axis] = 0;
        }
    while (cube_next(&f->axes, others, &p));
}

enum err_code claims_find_copies(struct claims *c, const xmlNode *root, struct err *e)
{
    enum { MOST_FIGURES = 4 };
    const char *instance = xml_attribute(root, "repeats"), *given = xml_attribute(root, "repeats_by");
    long axis = instance != NULL ? cube_axis(&c->figures->axes, instance) : -1;
    if (axis < 0 || given == NULL)
        return ERR_NONE;
    struct cube figures[MOST_FIGURES];
    size_t n = 0;
    char *words = mem_strdup(given), *rest = words;
    enum err_code code = ERR_NONE;
    if (!c->figures->samples.has[axis])
        code = xml_refuse(e, c->path, root, "repeats: '%s' is not among the samples", instance);
    for (char *word; code == ERR_NONE && (word = strtok_r(NULL, " ", &rest)) != NULL;)
        if (n == MOST_FIGURES)
            code = xml_refuse(e, c->path, root, "repeats_by: more than %d figures", MOST_FIGURES);
        else
            code = formula_value(c->figures, claims_formula(c, root, word), &figures[n++], e);
    if (code == ERR_NONE) {
        c->figures->copies = cube_along(&c->figures->axes, c->figures->samples);
        mark_copies(c->figures, figures, n, (size_t)axis);
        /* The metrics were read without knowing of copies. Formulas below read them again. */
        figures_forget(c->figures);
    }
    while (n-- > 0)
        cube_clear(&figures[n]);
    free(words);
    return code;
}

/* ---- names, and what must be there ---- */

/* A name may hide a parameter but not a metric: a formula that says makespan_s must mean makespan_s. */
enum err_code claims_let(struct claims *c, const xmlNode *n, struct err *e)
{
    static const char *const known[] = {"name", "value", NULL};
    struct cube cube = {0};
    enum err_code code = xml_check_attributes(n, c->path, known, known, e);
    if (code == ERR_NONE && run_metric(c->figures->scenario->experiment, xml_attribute(n, "name")) != NULL)
        code = xml_refuse(e, c->path, n, "'%s' is a metric; another name is needed", xml_attribute(n, "name"));
    if (code == ERR_NONE)
        code = formula_value(c->figures, claims_formula(c, n, xml_attribute(n, "value")), &cube, e);
    if (code == ERR_NONE)
        figures_define(c->figures, xml_attribute(n, "name"), cube);
    else
        cube_clear(&cube);
    return code;
}

static double is_missing(double where, double figure)
{
    return isnan(where) || !isnan(figure) ? NAN : 1;
}

enum err_code claims_complete(struct claims *c, const xmlNode *n, struct err *e)
{
    static const char *const known[] = {"value", "where", NULL}, *const required[] = {"value", NULL};
    struct cube value = {0}, where = cube_of_number(&c->figures->axes, 0); /* 0: a number, so every place counts */
    const char *given = xml_attribute(n, "where");
    enum err_code code = xml_check_attributes(n, c->path, known, required, e);
    if (code == ERR_NONE)
        code = formula_value(c->figures, claims_formula(c, n, xml_attribute(n, "value")), &value, e);
    if (code == ERR_NONE && given != NULL) {
        cube_clear(&where);
        code = formula_value(c->figures, claims_formula(c, n, given), &where, e);
    }
    /* Each is as formula_value left it, or empty. */
    if (code != ERR_NONE) {
        cube_clear(&value);
        cube_clear(&where);
        return code;
    }
    /* Without any place the claims would hold of nothing. cube_number is NAN if there is no figure at all, not 0. */
    bool is_empty = isnan(cube_number(cube_copy(&value), cube_count));
    bool has_gaps = !isnan(cube_number(cube_combine(where, value, is_missing), cube_count)); /* takes both */
    return !is_empty && !has_gaps ? ERR_NONE
                                  : xml_refuse(e, c->path, n, "some points have no %s: they are missing or failed",
                                               xml_attribute(n, "value"));
}

/* ---- a table of the paper: CSV without quotes, whose first line names the columns ---- */

struct paper {
    const struct claims *c;
    const char *path;
    const struct scenario_axis *rows;
    long axis; /* of the rows; -1: the scenario has one value */
    struct cube *columns;
    char **names;
    size_t n_columns, names_capacity, n_found;
};

/* The cubes vary along the axis of the rows alone, so a formula may combine them with figures of any axes. */
static void read_head(struct paper *p, char *line)
{
    struct cube_set along = {0};
    char *rest = line;
    strsep(&rest, ","); /* the name of the first column: that is `rows` */
    if (p->axis >= 0)
        along.has[p->axis] = true;
    for (char *name; (name = strsep(&rest, ",")) != NULL; p->n_columns++) {
        MEM_GROW(p->names, p->n_columns, p->names_capacity);
        p->names[p->n_columns] = mem_format("paper.%s", name);
    }
    p->columns = mem_zalloc(p->n_columns, sizeof *p->columns);
    for (size_t i = 0; i < p->n_columns; i++)
        p->columns[i] = cube_along(&p->c->figures->axes, along);
}

/* Rows about values that this scenario does not have are read but not used: a reduced scenario (--set) can still be
   compared with the whole table. Their numbers are checked all the same. */
static enum err_code read_line(struct paper *p, char *line, int number, struct err *e)
{
    char *rest = line, *name = strsep(&rest, ",");
    long row = scenario_axis_place(p->rows, name);
    size_t n = 0;
    p->n_found += row >= 0;
    for (char *field; (field = strsep(&rest, ",")) != NULL; n++) {
        double value;
        if (n == p->n_columns || !text_to_double(field, &value))
            return err_set_at(e, ERR_PARSE, p->path, number, "'%s': not a number, or an extra field", field);
        /* A parameter of one value has no axis, and one cell. */
        if (row >= 0)
            p->columns[n].cells[p->axis >= 0 ? row : 0] = value;
    }
    return n == p->n_columns ? ERR_NONE
                             : err_set_at(e, ERR_PARSE, p->path, number, "%zu numbers, expected %zu", n, p->n_columns);
}

static enum err_code read_lines(struct paper *p, struct err *e)
{
    static const size_t max_bytes = 1 << 20;
    struct text text = {0};
    int number = 0;
    enum err_code code = text_read_file(&text, p->path, max_bytes, e);
    char *copy = mem_strdup(text_str(&text)), *rest = copy;
    /* The header decides how many numbers a row has. */
    for (char *line; code == ERR_NONE && (line = strsep(&rest, "\n")) != NULL;)
        if (++number == 1)
            read_head(p, line);
        else if (*line != '\0')
            code = read_line(p, line, number, e);
    /* Not a single row fits, so the table is about something else. Without this all claims about
       it would have no figures. */
    if (code == ERR_NONE && p->n_found == 0)
        code =
            err_set_at(e, ERR_INPUT, p->path, 0, "no row is about a value of %s in the scenario", p->rows->param->name);
    free(copy);
    text_clear(&text);
    return code;
}

/* The columns become figures; those of a file with a mistake do not matter any more. */
static void define_columns(struct paper *p)
{
    for (size_t i = 0; i < p->n_columns; i++) {
        figures_define(p->c->figures, p->names[i], p->columns[i]);
        free(p->names[i]);
    }
    free(p->names);
    free(p->columns);
}

enum err_code claims_paper(struct claims *c, const xmlNode *n, struct err *e)
{
    static const char *const known[] = {"table", "rows", NULL};
    enum err_code code = xml_check_attributes(n, c->path, known, known, e);
    if (code != ERR_NONE)
        return code;
    const char *rows = xml_attribute(n, "rows");
    struct paper p = {
        .c = c, .rows = scenario_axis(c->figures->scenario, rows), .axis = cube_axis(&c->figures->axes, rows)};
    if (p.rows == NULL)
        return xml_refuse(e, c->path, n, "rows: the scenario has no parameter '%s'", rows);
    char *path = claims_file(c, xml_attribute(n, "table"));
    p.path = path;
    code = read_lines(&p, e);
    define_columns(&p);
    free(path);
    return code;
}
