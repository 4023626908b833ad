/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What a baseline is in memory, however it came about: from a file (read.c) or from runs (make.c). Once sealed its
   runs are sorted, so two baselines are compared in one pass, and its tolerances are numbers. */
#include "baseline/baseline.h"

#include "base/mem.h"
#include "base/nearest.h"
#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void clear_run(struct baseline_run *r)
{
    /* The texts that `values` points at belong to `text` or to a scenario. */
    free(r->values);
    free(r->figures);
    free(r->error);
}

void baseline_clear(struct baseline *b)
{
    for (size_t i = 0; i < b->n_runs; i++)
        clear_run(&b->runs[i]);
    for (size_t i = 0; i < b->n_sets; i++)
        free(b->sets[i].words);
    free(b->runs);
    free(b->sets);
    free(b->metrics);
    free(b->scenario);
    free(b->text);
    *b = (struct baseline){0};
}

void baseline_init(struct baseline *b, const struct scenario *s)
{
    const struct run_kind *x = s->experiment;
    *b = (struct baseline){.experiment = x, .scenario = mem_strdup(s->name)};
    b->n_metrics = run_n_metrics(x);
    b->metrics = mem_zalloc(b->n_metrics, sizeof *b->metrics);
    for (size_t i = 0; i < b->n_metrics; i++)
        /* The direction is that of the kind's metric unless a file says otherwise: somebody may know better what
           matters in a scenario. The absolute tolerance is not known before the figures are (baseline_seal). */
        b->metrics[i] = (struct baseline_metric){.metric = &x->metrics[i],
                                                 .id = i,
                                                 .better = x->metrics[i].better,
                                                 .relative = BASELINE_RELATIVE,
                                                 .absolute = NAN};
}

void baseline_add_set(struct baseline *b, const char *words, int line)
{
    b->sets = mem_resize(b->sets, b->n_sets + 1, sizeof b->sets[0]);
    b->sets[b->n_sets++] = (struct baseline_set){mem_strdup(words), line};
}

/* --- metrics --- */

static struct baseline_metric *find_metric(const struct baseline *b, const char *name)
{
    for (size_t i = 0; i < b->n_metrics; i++)
        if (strcmp(b->metrics[i].metric->name, name) == 0)
            return &b->metrics[i];
    return NULL;
}

static enum err_code unknown_metric(const struct baseline *b, const char *name, struct err *e)
{
    struct text known = {0};
    for (size_t i = 0; i < b->n_metrics; i++)
        text_add_name(&known, b->metrics[i].metric->name);
    /* Only what this baseline has: a metric may have been left out on purpose. */
    err_set(e, ERR_INPUT, "unknown metric '%s'%s", name, hint_among(name, text_str(&known), "experiment").text);
    text_clear(&known);
    return ERR_INPUT;
}

/* Removes the metrics that are not marked. The figures of runs are not moved along: metrics are chosen before runs
   are added. */
static void keep_metrics(struct baseline *b, const bool *keep)
{
    size_t n = 0;
    for (size_t i = 0; i < b->n_metrics; i++)
        if (keep[i])
            b->metrics[n++] = b->metrics[i];
    b->n_metrics = n;
}

static enum err_code mark(const struct baseline *b, const char *name, bool *keep, struct err *e)
{
    const struct baseline_metric *m = find_metric(b, name);
    if (m == NULL)
        return unknown_metric(b, name, e);
    if (keep[m - b->metrics])
        return err_set(e, ERR_INPUT, "metric %s is given twice", name);
    keep[m - b->metrics] = true;
    return ERR_NONE;
}

/* Marked first and removed at the end, so that the order of the names does not matter and a mistake changes nothing. */
enum err_code baseline_choose(struct baseline *b, const char *names, struct err *e)
{
    enum err_code code = ERR_NONE;
    bool *keep = mem_zalloc(b->n_metrics, sizeof *keep);
    char *all = mem_strdup(names), *rest = all, *name;
    while (code == ERR_NONE && (name = strsep(&rest, ",")) != NULL)
        code = mark(b, name, keep, e);
    if (code == ERR_NONE)
        keep_metrics(b, keep);
    free(all);
    free(keep);
    return code;
}

static bool read_tolerance(const char *text, double *out)
{
    return text_to_double(text, out) && *out >= 0;
}

enum err_code baseline_tolerate(struct baseline *b, const char *words, struct err *e)
{
    enum err_code code = ERR_NONE;
    char *copy = mem_strdup(words), *rest = copy;
    /* "makespan_s=1e-6,0": what follows the second separator is one number or none. */
    const char *name = strsep(&rest, "="), *relative = strsep(&rest, ","), *absolute = rest;
    struct baseline_metric *m = find_metric(b, name);
    if (relative == NULL)
        code = err_set(e, ERR_INPUT, "'%s' is not of the form metric=relative or metric=relative,absolute", words);
    else if (m == NULL)
        code = unknown_metric(b, name, e);
    else if (!read_tolerance(relative, &m->relative) || (absolute != NULL && !read_tolerance(absolute, &m->absolute)))
        code = err_set(e, ERR_INPUT, "'%s': a tolerance must be a number of at least 0", words);
    free(copy);
    return code;
}

