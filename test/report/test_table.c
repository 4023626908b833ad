/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "base/mem.h"
#include "check.h"
#include "report/json_bytes.h"
#include "report/page.h"
#include "report/table.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *print(struct table *t, struct text *out)
{
    text_clear(out);
    table_add_to(t, out);
    table_free(t);
    return text_str(out);
}

static void columns_are_as_wide_as_their_content(void)
{
    struct text out = {0};
    struct table *t = table_create();
    table_column(t, TABLE_LEFT, "policy");
    table_column(t, TABLE_RIGHT, "makespan_s");
    table_cell(t, "root_computes");
    table_number(t, 1016.784, 5);
    table_cell(t, "bwc");
    table_number(t, NAN, 5);
    CHECK_TEXT(print(t, &out), "policy         makespan_s\n"
                               "-------------  ----------\n"
                               "root_computes      1016.8\n"
                               "bwc                     -\n");
    text_clear(&out);
}

static void no_blanks_end_a_line_and_a_short_row_is_fine(void)
{
    struct text out = {0};
    struct table *t = table_create();
    table_column(t, TABLE_LEFT, "a");
    table_column(t, TABLE_LEFT, "long header");
    table_cell(t, "1");
    table_cell(t, "");
    table_cellf(t, "%d", 2);
    CHECK_TEXT(print(t, &out), "a  long header\n-  -----------\n1\n2\n");
    text_clear(&out);
}

static void a_cell_cannot_break_its_row(void)
{
    struct text out = {0};
    struct table *t = table_create();
    table_column(t, TABLE_LEFT, "text");
    table_cell(t, "one\ntwo\tthree\033[31m");
    CHECK_TEXT(print(t, &out), "text\n------------------\none two three [31m\n");
    text_clear(&out);
}

static void width_counts_what_a_terminal_shows(void)
{
    CHECK_INT(page_text_width("Gr\xc3\xb6\xc3\x9f"
                              "e"),
              5);
    CHECK_INT(page_text_width("o\xcc\x88"), 1);
    CHECK_INT(page_text_width("\xe6\xbc\xa2\xe5\xad\x97"), 4);
    CHECK_INT(page_text_width("\xff\xfe"), 2);
    CHECK_INT(page_text_width("\xe6\xbc"), 2); /* cut short: two bytes */
}

static void what_is_shown_is_not_what_is_meant(void)
{
    struct text out = {0};
    struct table *t = table_create();
    table_column(t, TABLE_LEFT, "world");
    table_column_as(t, TABLE_RIGHT, "error", "error, %");
    table_column(t, TABLE_RIGHT, "speed");
    table_column_as(t, TABLE_RIGHT, "range", NULL);
    table_column_as(t, TABLE_RIGHT, NULL, "least");
    table_column(t, TABLE_RIGHT, "n");
    table_cell(t, "none");
    table_valuef(t, 100.0 / 3, "%.1f %%", 100.0 / 3);
    table_number(t, 2.0 / 3, 2);
    table_cell(t, "1 to 3");
    table_valuef(t, 1.25, "%s", "a text that nobody sees");
    table_count(t, 7);
    table_ditto(t, "none");
    table_valuef(t, INFINITY, "%s", "");
    table_number(t, NAN, 2);
    json_t *json = table_json(t);
    char *text = json_dumps(json, JSON_COMPACT | JSON_REAL_PRECISION(17));
    CHECK_TEXT(text, "{\"columns\":[\"world\",\"error, %\",\"speed\",\"least\",\"n\"],\"rows\":["
                     "[\"none\",33.333333333333336,0.66666666666666663,1.25,7],"
                     "[\"none\",null,null,\"\",\"\"]]}"); /* the last cells were never filled */
    CHECK_TEXT(print(t, &out), "world   error  speed   range  n\n"
                               "-----  ------  -----  ------  -\n"
                               "none   33.3 %   0.67  1 to 3  7\n"
                               "                   -\n");
    free(text);
    json_decref(json);
    text_clear(&out);
}

static void a_name_that_is_not_utf_8_does_not_break_json(void)
{
    static const char *const names[] = {"plain", "na\xc3\xafve", "na\xefve", NULL};
    static const char *const want[] = {"\"plain\"", "\"na\xc3\xafve\"", "\"na?ve\"", "null"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        json_t *json = json_bytes(names[i]);
        char *text = json_dumps(json, JSON_ENCODE_ANY);
        CHECK_TEXT(text, want[i]);
        free(text);
        json_decref(json);
    }
}

