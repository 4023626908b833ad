/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Recursive descent that computes while it reads. There is no tree: a formula is short, and its figures are kept (known). */
#include "report/formula.h"

#include "base/mem.h"
#include "base/random.h"
#include "base/text.h"
#include "stats/bootstrap.h"
#include "stats/quantile.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

struct reader {
    struct figures *f;
    struct formula from;
    const char *at;
    int depth; /* of parentheses */
    struct err *e;
};

/* ---- figures ---- */

static enum err_code add_axes(struct figures *f, const struct scenario *s, struct err *e)
{
    for (size_t i = 0; i < s->n_axes; i++) {
        const struct scenario_axis *a = &s->axes[i];
        if (a->n_values < 2 || cube_axis(&f->axes, a->param->name) >= 0)
            continue;
        if (f->axes.n == CUBE_AXES)
            return err_set_at(e, ERR_INPUT, s->path, a->line, "more than %d swept parameters", CUBE_AXES);
        f->axes.list[f->axes.n++] = a;
    }
    return ERR_NONE;
}

static bool have_same_values(const struct scenario_axis *a, const struct scenario_axis *b)
{
    for (size_t i = 0; i < a->n_values && a->n_values == b->n_values; i++)
        if (strcmp(a->values[i].text, b->values[i].text) != 0)
            return false;
    return a->n_values == b->n_values;
}

enum err_code figures_init(struct figures *f, struct err *e)
{
    enum err_code code = add_axes(f, f->scenario, e);
    for (size_t i = 0; f->bounds != NULL && i < f->axes.n && code == ERR_NONE; i++) {
        const struct scenario_axis *a = f->axes.list[i], *b = scenario_axis(f->bounds, a->param->name);
        if (b != NULL && !have_same_values(a, b))
            code = err_set(e, ERR_INPUT, "%s and %s differ in %s", f->scenario->path, f->bounds->path, a->param->name);
    }
    return code == ERR_NONE && f->bounds != NULL ? add_axes(f, f->bounds, e) : code;
}

void figures_forget(struct figures *f)
{
    for (size_t i = 0; i < f->n_known; i++) {
        free(f->known[i].name);
        cube_clear(&f->known[i].cube);
    }
    f->n_known = 0;
}

void figures_clear(struct figures *f)
{
    figures_forget(f);
    free(f->known);
    cube_clear(&f->copies);
}

void figures_define(struct figures *f, const char *name, struct cube cube)
{
    MEM_GROW(f->known, f->n_known, f->known_capacity);
    f->known[f->n_known++] = (struct named_cube){mem_strdup(name), cube};
}

static double add(double a, double b)
{
    return a + b;
}

/* A metric at all points of its scenario. */
static enum err_code read_metric(struct figures *f, const char *metric, bool of_bounds, struct cube *out, struct err *e)
{
    const struct scenario *s = of_bounds ? f->bounds : f->scenario;
    const char *params[CUBE_AXES];
    struct cube_set along = {0};
    size_t n = 0;
    for (size_t a = 0; a < f->axes.n; a++) {
        const struct scenario_axis *axis = scenario_axis(s, f->axes.list[a]->param->name);
        along.has[a] = axis != NULL && axis->n_values > 1;
        if (along.has[a])
            params[n++] = axis->param->name;
    }
    *out = cube_along(&f->axes, along);
    return store_mean_cube(of_bounds ? f->bound_results : f->results, metric, params, n, out->cells, e);
}

/* The values of a parameter that are numbers. */
static struct cube values_of(const struct figures *f, const struct scenario_axis *a)
{
    struct cube_set along = {0};
    long axis = cube_axis(&f->axes, a->param->name);
    if (axis >= 0)
        along.has[axis] = true;
    struct cube out = cube_along(&f->axes, along);
    for (size_t i = 0; i < out.n_cells; i++) {
        double value;
        if (text_to_double(a->values[i].text, &value))
            out.cells[i] = value;
    }
    return out;
}

