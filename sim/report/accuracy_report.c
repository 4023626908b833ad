/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "report/accuracy_report.h"

#include "base/mem.h"
#include "base/random.h"
#include "base/text.h"
#include "stats/bootstrap.h"
#include "stats/quantile.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The experiment of [S] 8.4.3. Results are indexed by the values of these axes; a point has one value of each. Points that
   differ only in MODEL are compared. GRAPH, GENERATOR and INSTANCE name the graph. The runs of one graph are no independent
   samples: they give one mean, and the intervals are of the means of graphs. */
enum axis { WORLD, CCR, MODEL, GRAPH, GENERATOR, INSTANCE, PLATFORM, SCHEDULER, N_AXES };
static const char *const axis_names[N_AXES] = {"world",     "ccr",      "model",    "graph",
                                               "generator", "instance", "platform", "scheduler"};

enum figure { PLANNED, MAKESPAN, ERROR, SPEEDUP, N_FIGURES };
static const char *const figure_names[N_FIGURES] = {"planned_s", "makespan_s", "estimation_error_ratio", "speedup"};

struct results {
    const struct scenario_axis *axes[N_AXES];
    size_t steps[N_AXES]; /* between the places of two points that differ by one value of this axis */
    size_t n_points, n_graphs;
    double *values[N_FIGURES]; /* [point]: NAN for one that failed */
    bool *is_copy; /* [graph]: an earlier one gave the same figures; a generator that draws nothing makes such */
    double *filling;
};

/* ---- reading ---- */

static void take(void *self, const size_t *values, double mean)
{
    struct results *r = self;
    size_t place = 0;
    for (enum axis a = 0; a < N_AXES; a++)
        place += values[a] * r->steps[a];
    r->filling[place] = mean;
}

static enum err_code find_axes(const struct scenario *s, struct results *r, struct err *e)
{
    r->n_points = 1;
    for (int a = N_AXES - 1; a >= 0; a--) {
        r->axes[a] = scenario_axis(s, axis_names[a]);
        if (r->axes[a] == NULL)
            return err_set(e, ERR_INPUT, "the scenario %s has no parameter %s: it is not an experiment on task graphs",
                           s->name, axis_names[a]);
        r->steps[a] = r->n_points;
        r->n_points *= r->axes[a]->n_values;
    }
    r->n_graphs = r->steps[MODEL] / r->steps[INSTANCE];
    return ERR_NONE;
}

static bool gave_the_same(const struct results *r, enum figure f, size_t g, size_t h)
{
    const double *values = r->values[f];
    for (size_t cell = 0; cell < r->n_points; cell += r->steps[MODEL])
        for (size_t i = 0; i < r->steps[INSTANCE]; i++) {
            double a = values[cell + g * r->steps[INSTANCE] + i], b = values[cell + h * r->steps[INSTANCE] + i];
            if (a != b && !(isnan(a) && isnan(b)))
                return false;
        }
    return true;
}

static void find_copies(struct results *r)
{
    size_t n_instances = r->axes[INSTANCE]->n_values;
    r->is_copy = mem_zalloc(r->n_graphs, sizeof *r->is_copy);
    for (size_t g = 0; g < r->n_graphs; g++)
        for (size_t h = g - g % n_instances; h < g && !r->is_copy[g]; h++)
            r->is_copy[g] = gave_the_same(r, PLANNED, g, h) && gave_the_same(r, MAKESPAN, g, h);
}

static enum err_code read_results(const struct accuracy_inputs *in, struct results *r, struct err *e)
{
    enum err_code code = find_axes(in->scenario, r, e);
    for (enum figure f = 0; f < N_FIGURES && code == ERR_NONE; f++) {
        r->filling = r->values[f] = mem_alloc(r->n_points * sizeof(double));
        for (size_t i = 0; i < r->n_points; i++)
            r->filling[i] = NAN;
        code = store_each_mean(in->results, figure_names[f], axis_names, N_AXES, take, r, e);
    }
    if (code == ERR_NONE)
        find_copies(r);
    return code;
}

/* ---- samples ---- */