/* The table below, on a page of so many columns. */
static const char *print_wide(int width, size_t n_key, struct text *out)
{
    char columns[12];
    struct table *t = table_create();
    snprintf(columns, sizeof columns, "%d", width);
    setenv("COLUMNS", columns, 1);
    table_column(t, TABLE_LEFT, "policy");
    table_column(t, TABLE_RIGHT, "throughput_tasks_per_s");
    table_column(t, TABLE_RIGHT, "median ratio");
    table_key(t, n_key);
    table_cell(t, "ia_multi[chunk=0.512,prune=on]");
    table_number(t, 123.456, 6);
    table_cell(t, "0.9 .. 1.1");
    table_cell(t, "bwc");
    table_number(t, 1, 6);
    table_cell(t, "1");
    print(t, out);
    unsetenv("COLUMNS");
    return text_str(out);
}

static int widest_line(const char *text)
{
    int widest = 0;
    for (size_t n; *text != '\0'; text += n + 1) {
        n = strcspn(text, "\n");
        widest = (int)n > widest ? (int)n : widest;
    }
    return widest;
}

static void a_narrow_page_breaks_headers_then_text_then_the_table(void)
{
    struct text out = {0};
    CHECK_TEXT(print_wide(80, 1, &out), "policy                          throughput_tasks_per_s  median ratio\n"
                                        "------------------------------  ----------------------  ------------\n"
                                        "ia_multi[chunk=0.512,prune=on]                 123.456    0.9 .. 1.1\n"
                                        "bwc                                                  1             1\n");
    CHECK_TEXT(print_wide(55, 1, &out), "policy                          throughput_      median\n"
                                        "                                tasks_per_s       ratio\n"
                                        "------------------------------  -----------  ----------\n"
                                        "ia_multi[chunk=0.512,prune=on]      123.456  0.9 .. 1.1\n"
                                        "bwc                                       1           1\n");
    CHECK_TEXT(print_wide(44, 1, &out), "policy               throughput_      median\n"
                                        "                     tasks_per_s       ratio\n"
                                        "-------------------  -----------  ----------\n"
                                        "ia_multi[chunk=          123.456  0.9 .. 1.1\n"
                                        "0.512,prune=on]\n"
                                        "bwc                            1           1\n");
    CHECK_TEXT(print_wide(30, 1, &out), "policy        throughput_\n"
                                        "              tasks_per_s\n"
                                        "------------  -----------\n"
                                        "ia_multi[         123.456\n"
                                        "chunk=0.512,\n"
                                        "prune=on]\n"
                                        "bwc                     1\n"
                                        "\n"
                                        "policy            median\n"
                                        "                   ratio\n"
                                        "------------  ----------\n"
                                        "ia_multi[     0.9 .. 1.1\n"
                                        "chunk=0.512,\n"
                                        "prune=on]\n"
                                        "bwc                    1\n");
    for (int width = 25; width < 90; width++)
        CHECK(widest_line(print_wide(width, 1, &out)) <= width);
    text_clear(&out);
}

/* On a page of so many columns; the text is the caller's. */
static char *print_at(const struct table *t, const char *columns)
{
    struct text out = {0};
    setenv("COLUMNS", columns, 1);
    table_add_to(t, &out);
    unsetenv("COLUMNS");
    return text_take(&out);
}

static void a_long_cell_takes_five_lines(void)
{
    struct table *t = table_create();
    char name[401] = {0};
    for (size_t i = 0; i < sizeof name - 1; i++)
        name[i] = (char)('a' + i % 26);
    table_column(t, TABLE_LEFT, "with");
    table_column(t, TABLE_RIGHT, "s");
    table_cell(t, name);
    table_number(t, 1, 6);
    char *text = print_at(t, "40");
    int n_lines = 0;
    for (const char *at = text; (at = strchr(at, '\n')) != NULL; at++)
        n_lines++;
    CHECK(n_lines <= 2 + 6); /* a break at a blank may take one more */
    CHECK_CONTAINS(text, " ..");
    CHECK_CONTAINS(text, "\nabcdefgh"); /* both ends of the name are there */
    CHECK_CONTAINS(text, "efghij\n");
    json_t *json = table_json(t);
    CHECK_TEXT(json_string_value(json_array_get(json_array_get(json_object_get(json, "rows"), 0), 0)), name);
    json_decref(json);
    free(text);
    table_free(t);
}

