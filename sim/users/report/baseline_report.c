/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What changed against a baseline, the worst first. Verdicts, tolerances and their order are sim/results/baseline's;
   this file chooses what to show: of a hundred changed runs a few with the command that makes each again, of a run with
   many changed metrics three. */
#include "report/baseline_report.h"

#include "base/mem.h"
#include "base/text.h"
#include "report/json_bytes.h"
#include "report/page.h"
#include "report/table.h"
#include "scenario/rerun.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Of one run. The worst one decides its place, so it is always among them. */
enum { SHOWN_FIGURES = 3 };

/* The words for runs, in the order of the verdicts. */
static const char *const run_words[BASELINE_N_VERDICTS] = {
    [BASELINE_FAILS] = "fail now",      [BASELINE_MISSING] = "missing", [BASELINE_WORSE] = "worse",
    [BASELINE_DIFFERENT] = "different", [BASELINE_BETTER] = "better",   [BASELINE_NEW] = "new",
    [BASELINE_WORKS] = "work now",      [BASELINE_SAME] = "the same",
};

/* `varies`: parameters that have one value everywhere would only lengthen each line. */
struct shown { /* what text and JSON both need */
    const struct baseline_report *r;
    const struct baseline_comparison *c;
    const struct param *params;
    bool *varies;
};

static struct shown shown_of(const struct baseline_report *r)
{
    const struct baseline_comparison *c = r->comparison;
    struct shown s = {.r = r, .c = c, .params = run_params(c->expected->experiment)};
    size_t n = param_count(s.params);
    s.varies = mem_zalloc(n + 1, sizeof *s.varies);
    for (size_t i = 0; i < n; i++)
        s.varies[i] = baseline_varies(c->expected, c->found, i);
    return s;
}

/* A run that is missing now has only its expected side. */
static const struct baseline_run *run_of(const struct baseline_change *change)
{
    return change->found != NULL ? change->found : change->expected;
}

/* As the text shows it. An optional parameter that is not given is not the same as one that is empty. */
static const char *shown_value(const char *value)
{
    return value != NULL ? value : "(not given)";
}

/* Both sides succeeded, so there are figures to compare. */
static bool is_compared(const struct baseline_change *change)
{
    return change->verdict >= BASELINE_WORSE && change->verdict <= BASELINE_BETTER;
}

struct run_values {
    const struct shown *s;
    const struct baseline_run *run;
};

/* The form in which rerun_point asks for values. */
static const char *value_of(const void *self, const char *name)
{
    const struct run_values *r = self;
    for (size_t i = 0; r->s->params[i].name != NULL; i++)
        if (strcmp(r->s->params[i].name, name) == 0)
            return r->run->values[i];
    return NULL;
}

/* Without several replications the command needs none. */
static bool has_replications(const struct baseline *b)
{
    for (size_t i = 0; i < b->n_runs; i++)
        if (b->runs[i].replication > 1)
            return true;
    return false;
}

/* The command that makes the run again, or NULL. The caller frees it. */
static char *rerun_of(const struct shown *s, const struct baseline_change *change)
{
    if (change->found == NULL || s->r->command == NULL) /* a run that is gone cannot be made again */
        return NULL;
    struct run_values values = {s, change->found};
    return rerun_point(s->r->command, &(struct rerun_point){
                                          .key = change->found->key,
                                          .replication = has_replications(s->c->found) ? change->found->replication : 0,
                                          .value = value_of,
                                          .self = &values});
}

/* --- text --- */

static void print_counts(const struct shown *s, FILE *out)
{
    const char *separator = ": ";
    fprintf(out, "%s, %zu run%s against %s", s->c->expected->scenario, s->c->found->n_runs,
            s->c->found->n_runs == 1 ? "" : "s", s->r->path);
    for (int v = 0; v < BASELINE_N_VERDICTS; v++)
        if (s->c->n[v] > 0) {
            fprintf(out, "%s%zu %s", separator, s->c->n[v], run_words[v]);
            separator = ", ";
        }
    putc('\n', out);
}

/* 0 as "-": the counts that matter stand out. */
static void count_cell(struct table *t, size_t n)
{
    if (n > 0)
        table_cellf(t, "%zu", n);
    else
        table_cell(t, "-");
}

