/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Reader of points: CSV as RFC 4180 has it, less quoted line ends. Strict, since a misread measurement gives
   a number that cannot be recognised as wrong. */
#include "models/fits/fit.h"

#include "base/mem.h"
#include "base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { N_REQUIRED = 3, N_COLUMNS = 5, MAX_BYTES = 64 << 20, MAX_SHOWN = 40 };
static const char *const column_names[N_COLUMNS] = {"send_rate_MB_per_s", "recv_rate_MB_per_s", "compute_ratio",
                                                    "compute_flop_per_s", "cpu_ratio"};
static const double min_value = 1e-12, max_value = 1e12; /* squares, sums and quotients of such stay finite */
static const double max_flop_per_s = 1e18;               /* of the one column that no fit takes squares of */

struct reader {
    const char *source;
    char *rest; /* what is left of the input; NULL at its end */
    int line;
    int n_fields;          /* of the header */
    int places[N_COLUMNS]; /* of our columns among them; -1: missing */
};

#define FAIL(r, e, ...) err_set_at(e, ERR_PARSE, (r)->source, (r)->line, __VA_ARGS__)

/* The next line that is not empty, without its end; NULL at the end of the input. */
static char *next_line(struct reader *r)
{
    while (r->rest != NULL) {
        char *line = r->rest, *stop = strchr(line, '\n');
        r->rest = stop ? stop + 1 : NULL;
        r->line++;
        size_t n = stop ? (size_t)(stop - line) : strlen(line);
        if (n > 0 && line[n - 1] == '\r')
            n--;
        line[n] = '\0';
        if (n > 0)
            return line;
    }
    return NULL;
}

/* The text between quotes, taken together in place: "" stands for a quote. */
static enum err_code next_quoted(const struct reader *r, char **rest, char **field, struct err *e)
{
    char *from = *rest + 1, *to = *rest;
    *field = to;
    for (; *from != '\0' && (from[0] != '"' || from[1] == '"'); from++) {
        if (*from == '"')
            from++;
        *to++ = *from;
    }
    if (*from == '\0')
        return FAIL(r, e, "a quoted field has no closing quote in its line");
    from++;
    if (*from != ',' && *from != '\0')
        return FAIL(r, e, "after a closing quote found '%.*s', expected a comma or the end of the line", MAX_SHOWN,
                    from);
    *rest = *from == ',' ? from + 1 : NULL;
    *to = '\0';
    return ERR_NONE;
}

/* Takes the next field off `rest`, which becomes NULL after the last one. */
static enum err_code next_field(const struct reader *r, char **rest, char **field, struct err *e)
{
    if (**rest == '"')
        return next_quoted(r, rest, field, e);
    *field = *rest + strspn(*rest, " \t");
    char *comma = strchr(*field, ',');
    char *end = comma ? comma : *field + strlen(*field);
    while (end > *field && (end[-1] == ' ' || end[-1] == '\t'))
        end--;
    *rest = comma ? comma + 1 : NULL;
    *end = '\0';
    return ERR_NONE;
}

static enum err_code note_column(struct reader *r, const char *name, struct err *e)
{
    for (int c = 0; c < N_COLUMNS; c++) {
        if (strcmp(name, column_names[c]) != 0)
            continue;
        if (r->places[c] >= 0)
            return FAIL(r, e, "column %s twice", name);
        r->places[c] = r->n_fields;
    }
    r->n_fields++;
    return ERR_NONE;
}

static enum err_code read_header(struct reader *r, struct err *e)
{
    char *rest = next_line(r), *name;
    if (rest == NULL)
        return FAIL(r, e, "no header; expected one with %s, %s, %s", column_names[0], column_names[1], column_names[2]);
    while (rest != NULL) {
        enum err_code code = next_field(r, &rest, &name, e);
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
    double values[N_COLUMNS] = {0, 0, 0, NAN, NAN};
    int n_fields = 0;
    for (; rest != NULL; n_fields++) {
        char *field;
        enum err_code code = next_field(r, &rest, &field, e);
        for (int c = 0; c < N_COLUMNS && code == ERR_NONE; c++)
            if (r->places[c] == n_fields)
                code = read_value(r, c, field, &values[c], e);
        if (code != ERR_NONE)
            return code;
    }
    if (n_fields != r->n_fields)
        return FAIL(r, e, "found %d fields, expected %d as in the header", n_fields, r->n_fields);
    MEM_GROW(out->points, out->n, out->capacity);
    out->points[out->n++] = (struct fit_point){values[0], values[1], values[2], r->line, values[3], values[4]};
    return ERR_NONE;
}

static enum err_code read_all(struct reader *r, struct fit_points *out, struct err *e)
{
    enum err_code code = read_header(r, e);
    for (char *line; code == ERR_NONE && (line = next_line(r)) != NULL;)
        code = read_row(r, line, out, e);
    if (code == ERR_NONE && out->n == 0)
        code = FAIL(r, e, "a header but no points");
    return code;
}

static int line_of(const char *bytes, const char *at)
{
    int line = 1;
    for (; bytes < at; bytes++)
        line += *bytes == '\n';
    return line;
}

enum err_code fit_points_parse(const char *bytes, size_t n, const char *path, struct fit_points *out, struct err *e)
{
    static const char byte_order_mark[] = "\xEF\xBB\xBF";
    *out = (struct fit_points){.source = mem_strdup(path)};
    const char *nul = n > 0 ? memchr(bytes, '\0', n) : NULL;
    enum err_code code;
    if (nul != NULL) {
        code = err_set_at(e, ERR_PARSE, path, line_of(bytes, nul), "a NUL byte: this is not a text file");
    } else {
        char *copy = mem_alloc(n + 1);
        memcpy(copy, n > 0 ? bytes : "", n);
        copy[n] = '\0';
        bool marked = strncmp(copy, byte_order_mark, 3) == 0;
        struct reader r = {.source = path, .rest = copy + (marked ? 3 : 0), .places = {-1, -1, -1, -1, -1}};
        code = read_all(&r, out, e);
        free(copy);
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