struct sample {
    double *values;  /* of runs */
    size_t n, worst; /* place of the largest value among the points */
    double median, min, max;
    double *of_graphs; /* the mean of each graph's runs */
    size_t n_graphs;
    double mean, low, high; /* of graphs; low and high: 95 % of the means of samples drawn from these graphs */
};

static void bootstrap(struct sample *s)
{
    enum { N_RESAMPLES = 1000 };
    double *means = mem_alloc(N_RESAMPLES * sizeof *means);
    struct random_stream random;
    random_init(&random, 1, s->n_graphs);
    bootstrap_means(s->of_graphs, s->n_graphs, &random, means, N_RESAMPLES);
    bootstrap_interval(means, N_RESAMPLES, 0.95, &s->low, &s->high);
    free(means);
}

static void describe(struct sample *s)
{
    if (s->n == 0) {
        s->mean = s->low = s->high = s->median = s->min = s->max = NAN;
        return;
    }
    double sum = 0;
    for (size_t g = 0; g < s->n_graphs; g++)
        sum += s->of_graphs[g];
    s->mean = sum / (double)s->n_graphs;
    bootstrap(s);
    quantile_sort(s->values, s->n);
    s->min = s->values[0];
    s->max = s->values[s->n - 1];
    s->median = quantile_median(s->values, s->n);
}

static void sample_clear(struct sample *s)
{
    free(s->values);
    free(s->of_graphs);
}

/* A cell of a table: a world, a CCR (-1: all) and a belief. */
struct cell {
    size_t world;
    long ccr;
    size_t model;
};

/* The figure of a point; with `over` >= 0, divided by that of the point that differs only in the belief. */
static double value_at(const struct results *r, size_t point, const struct cell *c, enum figure f, long over)
{
    double value = r->values[f][point];
    if (over >= 0)
        value /= r->values[f][point + (size_t)over * r->steps[MODEL] - c->model * r->steps[MODEL]];
    return value;
}

/* Adds the runs of one graph. */
static void collect_graph(const struct results *r, size_t graph, const struct cell *c, enum figure f, long over,
                          struct sample *s)
{
    double sum = 0;
    size_t n = 0;
    for (size_t ccr = 0; ccr < r->axes[CCR]->n_values; ccr++)
        for (size_t i = 0; (c->ccr < 0 || ccr == (size_t)c->ccr) && i < r->steps[INSTANCE]; i++) {
            size_t point = c->world * r->steps[WORLD] + ccr * r->steps[CCR] + c->model * r->steps[MODEL] +
                           graph * r->steps[INSTANCE] + i;
            double value = value_at(r, point, c, f, over);
            if (isnan(value))
                continue;
            if (s->n == 0 || value > s->max) {
                s->max = value;
                s->worst = point;
            }
            s->values[s->n++] = value;
            sum += value;
            n++;
        }
    if (n > 0)
        s->of_graphs[s->n_graphs++] = sum / (double)n;
}

/* The figures of a cell; with `over` >= 0, each divided by the same figure under that belief. Clear it. */
static struct sample collect(const struct results *r, const struct cell *c, enum figure f, long over)
{
    struct sample s = {.values = mem_alloc(r->n_points * sizeof(double)),
                       .of_graphs = mem_alloc(r->n_graphs * sizeof(double))};
    for (size_t g = 0; g < r->n_graphs; g++)
        if (!r->is_copy[g])
            collect_graph(r, g, c, f, over, &s);
    describe(&s);
    return s;
}

/* ---- tables ---- */

/* How a figure is shown: unchanged or in percent. `over` >= 0: divided by the same figure under that belief. */
struct shown {
    const char *title;
    enum figure figure;
    long over;
    double scale;
    const char *unit;
};

/* A column whose unit is in each cell of the text, and in the column's name in JSON. */
static void add_column(struct table *t, const char *header, const char *name, const char *unit)
{
    char *with_unit = mem_format("%s%s%s", name, *unit != '\0' ? "," : "", unit);
    table_column_as(t, TABLE_RIGHT, header, with_unit);
    free(with_unit);
}