void baseline_take_metrics(struct baseline *b, const struct baseline *other, bool choose)
{
    bool *keep = mem_zalloc(b->n_metrics, sizeof *keep);
    for (size_t i = 0; i < b->n_metrics; i++) {
        struct baseline_metric *m = &b->metrics[i];
        const struct baseline_metric *theirs = find_metric(other, m->metric->name);
        /* Without `choose` metrics that the other one lacks stay, with the usual tolerances: a new metric is saved
           with the next update. */
        keep[i] = theirs != NULL || !choose;
        if (theirs == NULL)
            continue;
        m->better = theirs->better;
        m->relative = theirs->relative;
        m->absolute = theirs->absolute;
    }
    keep_metrics(b, keep);
    free(keep);
}

/* 1e-12 times the power of ten of the largest figure. That covers rounding in a difference of such figures, which may
   be near 0, and it does not change as long as the figures keep their order of magnitude. */
static double usual_absolute(const struct baseline *b, size_t metric)
{
    double largest = 0, absolute = 0;
    char text[TEXT_NUMBER_SIZE];
    for (size_t i = 0; i < b->n_runs; i++)
        if (isfinite(b->runs[i].figures[metric]))
            largest = fmax(largest, fabs(b->runs[i].figures[metric]));
    /* The exponent is taken from the number as printed, because log10 may differ in its last digit between libraries
       just at a power of ten. */
    snprintf(text, sizeof text, "%.16e", largest > 0 ? largest : 1);
    snprintf(text, sizeof text, "1e%ld", strtol(strchr(text, 'e') + 1, NULL, 10) - 12);
    text_to_double(text, &absolute);
    return absolute;
}

/* --- runs --- */

struct baseline_run *baseline_add_run(struct baseline *b)
{
    MEM_GROW(b->runs, b->n_runs, b->capacity);
    struct baseline_run *r = &b->runs[b->n_runs++];
    *r = (struct baseline_run){.replication = 1};
    r->values = mem_zalloc(param_count(run_params(b->experiment)) + 1, sizeof *r->values);
    r->figures = mem_zalloc(b->n_metrics + 1, sizeof *r->figures);
    /* NAN until a figure is known. */
    for (size_t i = 0; i < b->n_metrics; i++)
        r->figures[i] = NAN;
    return r;
}

/* Numbers as numbers: 9 comes before 10, and "1e1" in an edited file is the 10 of the scenario. */
static int compare_values(const struct param *p, const char *a, const char *b)
{
    /* Not given comes first. */
    if (a == NULL || b == NULL)
        return (a != NULL) - (b != NULL);
    if (a == b || strcmp(a, b) == 0)
        return 0;
    bool is_number_a = p->type == PARAM_INTEGER || param_is_number(p, a);
    bool is_number_b = p->type == PARAM_INTEGER || param_is_number(p, b);
    if (!is_number_a || !is_number_b) /* numbers before steps */
        return is_number_a != is_number_b ? is_number_b - is_number_a : strcmp(a, b);
    double x = strtod(a, NULL), y = strtod(b, NULL); /* 10, 10.0 and 1e1 are one value */
    return (x > y) - (x < y);
}

/* In the order of the experiment's parameters, which scenario and file share. */
int baseline_compare_runs(const struct run_kind *x, const struct baseline_run *a, const struct baseline_run *b)
{
    int order = 0;
    for (size_t i = 0; order == 0 && run_params(x)[i].name != NULL; i++)
        order = compare_values(&run_params(x)[i], a->values[i], b->values[i]);
    return order != 0 ? order : (a->replication > b->replication) - (a->replication < b->replication);
}

static int compare_places(const void *a, const void *b, void *experiment)
{
    const struct baseline_run *x = a, *y = b;
    int order = baseline_compare_runs(experiment, x, y);
    /* By line as well, so that the message about a second run names the later line. */
    return order != 0 ? order : (x->line > y->line) - (x->line < y->line);
}

enum err_code baseline_seal(struct baseline *b, const char *path, struct err *e)
{
    if (b->n_runs > 0)
        qsort_r(b->runs, b->n_runs, sizeof *b->runs, compare_places, (void *)b->experiment);
    for (size_t i = 1; i < b->n_runs; i++)
        if (baseline_compare_runs(b->experiment, &b->runs[i - 1], &b->runs[i]) == 0)
            return err_set_at(e, ERR_PARSE, path, b->runs[i].line, "the same point and replication as on line %d",
                              b->runs[i - 1].line);
    /* After all runs: the largest figure decides. */
    for (size_t i = 0; i < b->n_metrics; i++)
        if (isnan(b->metrics[i].absolute))
            b->metrics[i].absolute = usual_absolute(b, i);
    return ERR_NONE;
}

/* A parameter that is fixed in both but differs between them must be shown, too. */
bool baseline_varies(const struct baseline *b, const struct baseline *other, size_t param_id)
{
    const struct baseline *both[] = {b, other};
    const struct baseline_run *first = NULL;
    for (int k = 0; k < 2; k++)
        for (size_t i = 0; both[k] != NULL && i < both[k]->n_runs; i++) {
            const struct baseline_run *r = &both[k]->runs[i];
            first = first != NULL ? first : r;
            if (compare_values(&run_params(b->experiment)[param_id], first->values[param_id], r->values[param_id]) != 0)
                return true;
        }
    return false;
}
