/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Cells are collected first and laid out when the table is printed, because the width of a column is known only after
   its last cell. Widths are columns of a terminal, not bytes (page_text_width): host names may be any UTF-8. Numbers
   are never broken or cut, so a table of many numbers may be wider than the page; text may be, as JSON has all of
   it. */
#include "report/table.h"

#include "base/mem.h"
#include "report/json_bytes.h"
#include "report/page.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

struct column {
    char *header, *name; /* in text, in JSON; NULL: the column is absent there */
    enum table_align align;
};

struct cell {
    char *text;
    json_t *meant; /* the value in JSON; NULL: the text */
};

struct table {
    struct column *columns;
    size_t n_columns, columns_capacity, n_key;
    struct cell *cells; /* row by row */
    size_t n_cells, cells_capacity;
};

struct table *table_create(void)
{
    struct table *t = mem_zalloc(1, sizeof *t);
    t->n_key = 1;
    return t;
}

void table_key(struct table *t, size_t n_columns)
{
    t->n_key = n_columns;
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

/* A line feed or tab within a cell would shift all columns to its right. */
static char *one_line(char *text)
{
    for (char *at = text; *at != '\0'; at++)
        if ((unsigned char)*at < ' ' || *at == 0x7f)
            *at = ' ';
    return text;
}

void table_column_as(struct table *t, enum table_align align, const char *header, const char *name)
{
    /* Cells find their column by their number modulo n_columns, which therefore may not change any more. */
    assert(t->n_cells == 0);
    MEM_GROW(t->columns, t->n_columns, t->columns_capacity);
    t->columns[t->n_columns++] = (struct column){header != NULL ? one_line(mem_strdup(header)) : NULL,
                                                 name != NULL ? mem_strdup(name) : NULL, align};
}

void table_column(struct table *t, enum table_align align, const char *header)
{
    table_column_as(t, align, header, header);
}

void table_columns(struct table *t, const char *columns)
{
    char *copy = mem_strdup(columns), *rest = copy, *name;
    while ((name = strsep(&rest, "|")) != NULL) {
        size_t n = strlen(name);
        bool is_right = n > 0 && name[n - 1] == '>';
        /* Cuts the mark off: n is the place of the terminating NUL, n - 1 that of '>'. */
        name[n - is_right] = '\0';
        table_column(t, is_right ? TABLE_RIGHT : TABLE_LEFT, name);
    }
    free(copy);
}

struct table *table_of(const char *columns)
{
    struct table *t = table_create();
    table_columns(t, columns);
    return t;
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

void table_cellf(struct table *t, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    add_cell(t, mem_vformat(format, args), NULL);
    va_end(args);
}

void table_number(struct table *t, double value, int digits)
{
    add_cell(t, isnan(value) ? mem_strdup("-") : mem_format("%.*g", digits, value), json_finite(value));
}

/* Shares are differences of large sums (a makespan minus its parts). What should be 0 comes out as 4e-14, which
   reads like a measurement. */
void table_part(struct table *t, double value, double whole, int digits)
{
    static const double least_ratio = 1e-12;
    table_number(t, fabs(value) < least_ratio * fabs(whole) ? 0 : value, digits);
}

void table_valuef(struct table *t, double value, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    add_cell(t, mem_vformat(format, args), json_finite(value));
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

static bool is_shown(const struct table *t, size_t c)
{
    return t->columns[c].header != NULL;
}

/* O(rows) for each call; the columns are few. */
static int widest_cell(const struct table *t, size_t c)
{
    int width = 0;
    for (size_t i = c; i < t->n_cells; i += t->n_columns) {
        int w = page_text_width(t->cells[i].text);
        width = w > width ? w : width;
    }
    return width;
}

static int max_int(int a, int b)
{
    return a > b ? a : b;
}

/* --- the widths of columns: as wide as their content. On a narrow page first headers break into lines, then text; a
   table that is still too wide is printed in several parts, each with the key columns --- */

enum { GAP = 2, LEAST_TEXT = 12 };

struct part { /* columns printed side by side: the key, and first <= c < end */
    size_t first, end;
};

static int total_width(const struct table *t, const int *widths, struct part p)
{
    int total = -GAP; /* no gap before the first column */
    for (size_t c = 0; c < t->n_columns; c++)
        if (is_shown(t, c) && (c < t->n_key || (c >= p.first && c < p.end)))
            total += widths[c] + GAP;
    return total;
}

/* The widest column that can be narrower; n_columns: none. */
static size_t find_widest(const struct table *t, const int *widths, const int *least)
{
    size_t widest = t->n_columns;
    for (size_t c = 0; c < t->n_columns; c++)
        if (is_shown(t, c) && widths[c] > least[c] && (widest == t->n_columns || widths[c] > widths[widest]))
            widest = c;
    return widest;
}

/* Takes from the widest column, one character at a time, so that wide columns become equally wide before any narrow one
   is touched. Stops early if all columns are at their least: the caller then prints several parts. */
static void shrink(const struct table *t, int *widths, const int *least, int width)
{
    const struct part all = {0, t->n_columns};
    size_t c;
    while (total_width(t, widths, all) > width && (c = find_widest(t, widths, least)) < t->n_columns)
        widths[c]--;
}

/* A table in several parts has room for wider text. */
static void widen_text(const struct table *t, int width, int *widths)
{
    int most = max_int(LEAST_TEXT, width / (int)(t->n_key + 2));
    for (size_t c = 0; c < t->n_columns; c++) {
        if (!is_shown(t, c) || t->columns[c].align != TABLE_LEFT)
            continue;
        int wanted = max_int(widest_cell(t, c), page_text_width(t->columns[c].header));
        widths[c] = max_int(widths[c], wanted < most ? wanted : most);
    }
}

static void choose_widths(const struct table *t, int width, int *widths)
{
    int *least = mem_zalloc(t->n_columns, sizeof *least);
    for (size_t c = 0; c < t->n_columns; c++) {
        int cells = is_shown(t, c) ? widest_cell(t, c) : 0;
        widths[c] = is_shown(t, c) ? max_int(cells, page_text_width(t->columns[c].header)) : 0;
        least[c] = is_shown(t, c) ? max_int(cells, page_widest_piece(t->columns[c].header)) : 0;
    }
    /* Headers give way first: a header in two lines is easier to read than a text in two lines in every row. */
    shrink(t, widths, least, width);
    /* Then columns of text, down to LEAST_TEXT. Columns of numbers (TABLE_RIGHT) keep their widest cell: a number in
       two lines would be read as two numbers. */
    for (size_t c = 0; c < t->n_columns; c++)
        if (is_shown(t, c) && t->columns[c].align == TABLE_LEFT && least[c] > LEAST_TEXT)
            least[c] = LEAST_TEXT;
    shrink(t, widths, least, width);
    /* Still too wide: it will be printed in several parts, which have room for wider text. */
    if (total_width(t, widths, (struct part){0, t->n_columns}) > width)
        widen_text(t, width, widths);
    free(least);
}

/* As many columns from `first` on as fit beside the key, but at least one and at most `most`. */
static struct part next_part(const struct table *t, const int *widths, size_t first, int width, size_t most)
{
    /* At least one column beside the key, however wide, or table_add_to would never end. */
    struct part p = {first, first + 1};
    while (p.end < t->n_columns && p.end - first < most &&
           total_width(t, widths, (struct part){first, p.end + 1}) <= width)
        p.end++;
    return p;
}

/* The most columns beside the key that a part may have so that there are no more parts, and none has one column
   alone. */
static size_t balanced(const struct table *t, const int *widths, int width)
{
    size_t n_parts = 0, n_columns = t->n_columns > t->n_key ? t->n_columns - t->n_key : 1;
    for (size_t first = t->n_key; first < t->n_columns; n_parts++)
        first = next_part(t, widths, first, width, n_columns).end;
    /* Filled greedily, the last part may hold a single column. Smaller parts of equal number are tried from the even
       distribution upwards; n_columns, which fills greedily, always succeeds. */
    for (size_t most = (n_columns + n_parts - 1) / (n_parts > 0 ? n_parts : 1); most < n_columns; most++) {
        size_t n = 0;
        for (size_t first = t->n_key; first < t->n_columns; n++)
            first = next_part(t, widths, first, width, most).end;
        if (n <= n_parts)
            return most;
    }
    return n_columns;
}

/* --- lines --- */

/* Padding and empty last cells leave blanks at the end, which nobody sees but every diff. */
static void end_line(struct text *out)
{
    while (out->size > 0 && out->data[out->size - 1] == ' ')
        out->data[--out->size] = '\0';
    text_add(out, "\n", 1);
}

static void print_cell(struct text *out, const char *text, size_t n, int width, enum table_align align)
{
    /* Of the bytes of a line its width is known only after they have been decoded. */
    char *line = mem_format("%.*s", (int)n, text);
    int padding = max_int(0, width - page_text_width(line));
    int before = align == TABLE_RIGHT ? padding : 0;
    text_addf(out, "%*s%s%*s", before, "", line, padding - before, "");
    free(line);
}

/* Prints one line of each text and advances the texts; false if nothing was left. */
static bool print_line(struct text *out, const struct table *t, const int *widths, struct part p, const char **texts)
{
    const char *gap = "";
    bool is_left = false;
    /* Texts of columns outside of this part are "" (print_row), so that they never ask for another line. */
    for (size_t c = 0; c < t->n_columns; c++)
        is_left = is_left || texts[c][0] != '\0';
    for (size_t c = 0; is_left && c < t->n_columns; c++) {
        size_t skip = 0;
        if (!is_shown(t, c) || !(c < t->n_key || (c >= p.first && c < p.end)))
            continue;
        text_addf(out, "%s%*s", gap, *gap ? GAP - 1 : 0, ""); /* the gap belongs to the cell behind it */
        gap = " ";
        print_cell(out, texts[c], page_line(texts[c], widths[c], &skip), widths[c], t->columns[c].align);
        texts[c] += skip;
    }
    if (is_left)
        end_line(out);
    return is_left;
}

/* The middle of a text that would take many lines is left out; JSON has all of it. The caller's. */
static char *cut(const char *text, int width)
{
    enum { MOST_LINES = 5 };
    size_t room = (size_t)(width * MOST_LINES), n = strlen(text);
    /* Bytes are compared first, which is cheap: a text never takes more columns than bytes. */
    if (width <= 0 || n <= room || (size_t)page_text_width(text) <= room)
        return mem_strdup(text);
    /* Half the room before the dots, half behind: names that differ usually do so at one of their ends. */
    size_t head = room / 2, tail = n - (room / 2 - strlen(" .. "));
    while (head > 0 && (text[head] & 0xc0) == 0x80) /* whole characters of UTF-8 */
        head--;
    while (tail < n && (text[tail] & 0xc0) == 0x80)
        tail++;
    return mem_format("%.*s .. %s", (int)head, text, text + tail);
}

/* Prints the row that begins with cell `first`, or the headers if it is -1. */
static void print_row(struct text *out, const struct table *t, const int *widths, struct part p, long first)
{
    const char **rest = mem_zalloc(t->n_columns, sizeof *rest);
    char **texts = mem_zalloc(t->n_columns, sizeof *texts);
    bool is_empty = true;
    for (size_t c = 0; c < t->n_columns; c++) {
        bool is_in = is_shown(t, c) && (c < t->n_key || (c >= p.first && c < p.end));
        bool is_there = first < 0 || (size_t)first + c < t->n_cells;
        const char *text = !is_in || !is_there ? ""
                           : first < 0         ? t->columns[c].header
                                               : t->cells[(size_t)first + c].text;
        rest[c] = texts[c] = cut(text, widths[c]);
        is_empty = is_empty && texts[c][0] == '\0';
    }
    /* A row is as high as its highest cell; the others are "" after their last line. */
    while (print_line(out, t, widths, p, rest))
        ;
    if (is_empty) /* an empty row is still a row */
        end_line(out);
    for (size_t c = 0; c < t->n_columns; c++)
        free(texts[c]);
    free(texts);
    free(rest);
}

static void print_rules(struct text *out, const struct table *t, const int *widths, struct part p)
{
    const char *gap = "";
    for (size_t c = 0; c < t->n_columns; c++) {
        if (!is_shown(t, c) || !(c < t->n_key || (c >= p.first && c < p.end)))
            continue;
        text_addf(out, "%s", gap);
        gap = "  ";
        for (int i = 0; i < widths[c]; i++)
            text_add(out, "-", 1);
    }
    end_line(out);
}

static void print_part(struct text *out, const struct table *t, const int *widths, struct part p)
{
    print_row(out, t, widths, p, -1);
    print_rules(out, t, widths, p);
    for (size_t row = 0; row < t->n_cells; row += t->n_columns)
        print_row(out, t, widths, p, (long)row);
}

void table_add_to(const struct table *t, struct text *out)
{
    int *widths = mem_zalloc(t->n_columns, sizeof *widths), width = page_width();
    choose_widths(t, width, widths);
    size_t most = balanced(t, widths, width);
    /* A table that has only key columns is printed once, too. */
    for (size_t first = t->n_key; first < t->n_columns || first == t->n_key;) {
        struct part p = next_part(t, widths, first, width, most);
        if (first > t->n_key)
            text_add(out, "\n", 1);
        print_part(out, t, widths, p);
        first = p.end;
    }
    free(widths);
}

void table_print(const struct table *t, FILE *out)
{
    struct text text = {0};
    table_add_to(t, &text);
    fwrite(text_str(&text), 1, text.size, out);
    text_clear(&text);
}

void table_end(struct table *t, FILE *out)
{
    table_print(t, out);
    table_free(t);
}

/* The table keeps its reference to the value, so it can be shown as JSON several times. */
static json_t *json_cell(const struct cell *cell)
{
    return cell->meant != NULL ? json_incref(cell->meant) : json_bytes(cell->text);
}

static json_t *json_row(const struct table *t, size_t first)
{
    json_t *row = json_array();
    for (size_t c = 0; c < t->n_columns; c++)
        if (t->columns[c].name != NULL)
            /* The last row may be unfinished. */
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