static void no_column_stands_alone_in_a_second_part(void)
{
    struct table *t = table_create();
    table_column(t, TABLE_LEFT, "key");
    for (int c = 0; c < 6; c++)
        table_column(t, TABLE_RIGHT, "number");
    table_cell(t, "k");
    for (int c = 0; c < 6; c++)
        table_number(t, 1000 * c + 1, 6);
    char *text = print_at(t, "44"); /* five numbers fit beside the key */
    CHECK_TEXT(text, "key  number  number  number\n"
                     "---  ------  ------  ------\n"
                     "k         1    1001    2001\n"
                     "\n"
                     "key  number  number  number\n"
                     "---  ------  ------  ------\n"
                     "k      3001    4001    5001\n");
    free(text);
    table_free(t);
}

static void rounding_beside_the_whole_is_zero(void)
{
    struct table *t = table_create();
    table_column(t, TABLE_RIGHT, "idle_s");
    table_part(t, 4.44e-16, 1, 6);
    table_part(t, 1e-9, 1, 6);
    char *text = print_at(t, "80");
    CHECK_TEXT(text, "idle_s\n------\n     0\n 1e-09\n");
    free(text);
    table_free(t);
}

static void lines_break_at_blanks_and_after_marks(void)
{
    static const struct {
        const char *text;
        int width;
        const char *line, *rest;
    } cases[] = {
        {"one two three", 7, "one two", "three"},
        {"one two three", 8, "one two", "three"},
        {"one two three", 6, "one", "two three"},
        {"a_long_name", 7, "a_long_", "name"},
        {"abcdefgh", 3, "abc", "defgh"},
        {"one", 9, "one", ""},
        {"up to 335 % here", 9, "up to", "335 % here"}, /* a number keeps its percent sign */
        {"\xc3\xb6\xc3\xb6\xc3\xb6", 2, "\xc3\xb6\xc3\xb6", "\xc3\xb6"},
        {"\xe6\xbc\xa2x", 1, "\xe6\xbc\xa2", "x"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        size_t skip, n = page_line(cases[i].text, cases[i].width, &skip);
        char *line = mem_format("%.*s", (int)n, cases[i].text);
        CHECK_TEXT(line, cases[i].line);
        CHECK_TEXT(cases[i].text + skip, cases[i].rest);
        free(line);
    }
}

static void the_page_is_80_wide_unless_columns_says_otherwise(void)
{
    static const struct {
        const char *columns;
        int width;
    } cases[] = {{NULL, 80}, {"", 80},     {"100", 100}, {"0", 80},
                 {"-3", 80}, {"wide", 80}, {"7", 20},    {"99999999999", 80}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0] && !isatty(STDOUT_FILENO); i++) {
        if (cases[i].columns != NULL)
            setenv("COLUMNS", cases[i].columns, 1);
        CHECK_INT(page_width(), cases[i].width);
    }
    unsetenv("COLUMNS");
}

static const struct test tests[] = {
    {"a narrow page breaks headers, then text, then the table", a_narrow_page_breaks_headers_then_text_then_the_table},
    {"a long cell takes five lines", a_long_cell_takes_five_lines},
    {"no column stands alone in a second part", no_column_stands_alone_in_a_second_part},
    {"rounding beside the whole is zero", rounding_beside_the_whole_is_zero},
    {"lines break at blanks and after marks", lines_break_at_blanks_and_after_marks},
    {"the page is 80 wide unless COLUMNS says otherwise", the_page_is_80_wide_unless_columns_says_otherwise},
    {"columns are as wide as their content", columns_are_as_wide_as_their_content},
    {"no blanks end a line, and a short row is fine", no_blanks_end_a_line_and_a_short_row_is_fine},
    {"a cell cannot break its row", a_cell_cannot_break_its_row},
    {"what is shown is not what is meant", what_is_shown_is_not_what_is_meant},
    {"width counts what a terminal shows", width_counts_what_a_terminal_shows},
    {"a name that is not UTF-8 does not break JSON", a_name_that_is_not_utf_8_does_not_break_json},
};
TEST_MAIN(tests)
