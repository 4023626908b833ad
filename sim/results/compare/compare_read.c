/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Reads databases. Each value of a row becomes its number in the list of the column's values; compare_group.c sorts the
   rows. */
#include "compare/compare_columns.h"
#include "compare/compare_group.h"
#include "compare/compare_where.h"

#include "base/mem.h"
#include "scenario/rerun.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- one database --- */

struct reading {
    const struct compare_query *q;
    struct compare_data *d;
    struct where *where;
    struct database db;
    struct columns columns;
    size_t database;
};

static bool is_among(const char *name, const char *const *names, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

/* A parameter of a case: neither compared nor ignored. */
static bool makes_instance(const struct reading *r, const struct column *c)
{
    return !c->is_metric && !is_among(c->name, r->q->by, r->q->n_by) &&
           !is_among(c->name, r->q->ignored, r->q->n_ignored);
}

static enum err_code check_names(const struct reading *r, struct err *e)
{
    const struct compare_query *q = r->q;
    enum err_code code = compare_check_column(&r->db, &r->columns, true, q->metric, e);
    if (code == ERR_NONE && q->predictor != NULL)
        code = compare_check_column(&r->db, &r->columns, true, q->predictor, e);
    for (size_t i = 0; code == ERR_NONE && i < q->n_by; i++)
        code = compare_check_column(&r->db, &r->columns, false, q->by[i], e);
    for (size_t i = 0; code == ERR_NONE && i < q->n_ignored; i++)
        code = compare_check_column(&r->db, &r->columns, false, q->ignored[i], e);
    return code;
}

/* The place of a parameter among those of a case. A known parameter that is not there has been taken by --by or
   --ignore, which the message says. */
static enum err_code find_param(const struct reading *r, const char *option, const char *name, size_t *out,
                                struct err *e)
{
    const struct compare_data *d = r->d;
    for (*out = 0; *out < d->n_params; *out += 1)
        if (strcmp(d->params[*out].name, name) == 0)
            return ERR_NONE;
    enum err_code code = compare_check_column(&r->db, &r->columns, false, name, e);
    if (code != ERR_NONE)
        return code;
    return err_set(e, ERR_INPUT, "%s '%s': this parameter is already in --by or --ignore", option, name);
}

static bool is_given(const void *columns, const char *param)
{
    return compare_column(columns, false, param) != NULL;
}

/* The parameters of --instance, or those of the experiment. If the experiment is unknown to this program, every
   parameter helps to identify the instance. */
static enum err_code find_instance(const struct reading *r, struct err *e)
{
    const struct compare_query *q = r->q;
    const struct run_kind *x = NULL;
    struct compare_data *d = r->d;
    enum err_code code = ERR_NONE;
    d->names_instance = mem_zalloc(d->n_params, sizeof *d->names_instance);
    if (run_kind_find(run_kinds, d->experiment, &x, NULL) != ERR_NONE)
        x = NULL;
    /* The last parameter is the replication: in a random experiment each one is a draw of its own. */
    for (size_t p = 0; q->n_instance == 0 && p < d->n_params; p++) {
        d->names_instance[p] = x == NULL || (run_is_random(x, is_given, &r->columns) && p + 1 == d->n_params);
        d->names_instance[p] |= x != NULL && run_param_is(x, d->params[p].name, RUN_INSTANCE);
    }
    for (size_t i = 0, p = 0; code == ERR_NONE && i < q->n_instance; i++) {
        code = find_param(r, "--instance", q->instance[i], &p, e);
        if (code == ERR_NONE)
            d->names_instance[p] = true;
    }
    return code;
}

static enum err_code find_groups(const struct reading *r, struct err *e)
{
    struct compare_data *d = r->d;
    enum err_code code = ERR_NONE;
    d->group_params = mem_zalloc(r->q->n_groups, sizeof *d->group_params);
    for (size_t i = 0; code == ERR_NONE && i < r->q->n_groups; i++) {
        code = find_param(r, "--group-by", r->q->groups[i], &d->group_params[i], e);
        for (size_t k = 0; code == ERR_NONE && k < i; k++)
            if (d->group_params[k] == d->group_params[i])
                code = err_set(e, ERR_INPUT, "--group-by names '%s' twice", r->q->groups[i]);
    }
    /* Set also after an error; group_params has room for all. */
    d->n_group_params = r->q->n_groups;
    return code;
}

/* From the first database; the others must have the same (check_params). */
static void start_params(const struct reading *r)
{
    struct compare_data *d = r->d;
    d->params = mem_zalloc(r->columns.n + 1, sizeof *d->params);
    for (size_t i = 0; i < r->columns.n; i++)
        if (makes_instance(r, &r->columns.list[i]))
            value_list_init(&d->params[d->n_params++], r->columns.list[i].name);
    value_list_init(&d->params[d->n_params++], "replication");
}

/* Databases of one experiment have the same parameters unless the program changed in between. */
static enum err_code check_params(const struct reading *r, struct err *e)
{
    const struct compare_data *d = r->d;
    const char *first = r->q->databases[0], *only_in = NULL, *name = NULL;
    /* Both ways: either database may have the parameter that the other one lacks. */
    for (size_t i = 0; i + 1 < d->n_params; i++)
        if (compare_column(&r->columns, false, d->params[i].name) == NULL) {
            only_in = first;
            name = d->params[i].name;
        }
    for (size_t i = 0; i < r->columns.n; i++) {
        bool known = !makes_instance(r, &r->columns.list[i]);
        for (size_t k = 0; k < d->n_params; k++)
            known = known || strcmp(d->params[k].name, r->columns.list[i].name) == 0;
        if (!known) {
            only_in = r->db.path;
            name = r->columns.list[i].name;
        }
    }
    if (only_in == NULL)
        return ERR_NONE;
    return err_set(e, ERR_INPUT, "%s has the parameter '%s' and %s does not: their rows cannot be paired", only_in,
                   name, only_in == first ? r->db.path : first);
}

static enum err_code check_experiment(const struct reading *r, struct err *e)
{
    char *experiment = NULL;
    enum err_code code = sql_meta(&r->db, "experiment", &experiment, e);
    if (code != ERR_NONE)
        return code;
    if (experiment == NULL)
        return err_set_at(e, ERR_INPUT, r->db.path, 0, "does not name its experiment");
    /* The first database decides. */
    if (r->d->experiment == NULL) {
        r->d->experiment = experiment;
        return ERR_NONE;
    }
    if (strcmp(r->d->experiment, experiment) != 0)
        code = err_set(e, ERR_INPUT, "%s and %s are of different experiments: '%s' and '%s'", r->q->databases[0],
                       r->db.path, r->d->experiment, experiment);
    free(experiment);
    return code;
}

/* Older databases hold the name of the scenario, but not the command. */
static enum err_code read_command(const struct reading *r, struct err *e)
{
    char *scenario = NULL, **command = &r->d->commands[r->database];
    enum err_code code = sql_meta(&r->db, "command", command, e);
    if (code == ERR_NONE && *command == NULL)
        code = sql_meta(&r->db, "scenario", &scenario, e);
    /* A name of a scenario is enough for `iasim run`. */
    if (code == ERR_NONE && *command == NULL)
        *command = rerun_scenario(&(struct rerun_words){.scenario = scenario ? scenario : "SCENARIO"});
    free(scenario);
    return code;
}

/* --- its rows --- */

/* Then the parameters, all metrics, and the columns that --where needs. */
enum { KEY, REPLICATION, FAILED, FIGURE, PREDICTED, BY, FIRST_PARAM };

/* Several values are one text, "heft classic". */
static void add_variant(const struct compare_query *q, struct text *sql)
{
    if (q->n_by == 0)
        text_addf(sql, "NULL");
    else if (q->n_by == 1)
        compare_add_name(sql, q->by[0]);
    for (size_t i = 0; q->n_by > 1 && i < q->n_by; i++) {
        text_addf(sql, "%s CASE typeof(", i ? " || ' ' ||" : "");
        compare_add_name(sql, q->by[i]);
        /* As text_number_short writes most numbers: SQLite would write 1.0 for 1. */
        text_addf(sql, ") WHEN 'real' THEN printf('%%.15g', ");
        compare_add_name(sql, q->by[i]);
        text_addf(sql, ") ELSE ");
        compare_add_name(sql, q->by[i]);
        text_addf(sql, " END");
    }
}

static enum err_code prepare_rows(const struct reading *r, sqlite3_stmt **q, struct err *e)
{
    struct text sql = {0};
    text_addf(&sql, "SELECT key, replication, error IS NOT NULL, ");
    compare_add_name(&sql, r->q->metric);
    text_addf(&sql, ", ");
    if (r->q->predictor != NULL)
        compare_add_name(&sql, r->q->predictor);
    /* NULL is a figure that is not there. */
    text_addf(&sql, "%s, ", r->q->predictor != NULL ? "" : "NULL");
    add_variant(r->q, &sql);
    for (size_t i = 0; i + 1 < r->d->n_params; i++) {
        text_addf(&sql, ", ");
        compare_add_name(&sql, r->d->params[i].name);
    }
    for (size_t i = 0; i < r->columns.n; i++)
        if (r->columns.list[i].is_metric) {
            text_addf(&sql, ", ");
            compare_add_name(&sql, r->columns.list[i].name);
        }
    compare_where_add(r->where, &sql);
    /* By key, so that values are found in the same order whatever the order of the runs. */
    text_addf(&sql, " FROM results ORDER BY key, replication");
    enum err_code code = sql_prepare(&r->db, text_str(&sql), q, e);
    text_clear(&sql);
    return code;
}

static enum err_code take_figure(const struct reading *r, sqlite3_stmt *q, int column, double *out, struct err *e)
{
    bool is_there = sqlite3_column_type(q, column) == SQLITE_FLOAT || sqlite3_column_type(q, column) == SQLITE_INTEGER;
    /* A failed run may have figures from before it failed. */
    double figure = is_there && !sqlite3_column_int(q, FAILED) ? sqlite3_column_double(q, column) : NAN;
    *out = isfinite(figure) ? figure : NAN;
    /* Ratios need figures that are not negative. Infinite ones are treated as missing. */
    if (!isfinite(figure) || figure >= 0)
        return ERR_NONE;
    return err_set_at(e, ERR_INPUT, r->db.path, 0, "%s is %g for key %s: ratios of negative figures cannot be compared",
                      column == FIGURE ? r->q->metric : r->q->predictor, figure,
                      (const char *)sqlite3_column_text(q, KEY));
}

static enum err_code take_figures(const struct reading *r, sqlite3_stmt *q, struct compare_row *row, struct err *e)
{
    enum err_code code = take_figure(r, q, FIGURE, &row->figure, e);
    if (code == ERR_NONE)
        code = take_figure(r, q, PREDICTED, &row->predicted, e);
    /* Figures near 0 would make ratios of chance (rounding, a tick of a clock). A NAN is not below it. */
    if (row->figure < r->q->floor)
        row->figure = r->q->floor;
    return code;
}

/* A hash of all metrics, which are columns between the parameters and the conditions. */
static uint64_t fingerprint(const struct reading *r, sqlite3_stmt *q)
{
    uint64_t sum = 0, bits;
    /* From behind the parameters to before the conditions. */
    for (int c = FIRST_PARAM + (int)r->d->n_params - 1; c < sqlite3_column_count(q) - (int)r->where->n; c++) {
        /* One NAN for all: its bits may differ. */
        double figure = sqlite3_column_type(q, c) == SQLITE_NULL ? NAN : sqlite3_column_double(q, c);
        memcpy(&bits, &figure, sizeof bits);
        /* Rotated and multiplied, so the same figures in other columns give another number. */
        sum = (sum << 7 | sum >> 57) * UINT64_C(0x9e3779b97f4a7c15) + bits;
    }
    return sum;
}

static enum err_code take_row(const struct reading *r, sqlite3_stmt *q, struct err *e)
{
    struct compare_data *d = r->d;
    /* Every row is shown to the conditions, even if it is dropped: they count what there is. */
    if (!compare_where_meets(r->where, q, sqlite3_column_count(q) - (int)r->where->n))
        return ERR_NONE;
    if (d->n_rows >= d->capacity) {
        d->capacity = d->capacity ? 2 * d->capacity : 256;
        d->rows = mem_resize(d->rows, d->capacity, sizeof *d->rows);
        d->values = mem_resize(d->values, d->capacity * d->n_params, sizeof *d->values);
    }
    /* Numbers of rows and values have 32 bits, to keep rows small. */
    if (d->n_rows == UINT32_MAX)
        return err_set_at(e, ERR_INPUT, r->db.path, 0, "more than %u rows cannot be compared", UINT32_MAX);
    struct compare_row *row = &d->rows[d->n_rows];
    uint32_t *values = &d->values[d->n_rows * d->n_params];
    row->number = (uint32_t)d->n_rows++;
    /* Several databases: the database is the variant. */
    row->variant = r->q->n_by > 0 ? value_list_add(&d->variants, q, BY) : (uint32_t)r->database;
    for (size_t i = 0; i + 1 < d->n_params; i++)
        values[i] = value_list_add(&d->params[i], q, FIRST_PARAM + (int)i);
    values[d->n_params - 1] = value_list_add(&d->params[d->n_params - 1], q, REPLICATION);
    const char *key = (const char *)sqlite3_column_text(q, KEY);
    snprintf(row->key, sizeof row->key, "%s", key != NULL ? key : "");
    row->fingerprint = fingerprint(r, q);
    return take_figures(r, q, row, e);
}

static enum err_code read_rows(const struct reading *r, struct err *e)
{
    sqlite3_stmt *q = NULL;
    bool row = false;
    enum err_code code = prepare_rows(r, &q, e);
    while (code == ERR_NONE && (code = sql_step(&r->db, q, &row, e)) == ERR_NONE && row)
        code = take_row(r, q, e);
    sqlite3_finalize(q);
    return code;
}

static enum err_code start(const struct reading *r, struct err *e)
{
    start_params(r);
    enum err_code code = find_instance(r, e);
    return code == ERR_NONE ? find_groups(r, e) : code;
}

static enum err_code read_opened(const struct reading *r, struct err *e)
{
    enum err_code code = check_experiment(r, e);
    if (code == ERR_NONE)
        code = check_names(r, e);
    /* The first database starts the lists, the others are checked against them. */
    if (code == ERR_NONE)
        code = r->database == 0 ? start(r, e) : check_params(r, e);
    if (code == ERR_NONE)
        code = read_command(r, e);
    if (code == ERR_NONE)
        code = compare_where_check(r->where, &r->db, &r->columns, e);
    if (code == ERR_NONE)
        code = read_rows(r, e);
    /* A condition that is met in one of the databases is not in vain. */
    bool is_last = r->database + 1 == r->q->n_databases;
    return code == ERR_NONE && is_last ? compare_where_check_seen(r->where, r->db.path, e) : code;
}

static enum err_code read_database(const struct compare_query *q, size_t i, struct where *where, struct compare_data *d,
                                   struct err *e)
{
    struct reading r = {.q = q, .d = d, .where = where, .database = i};
    enum err_code code = sql_open_read(&r.db, q->databases[i], e);
    if (code == ERR_NONE)
        code = sql_check_ours(&r.db, e);
    if (code == ERR_NONE)
        code = compare_columns_read(&r.db, &r.columns, e);
    if (code == ERR_NONE)
        code = read_opened(&r, e);
    sql_close(&r.db);
    compare_columns_clear(&r.columns);
    return code;
}

/* --- all together --- */

static enum err_code check_variants(const struct compare_query *q, const struct compare_data *d, struct err *e)
{
    const char *chosen = q->n_wheres > 0 ? " that meet --where" : "";
    /* The difference between "empty" and "all filtered away" is what the user needs to know. */
    if (d->n_rows == 0)
        return err_set_at(e, ERR_INPUT, q->databases[0], 0, "has no results%s", chosen);
    if (d->variants.n_values < 2)
        return err_set_at(e, ERR_INPUT, q->databases[0], 0,
                          "has only one value of '%s', %s, among the results%s: there is nothing to compare it with",
                          d->by, d->variants.values[0].text, chosen);
    return ERR_NONE;
}

static void find_metrics(struct compare_data *d)
{
    const struct run_kind *x = NULL;
    const struct metric *m = NULL, *predictor = NULL;
    if (run_kind_find(run_kinds, d->experiment, &x, NULL) == ERR_NONE) {
        m = run_metric(x, d->metric);
        predictor = d->predictor != NULL ? run_metric(x, d->predictor) : NULL;
    }
    /* A metric of an experiment that this program does not know has no unit and no direction. */
    d->unit = mem_strdup(m != NULL ? m->unit : "");
    d->better = m != NULL ? m->better : BETTER_NONE;
    d->predictor_better = predictor != NULL ? predictor->better : BETTER_NONE;
}

static char *join(const char *const *names, size_t n)
{
    struct text out = {0};
    for (size_t i = 0; i < n; i++)
        text_addf(&out, "%s%s", i ? "," : "", names[i]);
    return text_take(&out);
}

enum err_code compare_read(const struct compare_query *q, struct compare_data *out, struct err *e)
{
    enum err_code code = ERR_NONE;
    *out = (struct compare_data){.metric = mem_strdup(q->metric), .n_databases = q->n_databases};
    out->predictor = q->predictor != NULL ? mem_strdup(q->predictor) : NULL;
    out->by = q->n_by == 0 ? mem_strdup("database") : join(q->by, q->n_by);
    out->commands = mem_zalloc(q->n_databases, sizeof *out->commands);
    value_list_init(&out->variants, out->by);
    for (size_t i = 0; q->n_by == 0 && i < q->n_databases; i++)
        /* The index is returned only for a new name. */
        if (value_list_add_text(&out->variants, q->databases[i]) != i)
            return err_set(e, ERR_INPUT, "%s is given twice", q->databases[i]);
    struct where where = {0};
    code = compare_where_read(q, &where, e);
    for (size_t i = 0; code == ERR_NONE && i < q->n_databases; i++)
        code = read_database(q, i, &where, out, e);
    compare_where_clear(&where);
    if (code == ERR_NONE)
        code = check_variants(q, out, e);
    if (code != ERR_NONE)
        return code;
    find_metrics(out);
    return compare_group(q, out, e);
}

void compare_data_clear(struct compare_data *d)
{
    value_list_clear(&d->variants);
    for (size_t i = 0; i < d->n_params; i++)
        value_list_clear(&d->params[i]);
    for (size_t i = 0; i < d->n_databases; i++)
        free(d->commands[i]);
    free(d->experiment);
    free(d->metric);
    free(d->predictor);
    free(d->unit);
    free(d->by);
    free(d->commands);
    free(d->params);
    free(d->values);
    free(d->rows);
    free(d->starts);
    free(d->names_instance);
    free(d->instance_of);
    free(d->group_params);
    free(d->group_of);
    *d = (struct compare_data){0};
}
