/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Columns and rows may come in any order, so hosts are found by their names. What is missing is an error, as are
   mistakes in spelling: a default would hide them. */
#include "plan/task_costs.h"

#include "base/csv.h"
#include "base/mem.h"
#include "base/name_index.h"
#include "base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_SHOWN = 40 };
static const size_t max_file_bytes = (size_t)1 << 30;

struct reader {
    struct csv csv;
    const struct dag *dag;
    const struct machine *machine;
    host_id *columns; /* [column - 1]: its host */
    int *line_of;     /* [task]: where it was found; 0: not yet */
    double *compute_s;
};

#define FAIL(r, e, ...) err_set_at(e, ERR_INPUT, (r)->csv.source, (r)->csv.line, __VA_ARGS__)

static enum err_code unknown(const struct reader *r, const char *what, const char *name, const char *where,
                             const struct name_index *known, struct err *e)
{
    return FAIL(r, e, "unknown %s '%.100s': not in %s%s", what, name, where, name_index_hint(known, name).text);
}

/* ---- the header ---- */

static enum err_code take_column(struct reader *r, const char *name, size_t column, struct err *e)
{
    host_id h = machine_host_id(r->machine, name);
    if (h < 0)
        return unknown(r, "host", name, r->machine->source, r->machine->host_index, e);
    /* quadratic in hosts, once for each file */
    for (size_t k = 0; k < column; k++)
        if (r->columns[k] == h)
            return FAIL(r, e, "host '%.100s' has a second column", name);
    r->columns[column] = h;
    return ERR_NONE;
}

static enum err_code require_all_hosts(const struct reader *r, size_t n_columns, struct err *e)
{
    /* columns are known and different, so too few of them are missing at least one: the loop ends */
    for (host_id h = 0; n_columns < r->machine->n_hosts; h++) {
        bool is_there = false;
        for (size_t k = 0; k < n_columns; k++)
            is_there = is_there || r->columns[k] == h;
        if (!is_there)
            return FAIL(r, e, "host '%.100s' of %s has no column; leave its cells empty if no task may run there",
                        r->machine->hosts[h].name, r->machine->source);
    }
    return ERR_NONE;
}

static enum err_code read_header(struct reader *r, struct err *e)
{
    char *rest = csv_next_line(&r->csv), *field = NULL;
    size_t n_columns = 0;
    if (rest == NULL)
        return FAIL(r, e, "no header; expected task,HOST,HOST,...");
    enum err_code code = csv_next_field(&r->csv, &rest, &field, e);
    if (code == ERR_NONE && strcmp(field, "task") != 0)
        return FAIL(r, e, "the header begins with '%.*s'; expected task,HOST,HOST,...", MAX_SHOWN, field);
    while (code == ERR_NONE && rest != NULL) {
        code = csv_next_field(&r->csv, &rest, &field, e);
        if (code == ERR_NONE)
            code = take_column(r, field, n_columns++, e); /* a repeated host is found before there are too many */
    }
    return code == ERR_NONE ? require_all_hosts(r, n_columns, e) : code;
}

/* ---- lines of tasks ---- */

static enum err_code take_task(struct reader *r, const char *name, task_id *out, struct err *e)
{
    *out = dag_task_id(r->dag, name);
    if (*out < 0)
        return unknown(r, "task", name, r->dag->source, r->dag->index, e);
    if (r->line_of[*out] > 0)
        return FAIL(r, e, "task '%.100s' appears twice; the first is on line %d", name, r->line_of[*out]);
    r->line_of[*out] = r->csv.line;
    return ERR_NONE;
}

/* An empty cell is not 0 and not missing: the task may not run there. */
static enum err_code take_cell(const struct reader *r, const char *cell, host_id h, double *out, struct err *e)
{
    *out = INFINITY;
    if (cell[0] == '\0')
        return ERR_NONE;
    if (!text_to_double(cell, out))
        return FAIL(r, e, "host '%.100s': '%.*s' is not a finite number of seconds; an empty cell forbids the host",
                    r->machine->hosts[h].name, MAX_SHOWN, cell);
    if (*out < 0)
        return FAIL(r, e, "host '%.100s': %.*s seconds are negative", r->machine->hosts[h].name, MAX_SHOWN, cell);
    *out = fabs(*out); /* -0 */
    return ERR_NONE;
}

