/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tapes accept the same texts as jansson and give the same values. */
#include "../json_same.h"
#include "base/json_tape.h"
#include "base/mem.h"
#include "base/random.h"
#include "check.h"

#include <stdlib.h>

/* In memory of exactly its size, so a memory checker finds reads past the end. */
static bool agree(const char *text, size_t n, bool *is_taken)
{
    char *copy = mem_alloc(n > 0 ? n : 1);
    bool whole, is_same;
    memcpy(copy, text, n);
    is_same = reads_as_jansson(copy, n, true, &whole) && reads_as_jansson(copy, n, false, is_taken);
    free(copy);
    if (!is_same)
        fprintf(stderr, "not as jansson: %.*s\n", (int)n, text);
    return is_same;
}

static const char *const good[] = {
    "{}",
    "[]",
    " \t\r\n[ ]",
    "0",
    "-0",
    "-0.0e-0",
    "12 ",
    "1.5e3,",
    "1E+2]",
    "9223372036854775807",
    "-9223372036854775808",
    "4.9406564584124654e-324",
    "1e-999",
    "0."
    "00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000001",
    "\"\"",
    "\"a\\\"\\\\\\/\\b\\f\\n\\r\\t\\u0041\\u00e9\\u20AC\\uD83D\\uDE00\"",
    "\"\x7f \xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80\"",
    "true",
    "false,",
    "null}",
    "true1",
    "{\"\":1,\"a\":{\"b\":[1,2,{\"c\":null}]},\"\\u0061b\":[[],[[]]]}",
    "{\"a\":1,\"b\":2,\"c\":3,\"d\":4,\"e\":5,\"f\":6,\"g\":7,\"h\":8,\"i\":9,\"j\":10,\"k\":11,\"l\":12,\"m\":13,"
    "\"n\":14,\"o\":15,\"p\":16,\"q\":17,\"r\":18}",
};

static const char *const bad[] = {
    "",
    " ",
    "{",
    "[1,]",
    "[,1]",
    "[1 2]",
    "{\"a\"}",
    "{\"a\":}",
    "{\"a\":1,}",
    "{a:1}",
    "{1:1}",
    "[1}",
    "01",
    "-",
    "+1",
    ".5",
    "1.",
    "1e",
    "1e+",
    "1e999",
    "-1e999",
    "NaN",
    "tru",
    "truex",
    "nullnull",
    "\"",
    "\"\\",
    "\"\\x\"",
    "\"\\u12\"",
    "\"\\u12g4\"",
    "\"\\u0000\"",
    "\"\\uDC00\"",
    "\"\\uD800\"",
    "\"\\uD800\\u0041\"",
    "\"\t\"",
    "\"\n\"",
    "\"\x80\"",
    "\"\xc0\x80\"",
    "\"\xe0\x80\x80\"",
    "\"\xed\xa0\x80\"",
    "\"\xf4\x90\x80\x80\"",
    "\"\xf5\x80\x80\x80\"",
    "\"\xc3\"",
    "{\"a\":1,\"a\":1}",
    "{\"a\":1,\"\\u0061\":1}",
    "{\"\xc3\xa9\":1,\"\\u00e9\":1}",
    "[{\"x\":{\"\":1,\"b\":2,\"\":1}}]",
    "{\"a\":1,\"b\":2,\"c\":3,\"d\":4,\"e\":5,\"f\":6,\"g\":7,\"h\":8,\"i\":9,\"j\":10,\"k\":11,\"l\":12,\"m\":13,"
    "\"n\":14,\"o\":15,\"p\":16,\"q\":17,\"r\":18,\"b\":19}",
};

static void what_jansson_takes_is_taken_and_nothing_else(void)
{
    bool is_taken;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        CHECK(agree(good[i], strlen(good[i]), &is_taken) && is_taken);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        CHECK(agree(bad[i], strlen(bad[i]), &is_taken) && !is_taken);
}

static void integers_may_be_bounded(void)
{
    static const char *const large[] = {"9223372036854775808", "-9223372036854775809", "1000000000000000000000000000"};
    bool is_taken;
    for (int i = 0; i < 3; i++) {
        CHECK(reads_as_jansson(large[i], strlen(large[i]), true, &is_taken) && !is_taken);
        CHECK(reads_as_jansson(large[i], strlen(large[i]), false, &is_taken) && is_taken);
    }
}

