/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* All runs of a database as data of a page, which filters, groups and compares them by itself. Columns, not rows: a
   column is one string of numbers with commas, because JSON's numbers would have 9 digits in a page, and a string is
   read faster than an array. Runs are sorted by their values, so columns of parameters deflate to almost nothing. */
#include "html/results_html.h"

#include "base/text.h"
#include "compare/frame.h"
#include "report/json_bytes.h"
#include "scenario/rerun.h"
#include "store/store.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Digits of figures; of keys as many as commands that run a point again need (scenario/rerun.h). */
enum { FEW_DIGITS = 7, ALL_DIGITS = 17 };

static json_t *take_text(struct text *t)
{
    json_t *string = json_bytes(text_str(t));
    text_clear(t);
    return string;
}

static const char *comma(size_t i)
{
    return i > 0 ? "," : "";
}

/* ---- parameters and metrics ---- */

/* For each run the number of its value in the list of values. */
static json_t *places_of(const struct frame *f, size_t p)
{
    struct text t = {0};
    for (size_t i = 0; i < f->n_rows; i++)
        text_addf(&t, "%s%u", comma(i), f->rows[i].values[p]);
    return take_text(&t);
}

static json_t *json_param(const struct frame *f, size_t p, const struct run_kind *x)
{
    const struct value_list *l = &f->params[p].values;
    const struct param *known = NULL;
    json_t *values = json_array();
    for (size_t i = 0; i < l->n_values; i++)
        json_array_append_new(values, json_bytes(l->values[i].text));
    /* An experiment or a parameter that this program does not know (another version, a plugin) has its name, no
       meaning. */
    if (x != NULL)
        run_find_param(x, l->name, &known, NULL);
    json_t *param = json_pack("{s:o, s:s, s:s, s:b, s:b, s:o}", "name", json_bytes(l->name), "unit",
                              known != NULL ? known->unit : "", "meaning", known != NULL ? known->meaning : "",
                              "is_file", x != NULL && run_file(x, l->name) != NULL, "is_instance",
                              f->params[p].names_instance, "values", values);
    /* A fixed parameter needs no column. */
    if (l->n_values > 1)
        json_object_set_new(param, "rows", places_of(f, p));
    return param;
}

/* Large databases get fewer digits, so that a browser can hold them; small ones are exact, as `iasim export` is. */
static json_t *figures_of(const struct frame *f, size_t m)
{
    struct text t = {0};
    char number[TEXT_NUMBER_SIZE];
    for (size_t i = 0; i < f->n_rows; i++) {
        double figure = f->rows[i].figures[m];
        text_addf(&t, "%s", comma(i));
        if (isfinite(figure) && f->n_rows > RESULTS_EXACT_RUNS)
            text_addf(&t, "%.*g", FEW_DIGITS, figure);
        else if (isfinite(figure))
            text_addf(&t, "%s", text_number_short(figure, number));
    }
    return take_text(&t);
}

static json_t *json_metric(const struct frame *f, size_t m, const struct run_kind *x)
{
    const struct metric *known = x != NULL ? run_metric(x, f->metrics[m]) : NULL;
    return json_pack("{s:o, s:s, s:s, s:s, s:o}", "name", json_bytes(f->metrics[m]), "unit", known ? known->unit : "",
                     "meaning", known ? known->meaning : "", "better",
                     better_names[known ? known->better : BETTER_NONE], "rows", figures_of(f, m));
}

/* ---- runs ---- */

static json_t *json_keys(const struct frame *f)
{
    struct text t = {0};
    for (size_t i = 0; i < f->n_rows; i++)
        text_addf(&t, "%s%.*s", comma(i), RERUN_KEY_DIGITS, f->rows[i].key);
    return take_text(&t);
}

/* Copies of an instance are no samples of their own (compare/compare.h): -1, so that the page leaves them out of
   statistics. */
static json_t *json_instances(const struct frame *f)
{
    struct text t = {0};
    for (size_t i = 0; i < f->n_rows; i++)
        text_addf(&t, "%s%d", comma(i), f->is_copy[f->rows[i].instance] ? -1 : (int)f->rows[i].instance);
    return take_text(&t);
}

