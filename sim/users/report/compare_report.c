/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Which variant is better: ratios of pairs with a bootstrap interval [Efron 1979], Wilcoxon's signed-rank test
   [Wilcoxon 1945] with Holm's correction [Holm 1979], and the performance profile [Dolan 2002]. The numbers are
   sim/results/compare's; here is how they are shown, and what is said about their limits.

   The text is meant to be hard to misread: it names what a pair is, what was left out, and when an interval or a
   p claims more than it can. */
#include "report/compare_report.h"

#include "base/mem.h"
#include "base/new_file.h"
#include "base/text.h"
#include "report/compare_cells.h"
#include "report/json_bytes.h"
#include "report/page.h"
#include "report/table.h"
#include "stats/stats.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

/* Of the profile in text and JSON. The CSV has every step. */
static const double factors[] = {1, 1.01, 1.05, 1.1, 1.25, 1.5, 2, 5, 10};
enum { N_FACTORS = sizeof factors / sizeof factors[0] };

static const char *name_of(const struct compare_report *r, size_t variant)
{
    return compare_variant_name(r->data, variant);
}

static const char *better_of(const struct compare_report *r)
{
    return better_names[r->settings->better];
}

/* Ratios are stored variant by variant, each sorted. */
static double share_of(const struct compare_report *r, size_t variant, double factor)
{
    size_t n = r->result->n_profiled;
    return profile_share(r->result->ratios + variant * n, n, factor);
}

/* --- text --- */

static const char *plural(size_t n)
{
    return n == 1 ? "" : "s";
}

/* First of all what is compared and what counts as a pair: the same results give another p if every case is one. */
static void print_title(const struct compare_report *r, FILE *out)
{
    const struct compare_data *d = r->data;
    page_paragraphf(out, "%s%s%s, %s is better, by %s%s%s", d->metric, d->unit[0] != '\0' ? " in " : "", d->unit,
                    better_of(r), d->by, r->settings->all_variants ? "" : ", against ",
                    r->settings->all_variants ? "" : name_of(r, r->settings->reference));
    page_paragraphf(out, "%zu instance%s, %zu setting%s, %zu case%s; %s", d->n_instances, plural(d->n_instances),
                    d->n_settings, plural(d->n_settings), d->n_cases, plural(d->n_cases),
                    r->settings->all_cases ? "each case is a pair" : "each instance is a pair");
    putc('\n', out);
}

static bool has_left_out(const struct compare_report *r)
{
    for (size_t i = 0; i < r->result->n_pairs; i++)
        if (r->result->pairs[i].n_failed + r->result->pairs[i].n_missing > 0)
            return true;
    return false;
}

/* All n values lie on one side of the true median with chance 2^(1-n). With fewer pairs than these, no interval between
   the values can have this confidence, however it is made. For 95 %, 6 pairs: 2^-5 is 0.031, 2^-4 0.063. */
static size_t least_pairs(double confidence)
{
    size_t n = 2;
    while (ldexp(1, 1 - (int)n) > (1 - confidence) * (1 + 1e-12)) /* 1 - 0.75 may be a little less than 0.25 */
        n++;
    return n;
}

static bool has_few(const struct compare_report *r)
{
    /* low NAN: no interval is shown. */
    for (size_t i = 0; i < r->result->n_pairs; i++)
        if (!isnan(r->result->pairs[i].low) && r->result->pairs[i].n < least_pairs(r->settings->confidence))
            return true;
    return false;
}

/* Columns for failed and missing runs only where there are any. */
static struct table *start_pairs(const struct compare_report *r, bool left_out)
{
    struct table *t = table_create();
    const struct compare_data *d = r->data;
    compare_add_group_columns(d, t);
    table_column(t, TABLE_LEFT, d->by);
    if (r->settings->all_variants)
        table_column(t, TABLE_LEFT, "against");
    /* What identifies a row: it is repeated where the table is printed in parts. */
    table_key(t, d->n_group_params + 1 + r->settings->all_variants);
    table_columns(t, left_out ? "pairs>|failed>|missing>|median ratio>" : "pairs>|median ratio>");
    compare_add_interval_column(r->settings, t);
    table_columns(t, "wins>|ties>|losses>|p (Holm)>");
    return t;
}

static void p_cell(struct table *t, double p)
{
    if (p < 1e-300) /* the smallest p that is meaningful; 0 would claim that it is impossible */
        table_cell(t, "< 1e-300");
    else
        table_number(t, p, 2);
}

