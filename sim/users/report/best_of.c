/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The store delivers cases sorted, and they are collected one at a time, so memory is that of the largest case and
   not of all runs. Each case is sorted once: counting wins and ties of n variants takes O(n log n), not O(n^2)
   comparisons. */
#include "report/best_of.h"

#include "base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct run {
    double cost; /* the figure, or its negative if higher is better */
    size_t cell;
};

struct filling {
    const struct scenario *s;
    const struct scenario_table *t;
    /* This order makes the runs of a case neighbours: the store sorts by the parameters as they are given. */
    const char **params; /* those that tell cases apart, then those that tell variants apart */
    size_t n_params, n_of_case;
    size_t *setting; /* of the case being collected */
    struct run *runs;
    size_t n_runs, capacity;
    struct best_of_cell *cells;
};

/* ---- one case ---- */

/* Different orders of addition give the same makespan but for the last digits; such variants must tie. Relative, so
   that it does not matter whether figures are seconds or tasks/s. */
static bool are_equal(double a, double b)
{
    return fabs(a - b) <= 1e-9 * fmax(fabs(a), fabs(b));
}

static int by_cost(const void *left, const void *right)
{
    const struct run *a = left, *b = right;
    if (a->cost != b->cost)
        return a->cost < b->cost ? -1 : 1;
    return (a->cell > b->cell) - (a->cell < b->cell); /* ties by cell: qsort may not decide */
}

/* Adds a run that `n_better` others of its case beat and `n_equal` equal. */
static void add_run(struct filling *f, const struct run *run, size_t n_better, size_t n_equal)
{
    struct best_of_cell *c = &f->cells[run->cell];
    /* Figures that count as equal to the best have ratio 1, or a mean would show 1.0000000001. Of negative costs
       (higher is better) a worse one has the smaller ratio. */
    double best = f->runs[0].cost, ratio = are_equal(run->cost, best) ? 1 : run->cost / best;
    bool is_worst = c->n_runs == 0 || (best < 0 ? ratio < c->worst_ratio : ratio > c->worst_ratio);
    c->n_runs++;
    c->n_best += are_equal(run->cost, best);
    c->n_losses += n_better;
    c->n_ties += n_equal;
    c->n_wins += f->n_runs - 1 - n_better - n_equal;
    c->ratio_sum += ratio;
    if (is_worst)
        c->worst_ratio = ratio;
}

/* Sorted from the best to the worst, the runs that equal one stand around it, from `first` to before `end`. */
static void end_case(struct filling *f)
{
    size_t first = 0, end = 0;
    if (f->n_runs > 0)
        qsort(f->runs, f->n_runs, sizeof *f->runs, by_cost);
    /* Both ends only move forward, because costs rise. */
    for (size_t i = 0; i < f->n_runs; i++) {
        while (!are_equal(f->runs[first].cost, f->runs[i].cost))
            first++;
        while (end < f->n_runs && (end <= i || are_equal(f->runs[end].cost, f->runs[i].cost)))
            end++;
        add_run(f, &f->runs[i], first, end - first - 1);
    }
    f->n_runs = 0;
}

/* ---- reading ---- */

static size_t value_of(const struct filling *f, const char *param, const size_t *values)
{
    for (size_t i = 0; i < f->n_params; i++)
        if (strcmp(f->params[i], param) == 0)
            return values[i];
    return 0; /* it has one value only */
}

static size_t find_cell(const struct filling *f, const size_t *values)
{
    size_t cell = 0;
    for (size_t i = 0; i < f->t->rows.n; i++)
        cell = cell * scenario_axis(f->s, f->t->rows.names[i])->n_values + value_of(f, f->t->rows.names[i], values);
    if (f->t->columns != NULL)
        cell = cell * scenario_axis(f->s, f->t->columns)->n_values + value_of(f, f->t->columns, values);
    return cell;
}

/* Runs come sorted by their parameters, so those of a case come one after the other. */
static void take(void *self, const size_t *values, double mean)
{
    struct filling *f = self;
    /* Negative costs let one sort order serve both directions. */
    bool is_higher_better = run_metric(f->s->experiment, f->t->metric)->better == BETTER_HIGHER;
    /* Before the first run the setting is that of case 0, and ending a case without runs does nothing. */
    if (memcmp(f->setting, values, f->n_of_case * sizeof *values) != 0)
        end_case(f);
    memcpy(f->setting, values, f->n_of_case * sizeof *values);
    MEM_GROW(f->runs, f->n_runs, f->capacity);
    f->runs[f->n_runs++] = (struct run){is_higher_better ? -mean : mean, find_cell(f, values)};
}

static bool names_variants(const struct scenario_table *t, const char *param)
{
    for (size_t i = 0; i < t->best_of.n; i++)
        if (strcmp(t->best_of.names[i], param) == 0)
            return true;
    return false;
}

/* Parameters of one value are left out of the query: they cannot tell anything apart, and best_of's are always
   there. */
static void choose_params(struct filling *f)
{
    f->params = mem_zalloc(f->s->n_axes + f->t->best_of.n, sizeof *f->params);
    for (size_t i = 0; i < f->s->n_axes; i++) {
        const struct scenario_axis *a = &f->s->axes[i];
        if (a->n_values > 1 && !names_variants(f->t, a->param->name))
            f->params[f->n_params++] = a->param->name;
    }
    f->n_of_case = f->n_params;
    for (size_t i = 0; i < f->t->best_of.n; i++)
        f->params[f->n_params++] = f->t->best_of.names[i];
}

enum err_code best_of_fill(struct store *st, const struct scenario *s, const struct scenario_table *t,
                           struct best_of_cell *cells, struct err *e)
{
    struct filling f = {.s = s, .t = t, .cells = cells};
    choose_params(&f);
    f.setting = mem_zalloc(f.n_params, sizeof *f.setting);
    enum err_code code = store_each_mean(st, t->metric, f.params, f.n_params, take, &f, e);
    end_case(&f); /* the last case, which no other run follows */
    free(f.params);
    free(f.setting);
    free(f.runs);
    return code;
}

double best_of_mean_ratio(const struct best_of_cell *c)
{
    return c->n_runs > 0 ? c->ratio_sum / (double)c->n_runs : NAN;
}
