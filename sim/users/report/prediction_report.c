/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* How well a predictor (the planned makespan, say) predicts a metric (the simulated one): how far it is off, and
   whether it ranks variants in the same order [Spearman 1904]. The part of the comparison's report that is about the
   predictor. */
#include "report/compare_cells.h"

#include "base/mem.h"
#include "base/new_file.h"
#include "base/text.h"
#include "report/json_bytes.h"
#include "report/page.h"
#include "report/table.h"

#include <stdlib.h>

/* --- text --- */

static struct table *start_table(const struct compare_report *r)
{
    struct table *t = table_create();
    compare_add_group_columns(r->data, t);
    return t;
}

static void add_columns(const struct compare_report *r, struct table *t, const char *figure)
{
    table_column(t, TABLE_RIGHT, figure);
    compare_add_interval_column(r->settings, t);
}

static void add_figures(struct table *t, double value, double low, double high)
{
    table_number(t, value, COMPARE_DIGITS);
    compare_add_interval(low, high, t);
}

static void print_ratios(const struct compare_report *r, FILE *out)
{
    struct table *t = start_table(r);
    /* The column's name depends on the reference. */
    char *over = mem_format("over %s", compare_variant_name(r->data, r->settings->reference));
    table_column(t, TABLE_LEFT, r->data->by);
    table_key(t, r->data->n_group_params + 1);
    table_column(t, TABLE_RIGHT, "pairs");
    add_columns(r, t, "median ratio");
    table_column(t, TABLE_RIGHT, "largest");
    add_columns(r, t, over);
    for (size_t i = 0; i < r->prediction->n_ratios; i++) {
        const struct prediction_ratio *p = &r->prediction->ratios[i];
        compare_add_group(r->data, p->group, t);
        table_cell(t, compare_variant_name(r->data, p->variant));
        table_count(t, p->ratio.n);
        add_figures(t, p->ratio.median, p->ratio.low, p->ratio.high);
        table_number(t, p->largest, COMPARE_DIGITS);
        add_figures(t, p->against.median, p->against.low, p->against.high);
    }
    table_end(t, out);
    free(over);
}

/* Three rows for each group, because each figure has pairs of its own: a rank correlation needs variants that
   differ. */
static void print_orders(const struct compare_report *r, FILE *out)
{
    static const char *const titles[N_PREDICTION_KINDS] = {"rank correlation", "best kept", "ratio to best"};
    struct table *t = start_table(r);
    table_columns(t, "|pairs>");
    table_key(t, r->data->n_group_params + 1);
    add_columns(r, t, "mean");
    for (size_t i = 0; i < r->prediction->n_orders * N_PREDICTION_KINDS; i++) {
        const struct prediction_order *o = &r->prediction->orders[i / N_PREDICTION_KINDS];
        const struct prediction_mean *m = &o->means[i % N_PREDICTION_KINDS];
        compare_add_group(r->data, o->group, t);
        table_cell(t, titles[i % N_PREDICTION_KINDS]);
        table_count(t, m->n);
        add_figures(t, m->mean, m->low, m->high);
    }
    table_end(t, out);
}

/* Over all groups: the reasons are the same. */
static size_t n_left_out(const struct compare_report *r)
{
    size_t n = 0;
    for (size_t g = 0; g < r->prediction->n_orders; g++)
        n += r->prediction->orders[g].n_left_out;
    return n;
}

/* Each table is followed by what its figures mean; their names alone would be misread. */
void prediction_report_print(const struct compare_report *r, FILE *out)
{
    const char *metric = r->data->metric, *predictor = r->data->predictor;
    const char *reference = compare_variant_name(r->data, r->settings->reference);
    fputc('\n', out);
    page_paragraphf(out, "%s / %s, over the same pairs\n", metric, predictor);
    fputc('\n', out);
    print_ratios(r, out);
    fputc('\n', out);
    page_paragraphf(out,
                    "Over %s: the ratio divided by that of %s in the same case. Above 1, %s foretells less well.\n",
                    reference, reference, predictor);
    fputc('\n', out);
    page_paragraphf(out, "Does %s rank the values of %s as %s does?\n", predictor, r->data->by, metric);
    fputc('\n', out);
    print_orders(r, out);
    fputc('\n', out);
    page_paragraphf(out,
                    "Rank correlation: Spearman's, of the two orders; 1: the same order. Best kept: the share of the "
                    "cases in which the best one by %s is the best one by %s. Ratio to best: the %s of the best one by "
                    "%s over that of the best one.%s\n",
                    predictor, metric, metric, predictor,
                    /* With instances as pairs the settings of one are averaged first (compare_report.c
                       says so for ratios, too). */
                    r->settings->all_cases ? "" : " An instance gives its mean over its settings.");
    if (n_left_out(r) > 0)
        page_paragraphf(out, "%zu case%s left out: a run failed, is missing or lacks one of the two figures.\n",
                        n_left_out(r), n_left_out(r) == 1 ? " is" : "s are");
}

