/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The runs of both baselines are sorted, so one pass finds the pairs. */
#include "baseline/baseline_diff.h"

#include "base/mem.h"
#include "stats/stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const baseline_verdict_names[BASELINE_N_VERDICTS] = {
    [BASELINE_FAILS] = "fails",         [BASELINE_MISSING] = "missing", [BASELINE_WORSE] = "worse",
    [BASELINE_DIFFERENT] = "different", [BASELINE_BETTER] = "better",   [BASELINE_NEW] = "new",
    [BASELINE_WORKS] = "works",         [BASELINE_SAME] = "same",
};

bool baseline_is_bad(enum baseline_verdict v)
{
    /* The verdicts are in the order of their gravity (baseline_diff.h). */
    return v <= BASELINE_DIFFERENT;
}

bool baseline_mean_is_worse(const struct baseline_comparison *c, size_t metric)
{
    double mean = c->tallies[metric].mean;
    enum better better = c->expected->metrics[metric].better;
    return (better == BETTER_LOWER && mean > 1 + c->limit) || (better == BETTER_HIGHER && mean < 1 - c->limit);
}

bool baseline_holds(const struct baseline_comparison *c)
{
    bool holds = true;
    for (int v = 0; v < BASELINE_N_VERDICTS; v++)
        /* With a limit single figures may be worse as long as their mean is not; but failing and missing runs, which
           have no figures, are always bad. */
        if (c->n[v] > 0 && baseline_is_bad((enum baseline_verdict)v))
            holds = holds && !isnan(c->limit) && v >= BASELINE_WORSE;
    for (size_t i = 0; i < c->expected->n_metrics; i++)
        holds = holds && !baseline_mean_is_worse(c, i); /* without a limit no mean is worse */
    return holds;
}

/* --- figures --- */

/* Relative to what was expected, so that changes of different metrics can be ranked. NAN on both sides is no change. */
static double size_of(double expected, double found)
{
    if (expected == found || (isnan(expected) && isnan(found)))
        return 0;
    /* From 0 to anything is infinitely larger, and ranks before all others. */
    if (expected == 0 || !isfinite(expected) || !isfinite(found))
        return INFINITY;
    return fabs(found / expected - 1);
}

/* NAN if the signs differ; two negative figures have a ratio as two positive ones do. */
static double ratio_of(double expected, double found)
{
    if (expected == found)
        return 1;
    return (expected < 0) == (found < 0) ? found / expected : NAN;
}

static enum baseline_verdict judge(const struct baseline_metric *m, double expected, double found)
{
    /* Exactly equal first: two infinities have no difference. */
    if (expected == found || (isnan(expected) && isnan(found)))
        return BASELINE_SAME;
    if (isnan(expected) || isnan(found))
        return BASELINE_DIFFERENT;
    /* A difference from infinity to a number is beyond every tolerance. */
    bool is_finite = isfinite(expected) && isfinite(found);
    if (is_finite && fabs(found - expected) <= fmax(m->relative * fabs(expected), m->absolute))
        return BASELINE_SAME;
    if (m->better == BETTER_NONE)
        return BASELINE_DIFFERENT;
    /* Both comparisons agree: lower where lower is better, or higher where higher is. */
    return (found < expected) == (m->better == BETTER_LOWER) ? BASELINE_BETTER : BASELINE_WORSE;
}

static const double *figure_of(const struct baseline *b, const struct baseline_run *r, const struct metric *metric)
{
    /* Metrics are found by their description, because the lists of the two baselines may differ. */
    for (size_t i = 0; i < b->n_metrics; i++)
        if (b->metrics[i].metric == metric)
            return &r->figures[i];
    return NULL;
}

struct baseline_figure baseline_figure(const struct baseline_comparison *c, const struct baseline_run *expected,
                                       const struct baseline_run *found, size_t i)
{
    const struct baseline_metric *m = &c->expected->metrics[i];
    const double *x = figure_of(c->found, found, m->metric);
    struct baseline_figure f = {.verdict = BASELINE_SAME, .expected = expected->figures[i], .found = NAN};
    if (x == NULL)
        return f;
    f.found = *x;
    f.verdict = judge(m, f.expected, f.found);
    f.size = size_of(f.expected, f.found);
    return f;
}

/* --- runs --- */

/* At the same gravity the larger change comes first. */
static bool is_graver(enum baseline_verdict a, double a_size, enum baseline_verdict b, double b_size)
{
    return a != b ? a < b : a_size > b_size;
}

