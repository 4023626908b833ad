/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* From databases to rows of small numbers, which compare_group.c brings into order. */
#include "compare/compare_internal.h"

#include "base/mem.h"
#include "base/text.h"
#include "scenario/rerun.h"
#include "store/store_sql.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- what columns a database has --- */

struct column {
    char *name;
    bool is_metric, is_text;
};

struct schema {
    struct column *columns;
    size_t n, capacity;
};

static void schema_clear(struct schema *s)
{
    for (size_t i = 0; i < s->n; i++)
        free(s->columns[i].name);
    free(s->columns);
}

/* Parameters are never NULL, metrics may be; neither is part of the primary key. */
static enum err_code schema_read(const struct database *db, struct schema *out, struct err *e)
{
    sqlite3_stmt *q = NULL;
    bool row = false;
    enum err_code code = sql_prepare(db,
                                     "SELECT name, \"notnull\", type = 'TEXT' FROM pragma_table_info('results') "
                                     "WHERE pk = 0 AND name <> 'error'",
                                     &q, e);
    while (code == ERR_NONE && (code = sql_step(db, q, &row, e)) == ERR_NONE && row) {
        MEM_GROW(out->columns, out->n, out->capacity);
        out->columns[out->n++] = (struct column){mem_strdup((const char *)sqlite3_column_text(q, 0)),
                                                 !sqlite3_column_int(q, 1), sqlite3_column_int(q, 2)};
    }
    sqlite3_finalize(q);
    return code;
}

static const struct column *schema_find(const struct schema *s, bool is_metric, const char *name, size_t n)
{
    for (size_t i = 0; i < s->n; i++)
        if (s->columns[i].is_metric == is_metric && strlen(s->columns[i].name) == n &&
            strncmp(s->columns[i].name, name, n) == 0)
            return &s->columns[i];
    return NULL;
}

static enum err_code check_known(const struct database *db, const struct schema *s, bool is_metric, const char *name,
                                 size_t n, struct err *e)
{
    struct text known = {0};
    if (schema_find(s, is_metric, name, n) != NULL)
        return ERR_NONE;
    for (size_t i = 0; i < s->n; i++)
        if (s->columns[i].is_metric == is_metric)
            text_addf(&known, "%s%s", known.size ? ", " : "", s->columns[i].name);
    enum err_code code = err_set_at(e, ERR_INPUT, db->path, 0, "has no %s '%.*s'; known: %s",
                                    is_metric ? "metric" : "parameter", (int)n, name, text_str(&known));
    text_clear(&known);
    return code;
}

/* --- one database --- */

struct reading {
    const struct compare_query *q;
    struct compare_data *d;
    struct database db;
    struct schema schema;
    size_t database;
    bool *seen; /* [--where]: a row of this or an earlier database has the value */
};