/* --- JSON and CSV --- */

static json_t *json_median(const struct prediction_median *m)
{
    return json_pack("{s:I, s:o, s:o, s:o}", "pairs", (json_int_t)m->n, "median", compare_json_figure(m->median), "low",
                     compare_json_figure(m->low), "high", compare_json_figure(m->high));
}

static json_t *json_ratio(const struct compare_report *r, const struct prediction_ratio *p)
{
    return json_pack("{s:o, s:o, s:I, s:o, s:o, s:o}", "group", compare_json_group(r->data, p->group), "variant",
                     json_bytes(compare_variant_name(r->data, p->variant)), "left_out", (json_int_t)p->n_left_out,
                     "ratio", json_median(&p->ratio), "over_reference", json_median(&p->against), "largest",
                     compare_json_figure(p->largest));
}

static json_t *json_order(const struct compare_report *r, const struct prediction_order *o)
{
    json_t *order = json_pack("{s:o, s:I, s:I}", "group", compare_json_group(r->data, o->group), "cases",
                              (json_int_t)o->n_cases, "left_out", (json_int_t)o->n_left_out);
    for (int k = 0; k < N_PREDICTION_KINDS; k++) {
        const struct prediction_mean *m = &o->means[k];
        json_object_set_new(order, prediction_names[k],
                            json_pack("{s:I, s:o, s:o, s:o}", "pairs", (json_int_t)m->n, "mean",
                                      compare_json_figure(m->mean), "low", compare_json_figure(m->low), "high",
                                      compare_json_figure(m->high)));
    }
    return order;
}

json_t *prediction_report_json(const struct compare_report *r)
{
    json_t *ratios = json_array(), *orders = json_array();
    for (size_t i = 0; i < r->prediction->n_ratios; i++)
        json_array_append_new(ratios, json_ratio(r, &r->prediction->ratios[i]));
    for (size_t g = 0; g < r->prediction->n_orders; g++)
        json_array_append_new(orders, json_order(r, &r->prediction->orders[g]));
    return json_pack("{s:o, s:o, s:o}", "predictor", json_bytes(r->data->predictor), "ratios", ratios, "orders",
                     orders);
}

/* Long format: one figure a row, so that ratios and orders, which have different columns, are one table. */
struct row {
    size_t group, n;
    const char *variant, *figure;
    double value, low, high;
};

static void write_row(const struct compare_report *r, const struct row *row, FILE *out)
{
    const double figures[] = {row->value, row->low, row->high};
    compare_write_group(r->data, row->group, out);
    text_write_csv_field(out, r->data->metric);
    putc(',', out);
    text_write_csv_field(out, r->data->predictor);
    putc(',', out);
    text_write_csv_field(out, row->variant);
    fprintf(out, ",%s,%zu,", row->figure, row->n);
    for (size_t i = 0; i < sizeof figures / sizeof figures[0]; i++)
        compare_write_figure(figures[i], out);
    fprintf(out, "%.15g\n", r->settings->confidence);
}

static void write_rows(const struct compare_report *r, FILE *out)
{
    for (size_t i = 0; i < r->prediction->n_ratios; i++) {
        const struct prediction_ratio *p = &r->prediction->ratios[i];
        const struct prediction_median *m = &p->ratio, *a = &p->against;
        const char *variant = compare_variant_name(r->data, p->variant);
        write_row(r, &(struct row){p->group, m->n, variant, "ratio", m->median, m->low, m->high}, out);
        write_row(r, &(struct row){p->group, a->n, variant, "over_reference", a->median, a->low, a->high}, out);
    }
    for (size_t g = 0; g < r->prediction->n_orders; g++)
        for (int k = 0; k < N_PREDICTION_KINDS; k++) {
            const struct prediction_mean *m = &r->prediction->orders[g].means[k];
            /* No variant: the figure is about all of them. */
            write_row(r, &(struct row){g, m->n, "", prediction_names[k], m->mean, m->low, m->high}, out);
        }
}

enum err_code compare_report_prediction(const struct compare_report *r, const char *path, struct err *e)
{
    struct new_file f;
    enum err_code code = new_file_open(path, &f, e);
    if (code != ERR_NONE)
        return code;
    compare_write_group_names(r->data, f.out);
    fputs("metric,predictor,variant,figure,pairs,value,low,high,confidence\n", f.out);
    write_rows(r, f.out);
    return new_file_close(&f, true, e);
}
