/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "report/accuracy_report.h"

#include "base/mem.h"
#include "base/text.h"
#include "report/accuracy_sample.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct accuracy_view error_alone = {.figure = FIGURE_ERROR};

/* "waiting active" or "noise work=0.1, waiting passive", after `before`; "" if the scenario gives neither. The caller's. */
static char *setting_text(const struct accuracy_results *r, size_t setting, const char *before)
{
    const char *noise = accuracy_setting_value(r, setting, AXIS_NOISE),
               *waiting = accuracy_setting_value(r, setting, AXIS_WAITING);
    bool has_noise = *noise != '\0', has_waiting = *waiting != '\0';
    return mem_format("%s%s%s%s%s%s", has_noise || has_waiting ? before : "", has_noise ? "noise " : "", noise,
                      has_noise && has_waiting ? ", " : "", has_waiting ? "waiting " : "", waiting);
}

/* ---- tables ---- */

/* How a figure is shown: unchanged or in percent. */
struct shown {
    const char *title;
    struct accuracy_view view;
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

/* A mean and its interval, which is one column of the text and two of JSON. */
static void add_mean_columns(struct table *t, const char *name, const char *unit)
{
    char *interval = mem_format("95 %% of the %s", name), *low = mem_format("%s, low end of 95 %%", name),
         *high = mem_format("%s, high end of 95 %%", name);
    add_column(t, name, name, unit);
    table_column_as(t, TABLE_RIGHT, interval, NULL);
    add_column(t, NULL, low, unit);
    add_column(t, NULL, high, unit);
    free(interval);
    free(low);
    free(high);
}

static struct table *begin_cells(void)
{
    struct table *t = table_create();
    table_column(t, TABLE_LEFT, "world");
    table_column(t, TABLE_RIGHT, "CCR");
    table_column(t, TABLE_LEFT, "belief");
    return t;
}

/* Shows a world and a CCR only where they change. */
static void add_place(const struct accuracy_results *r, const struct accuracy_cell *c, struct table *t)
{
    const char *world = r->axes[AXIS_WORLD]->values[c->world].text, *ccr = r->axes[AXIS_CCR]->values[c->ccr].text;
    (c->model == 0 && c->ccr == 0 ? table_cell : table_ditto)(t, world);
    table_valuef(t, strtod(ccr, NULL), "%s", c->model == 0 ? ccr : "");
    table_cell(t, r->axes[AXIS_MODEL]->values[c->model].text);
}

/* Three digits, or all before the point. Rounding errors are not shown: 4e-14 % is 0 %. */
static void add_number(struct text *out, double value)
{
    text_addf(out, fabs(value) < 999.5 ? "%.3g" : "%.0f", fabs(value) < 1e-9 ? 0 : value);
}

static void add_interval(struct text *out, double scale, const struct accuracy_sample *s)
{
    add_number(out, scale * s->low);
    text_addf(out, " to ");
    add_number(out, scale * s->high);
}

static void add_value(struct table *t, double scale, const char *unit, double value)
{
    struct text text = {0};
    add_number(&text, scale * value);
    table_valuef(t, scale * value, "%s%s", text_str(&text), unit);
    text_clear(&text);
}

static void add_mean(struct table *t, double scale, const char *unit, const struct accuracy_sample *s)
{
    struct text interval = {0};
    add_interval(&interval, scale, s);
    add_value(t, scale, unit, s->mean);
    table_cell(t, text_str(&interval));
    add_value(t, scale, unit, s->low);
    add_value(t, scale, unit, s->high);
    text_clear(&interval);
}

/* Calls `add` for each world, CCR and belief, in this order. */
static void each_cell(const struct accuracy_results *r, size_t setting, const struct shown *how, struct table *t,
                      void (*add)(const struct accuracy_results *, const struct accuracy_cell *, const struct shown *,
                                  struct table *))
{
    for (size_t w = 0; w < r->n[AXIS_WORLD]; w++)
        for (size_t c = 0; c < r->n[AXIS_CCR]; c++)
            for (size_t m = 0; m < r->n[AXIS_MODEL]; m++)
                add(r, &(struct accuracy_cell){w, setting, (long)c, m}, how, t);
}

static void add_cell(const struct accuracy_results *r, const struct accuracy_cell *c, const struct shown *how,
                     struct table *t)
{
    struct accuracy_sample s = accuracy_collect(r, c, &how->view);
    add_place(r, c, t);
    add_mean(t, how->scale, how->unit, &s);
    add_value(t, how->scale, how->unit, s.median);
    add_value(t, how->scale, how->unit, s.max);
    table_count(t, s.n_graphs);
    accuracy_sample_clear(&s);
}

/* A table of the first setting. */
static void tell_cells(const struct accuracy_results *r, const struct shown *how, struct document *d)
{
    struct table *t = begin_cells();
    add_mean_columns(t, "mean", how->unit);
    add_column(t, "median", "median", how->unit);
    add_column(t, "maximum", "maximum", how->unit);
    table_column(t, TABLE_RIGHT, "graphs");
    each_cell(r, 0, how, t, add_cell);
    char *setting = setting_text(r, 0, "; "), *title = mem_format("%s%s", how->title, setting);
    document_table(d, title, t);
    free(title);
    free(setting);
}

static void add_changed_cell(const struct accuracy_results *r, const struct accuracy_cell *c, const struct shown *how,
                             struct table *t)
{
    const struct accuracy_view change = {how->view.figure, MORE_THAN_SETTING, 0};
    struct accuracy_sample s = accuracy_collect(r, c, &how->view), more = accuracy_collect(r, c, &change);
    add_place(r, c, t);
    add_mean(t, how->scale, how->unit, &s);
    add_mean(t, how->scale, "", &more);
    accuracy_sample_clear(&s);
    accuracy_sample_clear(&more);
}

/* The errors of another setting beside those of the first. */
static void tell_change(const struct accuracy_results *r, size_t setting, struct document *d)
{
    const struct shown how = {NULL, error_alone, 100, " %"};
    struct table *t = begin_cells();
    add_mean_columns(t, "mean", how.unit);
    add_mean_columns(t, "change", "");
    each_cell(r, setting, &how, t, add_changed_cell);
    char *here = setting_text(r, setting, ""), *first = setting_text(r, 0, "");
    char *title = mem_format("Estimation error; %s, and the change from %s in percentage points", here, first);
    document_table(d, title, t);
    free(title);
    free(here);
    free(first);
}

/* ---- claims ---- */

/* Where the chapter's claims are looked at: the places of values on their axes. */
struct place {
    const struct accuracy_results *r;
    size_t world, classic, involvement;
};

static struct accuracy_sample collect_all(const struct place *p, size_t model, const struct accuracy_view *v)
{
    return accuracy_collect(p->r, &(struct accuracy_cell){p->world, 0, -1, model}, v);
}

/* "1.3 % (1.05 to 1.55)". */
static void add_percentage(struct text *out, const char *unit, const struct accuracy_sample *s)
{
    add_number(out, 100 * s->mean);
    text_addf(out, "%s (", unit);
    add_interval(out, 100, s);
    text_addf(out, ")");
}

static void claim_errors(const struct place *p, struct document *d)
{
    struct accuracy_sample mine = collect_all(p, p->involvement, &error_alone),
                           theirs = collect_all(p, p->classic, &error_alone);
    struct text my_mean = {0}, their_mean = {0};
    add_percentage(&my_mean, " %", &mine);
    add_percentage(&their_mean, " %", &theirs);
    document_claimf(d, mine.mean < 0.2,
                    "Under involvement the error is below 20 %% on average: %s here, and %s under classic.",
                    text_str(&my_mean), text_str(&their_mean));
    document_claimf(d, theirs.max >= 18.5,
                    "Under classic the error goes up to 1850 %% (on a Cray T3E-900): up to %.0f %% here.",
                    100 * theirs.max);
    text_clear(&my_mean);
    text_clear(&their_mean);
    accuracy_sample_clear(&mine);
    accuracy_sample_clear(&theirs);
}

static const char *file_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

/* The chapter gives no figure for a small fraction. */
static void claim_contention(const struct place *p, struct document *d)
{
    long contention = scenario_axis_place(p->r->axes[AXIS_MODEL], "contention");
    if (contention < 0)
        return;
    struct accuracy_sample s = collect_all(p, (size_t)contention, &error_alone);
    if (s.n > 0)
        document_claimf(d, s.max >= 3,
                        "Under contention, too, some plans are small fractions (a quarter or less) of the real time on "
                        "some topologies: 1/%.3g on %s here.",
                        1 + s.max, file_name(accuracy_value(p->r, s.worst, AXIS_PLATFORM)));
    accuracy_sample_clear(&s);
}

/* How the mean of a view of a belief's plans changes from the lowest CCR to the highest. */
struct trend {
    struct text means; /* in percent */
    bool grows, is_largest_at_first;
    double low_at_first; /* of the interval of the first mean */
};

static struct trend find_trend(const struct place *p, size_t setting, size_t model, const struct accuracy_view *v)
{
    const char *unit = v->against == ALONE ? " %" : "";
    struct trend t = {.grows = true, .is_largest_at_first = true};
    double before = -INFINITY, first = NAN;
    for (size_t c = 0; c < p->r->n[AXIS_CCR]; c++) {
        struct accuracy_sample s =
            accuracy_collect(p->r, &(struct accuracy_cell){p->world, setting, (long)c, model}, v);
        text_addf(&t.means, "%s", c > 0 ? ", " : "");
        add_percentage(&t.means, unit, &s);
        if (c == 0) {
            first = s.mean;
            t.low_at_first = s.low;
        }
        t.grows = t.grows && s.mean > before;
        t.is_largest_at_first = t.is_largest_at_first && !(s.mean > first);
        before = s.mean;
        accuracy_sample_clear(&s);
    }
    return t;
}

static void claim_growth(const struct place *p, struct document *d)
{
    struct trend t = find_trend(p, 0, p->classic, &error_alone);
    document_claimf(d, t.grows, "Under classic the error grows with the CCR: %s.", text_str(&t.means));
    text_clear(&t.means);
}

static void claim_largest_at_low_ccr(const struct place *p, size_t setting, struct document *d)
{
    struct trend t = find_trend(p, setting, p->involvement, &error_alone);
    char *text = setting_text(p->r, setting, ", ");
    document_claimf(d, t.is_largest_at_first, "Under involvement the error is largest for the lowest CCR%s: %s.", text,
                    text_str(&t.means));
    free(text);
    text_clear(&t.means);
}

/* The chapter's possible explanation of that: it holds if blocking raises the error there, and nowhere more. */
static void claim_blocking(const struct place *p, size_t passive, size_t active, struct document *d)
{
    const struct accuracy_view change = {FIGURE_ERROR, MORE_THAN_SETTING, passive};
    const char *noise = accuracy_setting_value(p->r, active, AXIS_NOISE);
    struct trend t = find_trend(p, active, p->involvement, &change);
    document_claimf(d, t.low_at_first > 0 && t.is_largest_at_first,
                    "Blocking (active waiting) raises this error most for the lowest CCR%s%s: by %s points.",
                    *noise != '\0' ? ", noise " : "", noise, text_str(&t.means));
    text_clear(&t.means);
}

/* Where blocking can be compared with waiting passively. */
static void claim_blocking_of_each_noise(const struct place *p, struct document *d)
{
    const struct scenario_axis *waiting = p->r->axes[AXIS_WAITING];
    long passive = waiting != NULL ? scenario_axis_place(waiting, "passive") : -1,
         active = waiting != NULL ? scenario_axis_place(waiting, "active") : -1;
    for (size_t s = 0; s < p->r->n_settings && passive >= 0 && active >= 0; s += waiting->n_values)
        claim_blocking(p, s + (size_t)passive, s + (size_t)active, d);
}

static void claim_speedup(const struct place *p, struct document *d)
{
    struct accuracy_sample s =
        collect_all(p, p->involvement, &(struct accuracy_view){FIGURE_SPEEDUP, RATIO_TO_MODEL, p->classic});
    document_claimf(d, s.max >= 1.82,
                    "Under involvement the speed-up is up to 82 %% higher: up to %.3g %% here, %.3g %% on average; "
                    "the worst change is %.3g %%.",
                    100 * (s.max - 1), 100 * (s.mean - 1), 100 * (s.min - 1));
    accuracy_sample_clear(&s);
}

static void tell_claims(const struct place *p, struct document *d)
{
    char *setting = setting_text(p->r, 0, ", ");
    document_paragraphf(d,
                        "What the chapter claims (8.4.3), and the figures here, with the interval of 95 %% of a mean; "
                        "world involvement%s%s:",
                        setting, p->r->n_settings > 1 ? " unless another is named" : "");
    free(setting);
    document_claims(d, CLAIMS_LISTED);
    claim_errors(p, d);
    claim_growth(p, d);
    claim_contention(p, d);
    for (size_t s = 0; s < p->r->n_settings; s++)
        claim_largest_at_low_ccr(p, s, d);
    claim_blocking_of_each_noise(p, d);
    claim_speedup(p, d);
}

static void tell_worst(const struct place *p, struct document *d)
{
    struct accuracy_sample s = collect_all(p, p->classic, &error_alone);
    if (s.n > 0)
        document_paragraphf(d,
                            "What ignoring contention costs: the classic plan promised %.4g s for %s%s, which took "
                            "%.4g s here (elsewhere HEFT promised 381 s for a graph that took 3,447 s).",
                            p->r->values[FIGURE_PLANNED][s.worst], accuracy_value(p->r, s.worst, AXIS_GRAPH),
                            accuracy_value(p->r, s.worst, AXIS_GENERATOR), p->r->values[FIGURE_MAKESPAN][s.worst]);
    accuracy_sample_clear(&s);
}

static enum err_code tell(const struct accuracy_results *r, struct document *d, struct err *e)
{
    long classic = scenario_axis_place(r->axes[AXIS_MODEL], "classic"),
         involvement = scenario_axis_place(r->axes[AXIS_MODEL], "involvement"),
         world = scenario_axis_place(r->axes[AXIS_WORLD], "involvement");
    if (classic < 0 || involvement < 0 || world < 0)
        return err_set(e, ERR_INPUT,
                       "the scenario does not sweep the models classic and involvement in the world involvement");
    const struct place place = {r, (size_t)world, (size_t)classic, (size_t)involvement};
    const struct shown tables[] = {
        {"Estimation error, |simulated - planned| / planned", error_alone, 100, " %"},
        {"Simulated makespan / simulated makespan of the classic plan",
         {FIGURE_MAKESPAN, RATIO_TO_MODEL, (size_t)classic},
         1,
         ""},
        {"Simulated speed-up over one processor", {.figure = FIGURE_SPEEDUP}, 1, ""},
    };
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++)
        tell_cells(r, &tables[i], d);
    for (size_t s = 1; s < r->n_settings; s++)
        tell_change(r, s, d);
    tell_claims(&place, d);
    tell_worst(&place, d);
    return ERR_NONE;
}

enum err_code accuracy_report_tell(const struct accuracy_inputs *in, struct document *d, struct err *e)
{
    struct accuracy_results r;
    enum err_code code = accuracy_results_read(in->scenario, in->results, &r, e);
    if (code == ERR_NONE)
        code = tell(&r, d, e);
    accuracy_results_clear(&r);
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
