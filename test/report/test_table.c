/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "check.h"
#include "report/json_bytes.h"
#include "report/page.h"
#include "report/table.h"

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

static void a_name_that_is_no_utf_8_is_in_json_all_the_same(void)
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

static const struct test tests[] = {
    {"columns are as wide as their content", columns_are_as_wide_as_their_content},
    {"no blanks end a line, and a short row is fine", no_blanks_end_a_line_and_a_short_row_is_fine},
    {"a cell cannot break its row", a_cell_cannot_break_its_row},
    {"what is shown is not what is meant", what_is_shown_is_not_what_is_meant},
    {"width counts what a terminal shows", width_counts_what_a_terminal_shows},
    {"a name that is no UTF-8 is in JSON all the same", a_name_that_is_no_utf_8_is_in_json_all_the_same},
};
TEST_MAIN(tests)