/* A change relative to the expected figure; relative to an expected 0 it is infinite. Tables and text show it in
   the same way. */
static const char *percent(double part, char out[32])
{
    double value = 100 * part;
    if (!isfinite(part))
        return strcpy(out, "-");
    if (fabs(value) < 1e-9) /* a rounding error */
        return strcpy(out, "0 %");
    /* As claims_add_number: three digits, or all before the point. */
    snprintf(out, 32, fabs(value) < 999.5 ? "%.3g %%" : "%.0f %%", value);
    return out;
}

static void print_metrics(const struct shown *s, FILE *out)
{
    const struct baseline *b = s->c->expected;
    struct table *t = table_of("metric|better is");
    for (int v = BASELINE_WORSE; v <= BASELINE_BETTER; v++)
        table_column(t, TABLE_RIGHT, run_words[v]);
    table_columns(t, "the same>|largest change>|mean change>");
    /* Metrics without a change are one line together, so that a scenario of 30 metrics does not
       hide the one that changed. */
    size_t n_equal = 0;
    char change[32];
    for (size_t i = 0; i < b->n_metrics; i++) {
        const struct baseline_tally *tally = &s->c->tallies[i];
        if (tally->n[BASELINE_WORSE] + tally->n[BASELINE_DIFFERENT] + tally->n[BASELINE_BETTER] == 0) {
            n_equal++;
            continue;
        }
        table_cell(t, b->metrics[i].metric->name);
        table_cell(t, better_names[b->metrics[i].better]);
        for (int v = BASELINE_WORSE; v <= BASELINE_BETTER; v++)
            count_cell(t, tally->n[v]);
        count_cell(t, tally->n[BASELINE_SAME]);
        table_cell(t, percent(tally->largest, change));
        table_cell(t, percent(tally->mean - 1, change)); /* mean is a ratio */
    }
    putc('\n', out);
    table_end(t, out);
    if (n_equal > 0)
        fprintf(out, "\n%zu other metric%s equal.\n", n_equal, n_equal == 1 ? " is" : "s are");
}

/* The result of --aggregate. */
static void print_means(const struct shown *s, FILE *out)
{
    const struct baseline *b = s->c->expected;
    char mean[32], limit[32];
    bool holds = true;
    /* The test that decides the exit status (baseline_holds): the words follow it, they do not decide again. */
    for (size_t i = 0; i < b->n_metrics; i++) {
        if (!baseline_mean_is_worse(s->c, i))
            continue;
        holds = false;
        page_paragraphf(out, "\nThe geometric mean of %s is worse by %s, more than %s.", b->metrics[i].metric->name,
                        percent(fabs(s->c->tallies[i].mean - 1), mean), percent(s->c->limit, limit));
    }
    if (holds && !isnan(s->c->limit)) /* limit NAN: means are shown but not tested */
        page_paragraphf(out, "\nNo metric's geometric mean is worse by more than %s.", percent(s->c->limit, limit));
}

/* Prints text from a file or of a crashed process on one line: an error text with line feeds
   would look like other changes. */
static void print_words(const char *words, FILE *out)
{
    for (const char *at = words; *at != '\0'; at++)
        putc((unsigned char)*at < ' ' ? ' ' : *at, out);
    putc('\n', out);
}

static void print_where(const struct shown *s, const struct baseline_run *run, FILE *out)
{
    struct text where = {0};
    for (size_t i = 0; s->params[i].name != NULL; i++)
        if (s->varies[i])
            text_addf(&where, " %s=%s", s->params[i].name, shown_value(run->values[i]));
    if (run->replication != 1) /* replications count from 1 */
        text_addf(&where, " replication=%ld", run->replication);
    fputs("\n ", out);
    print_words(where.size > 0 ? text_str(&where) : " the only run", out);
    text_clear(&where);
}