static void add_pair(const struct compare_report *r, struct table *t, const struct compare_pair *p, bool left_out)
{
    compare_add_group(r->data, p->group, t);
    table_cell(t, name_of(r, p->variant));
    if (r->settings->all_variants)
        table_cell(t, name_of(r, p->reference));
    table_cellf(t, "%zu", p->n);
    if (left_out) {
        table_cellf(t, "%zu", p->n_failed);
        table_cellf(t, "%zu", p->n_missing);
    }
    table_number(t, p->median, COMPARE_DIGITS);
    compare_add_interval(p->low, p->high, t);
    table_cellf(t, "%zu", p->n_wins);
    table_cellf(t, "%zu", p->n_ties);
    table_cellf(t, "%zu", p->n_losses);
    p_cell(t, p->p_holm);
}

/* Each warning is about an assumption of the statistics that these data do not meet. The first two exclude each other:
   with one instance nothing follows, however many pairs there are. */
static void print_warnings(const struct compare_report *r, bool left_out, FILE *out)
{
    const struct compare_data *d = r->data;
    bool all_cases = r->settings->all_cases;
    if (!all_cases && d->n_instances == 1)
        page_paragraphf(out,
                        "One instance is not a sample: nothing follows for other instances. --pairs all treats its "
                        "settings as independent samples, which they are not.\n");
    else if (has_few(r))
        page_paragraphf(
            out,
            "Intervals of fewer than %zu pairs are less certain than stated: the true median may lie beyond "
            "all of the pairs.\n",
            least_pairs(r->settings->confidence));
    if (all_cases && d->n_cases > d->n_instances)
        page_paragraphf(out, "Settings of one instance are not independent: p is too small and the intervals are too "
                             "narrow.\n");
    /* Copies were taken out by sim/results/compare; in cases they were counted, hence "either" below. */
    if (!all_cases && d->n_copies > 0)
        page_paragraphf(out,
                        "%zu more instance%s one of these in every figure of every run: identical instances count "
                        "once.\n",
                        d->n_copies, d->n_copies == 1 ? " equals" : "s equal");
    if (all_cases && r->result->n_copies > 0)
        page_paragraphf(out,
                        "%zu of the %zu cases have exactly the figures of another one: identical runs are not "
                        "independent samples either.\n",
                        r->result->n_copies, d->n_cases);
    if (left_out)
        page_paragraphf(out, "A row leaves out the cases in which one of the two runs failed or is missing.\n");
}

static void print_pairs(const struct compare_report *r, FILE *out)
{
    bool left_out = has_left_out(r);
    struct table *t = start_pairs(r, left_out);
    for (size_t i = 0; i < r->result->n_pairs; i++)
        add_pair(r, t, &r->result->pairs[i], left_out);
    table_end(t, out);
    putc('\n', out);
    /* Only if instances have several settings is there something to average. */
    if (!r->settings->all_cases && r->data->n_cases > r->data->n_instances)
        page_paragraphf(out, "A pair: the geometric mean of an instance's ratios over its settings.\n");
    page_paragraphf(
        out,
        "Median ratio: of the pairs; its interval: percentiles of %ld bootstrap medians (seed %" PRIu64
        ").\np: Wilcoxon's signed-rank test of the log ratios, two-sided; corrected for all rows by Holm.\n",
        r->settings->n_resamples, r->settings->seed);
    print_warnings(r, left_out, out);
}

static void print_profile(const struct compare_report *r, FILE *out)
{
    size_t n = r->result->n_profiled, n_others = r->data->n_cases - n;
    struct table *t = table_create();
    /* Without one complete case there is nothing to divide by. */
    if (n == 0) {
        fputs("\nThere is no performance profile: no case has a run of every variant.\n", out);
        table_free(t);
        return;
    }
    table_column(t, TABLE_LEFT, r->data->by);
    for (size_t f = 0; f < N_FACTORS; f++) {
        char header[32];
        snprintf(header, sizeof header, "%g", factors[f]);
        table_column(t, TABLE_RIGHT, header);
    }
    for (size_t v = 0; v < r->data->variants.n_values; v++) {
        table_cell(t, name_of(r, v));
        for (size_t f = 0; f < N_FACTORS; f++)
            table_cellf(t, "%.3f", share_of(r, v, factors[f]));
    }
    putc('\n', out);
    /* Cases that lack a variant are left out for all: shares of different cases could not be compared. */
    char *others = n_others > 0 ? mem_format(" (%zu other%s lack%s some variant)", n_others, plural(n_others),
                                             n_others == 1 ? "s" : "")
                                : mem_strdup("");
    page_paragraphf(out, "Share of %zu cases in which a variant is within a factor of the best one%s\n\n", n, others);
    free(others);
    table_end(t, out);
}

/* Whoever doubts a case can run it again: the command is complete. */
static void print_rerun(const struct compare_report *r, size_t number, size_t variant, FILE *out)
{
    const struct compare_row *row = compare_find(r->data, number, variant);
    char *command = compare_rerun(r->data, row);
    fprintf(out, "    %s   # %s: %.6g\n", command, name_of(r, variant), row->figure);
    free(command);
}