static bool is_among(const char *name, const char *const *names, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

static bool makes_instance(const struct reading *r, const struct column *c)
{
    return !c->is_metric && (r->q->by == NULL || strcmp(c->name, r->q->by) != 0) &&
           !is_among(c->name, r->q->ignored, r->q->n_ignored);
}

static enum err_code check_names(const struct reading *r, struct err *e)
{
    const struct compare_query *q = r->q;
    enum err_code code = check_known(&r->db, &r->schema, true, q->metric, strlen(q->metric), e);
    if (code == ERR_NONE && q->by != NULL)
        code = check_known(&r->db, &r->schema, false, q->by, strlen(q->by), e);
    for (size_t i = 0; code == ERR_NONE && i < q->n_ignored; i++)
        code = check_known(&r->db, &r->schema, false, q->ignored[i], strlen(q->ignored[i]), e);
    for (size_t i = 0; code == ERR_NONE && i < q->n_wheres; i++) {
        size_t n = strcspn(q->wheres[i], "=");
        if (q->wheres[i][n] == '\0')
            return err_set(e, ERR_INPUT, "--where '%s' is not of the form name=value", q->wheres[i]);
        if (n != strlen("replication") || strncmp(q->wheres[i], "replication", n) != 0)
            code = check_known(&r->db, &r->schema, false, q->wheres[i], n, e);
    }
    return code;
}

static void start_params(const struct reading *r)
{
    struct compare_data *d = r->d;
    d->params = mem_zalloc(r->schema.n + 1, sizeof *d->params);
    for (size_t i = 0; i < r->schema.n; i++)
        if (makes_instance(r, &r->schema.columns[i]))
            value_list_init(&d->params[d->n_params++], r->schema.columns[i].name);
    value_list_init(&d->params[d->n_params++], "replication");
}

/* Databases of one experiment have the same parameters unless its program changed in between. */
static enum err_code check_params(const struct reading *r, struct err *e)
{
    const struct compare_data *d = r->d;
    const char *first = r->q->databases[0], *only_in = NULL, *name = NULL;
    for (size_t i = 0; i + 1 < d->n_params; i++)
        if (schema_find(&r->schema, false, d->params[i].name, strlen(d->params[i].name)) == NULL) {
            only_in = first;
            name = d->params[i].name;
        }
    for (size_t i = 0; i < r->schema.n; i++) {
        bool known = !makes_instance(r, &r->schema.columns[i]);
        for (size_t k = 0; k < d->n_params; k++)
            known = known || strcmp(d->params[k].name, r->schema.columns[i].name) == 0;
        if (!known) {
            only_in = r->db.path;
            name = r->schema.columns[i].name;
        }
    }
    if (only_in == NULL)
        return ERR_NONE;
    return err_set(e, ERR_INPUT, "only %s has the parameter '%s', not %s: their rows cannot be paired", only_in, name,
                   only_in == first ? r->db.path : first);
}

static enum err_code check_experiment(const struct reading *r, struct err *e)
{
    char *experiment = NULL;
    enum err_code code = sql_meta(&r->db, "experiment", &experiment, e);
    if (code != ERR_NONE)
        return code;
    if (experiment == NULL)
        return err_set_at(e, ERR_INPUT, r->db.path, 0, "does not say of which experiment it is");
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

/* Databases made before commands were kept name the scenario only. */
static enum err_code read_command(const struct reading *r, struct err *e)
{
    char *scenario = NULL, **command = &r->d->commands[r->database];
    enum err_code code = sql_meta(&r->db, "command", command, e);
    if (code == ERR_NONE && *command == NULL)
        code = sql_meta(&r->db, "scenario", &scenario, e);
    if (code == ERR_NONE && *command == NULL)
        *command = rerun_scenario(&(struct rerun_words){.scenario = scenario ? scenario : "SCENARIO"});
    free(scenario);
    return code;
}

/* --- its rows --- */

static void add_name(struct text *sql, const char *name, size_t n)
{
    text_add(sql, "\"", 1);
    for (size_t i = 0; i < n; i++)
        text_addf(sql, name[i] == '"' ? "\"\"" : "%c", name[i]);
    text_add(sql, "\"", 1);
}

/* Whether an earlier --where has the name, too: then its values were asked for there. */
static bool has_come(const struct compare_query *q, size_t i)
{
    size_t n = strcspn(q->wheres[i], "=") + 1;
    for (size_t k = 0; k < i; k++)
        if (strncmp(q->wheres[k], q->wheres[i], n) == 0)
            return true;
    return false;
}

/* name IN (?3, ?7) AND ...: a number for each of the values in their order. */
static void add_wheres(struct text *sql, const struct compare_query *q)
{
    const char *glue = " WHERE ";
    for (size_t i = 0; i < q->n_wheres; i++) {
        size_t n = strcspn(q->wheres[i], "=");
        if (has_come(q, i))
            continue;
        text_addf(sql, "%s", glue);
        add_name(sql, q->wheres[i], n);
        text_addf(sql, " IN (?%zu", i + 1);
        for (size_t k = i + 1; k < q->n_wheres; k++)
            if (strncmp(q->wheres[k], q->wheres[i], n + 1) == 0)
                text_addf(sql, ", ?%zu", k + 1);
        text_addf(sql, ")");
        glue = " AND ";
    }
}

static enum err_code bind_where(const struct reading *r, sqlite3_stmt *q, int number, const char *where, struct err *e)
{
    size_t n = strcspn(where, "=");
    const struct column *c = schema_find(&r->schema, false, where, n);
    double value;
    if (c != NULL && c->is_text)
        sqlite3_bind_text(q, number, where + n + 1, -1, SQLITE_STATIC);
    else if (text_to_double(where + n + 1, &value))
        sqlite3_bind_double(q, number, value);
    else
        return err_set(e, ERR_INPUT, "--where %s: '%s' is not a number", where, where + n + 1);
    return ERR_NONE;
}

static enum err_code say_known_values(const struct reading *r, const char *where, struct err *e)
{
    struct text sql = {0}, known = {0};
    struct value_list values;
    sqlite3_stmt *q = NULL;
    bool row = false;
    size_t n = strcspn(where, "=");
    value_list_init(&values, "");
    text_addf(&sql, "SELECT DISTINCT ");
    add_name(&sql, where, n);
    text_addf(&sql, " FROM results ORDER BY 1 LIMIT %d", COMPARE_SHOWN_VALUES + 1);
    enum err_code code = sql_prepare(&r->db, text_str(&sql), &q, e);
    while (code == ERR_NONE && (code = sql_step(&r->db, q, &row, e)) == ERR_NONE && row)
        value_list_add(&values, q, 0);
    sqlite3_finalize(q);
    for (size_t i = 0; i < values.n_values && i < COMPARE_SHOWN_VALUES; i++)
        text_addf(&known, "%s%s", i ? ", " : "", values.values[i].text);
    if (code == ERR_NONE)
        code = err_set_at(e, ERR_INPUT, r->db.path, 0, "has no results with %.*s '%s'; known: %s%s", (int)n, where,
                          where + n + 1, text_str(&known), values.n_values > COMPARE_SHOWN_VALUES ? ", .." : "");
    value_list_clear(&values);
    text_clear(&sql);
    text_clear(&known);
    return code;
}

/* The value must be that of some row of some database: after the last one it is known that it is not. */
static enum err_code check_value(const struct reading *r, size_t number, struct err *e)
{
    const char *where = r->q->wheres[number];
    struct text sql = {0};
    sqlite3_stmt *q = NULL;
    bool row = false;
    text_addf(&sql, "SELECT 1 FROM results WHERE ");
    add_name(&sql, where, strcspn(where, "="));
    text_addf(&sql, " = ? LIMIT 1");
    enum err_code code = sql_prepare(&r->db, text_str(&sql), &q, e);
    if (code == ERR_NONE)
        code = bind_where(r, q, 1, where, e);
    if (code == ERR_NONE)
        code = sql_step(&r->db, q, &row, e);
    sqlite3_finalize(q);
    text_clear(&sql);
    r->seen[number] = r->seen[number] || row;
    bool is_last = r->database + 1 == r->q->n_databases;
    return code == ERR_NONE && is_last && !r->seen[number] ? say_known_values(r, where, e) : code;
}

enum { KEY, REPLICATION, FAILED, FIGURE, BY, FIRST_PARAM };

static enum err_code prepare_rows(const struct reading *r, sqlite3_stmt **q, struct err *e)
{
    struct text sql = {0};
    text_addf(&sql, "SELECT key, replication, error IS NOT NULL, ");
    add_name(&sql, r->q->metric, strlen(r->q->metric));
    text_addf(&sql, ", ");
    if (r->q->by != NULL)
        add_name(&sql, r->q->by, strlen(r->q->by));
    else
        text_addf(&sql, "NULL");
    for (size_t i = 0; i + 1 < r->d->n_params; i++) {
        text_addf(&sql, ", ");
        add_name(&sql, r->d->params[i].name, strlen(r->d->params[i].name));
    }
    text_addf(&sql, " FROM results");
    add_wheres(&sql, r->q);
    text_addf(&sql, " ORDER BY key, replication");
    enum err_code code = sql_prepare(&r->db, text_str(&sql), q, e);
    for (size_t i = 0; code == ERR_NONE && i < r->q->n_wheres; i++)
        code = bind_where(r, *q, (int)i + 1, r->q->wheres[i], e);
    text_clear(&sql);
    return code;
}

/* 32 hexadecimal digits as two numbers. */
static bool read_key(const char *text, uint64_t out[2])
{
    size_t i = 0;
    out[0] = out[1] = 0;
    for (; text != NULL && text[i] != '\0' && i < 32; i++) {
        const char *digits = "0123456789abcdef", *at = strchr(digits, text[i]);
        if (at == NULL)
            return false;
        out[i / 16] = out[i / 16] << 4 | (uint64_t)(at - digits);
    }
    return i == 32 && text[32] == '\0';
}

static enum err_code take_figure(const struct reading *r, sqlite3_stmt *q, double *out, struct err *e)
{
    bool is_there = sqlite3_column_type(q, FIGURE) == SQLITE_FLOAT || sqlite3_column_type(q, FIGURE) == SQLITE_INTEGER;
    double figure = is_there && !sqlite3_column_int(q, FAILED) ? sqlite3_column_double(q, FIGURE) : NAN;
    *out = isfinite(figure) ? fmax(figure, r->q->floor) : NAN;
    if (!isfinite(figure) || figure >= 0)
        return ERR_NONE;
    return err_set_at(e, ERR_INPUT, r->db.path, 0,
                      "%s is negative, %g, for key %s: figures are compared by their ratios, which need 0 or more",
                      r->q->metric, figure, (const char *)sqlite3_column_text(q, KEY));
}

static enum err_code take_row(const struct reading *r, sqlite3_stmt *q, struct err *e)
{
    struct compare_data *d = r->d;
    if (d->n_rows >= d->capacity) {
        d->capacity = d->capacity ? 2 * d->capacity : 256;
        d->rows = mem_resize(d->rows, d->capacity, sizeof *d->rows);
        d->values = mem_resize(d->values, d->capacity * d->n_params, sizeof *d->values);
    }
    if (d->n_rows == UINT32_MAX)
        return err_set_at(e, ERR_INPUT, r->db.path, 0, "more than %u rows cannot be compared", UINT32_MAX);
    struct compare_row *row = &d->rows[d->n_rows];
    uint32_t *values = &d->values[d->n_rows * d->n_params];
    row->number = (uint32_t)d->n_rows++;
    row->variant = r->q->by != NULL ? value_list_add(&d->variants, q, BY) : (uint32_t)r->database;
    for (size_t i = 0; i + 1 < d->n_params; i++)
        values[i] = value_list_add(&d->params[i], q, FIRST_PARAM + (int)i);
    values[d->n_params - 1] = value_list_add(&d->params[d->n_params - 1], q, REPLICATION);
    if (!read_key((const char *)sqlite3_column_text(q, KEY), row->key))
        return err_set_at(e, ERR_INPUT, r->db.path, 0, "is damaged: '%s' is no key", sqlite3_column_text(q, KEY));
    return take_figure(r, q, &row->figure, e);
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

static enum err_code read_database(const struct compare_query *q, size_t i, bool *seen, struct compare_data *d,
                                   struct err *e)
{
    struct reading r = {.q = q, .d = d, .database = i, .seen = seen};
    enum err_code code = sql_open_read(&r.db, q->databases[i], e);
    if (code == ERR_NONE)
        code = sql_check_ours(&r.db, e);
    if (code == ERR_NONE)
        code = schema_read(&r.db, &r.schema, e);
    if (code == ERR_NONE)
        code = check_experiment(&r, e);
    if (code == ERR_NONE)
        code = check_names(&r, e);
    if (code == ERR_NONE && i == 0)
        start_params(&r);
    else if (code == ERR_NONE)
        code = check_params(&r, e);
    if (code == ERR_NONE)
        code = read_command(&r, e);
    for (size_t w = 0; code == ERR_NONE && w < q->n_wheres; w++)
        code = check_value(&r, w, e);
    if (code == ERR_NONE)
        code = read_rows(&r, e);
    sql_close(&r.db);
    schema_clear(&r.schema);
    return code;
}

/* --- all together --- */

static enum err_code check_variants(const struct compare_query *q, const struct compare_data *d, struct err *e)
{
    const char *chosen = q->n_wheres > 0 ? " that --where chooses" : "";
    if (d->n_rows == 0)
        return err_set_at(e, ERR_INPUT, q->databases[0], 0, "has no results%s", chosen);
    if (d->variants.n_values < 2)
        return err_set_at(e, ERR_INPUT, q->databases[0], 0,
                          "has one value only of '%s', %s, among the results%s: there is nothing to compare with",
                          d->by, d->variants.values[0].text, chosen);
    return ERR_NONE;
}

static void find_metric(struct compare_data *d)
{
    const struct experiment *x = NULL;
    const struct metric *m = NULL;
    if (experiment_find(experiments, d->experiment, &x, NULL) == ERR_NONE)
        m = experiment_metric(x, d->metric);
    d->unit = mem_strdup(m != NULL ? m->unit : "");
    d->better = m != NULL ? m->better : BETTER_NONE;
}

enum err_code compare_read(const struct compare_query *q, struct compare_data *out, struct err *e)
{
    enum err_code code = ERR_NONE;
    *out = (struct compare_data){.metric = mem_strdup(q->metric), .n_databases = q->n_databases};
    out->by = mem_strdup(q->by != NULL ? q->by : "database");
    out->commands = mem_zalloc(q->n_databases, sizeof *out->commands);
    value_list_init(&out->variants, out->by);
    for (size_t i = 0; q->by == NULL && i < q->n_databases; i++)
        if (value_list_add_text(&out->variants, q->databases[i]) != i)
            return err_set(e, ERR_INPUT, "%s is given twice", q->databases[i]);
    bool *seen = mem_zalloc(q->n_wheres, sizeof *seen);
    for (size_t i = 0; code == ERR_NONE && i < q->n_databases; i++)
        code = read_database(q, i, seen, out, e);
    free(seen);
    if (code == ERR_NONE)
        code = check_variants(q, out, e);
    if (code != ERR_NONE)
        return code;
    find_metric(out);
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
    free(d->unit);
    free(d->by);
    free(d->commands);
    free(d->params);
    free(d->values);
    free(d->rows);
    free(d->starts);
    *d = (struct compare_data){0};
}