/* Prints a figure that changed; false if it is the same. */
static bool print_figure(const struct shown *s, const struct baseline_change *change, size_t metric, FILE *out)
{
    const struct baseline_figure f = baseline_figure(s->c, change->expected, change->found, metric);
    if (f.verdict == BASELINE_SAME)
        return false;
    char found[TEXT_NUMBER_SIZE], expected[TEXT_NUMBER_SIZE];
    fprintf(out, "    %s is %s, expected %s: %s", s->c->expected->metrics[metric].metric->name,
            /* A figure may be missing on one side. */
            isnan(f.found) ? "missing" : text_number(f.found, found),
            isnan(f.expected) ? "none" : text_number(f.expected, expected), baseline_verdict_names[f.verdict]);
    char change_text[32];
    /* A smaller change would be shown as "by 0 %". */
    if (isfinite(f.size) && f.size >= 1e-11)
        fprintf(out, " by %s", percent(f.size, change_text));
    putc('\n', out);
    return true;
}

/* Prints the worst change, and some of the others in their order. */
static void print_figures(const struct shown *s, const struct baseline_change *change, FILE *out)
{
    size_t n = print_figure(s, change, change->metric, out);
    /* && also prints: a figure that is the same is not counted */
    for (size_t i = 0; i < s->c->expected->n_metrics && n < SHOWN_FIGURES; i++)
        n += i != change->metric && print_figure(s, change, i, out);
    if (n < change->n_metrics)
        fprintf(out, "    and %zu more of its metrics\n", change->n_metrics - n);
}

static void print_change(const struct shown *s, const struct baseline_change *change, FILE *out)
{
    print_where(s, run_of(change), out);
    if (is_compared(change)) {
        print_figures(s, change, out);
    } else if (change->verdict == BASELINE_FAILS) {
        fprintf(out, "    fails%s: ", change->expected ? " now" : ", and is new");
        print_words(change->found->error, out);
    } else if (change->verdict == BASELINE_WORKS) {
        fputs("    works now; it failed before: ", out);
        print_words(change->expected->error, out);
    } else {
        fprintf(out, "    %s\n",
                change->verdict == BASELINE_NEW ? "new: it is not in the baseline"
                                                : "missing: it is not in the scenario");
    }
    /* Whatever the verdict, a run that was found can be made again. */
    char *rerun = rerun_of(s, change);
    if (rerun != NULL)
        fprintf(out, "    %s\n", rerun);
    free(rerun);
}

static void print_changes(const struct shown *s, FILE *out)
{
    size_t n = s->c->n_changes < s->r->n_worst ? s->c->n_changes : s->r->n_worst; /* n_worst 0: counts only */
    if (n > 0 && n < s->c->n_changes)
        fprintf(out, "\n%zu of the %zu runs that changed, the worst first:\n", n, s->c->n_changes);
    for (size_t i = 0; i < n; i++)
        print_change(s, &s->c->changes[i], out);
}

/* A parameter may have one value in the scenario and another one in the baseline. Then every run is missing or new. */
static void print_other_values(const struct shown *s, FILE *out)
{
    const struct baseline *expected = s->c->expected, *found = s->c->found;
    /* It varies over both together, but within neither: they are two constants. */
    for (size_t i = 0; s->params[i].name != NULL; i++)
        if (s->varies[i] && !baseline_varies(expected, NULL, i) && !baseline_varies(found, NULL, i))
            fprintf(out, "\nNo run is in both: %s is %s in the baseline and %s now.\n", s->params[i].name,
                    shown_value(expected->runs[0].values[i]), shown_value(found->runs[0].values[i]));
}

static void print_advice(const struct shown *s, FILE *out)
{
    /* Keys are digests of inputs: figures may be equal although keys differ. */
    if (s->c->n_keys_changed > 0)
        page_paragraphf(
            out,
            "\nThe keys of %zu of the runs differ from the baseline: an input file, a plugin or the version "
            "of the experiment's results has changed.",
            s->c->n_keys_changed);
    /* Nothing to save if nothing changed. */
    if (s->r->save != NULL && s->c->n_changes > 0)
        fprintf(out, "\n%s these results from now on:\n  %s\n",
                baseline_holds(s->c) ? isnan(s->c->limit) ? "Nothing is worse. To expect" : "To expect"
                                     : "If these changes are intended, expect",
                s->r->save);
}

/* From the general to the single run; the advice last, where a terminal stops. */
void baseline_report_print(const struct baseline_report *r, FILE *out)
{
    struct shown s = shown_of(r);
    print_counts(&s, out);
    print_other_values(&s, out);
    if (r->comparison->n[BASELINE_WORSE] + r->comparison->n[BASELINE_DIFFERENT] + r->comparison->n[BASELINE_BETTER] > 0)
        print_metrics(&s, out);
    print_means(&s, out);
    print_changes(&s, out);
    print_advice(&s, out);
    free(s.varies);
}

