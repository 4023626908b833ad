/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "report/document.h"

#include "base/text.h"
#include "check.h"

static struct table *table_with(double value)
{
    struct table *t = table_create();
    table_column(t, TABLE_LEFT, "policy");
    table_column(t, TABLE_RIGHT, "ratio");
    table_cell(t, "bwc");
    table_valuef(t, value, "%.1f", value);
    return t;
}

static void claim(struct document *d, bool holds, const char *text)
{
    document_claim(d, &(struct document_claim){.holds = holds, .text = text});
}

static struct document *document_of_everything(void)
{
    struct document *d = document_create();
    document_paragraphf(d, "Before %s.", "all");
    document_section(d, "Gr\xc3\xb6\xc3\x9f"
                        "e");
    document_paragraphf(d, "Two\nlines at 100 %%.");
    document_table(d, "Ratios", table_with(0.25));
    document_table(d, "Ratios", table_with(0.125));
    document_table(d, NULL, table_with(1));
    document_claims(d);
    claim(d, true, "1 is a number.");
    document_detail(d, "It is.\nIt is, really.");
    document_detail(d, "Nothing else is said.");
    claim(d, false, "2 is none.");
    document_claims(d);
    document_claim(d,
                   &(struct document_claim){true, "A line fits.", "5 %", "4 %", "Holds if it is below 6 %: 4 % here."});
    document_claim(d, &(struct document_claim){.text = "Nothing fits.", .here = "9 %"});
    return d;
}

static void claim_of_kind(struct document *d, enum document_kind kind, bool holds, const char *text)
{
    document_claim(d, &(struct document_claim){.holds = holds, .text = text, .kind = kind});
}

static struct document *document_of_kinds(void)
{
    struct document *d = document_create();
    document_claims(d);
    claim_of_kind(d, DOCUMENT_INPUT, true, "2 is 2.");
    claim_of_kind(d, DOCUMENT_TESTED, false, "It rains.");
    claim_of_kind(d, DOCUMENT_CONSTRUCTION, true, "Sums add.");
    claim_of_kind(d, DOCUMENT_TESTED, true, "It is dry.");
    claim_of_kind(d, DOCUMENT_CONSTRUCTION, false, "Sums add twice.");
    return d;
}

static void a_blank_line_separates_blocks(void)
{
    struct document *d = document_of_everything();
    struct text out = {0};
    document_add_to(d, &out);
    CHECK_TEXT(text_str(&out), "Before all.\n"
                               "\n"
                               "Gr\xc3\xb6\xc3\x9f"
                               "e\n"
                               "=====\n"
                               "\n"
                               "Two\n"
                               "lines at 100 %.\n"
                               "\n"
                               "Ratios\n"
                               "\n"
                               "policy  ratio\n"
                               "------  -----\n"
                               "bwc       0.2\n"
                               "\n"
                               "policy  ratio\n"
                               "------  -----\n"
                               "bwc       0.1\n"
                               "\n"
                               "policy  ratio\n"
                               "------  -----\n"
                               "bwc       1.0\n"
                               "\n"
                               "  yes  1 is a number.\n"
                               "       It is.\n"
                               "       It is, really.\n"
                               "       Nothing else is said.\n"
                               "   NO  2 is none.\n"
                               "\n"
                               "  yes  A line fits.\n"
                               "       Paper: 5 %. Here: 4 %.\n"
                               "       Holds if it is below 6 %: 4 % here.\n"
                               "   NO  Nothing fits.\n"
                               "       Here: 9 %.\n");
    text_clear(&out);
    document_free(d);
}

/* Compares with JSON that is written with single quotes. */
static void check_json(json_t *got, const char *want)
{
    struct text text = {0};
    json_error_t error;
    text_add(&text, want, strlen(want));
    for (size_t i = 0; i < text.size; i++)
        text.data[i] = text.data[i] == '\'' ? '"' : text.data[i];
    json_t *expected = json_loads(text_str(&text), 0, &error);
    char *seen = json_dumps(got, JSON_COMPACT);
    CHECK(expected != NULL);
    if (!json_equal(got, expected))
        CHECK_TEXT(seen, text_str(&text));
    free(seen);
    json_decref(expected);
    json_decref(got);
    text_clear(&text);
}

#define TABLE_JSON(title, value) "{'title': " title ", 'columns': ['policy', 'ratio'], 'rows': [['bwc', " value "]]}"

static void json_has_the_values_and_no_layout(void)
{
    struct document *d = document_of_everything();
    check_json(document_json(d),
               "{'sections': [{'title': null, 'paragraphs': ['Before all.'], 'tables': [], 'claims': []},"
               " {'title': 'Gr\xc3\xb6\xc3\x9f"
               "e', 'paragraphs': ['Two lines at 100 %.'], 'tables': "
               "[" TABLE_JSON("'Ratios'", "0.25") "," TABLE_JSON("'Ratios'", "0.125") "," TABLE_JSON(
                   "null", "1.0") "],"
                                  " 'claims': [{'kind': 'tested', 'holds': true, 'claim': '1 is a number.', 'paper': "
                                  "null, 'here': null, 'rule': null,"
                                  "             'details': ['It is. It is, really.', 'Nothing else is said.']},"
                                  "            {'kind': 'tested', 'holds': false, 'claim': '2 is none.', 'paper': "
                                  "null, 'here': null, 'rule': null, "
                                  "             'details': []},"
                                  "            {'kind': 'tested', 'holds': true, 'claim': 'A line fits.', 'paper': '5 "
                                  "%', 'here': '4 %',"
                                  "             'rule': 'Holds if it is below 6 %: 4 % here.', 'details': []},"
                                  "            {'kind': 'tested', 'holds': false, 'claim': 'Nothing fits.', 'paper': "
                                  "null, 'here': '9 %', 'rule': null,"
                                  "             'details': []}]}]}");
    document_free(d);
}

