/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Reader of points: CSV whose header names the columns. */
#include "models/fits/fit.h"

#include "base/csv.h"
#include "base/mem.h"
#include "base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { N_REQUIRED = 3, N_COLUMNS = 5, MAX_BYTES = 64 << 20, MAX_SHOWN = 40 };
static const char *const column_names[N_COLUMNS] = {"send_rate_MB_per_s", "recv_rate_MB_per_s", "compute_ratio",
                                                    "compute_flop_per_s", "cpu_ratio"};
static const double min_value = 1e-12, max_value = 1e12; /* so squares, sums and quotients stay finite */
static const double max_flop_per_s = 1e18;               /* of compute_flop_per_s; no fit squares it */

struct reader {
    struct csv csv;
    int n_fields;          /* of the header */
    int places[N_COLUMNS]; /* of our columns among them; -1: missing */
};

#define FAIL(r, e, ...) err_set_at(e, ERR_PARSE, (r)->csv.source, (r)->csv.line, __VA_ARGS__)

static enum err_code note_column(struct reader *r, const char *name, struct err *e)
{
    for (int c = 0; c < N_COLUMNS; c++) {
        if (strcmp(name, column_names[c]) != 0)
            continue;
        if (r->places[c] >= 0)
            return FAIL(r, e, "column %s is given twice", name);
        r->places[c] = r->n_fields;
    }
    r->n_fields++;
    return ERR_NONE;
}

static enum err_code read_header(struct reader *r, struct err *e)
{
    char *rest = csv_next_line(&r->csv), *name;
    if (rest == NULL)
        return FAIL(r, e, "no header; it must name %s, %s and %s", column_names[0], column_names[1], column_names[2]);
    while (rest != NULL) {
        enum err_code code = csv_next_field(&r->csv, &rest, &name, e);
        if (code == ERR_NONE)
            code = note_column(r, name, e);
        if (code != ERR_NONE)
            return code;
    }
    for (int c = 0; c < N_REQUIRED; c++)
        if (r->places[c] < 0)
            return FAIL(r, e, "no column %s; the header must name %s, %s and %s", column_names[c], column_names[0],
                        column_names[1], column_names[2]);
    return ERR_NONE;
}

static enum err_code read_value(const struct reader *r, int column, const char *field, double *value, struct err *e)
{
    if (!text_to_double(field, value))
        return FAIL(r, e, "%s '%.*s' is not a finite number", column_names[column], MAX_SHOWN, field);
    double max = column == N_REQUIRED ? max_flop_per_s : max_value;
    if (*value != 0 && (*value < min_value || *value > max))
        return FAIL(r, e, "%s %.*s is out of range: it must be 0 or between %g and %g", column_names[column], MAX_SHOWN,
                    field, min_value, max);
    return ERR_NONE;
}

static enum err_code read_row(const struct reader *r, char *rest, struct fit_points *out, struct err *e)
{
    /* NAN: the OPTIONAL columns, where they are missing */
    double values[N_COLUMNS] = {0, 0, 0, NAN, NAN};
    int n_fields = 0;
    for (; rest != NULL; n_fields++) {
        char *field;
        enum err_code code = csv_next_field(&r->csv, &rest, &field, e);
        for (int c = 0; c < N_COLUMNS && code == ERR_NONE; c++)
            if (r->places[c] == n_fields)
                code = read_value(r, c, field, &values[c], e);
        if (code != ERR_NONE)
            return code;
    }
    if (n_fields != r->n_fields)
        return FAIL(r, e, "found %d fields, expected %d as in the header", n_fields, r->n_fields);
    MEM_GROW(out->points, out->n, out->capacity);
    out->points[out->n++] = (struct fit_point){values[0], values[1], values[2], r->csv.line, values[3], values[4]};
    return ERR_NONE;
}

static enum err_code read_all(struct reader *r, struct fit_points *out, struct err *e)
{
    enum err_code code = read_header(r, e);
    for (char *line; code == ERR_NONE && (line = csv_next_line(&r->csv)) != NULL;)
        code = read_row(r, line, out, e);
    if (code == ERR_NONE && out->n == 0)
        code = FAIL(r, e, "there is a header, but no points");
    return code;
}

enum err_code fit_points_parse(const char *bytes, size_t n, const char *path, struct fit_points *out, struct err *e)
{
    *out = (struct fit_points){.source = mem_strdup(path)};
    struct reader r = {.places = {-1, -1, -1, -1, -1}};
    enum err_code code = csv_open(&r.csv, bytes, n, path, e);
    if (code == ERR_NONE) {
        code = read_all(&r, out, e);
        csv_close(&r.csv);
    }
    if (code != ERR_NONE)
        fit_points_clear(out);
    return code;
}

enum err_code fit_points_read(const char *path, struct fit_points *out, struct err *e)
{
    struct text t = {0};
    *out = (struct fit_points){0};
    enum err_code code = text_read_file(&t, path, MAX_BYTES, e);
    if (code == ERR_NONE)
        code = fit_points_parse(text_str(&t), t.size, path, out, e);
    text_clear(&t);
    return code;
}

void fit_points_clear(struct fit_points *p)
{
    free(p->source);
    free(p->points);
    *p = (struct fit_points){0};
}