static enum err_code find_metric(struct figures *f, const char *name, struct cube *out, struct err *e)
{
    bool of_bounds = strncmp(name, "bound.", 6) == 0;
    const struct scenario *s = of_bounds ? f->bounds : f->scenario;
    const char *metric = of_bounds ? name + 6 : name;
    if (s == NULL)
        return err_set(e, ERR_INPUT, "%s: this report was given no results of bounds", name);
    const struct scenario_axis *parameter = scenario_axis(s, metric);
    if (run_metric(s->experiment, metric) == NULL && parameter != NULL) {
        *out = values_of(f, parameter);
        return ERR_NONE;
    }
    if (run_metric(s->experiment, metric) == NULL)
        return err_set(e, ERR_INPUT,
                       "unknown figure '%s': no metric or parameter of the experiment %s, nor defined before", name,
                       s->experiment->name);
    enum err_code code = read_metric(f, metric, of_bounds, out, e);
    if (code == ERR_NONE && f->copies.cells != NULL)
        *out = cube_combine(*out, cube_copy(&f->copies), add);
    return code;
}

static enum err_code find_figure(struct figures *f, const char *name, struct cube *out, struct err *e)
{
    for (size_t i = 0; i < f->n_known; i++)
        if (strcmp(f->known[i].name, name) == 0) {
            *out = cube_copy(&f->known[i].cube);
            return ERR_NONE;
        }
    enum err_code code = find_metric(f, name, out, e);
    if (code == ERR_NONE)
        figures_define(f, name, cube_copy(out));
    return code;
}

/* ---- samples ---- */

/* The runs of one graph are not independent, so each graph is drawn as a whole [Efron 1979]. */
struct sample figures_sample(const struct figures *f, const struct cube *c)
{
    enum { N_RESAMPLES = 1000 };
    struct sample s = {NAN, NAN, NAN, 0};
    struct cube_set runs;
    for (size_t a = 0; a < CUBE_AXES; a++)
        runs.has[a] = !f->samples.has[a];
    struct cube graphs = cube_reduce(cube_copy(c), runs, cube_mean);
    for (size_t i = 0; i < graphs.n_cells; i++)
        if (!isnan(graphs.cells[i]))
            graphs.cells[s.n++] = graphs.cells[i];
    if (s.n > 0) {
        double *means = mem_alloc(N_RESAMPLES * sizeof *means);
        struct random_stream random;
        random_init(&random, 1, s.n);
        s.mean = cube_mean(graphs.cells, s.n);
        bootstrap_means(graphs.cells, s.n, &random, means, N_RESAMPLES);
        bootstrap_interval(means, N_RESAMPLES, 0.95, &s.low, &s.high);
        free(means);
    }
    cube_clear(&graphs);
    return s;
}

/* ---- reading ---- */

static enum err_code wrong(struct reader *r, const char *format, ...) __attribute__((format(printf, 2, 3)));
static enum err_code wrong(struct reader *r, const char *format, ...)
{
    char why[256];
    va_list args;
    va_start(args, format);
    vsnprintf(why, sizeof why, format, args);
    va_end(args);
    return err_set_at(r->e, ERR_INPUT, r->from.path, r->from.line, "%s in '%s'", why, r->from.text);
}

static void skip_blanks(struct reader *r)
{
    while (isspace((unsigned char)*r->at))
        r->at++;
}

static bool take(struct reader *r, char c)
{
    skip_blanks(r);
    bool is_next = *r->at == c;
    r->at += is_next;
    return is_next;
}

static size_t word_length(const char *at)
{
    size_t n = 0;
    while (isalnum((unsigned char)at[n]) || at[n] == '_' || (n > 0 && at[n] == '.'))
        n++;
    return n;
}

static bool take_word(struct reader *r, const char *word)
{
    skip_blanks(r);
    size_t n = strlen(word);
    bool is_next = word_length(r->at) == n && strncmp(r->at, word, n) == 0;
    r->at += is_next ? n : 0;
    return is_next;
}

