/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* One run of a scenario with all its parameters, also those that the scenario does not mention: what would be
   needed to run it by hand. */
#include "report/point_report.h"

#include "report/json_bytes.h"
#include "report/table.h"

#include <math.h>
#include <stdlib.h>

/* More than in tables of means: this is one exact result, to be compared with a row of the database. */
enum { DIGITS = 8 };

/* --- text --- */

void point_report_print(const struct scenario *s, const struct only_result *r, FILE *out)
{
    const struct param *params = run_params(s->experiment);
    const struct metric *metrics = s->experiment->metrics;
    struct table *given = table_of("parameter|value|unit"), *found = table_of("metric|value|unit");
    for (size_t i = 0; params[i].name != NULL; i++) {
        const struct scenario_value *v = turn_value(s, r->turn.point, i);
        if (v == NULL) /* an optional parameter that is not given */
            continue;
        table_cell(given, params[i].name);
        table_cell(given, v->text);
        table_cell(given, params[i].unit);
    }
    for (size_t m = 0; metrics[m].name != NULL; m++) {
        table_cell(found, metrics[m].name);
        table_number(found, r->metrics[m], DIGITS);
        table_cell(found, metrics[m].unit);
    }
    fprintf(out, "point %s of %s, replication %ld\n", r->key, s->name, r->turn.replication);
    fputc('\n', out);
    table_end(given, out);
    fputc('\n', out);
    table_end(found, out);
    if (r->error != NULL)
        fprintf(out, "\nfailed: %s\n", r->error);
}

/* --- JSON --- */

/* Numbers as numbers, so that programs need not parse them again. Costs in steps stay text (param_is_number). */
static json_t *value_json(const struct param *p, const char *text)
{
    if (param_is_number(p, text))
        return json_real(strtod(text, NULL));
    return p->type == PARAM_INTEGER ? json_integer(strtoll(text, NULL, 10)) : json_bytes(text);
}

json_t *point_report_json(const struct scenario *s, const struct only_result *r)
{
    const struct param *params = run_params(s->experiment);
    const struct metric *metrics = s->experiment->metrics;
    json_t *given = json_object(), *found = json_object();
    for (size_t i = 0; params[i].name != NULL; i++) {
        const struct scenario_value *v = turn_value(s, r->turn.point, i);
        if (v != NULL)
            json_object_set_new(given, params[i].name, value_json(&params[i], v->text));
    }
    for (size_t m = 0; metrics[m].name != NULL; m++)
        json_object_set_new(found, metrics[m].name, json_finite(r->metrics[m]));
    return json_pack("{s:s, s:s, s:s, s:I, s:o, s:o, s:o}", "scenario", s->name, "experiment", s->experiment->name,
                     "key", r->key, "replication", (json_int_t)r->turn.replication, "parameters", given, "metrics",
                     found, "error", json_bytes(r->error));
}

/* A row of the kind of run that is new is shown without a line here; defaults are not, nor what commands show in
   their own words (`without`). */
json_t *point_report_given(const struct run_kind *k, const struct param_set *ps, const char *const *without)
{
    json_t *given = json_object();
    for (const struct run_param *r = k->rows; r->is.name != NULL; r++)
        if ((r->facts & RUN_OPTIONAL) != 0 && param_has(ps, r->is.name))
            json_object_set_new(given, r->is.name, value_json(&r->is, param_text(ps, r->is.name)));
    for (; *without != NULL; without++)
        json_object_del(given, *without);
    return given;
}