static struct table *begin_cells(const char *unit)
{
    struct table *t = table_create();
    table_column(t, TABLE_LEFT, "world");
    table_column(t, TABLE_RIGHT, "CCR");
    table_column(t, TABLE_LEFT, "belief");
    add_column(t, "mean", "mean", unit);
    table_column_as(t, TABLE_RIGHT, "95 % of the mean", NULL);
    add_column(t, NULL, "mean, low end of 95 %", unit);
    add_column(t, NULL, "mean, high end of 95 %", unit);
    add_column(t, "median", "median", unit);
    add_column(t, "maximum", "maximum", unit);
    table_column(t, TABLE_RIGHT, "graphs");
    return t;
}

/* Shows a world and a CCR only where they change. */
static void add_place(const struct results *r, const struct cell *c, struct table *t)
{
    const char *world = r->axes[WORLD]->values[c->world].text, *ccr = r->axes[CCR]->values[c->ccr].text;
    (c->model == 0 && c->ccr == 0 ? table_cell : table_ditto)(t, world);
    table_valuef(t, strtod(ccr, NULL), "%s", c->model == 0 ? ccr : "");
    table_cell(t, r->axes[MODEL]->values[c->model].text);
}

/* Rounding errors are not shown: 4e-14 % is 0 %. */
static double without_noise(double value)
{
    return fabs(value) < 1e-9 ? 0 : value;
}

static void add_value(struct table *t, const struct shown *how, double value)
{
    double shown = without_noise(how->scale * value);
    table_valuef(t, how->scale * value, fabs(shown) < 999.5 ? "%.3g%s" : "%.0f%s", shown, how->unit);
}

static void tell_cells(const struct results *r, const struct shown *how, struct document *d)
{
    struct table *t = begin_cells(how->unit);
    for (size_t w = 0; w < r->axes[WORLD]->n_values; w++)
        for (size_t c = 0; c < r->axes[CCR]->n_values; c++)
            for (size_t m = 0; m < r->axes[MODEL]->n_values; m++) {
                struct cell cell = {w, (long)c, m};
                struct sample s = collect(r, &cell, how->figure, how->over);
                add_place(r, &cell, t);
                add_value(t, how, s.mean);
                table_cellf(t, "%.3g to %.3g", without_noise(how->scale * s.low), without_noise(how->scale * s.high));
                add_value(t, how, s.low);
                add_value(t, how, s.high);
                add_value(t, how, s.median);
                add_value(t, how, s.max);
                table_count(t, s.n_graphs);
                sample_clear(&s);
            }
    document_table(d, how->title, t);
}

/* ---- claims ---- */

static void claim_errors(const struct results *r, size_t world, size_t classic, size_t involvement, struct document *d)
{
    struct sample mine = collect(r, &(struct cell){world, -1, involvement}, ERROR, -1);
    struct sample theirs = collect(r, &(struct cell){world, -1, classic}, ERROR, -1);
    document_claimf(
        d, mine.mean < 0.2,
        "Under involvement the error is below 20 %% on average: %.3g %% here (95 %%: %.3g to %.3g; classic: "
        "%.3g %%, %.3g to %.3g).",
        without_noise(100 * mine.mean), without_noise(100 * mine.low), without_noise(100 * mine.high),
        100 * theirs.mean, 100 * theirs.low, 100 * theirs.high);
    document_claimf(d, theirs.max >= 18.5,
                    "Under classic the error goes up to 1850 %% (on a Cray T3E-900): up to %.0f %% here.",
                    100 * theirs.max);
    sample_clear(&mine);
    sample_clear(&theirs);
}

/* How a belief's error changes from the lowest CCR to the highest. */
struct trend {
    struct text errors;
    bool grows, is_largest_at_first;
};

static struct trend find_trend(const struct results *r, size_t world, size_t model)
{
    struct trend t = {.grows = true, .is_largest_at_first = true};
    double before = -1, first = NAN;
    for (size_t c = 0; c < r->axes[CCR]->n_values; c++) {
        struct sample s = collect(r, &(struct cell){world, (long)c, model}, ERROR, -1);
        text_addf(&t.errors, "%s%.3g %%", c ? ", " : "", without_noise(100 * s.mean));
        first = c == 0 ? s.mean : first;
        t.grows = t.grows && s.mean > before;
        t.is_largest_at_first = t.is_largest_at_first && !(s.mean > first);
        before = s.mean;
        sample_clear(&s);
    }
    return t;
}

