/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* All rows with all figures, for pages in which readers choose what to look at. Where compare_read keeps one metric
   of the rows that were asked for, this keeps everything and bounds the number of rows instead. */
#include "compare/frame.h"

#include "base/mem.h"
#include "base/text.h"
#include "compare/compare_columns.h"
#include "compare/compare_where.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- columns ---- */

static const char replication[] = "replication";

static void add_param(struct frame *f, const char *name)
{
    value_list_init(&f->params[f->n_params++].values, name);
}

/* Those of the scenario in its order, then what else the database has: a page shows parameters as the author wrote
   them. */
static void find_columns(struct frame *f, const struct columns *columns, const struct scenario *s)
{
    f->params = mem_zalloc(columns->n + 1, sizeof *f->params);
    f->metrics = mem_zalloc(columns->n, sizeof *f->metrics);
    for (size_t i = 0; s != NULL && i < s->n_axes; i++)
        if (compare_column(columns, false, s->axes[i].param->name) != NULL)
            add_param(f, s->axes[i].param->name);
    for (size_t i = 0; i < columns->n; i++)
        if (columns->list[i].is_metric)
            f->metrics[f->n_metrics++] = mem_strdup(columns->list[i].name);
        else if (s == NULL || scenario_axis(s, columns->list[i].name) == NULL)
            add_param(f, columns->list[i].name);
    add_param(f, replication);
}

static bool has_param(const void *frame, const char *name)
{
    const struct frame *f = frame;
    for (size_t p = 0; p < f->n_params; p++)
        if (strcmp(f->params[p].values.name, name) == 0)
            return true;
    return false;
}

/* Where the program does not know the experiment, every parameter helps to identify the instance: then no two cases
   are taken for dependent. */
static void find_instance_params(struct frame *f)
{
    const struct run_kind *x = NULL;
    if (f->experiment == NULL || run_kind_find(run_kinds, f->experiment, &x, NULL) != ERR_NONE)
        x = NULL;
    for (size_t p = 0; p < f->n_params; p++) {
        const char *name = f->params[p].values.name;
        f->params[p].names_instance = x == NULL;
        f->params[p].names_instance |= x != NULL && run_param_is(x, name, RUN_INSTANCE);
    }
    /* The replication is the last parameter; it names an instance where runs are random. */
    f->params[f->n_params - 1].names_instance |= x != NULL && run_is_random(x, has_param, f);
}

/* ---- rows ---- */

enum { KEY, REPLICATION, ERROR, FIRST };

static void take_row(struct frame *f, sqlite3_stmt *q)
{
    MEM_GROW(f->rows, f->n_rows, f->capacity);
    struct frame_row *r = &f->rows[f->n_rows++];
    const char *key = (const char *)sqlite3_column_text(q, KEY), *error = (const char *)sqlite3_column_text(q, ERROR);
    *r = (struct frame_row){.error = error != NULL ? mem_strdup(error) : NULL,
                            .values = mem_zalloc(f->n_params, sizeof *r->values),
                            .figures = mem_zalloc(f->n_metrics, sizeof *r->figures)};
    snprintf(r->key, sizeof r->key, "%s", key != NULL ? key : "");
    int c = FIRST;
    for (size_t p = 0; p + 1 < f->n_params; p++)
        r->values[p] = value_list_add(&f->params[p].values, q, c++);
    r->values[f->n_params - 1] = value_list_add(&f->params[f->n_params - 1].values, q, REPLICATION);
    for (size_t m = 0; m < f->n_metrics; m++, c++)
        /* Text in a column of figures is none of ours. */
        r->figures[m] = sqlite3_column_type(q, c) == SQLITE_FLOAT || sqlite3_column_type(q, c) == SQLITE_INTEGER
                            ? sqlite3_column_double(q, c)
                            : NAN;
}

static void add_query(const struct frame *f, struct text *sql)
{
    text_addf(sql, "SELECT key, replication, error");
    for (size_t p = 0; p + 1 < f->n_params; p++) {
        text_addf(sql, ", ");
        compare_add_name(sql, f->params[p].values.name);
    }
    for (size_t m = 0; m < f->n_metrics; m++) {
        text_addf(sql, ", ");
        compare_add_name(sql, f->metrics[m]);
    }
    text_addf(sql, " FROM results");
}

static enum err_code read_rows(struct frame *f, const struct database *db, size_t max_rows, struct err *e)
{
    struct text sql = {0};
    sqlite3_stmt *q = NULL;
    bool row = false;
    add_query(f, &sql);
    enum err_code code = sql_prepare(db, text_str(&sql), &q, e);
    while (code == ERR_NONE && (code = sql_step(db, q, &row, e)) == ERR_NONE && row) {
        take_row(f, q);
        /* One more than allowed is read, to know that there are more. */
        if (f->n_rows > max_rows)
            code = err_set_at(
                e, ERR_INPUT, db->path, 0,
                "has more than %zu runs, too many for a page; `iasim export` and `iasim compare` read them all",
                max_rows);
    }
    sqlite3_finalize(q);
    text_clear(&sql);
    return code;
}

