/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "report/table.h"

#include "base/mem.h"
#include "report/json_bytes.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct column {
    char *header, *name; /* in text, in JSON; NULL: not there */
    enum table_align align;
};

struct cell {
    char *text;
    json_t *meant; /* in JSON; NULL: the text */
};

struct table {
    struct column *columns;
    size_t n_columns, columns_capacity;
    struct cell *cells; /* row by row */
    size_t n_cells, cells_capacity;
};

struct table *table_create(void)
{
    return mem_zalloc(1, sizeof(struct table));
}

void table_free(struct table *t)
{
    if (t == NULL)
        return;
    for (size_t c = 0; c < t->n_columns; c++) {
        free(t->columns[c].header);
        free(t->columns[c].name);
    }
    for (size_t i = 0; i < t->n_cells; i++) {
        free(t->cells[i].text);
        json_decref(t->cells[i].meant);
    }
    free(t->columns);
    free(t->cells);
    free(t);
}

static char *one_line(char *text)
{
    for (char *at = text; *at != '\0'; at++)
        if ((unsigned char)*at < ' ' || *at == 0x7f)
            *at = ' ';
    return text;
}

void table_column_as(struct table *t, enum table_align align, const char *header, const char *name)
{
    assert(t->n_cells == 0);
    MEM_GROW(t->columns, t->n_columns, t->columns_capacity);
    t->columns[t->n_columns++] = (struct column){header != NULL ? one_line(mem_strdup(header)) : NULL,
                                                 name != NULL ? mem_strdup(name) : NULL, align};
}

void table_column(struct table *t, enum table_align align, const char *header)
{
    table_column_as(t, align, header, header);
}

/* Takes `text` and `meant`. */
static void add_cell(struct table *t, char *text, json_t *meant)
{
    assert(t->n_columns > 0);
    MEM_GROW(t->cells, t->n_cells, t->cells_capacity);
    t->cells[t->n_cells++] = (struct cell){one_line(text), meant};
}

void table_cell(struct table *t, const char *text)
{
    add_cell(t, mem_strdup(text), NULL);
}

static char *format_text(const char *format, va_list args)
{
    char *text = NULL;
    return vasprintf(&text, format, args) < 0 ? mem_strdup("") : text;
}

void table_cellf(struct table *t, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    add_cell(t, format_text(format, args), NULL);
    va_end(args);
}

void table_number(struct table *t, double value, int digits)
{
    add_cell(t, isnan(value) ? mem_strdup("-") : mem_format("%.*g", digits, value), json_finite(value));
}

void table_valuef(struct table *t, double value, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    add_cell(t, format_text(format, args), json_finite(value));
    va_end(args);
}

void table_count(struct table *t, size_t n)
{
    add_cell(t, mem_format("%zu", n), json_integer((json_int_t)n));
}

void table_ditto(struct table *t, const char *text)
{
    add_cell(t, mem_strdup(""), json_bytes(text));
}

/* The character at `at`, which moves behind it. A byte that is no UTF-8 counts as a character of its own. */
static uint32_t next_character(const char **at)
{
    const unsigned char *s = (const unsigned char *)*at;
    int n_more = s[0] >= 0xf0 ? 3 : s[0] >= 0xe0 ? 2 : s[0] >= 0xc0 ? 1 : 0;
    uint32_t c = n_more ? s[0] & (0x3fu >> n_more) : s[0];
    for (int i = 1; i <= n_more; i++) {
        if ((s[i] & 0xc0) != 0x80) {
            *at += 1;
            return s[0];
        }
        c = c << 6 | (s[i] & 0x3fu);
    }
    *at += n_more + 1;
    return c;
}

struct span {
    uint32_t first, last;
};

static bool is_in(uint32_t c, const struct span *spans, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (c >= spans[i].first && c <= spans[i].last)
            return true;
    return false;
}