static void claim_trends(const struct results *r, size_t world, size_t classic, size_t involvement, struct document *d)
{
    struct trend theirs = find_trend(r, world, classic), mine = find_trend(r, world, involvement);
    document_claimf(d, theirs.grows, "Under classic the error grows with the CCR: %s.", text_str(&theirs.errors));
    document_claimf(d, mine.is_largest_at_first, "Under involvement the error is largest for the lowest CCR: %s.",
                    text_str(&mine.errors));
    text_clear(&theirs.errors);
    text_clear(&mine.errors);
}

static void claim_speedup(const struct results *r, size_t world, size_t classic, size_t involvement, struct document *d)
{
    struct sample s = collect(r, &(struct cell){world, -1, involvement}, SPEEDUP, (long)classic);
    document_claimf(d, s.max >= 1.82,
                    "Under involvement the speed-up is up to 82 %% higher: up to %.3g %% here, %.3g %% on average; "
                    "the worst change is %.3g %%.",
                    100 * (s.max - 1), 100 * (s.mean - 1), 100 * (s.min - 1));
    sample_clear(&s);
}

static const char *value_of(const struct results *r, size_t point, enum axis a)
{
    return r->axes[a]->values[point / r->steps[a] % r->axes[a]->n_values].text;
}

static void tell_worst(const struct results *r, size_t world, size_t classic, struct document *d)
{
    struct sample s = collect(r, &(struct cell){world, -1, classic}, ERROR, -1);
    if (s.n > 0)
        document_paragraphf(
            d,
            "What ignoring contention costs: the classic plan promised %.4g s for %s%s, which took %.4g s "
            "here (elsewhere HEFT promised 381 s for a graph that took 3,447 s).",
            r->values[PLANNED][s.worst], value_of(r, s.worst, GRAPH), value_of(r, s.worst, GENERATOR),
            r->values[MAKESPAN][s.worst]);
    sample_clear(&s);
}

static enum err_code tell(const struct results *r, struct document *d, struct err *e)
{
    long classic = scenario_axis_place(r->axes[MODEL], "classic"),
         involvement = scenario_axis_place(r->axes[MODEL], "involvement");
    long world = scenario_axis_place(r->axes[WORLD], "involvement");
    if (classic < 0 || involvement < 0 || world < 0)
        return err_set(e, ERR_INPUT,
                       "the scenario does not sweep the models classic and involvement in the world involvement");
    const struct shown tables[] = {
        {"Estimation error, |simulated - planned| / planned", ERROR, -1, 100, " %"},
        {"Simulated makespan / simulated makespan of the classic plan", MAKESPAN, classic, 1, ""},
        {"Simulated speed-up over one processor", SPEEDUP, -1, 1, ""},
    };
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++)
        tell_cells(r, &tables[i], d);
    document_paragraphf(d, "What the chapter claims (8.4.3), and the figures here in the world involvement:");
    document_claims(d, CLAIMS_LISTED);
    claim_errors(r, (size_t)world, (size_t)classic, (size_t)involvement, d);
    claim_trends(r, (size_t)world, (size_t)classic, (size_t)involvement, d);
    claim_speedup(r, (size_t)world, (size_t)classic, (size_t)involvement, d);
    tell_worst(r, (size_t)world, (size_t)classic, d);
    return ERR_NONE;
}

enum err_code accuracy_report_tell(const struct accuracy_inputs *in, struct document *d, struct err *e)
{
    struct results r = {0};
    enum err_code code = read_results(in, &r, e);
    if (code == ERR_NONE)
        code = tell(&r, d, e);
    for (enum figure f = 0; f < N_FIGURES; f++)
        free(r.values[f]);
    free(r.is_copy);
    return code;
}

static enum err_code tell_report(const struct report_inputs *in, struct document *d, struct err *e)
{
    return accuracy_report_tell(&(struct accuracy_inputs){in->scenario, in->results}, d, e);
}

extern const struct report report_accuracy;
const struct report report_accuracy = {
    .name = "accuracy",
    .summary = "how far plans were off under each belief, and what each belief cost",
    .source = "[S] 8.4.3",
    .experiment = "replay",
    .tell = tell_report,
};