static enum err_code read_meta(struct frame *f, const struct database *db, struct err *e)
{
    char *runs = NULL;
    enum err_code code = sql_meta(db, "scenario", &f->scenario, e);
    if (code == ERR_NONE)
        code = sql_meta(db, "experiment", &f->experiment, e);
    if (code == ERR_NONE)
        code = sql_meta(db, "command", &f->command, e);
    if (code == ERR_NONE)
        code = sql_meta(db, "runs", &runs, e);
    f->n_runs = runs != NULL ? strtoull(runs, NULL, 10) : 0;
    free(runs);
    return code;
}

/* ---- the order ---- */

struct placed {
    uint32_t number;
    size_t place;
};

/* Those at the same place (values that the axis does not have) stay in the order they had. */
static int by_place(const void *a, const void *b)
{
    const struct placed *x = a, *y = b;
    if (x->place != y->place)
        return x->place < y->place ? -1 : 1;
    return (x->number > y->number) - (x->number < y->number);
}

/* The values of an axis in its order, then any others. Returns new_numbers[old number]. Sorting by the axis comes
   after sorting by value, which orders the others. */
static uint32_t *sort_by_axis(struct value_list *l, const struct scenario_axis *a)
{
    struct placed *order = mem_zalloc(l->n_values, sizeof *order);
    struct value *values = mem_zalloc(l->n_values, sizeof *values);
    uint32_t *new_numbers = mem_zalloc(l->n_values, sizeof *new_numbers);
    for (size_t i = 0; i < l->n_values; i++) {
        long place = scenario_axis_place(a, l->values[i].text);
        order[i] = (struct placed){(uint32_t)i, place >= 0 ? (size_t)place : a->n_values};
    }
    qsort(order, l->n_values, sizeof *order, by_place);
    for (size_t i = 0; i < l->n_values; i++) {
        values[i] = l->values[order[i].number];
        new_numbers[order[i].number] = (uint32_t)i;
    }
    memcpy(l->values, values, l->n_values * sizeof *values);
    free(values);
    free(order);
    return new_numbers;
}

static void renumber(struct frame *f, size_t p, uint32_t *new_numbers)
{
    for (size_t i = 0; i < f->n_rows; i++)
        f->rows[i].values[p] = new_numbers[f->rows[i].values[p]];
    free(new_numbers);
}

static int by_values(const void *a, const void *b, void *frame)
{
    const struct frame_row *x = a, *y = b;
    const struct frame *f = frame;
    for (size_t p = 0; p < f->n_params; p++)
        if (x->values[p] != y->values[p])
            return x->values[p] < y->values[p] ? -1 : 1;
    /* By the key at the end: rows that agree in all values differ in what a file or plugin holds. */
    return strcmp(x->key, y->key);
}

static void put_in_order(struct frame *f, const struct scenario *s)
{
    for (size_t p = 0; p < f->n_params && f->n_rows > 0; p++) {
        struct value_list *l = &f->params[p].values;
        const struct scenario_axis *a = s != NULL ? scenario_axis(s, l->name) : NULL;
        renumber(f, p, value_list_sort(l));
        if (a != NULL)
            renumber(f, p, sort_by_axis(l, a));
    }
    if (f->n_rows > 1)
        qsort_r(f->rows, f->n_rows, sizeof *f->rows, by_values, f);
}

/* ---- instances ---- */

static int compare_instances(const struct frame *f, const struct frame_row *x, const struct frame_row *y)
{
    for (size_t p = 0; p < f->n_params; p++)
        if (f->params[p].names_instance && x->values[p] != y->values[p])
            return x->values[p] < y->values[p] ? -1 : 1;
    return 0;
}

static int by_instance(const void *a, const void *b, void *frame)
{
    const struct frame_row *x = *(struct frame_row *const *)a, *y = *(struct frame_row *const *)b;
    int order = compare_instances(frame, x, y);
    /* Rows are sorted, so their addresses are in the order of the rows. */
    return order != 0 ? order : (x > y) - (x < y);
}

/* Rows of one instance need not be neighbours in the order of the page, so they are sorted by instance through
   pointers, and the rows stay where they are. */
