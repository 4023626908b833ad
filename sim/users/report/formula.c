/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The formulas of claims.xml: recursive descent that computes while it reads. There is no tree: a formula is short, and
   its figures are kept (known), so that a second formula about the same metric does not ask the database again.

       whole    sum [("above" | "below") sum]
       sum      product {("+" | "-") product}
       product  ["-"] primary {("*" | "/") primary}
       primary  number ["%"] | "(" whole ")" | name "(" whole .. ")" | name ["[" selection "]"]

   Every value is a cube: a figure for each combination of the axes along which it varies. NAN is no figure;
   arithmetic passes it on, functions leave it out. Each operation takes its operands and frees them, also after a
   mistake, so there is nothing to clean up on the way out. What a formula needs, which places must have a figure, is
   not decided here (<complete>). */
#include "report/formula.h"

#include "base/mem.h"
#include "base/random.h"
#include "base/text.h"
#include "stats/stats.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { HIGHEST = 2 }; /* level of operators */

struct reader {
    struct figures *f;
    struct formula from;
    const char *at;
    int depth;          /* of parentheses */
    enum err_code code; /* of the first mistake; after it, what is read does not matter */
    struct err *e;
};

/* ---- figures ---- */

/* Parameters of one value are left out: nothing varies along them, and the places of CUBE_AXES are few. */
static enum err_code add_axes(struct figures *f, const struct scenario *s, struct err *e)
{
    for (size_t i = 0; i < s->n_axes; i++) {
        const struct scenario_axis *a = &s->axes[i];
        /* Both scenarios sweep it: one axis for both. */
        if (a->n_values < 2 || cube_axis(&f->axes, a->param->name) >= 0)
            continue;
        if (f->axes.n == CUBE_AXES)
            return err_set_at(e, ERR_INPUT, s->path, a->line, "more than %d swept parameters", CUBE_AXES);
        f->axes.list[f->axes.n++] = a;
    }
    return ERR_NONE;
}

/* Both sweep the parameter over the same values; or the bounds sweep it, and have the one value of the scenario
   (at_value_of_scenario); or neither does: files may have other paths then.
   In the same order, too: cells of both scenarios are combined by the places of their values, not by their texts. */
static bool fits(const struct scenario_axis *a, const struct scenario_axis *b)
{
    if (a->n_values == 1)
        return b->n_values == 1 || scenario_axis_place(b, a->values[0].text) >= 0;
    for (size_t i = 0; i < a->n_values && a->n_values == b->n_values; i++)
        if (strcmp(a->values[i].text, b->values[i].text) != 0)
            return false;
    return a->n_values == b->n_values;
}

/* First the axes of the scenario, then those that only the bounds have. So the places of the former do not depend on
   whether bounds are given. */
enum err_code figures_init(struct figures *f, struct err *e)
{
    enum err_code code = add_axes(f, f->scenario, e);
    for (size_t i = 0; f->bounds != NULL && i < f->scenario->n_axes && code == ERR_NONE; i++) {
        const struct scenario_axis *a = &f->scenario->axes[i], *b = scenario_axis(f->bounds, a->param->name);
        if (b != NULL && !fits(a, b))
            code = err_set(e, ERR_INPUT, "%s and %s differ in %s", f->scenario->path, f->bounds->path, a->param->name);
    }
    return code == ERR_NONE && f->bounds != NULL ? add_axes(f, f->bounds, e) : code;
}

