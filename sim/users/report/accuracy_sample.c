/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "report/accuracy_sample.h"

#include "base/mem.h"
#include "base/random.h"
#include "stats/bootstrap.h"
#include "stats/quantile.h"

#include <math.h>
#include <stdlib.h>

static const char *const axis_names[N_AXES] = {"world", "noise",     "waiting",  "ccr",      "model",
                                               "graph", "generator", "instance", "platform", "scheduler"};
static const char *const figure_names[N_FIGURES] = {"planned_s", "makespan_s", "estimation_error_ratio", "speedup"};

/* ---- reading ---- */

struct filling {
    const struct accuracy_results *r;
    const char *names[N_AXES]; /* of the axes that are given */
    size_t steps[N_AXES];
    size_t n;
    double *values;
};

static void take(void *self, const size_t *places, double mean)
{
    const struct filling *f = self;
    size_t point = 0;
    for (size_t i = 0; i < f->n; i++)
        point += places[i] * f->steps[i];
    f->values[point] = mean;
}

static enum err_code find_axes(const struct scenario *s, struct accuracy_results *r, struct err *e)
{
    r->n_points = 1;
    for (int a = N_AXES - 1; a >= 0; a--) {
        r->axes[a] = scenario_axis(s, axis_names[a]);
        if (r->axes[a] == NULL && a != AXIS_NOISE && a != AXIS_WAITING)
            return err_set(e, ERR_INPUT, "the scenario %s has no parameter %s: it is not an experiment on task graphs",
                           s->name, axis_names[a]);
        r->n[a] = r->axes[a] != NULL ? r->axes[a]->n_values : 1;
        r->steps[a] = r->n_points;
        r->n_points *= r->n[a];
    }
    r->n_settings = r->n[AXIS_NOISE] * r->n[AXIS_WAITING];
    r->n_graphs = r->steps[AXIS_MODEL] / r->steps[AXIS_INSTANCE];
    return ERR_NONE;
}

static bool gave_the_same(const struct accuracy_results *r, enum accuracy_figure f, size_t g, size_t h)
{
    const double *values = r->values[f];
    for (size_t cell = 0; cell < r->n_points; cell += r->steps[AXIS_MODEL])
        for (size_t i = 0; i < r->steps[AXIS_INSTANCE]; i++) {
            double a = values[cell + g * r->steps[AXIS_INSTANCE] + i],
                   b = values[cell + h * r->steps[AXIS_INSTANCE] + i];
            if (a != b && !(isnan(a) && isnan(b)))
                return false;
        }
    return true;
}

static void find_copies(struct accuracy_results *r)
{
    size_t n_instances = r->n[AXIS_INSTANCE];
    r->is_copy = mem_zalloc(r->n_graphs, sizeof *r->is_copy);
    for (size_t g = 0; g < r->n_graphs; g++)
        for (size_t h = g - g % n_instances; h < g && !r->is_copy[g]; h++)
            r->is_copy[g] = gave_the_same(r, FIGURE_PLANNED, g, h) && gave_the_same(r, FIGURE_MAKESPAN, g, h);
}

static enum err_code read_figure(const struct accuracy_results *r, struct store *results, enum accuracy_figure f,
                                 struct err *e)
{
    struct filling filling = {.values = r->values[f]};
    for (enum accuracy_axis a = 0; a < N_AXES; a++)
        if (r->axes[a] != NULL) {
            filling.names[filling.n] = axis_names[a];
            filling.steps[filling.n++] = r->steps[a];
        }
    return store_each_mean(results, figure_names[f], filling.names, filling.n, take, &filling, e);
}

enum err_code accuracy_results_read(const struct scenario *s, struct store *results, struct accuracy_results *out,
                                    struct err *e)
{
    *out = (struct accuracy_results){0};
    enum err_code code = find_axes(s, out, e);
    for (enum accuracy_figure f = 0; f < N_FIGURES && code == ERR_NONE; f++) {
        out->values[f] = mem_alloc(out->n_points * sizeof(double));
        for (size_t i = 0; i < out->n_points; i++)
            out->values[f][i] = NAN;
        code = read_figure(out, results, f, e);
    }
    if (code == ERR_NONE)
        find_copies(out);
    return code;
}

void accuracy_results_clear(struct accuracy_results *r)
{
    for (enum accuracy_figure f = 0; f < N_FIGURES; f++)
        free(r->values[f]);
    free(r->is_copy);
}

const char *accuracy_value(const struct accuracy_results *r, size_t point, enum accuracy_axis a)
{
    return r->axes[a] != NULL ? r->axes[a]->values[point / r->steps[a] % r->n[a]].text : "";
}

const char *accuracy_setting_value(const struct accuracy_results *r, size_t setting, enum accuracy_axis a)
{
    return accuracy_value(r, setting * r->steps[AXIS_WAITING], a);
}

/* ---- samples ---- */

static void bootstrap(struct accuracy_sample *s)
{
    enum { N_RESAMPLES = 1000 };
    double *means = mem_alloc(N_RESAMPLES * sizeof *means);
    struct random_stream random;
    random_init(&random, 1, s->n_graphs);
    bootstrap_means(s->of_graphs, s->n_graphs, &random, means, N_RESAMPLES);
    bootstrap_interval(means, N_RESAMPLES, 0.95, &s->low, &s->high);
    free(means);
}

static void describe(struct accuracy_sample *s)
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

static double value_at(const struct accuracy_results *r, size_t point, const struct accuracy_cell *c,
                       const struct accuracy_view *v)
{
    const double *values = r->values[v->figure];
    switch (v->against) {
    case RATIO_TO_MODEL:
        return values[point] / values[point + v->other * r->steps[AXIS_MODEL] - c->model * r->steps[AXIS_MODEL]];
    case MORE_THAN_SETTING:
        return values[point] - values[point + v->other * r->steps[AXIS_WAITING] - c->setting * r->steps[AXIS_WAITING]];
    case ALONE:
        break;
    }
    return values[point];
}

/* Adds the runs of one graph. */
static void collect_graph(const struct accuracy_results *r, size_t graph, const struct accuracy_cell *c,
                          const struct accuracy_view *v, struct accuracy_sample *s)
{
    size_t cell = c->world * r->steps[AXIS_WORLD] + c->setting * r->steps[AXIS_WAITING] +
                  c->model * r->steps[AXIS_MODEL] + graph * r->steps[AXIS_INSTANCE];
    double sum = 0;
    size_t n = 0;
    for (size_t ccr = 0; ccr < r->n[AXIS_CCR]; ccr++)
        for (size_t i = 0; (c->ccr < 0 || ccr == (size_t)c->ccr) && i < r->steps[AXIS_INSTANCE]; i++) {
            size_t point = cell + ccr * r->steps[AXIS_CCR] + i;
            double value = value_at(r, point, c, v);
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

struct accuracy_sample accuracy_collect(const struct accuracy_results *r, const struct accuracy_cell *c,
                                        const struct accuracy_view *v)
{
    struct accuracy_sample s = {.values = mem_alloc(r->n_points * sizeof(double)),
                                .of_graphs = mem_alloc(r->n_graphs * sizeof(double))};
    for (size_t g = 0; g < r->n_graphs; g++)
        if (!r->is_copy[g])
            collect_graph(r, g, c, v, &s);
    describe(&s);
    return s;
}

void accuracy_sample_clear(struct accuracy_sample *s)
{
    free(s->values);
    free(s->of_graphs);
}