static void blocks_are_in_the_order_of_the_text(void)
{
    struct document *d = document_create();
    document_section(d, "S");
    for (int i = 0; i < 2; i++) {
        struct table *t = table_create();
        table_column(t, TABLE_RIGHT, "x");
        table_count(t, 7);
        document_table(d, "Both", t);
    }
    document_claims(d);
    claim(d, true, "1");
    document_paragraphf(d, "Between\nclaims.");
    document_claims(d);
    claim(d, false, "2");
    check_json(
        document_blocks_json(d),
        "{'sections': [{'title': 'S', 'blocks': [{'table': {'title': 'Both', 'columns': ['x'], 'rows': [[7]]}},"
        " {'table': {'title': null, 'columns': ['x'], 'rows': [[7]]}},"
        " {'claims': [{'kind': 'tested', 'holds': true, 'claim': '1', 'paper': null, 'here': null, 'rule': null,"
        "              'details': []}], 'heading': null},"
        " {'paragraph': 'Between claims.'},"
        " {'claims': [{'kind': 'tested', 'holds': false, 'claim': '2', 'paper': null, 'here': null, 'rule': null,"
        "              'details': []}], 'heading': null}]}]}");
    document_free(d);
}

static void what_is_not_tested_stands_apart(void)
{
    struct document *d = document_of_kinds();
    struct text out = {0};
    document_add_to(d, &out);
    const char *constructed = strstr(text_str(&out), "These follow from the model"),
               *input = strstr(text_str(&out), "These restate what the platform was given");
    CHECK(constructed != NULL && input != NULL && constructed < input);
    CHECK(strncmp(text_str(&out), "   NO  It rains.\n  yes  It is dry.\n\nThese follow",
                  strlen("   NO  It rains.\n  yes  It is dry.\n\nThese follow")) == 0);
    CHECK_CONTAINS(constructed, "counted:\n\n  yes  Sums add.\n   NO  Sums add twice.\n\nThese restate");
    CHECK_CONTAINS(input, "counted:\n\n  yes  2 is 2.\n");
    json_t *blocks = document_blocks_json(d);
    const json_t *list = json_object_get(json_array_get(json_object_get(blocks, "sections"), 0), "blocks");
    CHECK_INT(json_array_size(list), 3);
    static const size_t sizes[] = {2, 2, 1};
    for (size_t i = 0; i < 3; i++) {
        const json_t *b = json_array_get(list, i), *claims = json_object_get(b, "claims");
        CHECK_INT(json_array_size(claims), sizes[i]);
        CHECK(json_is_null(json_object_get(b, "heading")) == (i == 0));
        CHECK_TEXT(json_string_value(json_object_get(json_array_get(claims, 0), "kind")), document_kind_names[i]);
    }
    json_decref(blocks);
    text_clear(&out);
    document_free(d);
}

static void only_tested_claims_are_counted(void)
{
    struct document *d = document_of_kinds();
    struct text out = {0};
    document_add_count(d, &out);
    CHECK_TEXT(text_str(&out),
               "Of 2 tested claims 1 hold here. Not counted: 1 of 2 hold by construction, 1 of 1 restate "
               "inputs.");
    text_clear(&out);
    document_free(d);
}

static void a_tally_counts_the_claims_that_hold(void)
{
    struct document *d = document_of_everything();
    struct text out = {0};
    document_section(d, "More");
    document_claims(d);
    claim(d, true, "4 is even");
    document_section(d, "Without claims");
    document_tally(d);
    document_add_to(d, &out);
    CHECK_CONTAINS(text_str(&out), "Before all.\n"
                                   "\n"
                                   "Of 5 tested claims 3 hold here.\n"
                                   "\n"
                                   "section  hold  tested  by construction  inputs\n"
                                   "-------  ----  ------  ---------------  ------\n"
                                   "Gr\xc3\xb6\xc3\x9f"
                                   "e       2       4                0       0\n"
                                   "More        1       1                0       0\n");
    text_clear(&out);
    document_free(d);
}

static void a_tally_of_one_section_has_no_table(void)
{
    struct document *d = document_create();
    struct text out = {0};
    document_claims(d);
    claim(d, true, "1");
    document_tally(d);
    document_add_to(d, &out);
    CHECK_TEXT(text_str(&out), "  yes  1\n"); /* a single claim is not counted */
    text_clear(&out);
    claim(d, false, "2");
    document_tally(d);
    document_add_to(d, &out);
    CHECK_TEXT(text_str(&out), "  yes  1\n   NO  2\n\nOf 2 tested claims 1 hold here.\n");
    text_clear(&out);
    document_free(d);
}

static void an_empty_document_gives_no_output(void)
{
    struct document *d = document_create();
    struct text out = {0};
    document_add_to(d, &out);
    CHECK_TEXT(text_str(&out), "");
    check_json(document_json(d), "{'sections': []}");
    document_free(d);
    document_free(NULL);
}

static const struct test tests[] = {
    {"a blank line separates blocks", a_blank_line_separates_blocks},
    {"JSON has the values and no layout", json_has_the_values_and_no_layout},
    {"blocks are in the order of the text", blocks_are_in_the_order_of_the_text},
    {"what is not tested stands apart", what_is_not_tested_stands_apart},
    {"only tested claims are counted", only_tested_claims_are_counted},
    {"a tally counts the claims that hold", a_tally_counts_the_claims_that_hold},
    {"a tally of one section has no table", a_tally_of_one_section_has_no_table},
    {"an empty document gives no output", an_empty_document_gives_no_output},
};
TEST_MAIN(tests)