/* Up to one of `ends` outside of brackets, without blanks at its ends. The caller's. */
static char *take_until(struct reader *r, const char *ends)
{
    skip_blanks(r);
    const char *start = r->at;
    for (int depth = 0; *r->at != '\0' && (depth > 0 || strchr(ends, *r->at) == NULL); r->at++)
        depth += (*r->at == '[') - (*r->at == ']');
    size_t n = (size_t)(r->at - start);
    while (n > 0 && isspace((unsigned char)start[n - 1]))
        n--;
    return mem_format("%.*s", (int)n, start);
}

static bool is_parameter(const struct reader *r, const char *name)
{
    return run_row(r->f->scenario->experiment, name) != NULL ||
           (r->f->bounds != NULL && run_row(r->f->bounds->experiment, name) != NULL);
}

/* ---- selections: [policy=fcfs, ccr=first] takes one value of an axis, [policy:fcfs|bwc] keeps some ---- */

/* The place of a value; one value of a parameter that is not swept has to be the one that is asked for. */
static enum err_code find_place(struct reader *r, const char *param, const char *value, long *axis, size_t *place)
{
    *axis = cube_axis(&r->f->axes, param);
    *place = 0;
    const struct scenario_axis *a = *axis >= 0 ? r->f->axes.list[*axis] : scenario_axis(r->f->scenario, param);
    if (strcmp(value, "first") == 0)
        return ERR_NONE;
    long found = a != NULL ? scenario_axis_place(a, value) : -1;
    *place = found >= 0 ? (size_t)found : 0;
    return found >= 0 ? ERR_NONE : wrong(r, "the scenario has no %s=%s, which is needed", param, value);
}

struct selection {
    long axis; /* -1: not swept */
    bool keeps;
    bool chosen[1024]; /* places */
    size_t place;      /* the last of them */
};

static enum err_code read_values(struct reader *r, const char *param, struct selection *s)
{
    enum err_code code = ERR_NONE;
    do {
        char *value = take_until(r, "|,]");
        code = find_place(r, param, value, &s->axis, &s->place);
        if (code == ERR_NONE && s->place < sizeof s->chosen)
            s->chosen[s->place] = true;
        free(value);
    } while (code == ERR_NONE && take(r, '|'));
    return code;
}

static void apply(const struct selection *s, struct cube *c)
{
    if (s->axis < 0 || c->step[s->axis] == 0)
        return;
    if (!s->keeps) {
        *c = cube_slice(*c, (size_t)s->axis, s->place);
        return;
    }
    for (size_t i = 0; i < c->n_cells; i++)
        if (!s->chosen[i / c->step[s->axis] % c->axes->list[s->axis]->n_values % sizeof s->chosen])
            c->cells[i] = NAN;
}

static enum err_code read_selection(struct reader *r, struct cube *c)
{
    enum err_code code = ERR_NONE;
    do {
        struct selection s = {.axis = -1};
        char *param = take_until(r, "=:]");
        s.keeps = *r->at == ':';
        if (!take(r, '=') && !take(r, ':'))
            code = wrong(r, "'=' or ':' is missing after '%s'", param);
        else if (!is_parameter(r, param))
            code = wrong(r, "unknown parameter '%s'", param);
        else
            code = read_values(r, param, &s);
        if (code == ERR_NONE)
            apply(&s, c);
        free(param);
    } while (code == ERR_NONE && take(r, ','));
    return code != ERR_NONE || take(r, ']') ? code : wrong(r, "']' is missing");
}

static void take_fixed(const struct figures *f, struct cube *c)
{
    for (size_t a = 0; a < f->axes.n; a++)
        if (f->is_fixed[a] && c->step[a] > 0)
            *c = cube_slice(*c, a, f->fixed.at[a]);
}

static enum err_code read_figure(struct reader *r, const char *name, struct cube *out)
{
    struct err why = {0};
    enum err_code code = find_figure(r->f, name, out, &why);
    if (code != ERR_NONE)
        return wrong(r, "%s", why.text);
    if (take(r, '['))
        code = read_selection(r, out);
    take_fixed(r->f, out);
    return code;
}

/* ---- functions ---- */

static double median_of(double *values, size_t n)
{
    quantile_sort(values, n);
    return quantile_median(values, n);
}