const struct scenario_axis *figures_axis(const struct figures *f, const char *param)
{
    const struct scenario_axis *a = scenario_axis(f->scenario, param);
    return a != NULL || f->bounds == NULL ? a : scenario_axis(f->bounds, param);
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

/* Later definitions of a name do not replace earlier ones: find_figure takes the first. */
void figures_define(struct figures *f, const char *name, struct cube cube)
{
    MEM_GROW(f->known, f->n_known, f->known_capacity);
    f->known[f->n_known++] = (struct named_cube){mem_strdup(name), cube};
}

static double add(double a, double b)
{
    return a + b;
}

/* A metric at all points of its scenario. Replications are averaged by the store. */
static enum err_code read_metric(struct figures *f, const char *metric, bool of_bounds, struct cube *out, struct err *e)
{
    const struct scenario *s = of_bounds ? f->bounds : f->scenario;
    const char *params[CUBE_AXES];
    struct cube_set along = {0};
    size_t n = 0;
    for (size_t a = 0; a < f->axes.n; a++) {
        const struct scenario_axis *axis = scenario_axis(s, f->axes.list[a]->param->name);
        along.has[a] = axis != NULL && axis->n_values > 1; /* either scenario may lack an axis */
        if (along.has[a])
            /* The order of the axes is that of the cells in cube_along, which the store fills as they come. */
            params[n++] = axis->param->name;
    }
    *out = cube_along(&f->axes, along);
    return store_mean_cube(of_bounds ? f->bound_results : f->results, metric, params, n, out->cells, e);
}

/* Where the scenario has one value of what its bounds sweep (--set compute_size=5), only the bounds at this value are
   those of its results. Takes `c`. */
static struct cube at_value_of_scenario(const struct figures *f, struct cube c)
{
    for (size_t i = 0; i < f->axes.n; i++) {
        const struct scenario_axis *a = scenario_axis(f->scenario, f->axes.list[i]->param->name);
        if (a != NULL && a->n_values == 1 && c.step[i] > 0)
            c = cube_slice(c, i, (size_t)scenario_axis_place(f->axes.list[i], a->values[0].text));
    }
    return c;
}

/* The values of a parameter that are numbers ("2", "0.5"); others ("fcfs") stay NAN. A single value is one number, also
   where the bounds have more. */
static struct cube values_of(const struct figures *f, const struct scenario_axis *a)
{
    struct cube_set along = {0};
    long axis = cube_axis(&f->axes, a->param->name);
    if (axis >= 0 && a->n_values > 1)
        along.has[axis] = true;
    struct cube out = cube_along(&f->axes, along);
    for (size_t i = 0; i < out.n_cells; i++) {
        double value;
        if (text_to_double(a->values[i].text, &value))
            out.cells[i] = value;
    }
    return out;
}

/* Metrics come before parameters: an experiment may have both under one name. Parameters are not marked as copies,
   because no sample is made of them. */
static enum err_code find_metric(struct figures *f, const char *name, struct cube *out, struct err *e)
{
    bool of_bounds = strncmp(name, "bound.", 6) == 0;
    const struct scenario *s = of_bounds ? f->bounds : f->scenario;
    const char *metric = of_bounds ? name + 6 : name;
    if (s == NULL)
        return err_set(e, ERR_INPUT, "%s: this report needs results of bounds: --bounds SCENARIO", name);
    const struct scenario_axis *parameter = scenario_axis(s, metric);
    if (run_metric(s->experiment, metric) == NULL && parameter != NULL) {
        *out = at_value_of_scenario(f, values_of(f, parameter));
        return ERR_NONE;
    }
    if (run_metric(s->experiment, metric) == NULL)
        return err_set(e, ERR_INPUT,
                       "unknown figure '%s': no metric or parameter of the experiment %s, nor defined before", name,
                       s->experiment->name);
    enum err_code code = read_metric(f, metric, of_bounds, out, e);
    /* Adding 0 or NAN removes the figures of repeated graphs from every formula at once,
       without a word in the formulas. */
    if (code == ERR_NONE && f->copies.cells != NULL)
        *out = cube_combine(*out, cube_copy(&f->copies), add);
    if (code == ERR_NONE)
        *out = at_value_of_scenario(f, *out);
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
    if (code == ERR_NONE) /* formulas name a metric many times; it is read once */
        figures_define(f, name, cube_copy(out));
    return code;
}

/* ---- samples ---- */

/* The runs of one graph are not independent, so each graph is drawn as a whole [Efron 1979]. The random stream depends
   on the number of graphs alone: the same figures give the same interval in each report. Memory: one mean for each
   graph, and N_RESAMPLES means. */
struct sample figures_sample(const struct figures *f, const struct cube *c)
{
    enum { N_RESAMPLES = 1000 };
    struct sample s = {NAN, NAN, NAN, 0};
    struct cube_set runs;
    /* Over all that is not a graph: what remains is one mean for each graph. */
    for (size_t a = 0; a < CUBE_AXES; a++)
        runs.has[a] = !f->samples.has[a];
    struct cube graphs = cube_reduce(cube_copy(c), runs, cube_mean);
    /* Graphs without a figure are dropped in place; s.n never passes i. */
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

/* Reading goes on after a mistake, with this in place of what could not be read: so no function needs a second way out,
   and cubes are freed where they always are. */
static struct cube no_figure(const struct reader *r)
{
    return cube_of_number(&r->f->axes, NAN);
}

/* The first mistake counts: what follows it is read only to its end. */
static void wrong(struct reader *r, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void wrong(struct reader *r, const char *format, ...)
{
    char why[512];
    va_list args;
    va_start(args, format);
    vsnprintf(why, sizeof why, format, args);
    va_end(args);
    if (r->code == ERR_NONE)
        r->code = err_set_at(r->e, ERR_INPUT, r->from.path, r->from.line, "%s in '%s'", why, r->from.text);
    /* To the end of the text: every loop of the reader ends there, and no second mistake can be found. */
    r->at += strlen(r->at);
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

static void need(struct reader *r, char c)
{
    if (!take(r, c))
        wrong(r, "'%c' is missing", c);
}

/* Names of the paper's columns and of bounds have points ("paper.ia_multi"), but none begins with one: .5
   is a mistake, not a name. */
static size_t word_length(const char *at)
{
    size_t n = 0;
    while (isalnum((unsigned char)at[n]) || at[n] == '_' || (n > 0 && at[n] == '.'))
        n++;
    return n;
}

/* Whole words only: `by` is not the beginning of `bytes`. */
static bool take_word(struct reader *r, const char *word)
{
    skip_blanks(r);
    size_t n = strlen(word);
    bool is_next = word_length(r->at) == n && strncmp(r->at, word, n) == 0;
    r->at += is_next ? n : 0;
    return is_next;
}

/* Up to one of `ends` outside of brackets, without blanks at its ends. Values of parameters have brackets of their own:
   [policy=ia_multi[chunk=0.512]] ends at the second one. The caller's. */
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

/* A parameter that the experiment knows but the scenario does not sweep is right here: the same claims.xml
   judges several scenarios. */
static void check_parameter(struct reader *r, const char *name)
{
    if (run_row(r->f->scenario->experiment, name) == NULL &&
        (r->f->bounds == NULL || run_row(r->f->bounds->experiment, name) == NULL))
        wrong(r, "unknown parameter '%s'", name);
}

/* ---- selections: [policy=fcfs, ccr=first] takes one value of an axis, [policy:fcfs|bwc] keeps some ---- */

/* A parameter that is not swept has to have the value that is asked for. */
static size_t find_place(struct reader *r, const char *param, const char *value)
{
    const struct scenario_axis *a = figures_axis(r->f, param);
    /* "first": whatever the scenario begins with. */
    long place = strcmp(value, "first") == 0 ? 0 : a != NULL ? scenario_axis_place(a, value) : -1;
    if (place < 0)
        wrong(r, "the scenario has no value %s of %s", value, param);
    return place >= 0 ? (size_t)place : 0;
}

/* Keeps the figures at the places that are marked. */
static void keep(struct cube *c, size_t axis, const bool *is_kept)
{
    /* The place on one axis, out of the number of the cell. */
    for (size_t i = 0; i < c->n_cells; i++)
        if (!is_kept[i / c->step[axis] % c->axes->list[axis]->n_values])
            c->cells[i] = NAN;
}

/* After a selection by =, the figure does not vary along this axis any more; after one by :, it does, with gaps. */
static void read_selection(struct reader *r, struct cube *c)
{
    do {
        char *param = take_until(r, "=:]");
        long axis = cube_axis(&r->f->axes, param);
        bool varies = axis >= 0 && c->step[axis] > 0, keeps = *r->at == ':';
        /* One flag if there is no axis: checked, not used. */
        bool *is_kept = mem_zalloc(axis >= 0 ? r->f->axes.list[axis]->n_values : 1, sizeof *is_kept);
        size_t place = 0;
        check_parameter(r, param);
        need(r, keeps ? ':' : '=');
        size_t n_values = 0;
        do {
            char *value = take_until(r, "|,]");
            if (n_values++ == 1 && !keeps)
                wrong(r, "%s=.. takes one value; %s:A|B keeps several", param, param);
            place = r->code == ERR_NONE ? find_place(r, param, value) : 0;
            is_kept[varies ? place : 0] = true;
            free(value);
        } while (take(r, '|'));
        if (varies && keeps)
            keep(c, (size_t)axis, is_kept);
        else if (varies)
            *c = cube_slice(*c, (size_t)axis, place);
        free(is_kept);
        free(param);
    } while (take(r, ','));
    need(r, ']');
}

static struct cube read_figure(struct reader *r, const char *name)
{
    struct err why = {0};
    struct cube c = {0};
    if (find_figure(r->f, name, &c, &why) != ERR_NONE) {
        wrong(r, "%s", why.text);
        cube_clear(&c);
        return no_figure(r);
    }
    if (take(r, '['))
        read_selection(r, &c);
    /* What the element goes through (`each`) or is looked at (`first`, `at_largest`) is fixed. A selection by = has
       come before and removed its axis, so a formula may still name another place: makespan_s[noise=first]. */
    for (size_t a = 0; a < r->f->axes.n; a++)
        if (r->f->is_fixed[a] && c.step[a] > 0)
            c = cube_slice(c, a, r->f->fixed.at[a]);
    return c;
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

/* The first place in the order of the cells that has a figure. */
static double first_of(double *values, size_t n)
{
    (void)n;
    return values[0];
}

static double absolute(double a, double b)
{
    return fabs(a - b);
}

/* A filter: only whether b is a number matters, not which. */
static double where(double a, double b)
{
    return isnan(b) ? NAN : a;
}

static double either(double a, double b)
{
    return isnan(a) ? b : a;
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

/* Comparisons give 1, or no figure, not 0: count(x above y) then counts them, and where(z, x above y) keeps those z.
   Equal values satisfy neither. */
static double above(double a, double b)
{
    return a > b ? 1 : NAN;
}

static double below(double a, double b)
{
    return a < b ? 1 : NAN;
}

static struct cube read_whole(struct reader *r);

/* "over A B" or "by A B" (over all others); without either over all. Parameters that are not swept may be named;
   there is nothing to go over. */
static struct cube_set read_over(struct reader *r)
{
    struct cube_set over;
    bool is_over = take_word(r, "over"), is_by = !is_over && take_word(r, "by");
    memset(over.has, !is_over, sizeof over.has);
    /* A list of words without commas: it ends at the first thing that is no word, here at the parenthesis. */
    for (size_t n; (is_over || is_by) && (skip_blanks(r), (n = word_length(r->at)) > 0);) {
        char *param = mem_format("%.*s", (int)n, r->at);
        long axis = cube_axis(&r->f->axes, param);
        r->at += n;
        check_parameter(r, param);
        if (axis >= 0)
            over.has[axis] = is_over;
        free(param);
    }
    return over;
}

/* The low end of the 95 % interval of the mean. */
static struct cube low_of(const struct reader *r, struct cube c)
{
    struct sample s = figures_sample(r->f, &c);
    cube_clear(&c);
    return cube_of_number(&r->f->axes, s.low);
}

/* The argument is read before the name is looked up. The order does not matter: both mistakes end the formula, and
   the first one is reported. */
static struct cube read_call(struct reader *r, const char *name)
{
    static const struct {
        const char *name;
        double (*of_values)(double *, size_t), (*of_pair)(double, double);
    } functions[] = {{"mean", cube_mean, NULL}, {"median", median_of, NULL}, {"min", least_of, NULL},
                     {"max", most_of, NULL},    {"count", cube_count, NULL}, {"first", first_of, NULL},
                     {"where", NULL, where},    {"either", NULL, either},    {"abs", NULL, absolute},
                     {"low", NULL, NULL}}; /* neither: low, which needs to know the samples */
    size_t k = 0, n = sizeof functions / sizeof functions[0];
    struct cube c = read_whole(r);
    while (k < n && strcmp(functions[k].name, name) != 0)
        k++;
    if (k == n)
        wrong(r, "unknown function '%s'; known: abs, count, either, first, low, max, mean, median, min, where", name);
    else if (functions[k].of_values != NULL)
        c = cube_reduce(c, read_over(r), functions[k].of_values);
    else if (functions[k].of_pair == NULL)
        c = low_of(r, c);
    else if (functions[k].of_pair == absolute)
        c = cube_combine(c, cube_of_number(&r->f->axes, 0), absolute);
    else {
        need(r, ',');
        c = cube_combine(c, read_whole(r), functions[k].of_pair);
    }
    need(r, ')');
    return c;
}

/* ---- terms ---- */

static struct cube read_primary(struct reader *r)
{
    skip_blanks(r);
    if (isdigit((unsigned char)*r->at)) {
        char *end;
        double value = strtod(r->at, &end);
        r->at = end;
        return cube_of_number(&r->f->axes, take(r, '%') ? value / 100 : value);
    }
    if (take(r, '(')) {
        struct cube c = read_whole(r);
        need(r, ')');
        return c;
    }
    size_t n = word_length(r->at);
    if (n == 0) {
        wrong(r, "a figure, a number or '(' is missing before '%s'", r->at);
        return no_figure(r);
    }
    char *name = mem_format("%.*s", (int)n, r->at);
    r->at += n;
    struct cube c = take(r, '(') ? read_call(r, name) : read_figure(r, name);
    free(name);
    return c;
}

static const struct operator
{
    const char *sign;
    int level; /* those of a higher one bind more strongly */
    double (*of_pair)(double, double);
}
operators[] = {{"above", 0, above}, {"below", 0, below},      {"+", 1, add},
               {"-", 1, subtract},  {"*", HIGHEST, multiply}, {"/", HIGHEST, divide}};

/* NULL: none of this level is next. */
static const struct operator* take_operator(struct reader *r, int level)
{
    for (const struct operator* o = operators; o < operators + sizeof operators / sizeof *operators; o++)
        if (o->level == level && (isalpha((unsigned char)*o->sign) ? take_word(r, o->sign) : take(r, *o->sign)))
            return o;
    return NULL;
}

/* A sum may begin with a sign; so may a product within it: 1 + -x. Operators of one level go from the left: a - b - c
   is (a - b) - c. Comparisons do not follow each other: a below b below c is a mistake, not (a below b) below c. */
static struct cube read_level(struct reader *r, int level)
{
    bool is_negative = level == HIGHEST && take(r, '-');
    struct cube c = level < HIGHEST ? read_level(r, level + 1) : read_primary(r);
    /* 0 - c, not a third kind of operation. */
    if (is_negative)
        c = cube_combine(cube_of_number(&r->f->axes, 0), c, subtract);
    for (const struct operator* o; (o = take_operator(r, level)) != NULL;) {
        c = cube_combine(c, level < HIGHEST ? read_level(r, level + 1) : read_primary(r), o->of_pair);
        if (level == 0)
            break;
    }
    return c;
}

/* The depth is limited because the program's stack is: a file of a million parentheses is a mistake, not a crash. */
static struct cube read_whole(struct reader *r)
{
    enum { DEEPEST = 50 };
    if (++r->depth > DEEPEST)
        wrong(r, "more than %d nested parentheses", DEEPEST);
    struct cube c = read_level(r, 0);
    r->depth--;
    return c;
}

/* What is left when the outermost formula ends was not understood: "a b" is refused, not read as "a". */
enum err_code formula_value(struct figures *f, struct formula from, struct cube *out, struct err *e)
{
    struct reader r = {f, from, from.text, 0, ERR_NONE, e};
    *out = read_whole(&r);
    skip_blanks(&r);
    if (*r.at != '\0')
        wrong(&r, "unexpected '%s'", r.at);
    return r.code;
}