static void compare_figures(struct baseline_comparison *c, struct baseline_change *change)
{
    for (size_t i = 0; i < c->expected->n_metrics; i++) {
        struct baseline_figure f = baseline_figure(c, change->expected, change->found, i);
        /* Every figure is counted, also where it did not change: a tally has them all. */
        c->tallies[i].n[f.verdict]++;
        if (f.verdict != BASELINE_SAME)
            c->tallies[i].largest = fmax(c->tallies[i].largest, f.size);
        /* Ratios also of figures within their tolerance: the mean is over all runs. */
        if (!isnan(f.expected) && !isnan(f.found))
            c->ratios[i * c->expected->n_runs + c->n_ratios[i]++] = ratio_of(f.expected, f.found);
        change->n_metrics += f.verdict != BASELINE_SAME;
        /* The run is represented by its gravest change. */
        if (f.verdict == BASELINE_SAME || !is_graver(f.verdict, f.size, change->verdict, change->size))
            continue;
        change->verdict = f.verdict;
        change->size = f.size;
        change->metric = i;
    }
}

/* Either may be NULL. */
static void add_pair(struct baseline_comparison *c, const struct baseline_run *expected,
                     const struct baseline_run *found)
{
    struct baseline_change change = {.verdict = BASELINE_SAME, .expected = expected, .found = found};
    /* If both failed, nothing has changed; the texts of errors are not compared. */
    if (found == NULL)
        change.verdict = BASELINE_MISSING;
    else if (expected == NULL)
        change.verdict = found->error != NULL ? BASELINE_FAILS : BASELINE_NEW;
    else if (expected->error == NULL && found->error != NULL)
        change.verdict = BASELINE_FAILS;
    else if (expected->error != NULL && found->error == NULL)
        change.verdict = BASELINE_WORKS;
    else if (expected->error == NULL)
        compare_figures(c, &change);
    c->n[change.verdict]++;
    /* A key that has changed is no difference by itself: it says that an input or the program is another. */
    c->n_keys_changed += expected != NULL && found != NULL && strcmp(expected->key, found->key) != 0;
    if (change.verdict == BASELINE_SAME)
        return;
    MEM_GROW(c->changes, c->n_changes, c->capacity);
    c->changes[c->n_changes++] = change;
}

static const struct baseline_run *run_of(const struct baseline_change *c)
{
    return c->expected != NULL ? c->expected : c->found;
}

static int compare_changes(const void *a, const void *b, void *experiment)
{
    const struct baseline_change *x = a, *y = b;
    if (is_graver(x->verdict, x->size, y->verdict, y->size))
        return -1;
    if (is_graver(y->verdict, y->size, x->verdict, x->size))
        return 1;
    /* A total order, so that a report does not depend on qsort. */
    return baseline_compare_runs(experiment, run_of(x), run_of(y));
}

static void find_means(struct baseline_comparison *c)
{
    for (size_t i = 0; i < c->expected->n_metrics; i++) {
        const double *ratios = &c->ratios[i * c->expected->n_runs];
        /* A ratio that is NAN (the signs differ) makes the mean NAN: there is then no mean to judge by. */
        c->tallies[i].mean = quantile_geometric_mean(ratios, c->n_ratios[i]);
    }
}

void baseline_compare(const struct baseline *expected, const struct baseline *found, struct baseline_comparison *out)
{
    *out = (struct baseline_comparison){.expected = expected, .found = found, .limit = NAN};
    out->tallies = mem_zalloc(expected->n_metrics + 1, sizeof *out->tallies);
    out->n_ratios = mem_zalloc(expected->n_metrics, sizeof *out->n_ratios);
    out->ratios = mem_zalloc(expected->n_metrics * expected->n_runs, sizeof *out->ratios);
    size_t i = 0, k = 0;
    /* Merging two sorted lists: the smaller one of both heads is in one list only. */
    while (i < expected->n_runs || k < found->n_runs) {
        const struct baseline_run *x = i < expected->n_runs ? &expected->runs[i] : NULL;
        const struct baseline_run *y = k < found->n_runs ? &found->runs[k] : NULL;
        int order = x == NULL ? 1 : y == NULL ? -1 : baseline_compare_runs(expected->experiment, x, y);
        add_pair(out, order <= 0 ? x : NULL, order >= 0 ? y : NULL);
        i += order <= 0;
        k += order >= 0;
    }
    find_means(out);
    if (out->n_changes > 0)
        qsort_r(out->changes, out->n_changes, sizeof *out->changes, compare_changes, (void *)expected->experiment);
}

void baseline_comparison_clear(struct baseline_comparison *c)
{
    free(c->changes);
    free(c->tallies);
    free(c->ratios);
    free(c->n_ratios);
    *c = (struct baseline_comparison){0};
}