static void print_worst(const struct compare_report *r, FILE *out)
{
    const char *reference = name_of(r, r->settings->reference);
    if (r->settings->n_worst == 0) /* --worst 0 */
        return;
    if (r->result->n_worst == 0) {
        fprintf(out, "\nNo variant is worse than %s in any case.\n", reference);
        return;
    }
    fprintf(out, "\nThe worst cases against %s:\n", reference);
    for (size_t i = 0; i < r->result->n_worst; i++) {
        const struct compare_worst *w = &r->result->worst[i];
        char *where = compare_describe(r->data, w->number);
        char *line = mem_format("%s, ratio %.*g, at %s", name_of(r, w->variant), COMPARE_DIGITS, w->ratio, where);
        struct text lines = {0};
        page_add_lines(&lines, "  ", line);
        fprintf(out, "\n%s", text_str(&lines));
        print_rerun(r, w->number, w->variant, out);
        print_rerun(r, w->number, r->settings->reference, out);
        text_clear(&lines);
        free(line);
        free(where);
    }
}

void compare_report_print(const struct compare_report *r, FILE *out)
{
    print_title(r, out);
    print_pairs(r, out);
    print_profile(r, out);
    if (r->prediction != NULL)
        prediction_report_print(r, out);
    print_worst(r, out);
}

/* --- JSON and CSV --- */

/* Variants are values of parameters, perhaps names of files. */
static json_t *json_name(const struct compare_report *r, size_t variant)
{
    return json_bytes(name_of(r, variant));
}

static json_t *json_pair(const struct compare_report *r, const struct compare_pair *p)
{
    /* Figures that may be missing or infinite are "s:o": json_pack gives NULL for a number that is not finite. */
    return json_pack("{s:o, s:o, s:o, s:I, s:I, s:I, s:o, s:o, s:o, s:I, s:I, s:I, s:f, s:f, s:b, s:o, s:o}", "group",
                     compare_json_group(r->data, p->group), "variant", json_name(r, p->variant), "reference",
                     json_name(r, p->reference), "pairs", (json_int_t)p->n, "failed", (json_int_t)p->n_failed,
                     "missing", (json_int_t)p->n_missing, "median_ratio", compare_json_figure(p->median), "low",
                     compare_json_figure(p->low), "high", compare_json_figure(p->high), "wins", (json_int_t)p->n_wins,
                     "ties", (json_int_t)p->n_ties, "losses", (json_int_t)p->n_losses, "w_plus", p->test.w_plus,
                     "w_minus", p->test.w_minus, "exact", p->test.is_exact, "p", compare_json_figure(p->test.p),
                     "p_holm", compare_json_figure(p->p_holm));
}

static json_t *json_profile(const struct compare_report *r)
{
    json_t *at = json_array(), *variants = json_array();
    for (size_t f = 0; f < N_FACTORS; f++)
        json_array_append_new(at, json_real(factors[f]));
    for (size_t v = 0; v < r->data->variants.n_values; v++) {
        json_t *shares = json_array();
        for (size_t f = 0; f < N_FACTORS; f++)
            json_array_append_new(shares, compare_json_figure(share_of(r, v, factors[f])));
        json_array_append_new(variants, json_pack("{s:o, s:o}", "variant", json_name(r, v), "shares", shares));
    }
    return json_pack("{s:I, s:o, s:o}", "cases", (json_int_t)r->result->n_profiled, "factors", at, "variants",
                     variants);
}

static json_t *json_worst(const struct compare_report *r, const struct compare_worst *w)
{
    const struct compare_row *a = compare_find(r->data, w->number, w->variant);
    const struct compare_row *b = compare_find(r->data, w->number, r->settings->reference);
    char *where = compare_describe(r->data, w->number);
    char *rerun_a = compare_rerun(r->data, a), *rerun_b = compare_rerun(r->data, b);
    json_t *one = json_pack("{s:o, s:o, s:o, s:o, s:f, s:f, s:o, s:o}", "variant", json_name(r, w->variant),
                            "reference", json_name(r, r->settings->reference), "ratio", compare_json_figure(w->ratio),
                            "parameters", json_bytes(where), "variant_figure", a->figure, "reference_figure", b->figure,
                            "variant_rerun", json_bytes(rerun_a), "reference_rerun", json_bytes(rerun_b));
    free(where);
    free(rerun_a);
    free(rerun_b);
    return one;
}