static double least_of(double *values, size_t n)
{
    double least = values[0];
    for (size_t i = 1; i < n; i++)
        least = fmin(least, values[i]);
    return least;
}

static double most_of(double *values, size_t n)
{
    double most = values[0];
    for (size_t i = 1; i < n; i++)
        most = fmax(most, values[i]);
    return most;
}

static double first_of(double *values, size_t n)
{
    (void)n;
    return values[0];
}

static const struct {
    const char *name;
    double (*f)(double *, size_t);
} reductions[] = {{"mean", cube_mean}, {"median", median_of}, {"min", least_of},
                  {"max", most_of},    {"count", cube_count}, {"first", first_of}};

static double absolute(double a, double unused)
{
    (void)unused;
    return fabs(a);
}

static double where(double a, double b)
{
    return isnan(b) ? NAN : a;
}

static double either(double a, double b)
{
    return isnan(a) ? b : a;
}

static enum err_code read_sum(struct reader *r, struct cube *out);
static enum err_code read_comparison(struct reader *r, struct cube *out);

/* "over A B" or "by A B" (over all others); without either over all. */
static enum err_code read_over(struct reader *r, struct cube_set *over)
{
    bool is_over = take_word(r, "over"), is_by = !is_over && take_word(r, "by");
    for (size_t a = 0; a < CUBE_AXES; a++)
        over->has[a] = !is_over;
    for (size_t n; (is_over || is_by) && (skip_blanks(r), (n = word_length(r->at)) > 0); r->at += n) {
        char *param = mem_format("%.*s", (int)n, r->at);
        bool known = is_parameter(r, param);
        long axis = cube_axis(&r->f->axes, param);
        enum err_code code = known ? ERR_NONE : wrong(r, "unknown parameter '%s'", param);
        free(param);
        if (!known)
            return code;
        if (axis >= 0)
            over->has[axis] = is_over;
    }
    return ERR_NONE;
}

static enum err_code read_reduction(struct reader *r, double (*f)(double *, size_t), struct cube *out)
{
    struct cube_set over;
    enum err_code code = read_comparison(r, out);
    if (code == ERR_NONE)
        code = read_over(r, &over);
    if (code == ERR_NONE)
        *out = cube_reduce(*out, over, f);
    return code;
}

static enum err_code read_pair(struct reader *r, double (*f)(double, double), struct cube *out)
{
    struct cube second = {0};
    enum err_code code = read_comparison(r, out);
    if (code == ERR_NONE && !take(r, ','))
        return wrong(r, "a comma is missing");
    if (code == ERR_NONE)
        code = read_comparison(r, &second);
    if (code == ERR_NONE)
        *out = cube_combine(*out, second, f);
    else
        cube_clear(&second);
    return code;
}

/* The low end of the 95 % interval of the mean. */
static enum err_code read_low(struct reader *r, struct cube *out)
{
    enum err_code code = read_sum(r, out);
    if (code == ERR_NONE) {
        struct sample s = figures_sample(r->f, out);
        cube_clear(out);
        *out = cube_of_number(&r->f->axes, s.low);
    }
    return code;
}

static enum err_code read_call(struct reader *r, const char *name, struct cube *out)
{
    enum err_code code = ERR_NONE;
    double (*reduction)(double *, size_t) = NULL;
    for (size_t i = 0; i < sizeof reductions / sizeof reductions[0]; i++)
        if (strcmp(reductions[i].name, name) == 0)
            reduction = reductions[i].f;
    if (reduction != NULL)
        code = read_reduction(r, reduction, out);
    else if (strcmp(name, "where") == 0 || strcmp(name, "either") == 0)
        code = read_pair(r, *name == 'w' ? where : either, out);
    else if (strcmp(name, "low") == 0)
        code = read_low(r, out);
    else if (strcmp(name, "abs") == 0 && (code = read_sum(r, out)) == ERR_NONE)
        *out = cube_combine(*out, cube_of_number(&r->f->axes, 0), absolute);
    else if (code == ERR_NONE && strcmp(name, "abs") != 0)
        code = wrong(r, "unknown function '%s'; known: abs, count, either, first, low, max, mean, median, min, where",
                     name);
    return code != ERR_NONE || take(r, ')') ? code : wrong(r, "')' is missing");
}