static void nesting_ends_where_that_of_jansson_ends(void)
{
    enum { DEEP = 5000 };
    char *text = mem_alloc(DEEP);
    for (size_t depth = 2040; depth < 2056; depth++) {
        bool is_taken;
        memset(text, '[', depth);
        memset(text + depth, ']', depth);
        CHECK(agree(text, 2 * depth, &is_taken) && is_taken == (depth <= 2048));
    }
    free(text);
}

/* Every prefix of a text, and many texts with one change. */
static void damaged_texts_are_taken_as_jansson_takes_them(void)
{
    static const char text[] =
        "{\"tasks\" :[{\"name\":\"A\\u00e9\\n\",\"start_s\":-1.25e-3,\"x\":[true,false,null,12]},\n"
        "{\"name\":\"\xc3\xa9\",\"start_s\":0, \"links\":[{},[],\"\"]} ] , \"a\\\"b\":17}";
    static const char *const put[] = {"{", "}",   "[", "]", ",",    ":",  "\"", "\\",
                                      "0", "1e9", "-", "u", "\xc3", "\n", " "};
    struct random_stream random;
    bool is_taken;
    size_t n_taken = 0;
    random_init(&random, 1, 0);
    for (size_t n = 0; n < sizeof text; n++)
        CHECK(agree(text, n, &is_taken));
    for (int i = 0; i < 20000; i++) {
        char changed[2 * sizeof text];
        size_t n = sizeof text - 1;
        memcpy(changed, text, n);
        for (uint64_t k = 1 + random_below(&random, 3); k > 0; k--) {
            const char *with = put[random_below(&random, sizeof put / sizeof *put)];
            size_t at = random_below(&random, n), gone = random_below(&random, 3), length = strlen(with);
            gone = gone < n - at ? gone : n - at;
            memmove(changed + at + length, changed + at + gone, n - at - gone);
            memcpy(changed + at, with, length);
            n += length - gone;
        }
        bool is_same = agree(changed, n, &is_taken);
        n_taken += is_taken;
        if (!is_same)
            CHECK(is_same);
    }
    CHECK(n_taken > 1000 && n_taken < 19000);
}

static void what_is_not_there_is_absent(void)
{
    static const char text[] = "{\"a\":[],\"b\":{\"c\":\"x\"},\"a\\u0062\":1}";
    struct json_tape t = {0};
    struct text own = {0};
    size_t end;
    CHECK(tape_read(&t, text, sizeof text - 1, true, &end) && end == sizeof text - 1);
    struct tape_value root = tape_root(&t), none = tape_member(root, "z");
    CHECK(none.tape == NULL && tape_kind(none) == TAPE_NONE && tape_string(none, &own) == NULL);
    CHECK(tape_member(none, "a").tape == NULL && tape_first(none).tape == NULL && !tape_is_true(none));
    CHECK(tape_first(tape_member(root, "a")).tape == NULL && tape_first(root).tape == NULL);
    CHECK(tape_member(root, "c").tape == NULL && tape_member(tape_member(root, "a"), "c").tape == NULL);
    CHECK(tape_number(tape_member(root, "ab")) == 1);
    CHECK_INT(tape_place(tape_member(tape_member(root, "b"), "c")), strchr(text, 'x') - 1 - text);
    CHECK_TEXT(tape_string(tape_member(tape_member(root, "b"), "c"), &own), "x");
    text_clear(&own);
    tape_clear(&t);
}

static const struct test tests[] = {
    {"what_jansson_takes_is_taken_and_nothing_else", what_jansson_takes_is_taken_and_nothing_else},
    {"integers_may_be_bounded", integers_may_be_bounded},
    {"nesting_ends_where_that_of_jansson_ends", nesting_ends_where_that_of_jansson_ends},
    {"damaged_texts_are_taken_as_jansson_takes_them", damaged_texts_are_taken_as_jansson_takes_them},
    {"what_is_not_there_is_absent", what_is_not_there_is_absent},
};

TEST_MAIN(tests)