static enum err_code read_row(struct reader *r, char *rest, struct err *e)
{
    size_t n = r->machine->n_hosts, n_cells = 0;
    bool may_run = false;
    char *field;
    task_id t = -1;
    enum err_code code = csv_next_field(&r->csv, &rest, &field, e);
    if (code == ERR_NONE)
        code = take_task(r, field, &t, e);
    for (; code == ERR_NONE && rest != NULL; n_cells++) {
        code = csv_next_field(&r->csv, &rest, &field, e);
        /* too many cells are counted on, for the message */
        if (code != ERR_NONE || n_cells >= n)
            continue;
        double *cell = &r->compute_s[(size_t)t * n + (size_t)r->columns[n_cells]];
        code = take_cell(r, field, r->columns[n_cells], cell, e);
        may_run = may_run || isfinite(*cell);
    }
    if (code == ERR_NONE && n_cells != n)
        return err_set_at(e, ERR_PARSE, r->csv.source, r->csv.line,
                          "found %zu cells after the task, expected %zu as in the header", n_cells, n);
    if (code == ERR_NONE && !may_run)
        return FAIL(r, e, "task '%.100s' may not run on any host: all its cells are empty", r->dag->tasks[t].name);
    return code;
}

static enum err_code require_all_tasks(const struct reader *r, struct err *e)
{
    for (task_id t = 0; t < r->dag->n_tasks; t++)
        if (r->line_of[t] == 0)
            return err_set_at(e, ERR_INPUT, r->csv.source, 0, "task '%.100s' of %s is missing", r->dag->tasks[t].name,
                              r->dag->source);
    return ERR_NONE;
}

/* ---- the whole ---- */

enum err_code task_costs_parse(const char *bytes, size_t n, const char *path, const struct dag *g,
                               const struct machine *m, struct task_costs *out, struct err *e)
{
    struct reader r = {.dag = g, .machine = m};
    *out = (struct task_costs){0};
    enum err_code code = csv_open(&r.csv, bytes, n, path, e);
    if (code != ERR_NONE)
        return code;
    r.columns = mem_alloc((m->n_hosts + 1) * sizeof *r.columns);
    r.line_of = mem_zalloc((size_t)g->n_tasks + 1, sizeof *r.line_of);
    r.compute_s = mem_zalloc((size_t)g->n_tasks * m->n_hosts, sizeof *r.compute_s);
    code = read_header(&r, e);
    for (char *line; code == ERR_NONE && (line = csv_next_line(&r.csv)) != NULL;)
        code = read_row(&r, line, e);
    if (code == ERR_NONE)
        code = require_all_tasks(&r, e);
    csv_close(&r.csv);
    free(r.columns);
    free(r.line_of);
    if (code == ERR_NONE)
        *out = (struct task_costs){mem_strdup(path), r.compute_s};
    else
        free(r.compute_s);
    return code;
}

enum err_code task_costs_read(const char *path, const struct dag *g, const struct machine *m, struct task_costs *out,
                              struct err *e)
{
    struct text text = {0};
    *out = (struct task_costs){0};
    enum err_code code = text_read_file(&text, path, max_file_bytes, e);
    if (code == ERR_NONE)
        code = task_costs_parse(text_str(&text), text.size, path, g, m, out, e);
    text_clear(&text);
    return code;
}

/* [Topcuoglu 2002] draws the mean, too; here it is what the graph and the speeds say. */
void task_costs_draw(const struct dag *g, const struct machine *m, double beta_ratio, struct random_stream *r,
                     struct task_costs *out)
{
    size_t n = m->n_hosts;
    out->source = mem_format("%s, times drawn", g->source);
    out->compute_s = mem_alloc((size_t)g->n_tasks * n * sizeof *out->compute_s);
    for (size_t t = 0; t < (size_t)g->n_tasks; t++) {
        double mean_s = machine_mean_compute_s(m, g->tasks[t].work_flop);
        for (size_t h = 0; h < n; h++)
            out->compute_s[t * n + h] = mean_s * random_between(r, 1 - beta_ratio / 2, 1 + beta_ratio / 2);
    }
}

void task_costs_clear(struct task_costs *c)
{
    free(c->source);
    free(c->compute_s);
    *c = (struct task_costs){0};
}