/* ---- terms ---- */

static enum err_code read_number(struct reader *r, struct cube *out)
{
    char *end;
    double value = strtod(r->at, &end); /* digits, a point, an exponent: the caller has seen the first character */
    r->at = end;
    if (take(r, '%'))
        value /= 100;
    *out = cube_of_number(&r->f->axes, value);
    return ERR_NONE;
}

static enum err_code read_primary(struct reader *r, struct cube *out)
{
    skip_blanks(r);
    if (isdigit((unsigned char)*r->at))
        return read_number(r, out);
    if (take(r, '(')) {
        enum err_code code = read_comparison(r, out);
        return code != ERR_NONE || take(r, ')') ? code : wrong(r, "')' is missing");
    }
    size_t n = word_length(r->at);
    if (n == 0)
        return wrong(r, "a figure, a number or '(' is missing before '%s'", r->at);
    char *name = mem_format("%.*s", (int)n, r->at);
    r->at += n;
    enum err_code code = take(r, '(') ? read_call(r, name, out) : read_figure(r, name, out);
    free(name);
    return code;
}

static double subtract(double a, double b)
{
    return a - b;
}

static double multiply(double a, double b)
{
    return a * b;
}

static double divide(double a, double b)
{
    return a / b;
}

/* 1, or no figure. */
static double above(double a, double b)
{
    return a > b ? 1 : NAN;
}

static double below(double a, double b)
{
    return a < b ? 1 : NAN;
}

static enum err_code read_more(struct reader *r, enum err_code (*next)(struct reader *, struct cube *),
                               double (*f)(double, double), struct cube *out)
{
    struct cube second = {0};
    enum err_code code = next(r, &second);
    if (code == ERR_NONE)
        *out = cube_combine(*out, second, f);
    else
        cube_clear(&second);
    return code;
}

static enum err_code read_product(struct reader *r, struct cube *out)
{
    bool is_negative = take(r, '-');
    enum err_code code = read_primary(r, out);
    if (code == ERR_NONE && is_negative)
        *out = cube_combine(cube_of_number(&r->f->axes, 0), *out, subtract);
    while (code == ERR_NONE && (skip_blanks(r), *r->at == '*' || *r->at == '/'))
        code = read_more(r, read_primary, *r->at++ == '*' ? multiply : divide, out);
    return code;
}

static enum err_code read_sum(struct reader *r, struct cube *out)
{
    enum err_code code = read_product(r, out);
    while (code == ERR_NONE && (skip_blanks(r), *r->at == '+' || *r->at == '-'))
        code = read_more(r, read_product, *r->at++ == '+' ? add : subtract, out);
    return code;
}

static enum err_code read_comparison(struct reader *r, struct cube *out)
{
    enum { DEEPEST = 50 };
    if (++r->depth > DEEPEST)
        return wrong(r, "more than %d parentheses within each other", DEEPEST);
    enum err_code code = read_sum(r, out);
    if (code == ERR_NONE && take_word(r, "above"))
        code = read_more(r, read_sum, above, out);
    else if (code == ERR_NONE && take_word(r, "below"))
        code = read_more(r, read_sum, below, out);
    r->depth--;
    return code;
}

enum err_code formula_value(struct figures *f, struct formula from, struct cube *out, struct err *e)
{
    struct reader r = {f, from, from.text, 0, e};
    *out = (struct cube){0};
    enum err_code code = read_comparison(&r, out);
    skip_blanks(&r);
    if (code == ERR_NONE && *r.at != '\0')
        code = wrong(&r, "'%s' is too much", r.at);
    return code;
}

enum err_code formula_number(struct figures *f, struct formula from, double *out, struct err *e)
{
    struct cube c;
    enum err_code code = formula_value(f, from, &c, e);
    *out = NAN;
    if (code == ERR_NONE)
        *out = cube_number(c, cube_mean);
    else
        cube_clear(&c);
    return code;
}