json_t *compare_report_json(const struct compare_report *r)
{
    const struct compare_settings *s = r->settings;
    json_t *pairs = json_array(), *worst = json_array();
    for (size_t i = 0; i < r->result->n_pairs; i++)
        json_array_append_new(pairs, json_pair(r, &r->result->pairs[i]));
    for (size_t i = 0; i < r->result->n_worst; i++)
        json_array_append_new(worst, json_worst(r, &r->result->worst[i]));
    json_t *all = json_pack("{s:s, s:s, s:s, s:s, s:o, s:s, s:I, s:I, s:I, s:I, s:f, s:I, s:I, s:f, s:o, s:o, s:o}",
                            "metric", r->data->metric, "unit", r->data->unit, "better", better_of(r), "by", r->data->by,
                            "reference", json_name(r, s->reference), "a_pair_is", s->all_cases ? "case" : "instance",
                            "instances", (json_int_t)r->data->n_instances, "settings", (json_int_t)r->data->n_settings,
                            "cases", (json_int_t)r->data->n_cases, "copies",
                            /* What the text warns of, by the kind of pair. */
                            (json_int_t)(s->all_cases ? r->result->n_copies : r->data->n_copies), "confidence",
                            s->confidence, "resamples", (json_int_t)s->n_resamples, "seed", (json_int_t)s->seed,
                            "tolerance", s->tolerance, "pairs", pairs, "profile", json_profile(r), "worst", worst);
    if (r->prediction != NULL)
        json_object_set_new(all, "prediction", prediction_report_json(r));
    return all;
}

/* As many columns as the header of compare_report_csv, in its order. */
static void write_pair(const struct compare_report *r, const struct compare_pair *p, FILE *out)
{
    char number[TEXT_NUMBER_SIZE];
    compare_write_group(r->data, p->group, out);
    text_write_csv_field(out, r->data->metric);
    fprintf(out, ",");
    text_write_csv_field(out, r->data->unit);
    fprintf(out, ",%s,", better_of(r));
    text_write_csv_field(out, name_of(r, p->variant));
    putc(',', out);
    text_write_csv_field(out, name_of(r, p->reference));
    fprintf(out, ",%zu,%zu,%zu,", p->n, p->n_failed, p->n_missing);
    compare_write_figure(p->median, out);
    compare_write_figure(p->low, out);
    compare_write_figure(p->high, out);
    fprintf(out, "%.15g,%zu,%zu,%zu,", r->settings->confidence, p->n_wins, p->n_ties, p->n_losses);
    compare_write_figure(p->test.w_plus, out);
    compare_write_figure(p->test.w_minus, out);
    fprintf(out, "%d,", p->test.is_exact);
    compare_write_figure(p->test.p, out);
    if (!isnan(p->p_holm)) /* the last field has no comma behind it */
        fputs(text_number(p->p_holm, number), out);
    putc('\n', out);
}

/* new_file: the whole file or none, so a program never reads half a table. */
enum err_code compare_report_csv(const struct compare_report *r, const char *path, struct err *e)
{
    struct new_file f;
    enum err_code code = new_file_open(path, &f, e);
    if (code != ERR_NONE)
        return code;
    compare_write_group_names(r->data, f.out);
    fputs("metric,unit,better,variant,reference,pairs,failed,missing,median_ratio,low,high,confidence,wins,ties,losses,"
          "w_plus,"
          "w_minus,exact,p,p_holm\n",
          f.out);
    for (size_t i = 0; i < r->result->n_pairs; i++)
        write_pair(r, &r->result->pairs[i], f.out);
    return new_file_close(&f, true, e);
}

static void write_step(const struct compare_report *r, size_t variant, double factor, double share, FILE *out)
{
    char number[TEXT_NUMBER_SIZE];
    text_write_csv_field(out, name_of(r, variant));
    fprintf(out, ",%s", text_number(factor, number));
    fprintf(out, ",%s\n", text_number(share, number));
}

/* A step function: a row where the share rises. Equal ratios are one step; infinite ones (the best figure is 0) none,
   so the last share may be below 1. */
static void write_steps(const struct compare_report *r, size_t variant, FILE *out)
{
    size_t n = r->result->n_profiled;
    const double *ratios = r->result->ratios + variant * n;
    if (n > 0 && ratios[0] > 1) /* the share at factor 1 is 0 unless the variant was the best somewhere */
        write_step(r, variant, 1, 0, out);
    for (size_t i = 0; i < n && !isinf(ratios[i]); i++)
        if (i + 1 == n || ratios[i + 1] != ratios[i])
            write_step(r, variant, ratios[i], (double)(i + 1) / (double)n, out);
}

enum err_code compare_report_profile(const struct compare_report *r, const char *path, struct err *e)
{
    struct new_file f;
    enum err_code code = new_file_open(path, &f, e);
    if (code != ERR_NONE)
        return code;
    fputs("variant,factor,share\n", f.out);
    for (size_t v = 0; v < r->data->variants.n_values; v++)
        write_steps(r, v, f.out);
    return new_file_close(&f, true, e);
}