/* Many runs fail for one reason: each text once, with the runs that it belongs to. `by_text` finds a text again in
   constant time; `errors` keeps the order of the runs. */
static json_t *json_errors(const struct frame *f)
{
    json_t *errors = json_array(), *by_text = json_object();
    for (size_t i = 0; i < f->n_rows; i++) {
        if (f->rows[i].error == NULL)
            continue;
        json_t *text = json_bytes(f->rows[i].error), *error = json_object_get(by_text, json_string_value(text));
        if (error == NULL) {
            /* Both own `error`: it is added to one with a reference of its own, and given to the other. */
            error = json_pack("{s:O, s:[]}", "text", text, "rows");
            json_object_set(by_text, json_string_value(text), error);
            json_array_append_new(errors, error);
        }
        json_array_append_new(json_object_get(error, "rows"), json_integer((json_int_t)i));
        json_decref(text);
    }
    json_decref(by_text);
    return errors;
}

/* ---- the tables of the scenario ---- */

static json_t *json_names(const struct scenario_names *names)
{
    json_t *array = json_array();
    for (size_t i = 0; i < names->n; i++)
        json_array_append_new(array, json_bytes(names->names[i]));
    return array;
}

/* The page's first pictures: the tables that the scenario asks for. Without the scenario there are none. */
static json_t *json_views(const struct scenario *s)
{
    json_t *views = json_array();
    for (size_t i = 0; s != NULL && i < s->n_tables; i++) {
        const struct scenario_table *t = &s->tables[i];
        json_array_append_new(views,
                              json_pack("{s:o, s:s, s:o, s:o, s:o, s:o}", "title", json_bytes(t->title), "metric",
                                        t->metric, "rows", json_names(&t->rows), "columns", json_bytes(t->columns),
                                        "relative_to", json_bytes(t->relative_to), "best_of", json_names(&t->best_of)));
    }
    return views;
}

static json_t *json_frame(const struct frame *f, const struct results_source *from)
{
    const struct run_kind *x = NULL;
    json_t *params = json_array(), *metrics = json_array();
    /* Not an error: the page then shows names without meanings. */
    if (f->experiment == NULL || run_kind_find(run_kinds, f->experiment, &x, NULL) != ERR_NONE)
        x = NULL;
    for (size_t p = 0; p < f->n_params; p++)
        json_array_append_new(params, json_param(f, p, x));
    for (size_t m = 0; m < f->n_metrics; m++)
        json_array_append_new(metrics, json_metric(f, m, x));
    json_t *out = json_pack("{s:o, s:o, s:o, s:o, s:b, s:i, s:I, s:o, s:o}", "scenario", json_bytes(f->scenario),
                            "experiment", json_bytes(f->experiment), "description",
                            json_bytes(from->scenario != NULL ? from->scenario->description : NULL), "command",
                            json_bytes(f->command), "running", store_is_in_use(from->database), "digits",
                            f->n_rows > RESULTS_EXACT_RUNS ? FEW_DIGITS : ALL_DIGITS, "n", (json_int_t)f->n_rows,
                            "params", params, "metrics", metrics);
    /* null: how many runs the scenario has is not recorded, so the page cannot say what is missing. */
    json_object_set_new(out, "runs", f->n_runs > 0 ? json_integer((json_int_t)f->n_runs) : json_null());
    json_object_set_new(out, "keys", json_keys(f));
    json_object_set_new(out, "instances", json_instances(f));
    json_object_set_new(out, "errors", json_errors(f));
    json_object_set_new(out, "views", json_views(from->scenario));
    return out;
}

enum err_code results_html(const struct results_source *from, json_t **out, struct err *e)
{
    struct frame f;
    enum err_code code = frame_read(from->database, from->scenario, RESULTS_MAX_RUNS, &f, e);
    *out = code == ERR_NONE ? json_frame(&f, from) : NULL;
    frame_clear(&f);
    return code;
}