int table_width(const char *text)
{
    static const struct span marks[] = {{0x300, 0x36f},   {0x1ab0, 0x1aff}, {0x1dc0, 0x1dff}, {0x200b, 0x200f},
                                        {0x20d0, 0x20ff}, {0xfe00, 0xfe0f}, {0xfe20, 0xfe2f}};
    static const struct span wide[] = {{0x1100, 0x115f},   {0x2e80, 0x303e},   {0x3041, 0xa4cf},  {0xac00, 0xd7a3},
                                       {0xf900, 0xfaff},   {0xfe30, 0xfe6f},   {0xff00, 0xff60},  {0xffe0, 0xffe6},
                                       {0x1f300, 0x1f64f}, {0x1f900, 0x1f9ff}, {0x20000, 0x3fffd}};
    int width = 0;
    while (*text != '\0') {
        uint32_t c = next_character(&text);
        if (is_in(c, wide, sizeof wide / sizeof wide[0]))
            width += 2;
        else if (!is_in(c, marks, sizeof marks / sizeof marks[0]))
            width++;
    }
    return width;
}

static int column_width(const struct table *t, size_t c)
{
    int width = table_width(t->columns[c].header);
    for (size_t i = c; i < t->n_cells; i += t->n_columns) {
        int w = table_width(t->cells[i].text);
        width = w > width ? w : width;
    }
    return width;
}

static void end_line(struct text *out)
{
    while (out->size > 0 && out->data[out->size - 1] == ' ')
        out->data[--out->size] = '\0';
    text_add(out, "\n", 1);
}

static void print_cell(struct text *out, const char *text, int width, enum table_align align)
{
    int padding = width - table_width(text);
    int before = align == TABLE_RIGHT ? padding : 0;
    text_addf(out, "%*s%s%*s", before, "", text, padding - before, "");
}

/* The cells from `first` on, as many as there are; -1: the headers. */
static void print_row(struct text *out, const struct table *t, const int *widths, long first)
{
    const char *gap = "";
    for (size_t c = 0; c < t->n_columns && (first < 0 || (size_t)first + c < t->n_cells); c++) {
        const struct column *column = &t->columns[c];
        if (column->header == NULL)
            continue;
        text_addf(out, "%s", gap);
        gap = "  ";
        print_cell(out, first < 0 ? column->header : t->cells[(size_t)first + c].text, widths[c], column->align);
    }
    end_line(out);
}

static void print_rules(struct text *out, const struct table *t, const int *widths)
{
    const char *gap = "";
    for (size_t c = 0; c < t->n_columns; c++) {
        if (t->columns[c].header == NULL)
            continue;
        text_addf(out, "%s", gap);
        gap = "  ";
        for (int i = 0; i < widths[c]; i++)
            text_add(out, "-", 1);
    }
    end_line(out);
}

void table_add_to(const struct table *t, struct text *out)
{
    int *widths = mem_zalloc(t->n_columns, sizeof *widths);
    for (size_t c = 0; c < t->n_columns; c++)
        widths[c] = t->columns[c].header != NULL ? column_width(t, c) : 0;
    print_row(out, t, widths, -1);
    print_rules(out, t, widths);
    for (size_t row = 0; row < t->n_cells; row += t->n_columns)
        print_row(out, t, widths, (long)row);
    free(widths);
}

void table_print(const struct table *t, FILE *out)
{
    struct text text = {0};
    table_add_to(t, &text);
    fwrite(text_str(&text), 1, text.size, out);
    text_clear(&text);
}

static json_t *json_cell(const struct cell *cell)
{
    return cell->meant != NULL ? json_incref(cell->meant) : json_bytes(cell->text);
}

static json_t *json_row(const struct table *t, size_t first)
{
    json_t *row = json_array();
    for (size_t c = 0; c < t->n_columns; c++)
        if (t->columns[c].name != NULL)
            json_array_append_new(row, first + c < t->n_cells ? json_cell(&t->cells[first + c]) : json_string(""));
    return row;
}

json_t *table_json(const struct table *t)
{
    json_t *columns = json_array(), *rows = json_array();
    for (size_t c = 0; c < t->n_columns; c++)
        if (t->columns[c].name != NULL)
            json_array_append_new(columns, json_bytes(t->columns[c].name));
    for (size_t row = 0; row < t->n_cells; row += t->n_columns)
        json_array_append_new(rows, json_row(t, row));
    return json_pack("{s:o, s:o}", "columns", columns, "rows", rows);
}