/* --- JSON --- */

/* Verdicts from `from` to `to` of the enumeration: of metrics only those that compare figures. */
static json_t *json_counts(const size_t n[BASELINE_N_VERDICTS], int from, int to)
{
    json_t *counts = json_object();
    for (int v = from; v <= to; v++)
        json_object_set_new(counts, baseline_verdict_names[v], json_integer((json_int_t)n[v]));
    return counts;
}

static json_t *json_metrics(const struct baseline_comparison *c)
{
    json_t *metrics = json_array();
    for (size_t i = 0; i < c->expected->n_metrics; i++) {
        const struct baseline_metric *m = &c->expected->metrics[i];
        /* "same" is not next to the other three in the enumeration. */
        json_t *runs = json_counts(c->tallies[i].n, BASELINE_WORSE, BASELINE_BETTER);
        json_object_set_new(runs, "same", json_integer((json_int_t)c->tallies[i].n[BASELINE_SAME]));
        json_array_append_new(metrics,
                              json_pack("{s:s, s:s, s:f, s:f, s:o, s:o, s:o}", "name", m->metric->name, "better_is",
                                        better_names[m->better], "relative", m->relative, "absolute", m->absolute,
                                        "runs", runs, "largest_change", json_finite(c->tallies[i].largest),
                                        "geometric_mean", json_finite(c->tallies[i].mean)));
    }
    return metrics;
}

static json_t *json_figures(const struct baseline_comparison *c, const struct baseline_change *change)
{
    json_t *figures = json_array();
    for (size_t i = 0; is_compared(change) && i < c->expected->n_metrics; i++) {
        const struct baseline_figure f = baseline_figure(c, change->expected, change->found, i);
        if (f.verdict == BASELINE_SAME)
            continue;
        json_array_append_new(figures,
                              json_pack("{s:s, s:s, s:o, s:o, s:o}", "name", c->expected->metrics[i].metric->name,
                                        "verdict", baseline_verdict_names[f.verdict], "expected",
                                        json_finite(f.expected), "found", json_finite(f.found), "relative_difference",
                                        /* Relative to the size of the expected figure, so the sign says up or down
                                           even if that is negative. */
                                        json_finite((f.found - f.expected) / fabs(f.expected))));
    }
    return figures;
}

static json_t *json_change(const struct shown *s, const struct baseline_change *change)
{
    const struct baseline_run *run = run_of(change);
    json_t *params = json_object();
    for (size_t i = 0; s->params[i].name != NULL; i++)
        if (s->varies[i])
            json_object_set_new(params, s->params[i].name, json_bytes(run->values[i]));
    char *rerun = rerun_of(s, change);
    json_t *out = json_pack(
        "{s:s, s:o, s:I, s:s, s:o, s:o, s:o, s:o}", "verdict", baseline_verdict_names[change->verdict], "parameters",
        params, "replication", (json_int_t)run->replication, "key", run->key, "rerun", json_bytes(rerun),
        "expected_error", json_bytes(change->expected ? change->expected->error : NULL), "found_error",
        json_bytes(change->found ? change->found->error : NULL), "metrics", json_figures(s->c, change));
    free(rerun);
    return out;
}

json_t *baseline_report_json(const struct baseline_report *r)
{
    struct shown s = shown_of(r);
    const struct baseline_comparison *c = r->comparison;
    json_t *changes = json_array();
    for (size_t i = 0; i < c->n_changes && i < r->n_worst; i++)
        json_array_append_new(changes, json_change(&s, &c->changes[i]));
    free(s.varies);
    return json_pack("{s:s, s:o, s:b, s:I, s:I, s:o, s:I, s:o, s:o}", "scenario", c->expected->scenario, "baseline",
                     json_bytes(r->path), "holds", baseline_holds(c), "expected_runs", (json_int_t)c->expected->n_runs,
                     "found_runs", (json_int_t)c->found->n_runs, "runs", json_counts(c->n, 0, BASELINE_N_VERDICTS - 1),
                     "keys_changed", (json_int_t)c->n_keys_changed, "metrics", json_metrics(c), "changes", changes);
}