static void number_instances(struct frame *f)
{
    struct frame_row **rows = mem_zalloc(f->n_rows, sizeof *rows);
    for (size_t i = 0; i < f->n_rows; i++)
        rows[i] = &f->rows[i];
    if (f->n_rows > 1)
        qsort_r(rows, f->n_rows, sizeof *rows, by_instance, f);
    for (size_t i = 0; i < f->n_rows; i++) {
        if (i == 0 || compare_instances(f, rows[i - 1], rows[i]) != 0)
            f->n_instances++;
        rows[i]->instance = (uint32_t)(f->n_instances - 1);
    }
    free(rows);
}

static uint64_t mix(uint64_t x) /* the finalizer of splitmix64 */
{
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

/* Of the settings and the figures of a row. */
static uint64_t digest_row(const struct frame *f, const struct frame_row *r)
{
    uint64_t sum = 1, bits;
    for (size_t p = 0; p < f->n_params; p++)
        if (!f->params[p].names_instance)
            sum = mix(sum + r->values[p] + 1);
    /* Settings take part: the same figures in another setting are another thing. */
    for (size_t m = 0; m < f->n_metrics; m++) {
        /* One NAN for all. */
        double figure = isnan(r->figures[m]) ? NAN : r->figures[m];
        memcpy(&bits, &figure, sizeof bits);
        sum = mix(sum ^ bits);
    }
    return sum;
}

struct digested {
    uint64_t sum;
    uint32_t instance;
};

static int by_sum(const void *a, const void *b)
{
    const struct digested *x = a, *y = b;
    if (x->sum != y->sum)
        return x->sum < y->sum ? -1 : 1;
    return (x->instance > y->instance) - (x->instance < y->instance);
}

/* Instances that agree in every figure, such as two seeds of a generator that draws nothing, are no independent
   observations: a test that counted each would be too sure. Rows of an instance are summed, so their order does not
   matter. Of instances with the same sum all but the first are copies. */
static void find_copies(struct frame *f)
{
    struct digested *sums = mem_zalloc(f->n_instances, sizeof *sums);
    f->is_copy = mem_zalloc(f->n_instances, sizeof *f->is_copy);
    for (size_t i = 0; i < f->n_instances; i++)
        sums[i].instance = (uint32_t)i;
    for (size_t i = 0; i < f->n_rows; i++)
        sums[f->rows[i].instance].sum += digest_row(f, &f->rows[i]);
    if (f->n_instances > 1)
        qsort(sums, f->n_instances, sizeof *sums, by_sum);
    for (size_t i = 1; i < f->n_instances; i++)
        f->is_copy[sums[i].instance] = sums[i].sum == sums[i - 1].sum;
    free(sums);
}

/* ---- all together ---- */

static enum err_code read_opened(struct frame *f, const struct database *db, const struct scenario *s, size_t max_rows,
                                 struct err *e)
{
    struct columns columns = {0};
    bool is_empty = false;
    enum err_code code = sql_run(db, "BEGIN", e); /* all is of one moment */
    if (code == ERR_NONE)
        code = sql_is_empty(db, &is_empty, e);
    if (code == ERR_NONE && is_empty)
        code = err_set_at(e, ERR_INPUT, db->path, 0, "holds no results yet");
    if (code == ERR_NONE)
        code = sql_check_ours(db, e);
    if (code == ERR_NONE)
        code = read_meta(f, db, e);
    if (code == ERR_NONE)
        code = compare_columns_read(db, &columns, e);
    if (code == ERR_NONE) {
        find_columns(f, &columns, s);
        find_instance_params(f);
        code = read_rows(f, db, max_rows, e);
    }
    compare_columns_clear(&columns);
    return code;
}

enum err_code frame_read(const char *database, const struct scenario *scenario, size_t max_rows, struct frame *out,
                         struct err *e)
{
    struct database db = {0};
    *out = (struct frame){0};
    enum err_code code = sql_check_file(database, e);
    if (code == ERR_NONE)
        code = sql_open_read(&db, database, e);
    if (code == ERR_NONE)
        code = read_opened(out, &db, scenario, max_rows, e);
    sql_close(&db);
    /* Whoever called clears what has been read. */
    if (code != ERR_NONE)
        return code;
    put_in_order(out, scenario);
    number_instances(out);
    find_copies(out);
    return ERR_NONE;
}

void frame_clear(struct frame *f)
{
    for (size_t i = 0; i < f->n_rows; i++) {
        free(f->rows[i].error);
        free(f->rows[i].values);
        free(f->rows[i].figures);
    }
    for (size_t p = 0; p < f->n_params; p++)
        value_list_clear(&f->params[p].values);
    for (size_t m = 0; m < f->n_metrics; m++)
        free(f->metrics[m]);
    free(f->rows);
    free(f->params);
    free(f->metrics);
    free(f->is_copy);
    free(f->scenario);
    free(f->experiment);
    free(f->command);
    *f = (struct frame){0};
}
