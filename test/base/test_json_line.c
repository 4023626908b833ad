/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Lines of JSON values: counted here by hand, in texts that jansson accepts. */
#include "base/json_line.h"
#include "base/mem.h"
#include "check.h"

#include <stdlib.h>

#define STEPS(...)                                                                                                     \
    (const struct json_step[]){__VA_ARGS__}, sizeof((const struct json_step[]){__VA_ARGS__}) / sizeof(struct json_step)
#define KEY(k)                                                                                                         \
    {                                                                                                                  \
        (k), 0                                                                                                         \
    }
#define AT(i)                                                                                                          \
    {                                                                                                                  \
        NULL, (i)                                                                                                      \
    }

static const char text[] = "\n{ \"a\": 1,\n"             /* 2 */
                           "  \"b\" :\n"                 /* 3 */
                           "    [ 10, [1,\n2], {\n"      /* 4, 5 */
                           "      \"c\": \"x\\\"y{[\"\n" /* 6 */
                           "    , \"d\\\"e\": true }\n"  /* 7 */
                           "    , null ],\n"             /* 8 */
                           "  \"\\u0066\\n\": -1.5e3,\n" /* 9 */
                           "  \"\": {}, \"g\": []\n}\n"; /* 10, 11 */

#define LINE(...) json_line(text, sizeof text - 1, STEPS(__VA_ARGS__))

static void a_path_leads_to_the_line_of_its_value(void)
{
    CHECK_INT(json_line(text, sizeof text - 1, NULL, 0), 2);
    CHECK_INT(LINE(KEY("a")), 2);
    CHECK_INT(LINE(KEY("b")), 4);
    CHECK_INT(LINE(KEY("b"), AT(1)), 4);
    CHECK_INT(LINE(KEY("b"), AT(1), AT(1)), 5);
    CHECK_INT(LINE(KEY("b"), AT(2)), 5);
    CHECK_INT(LINE(KEY("b"), AT(2), KEY("c")), 6);
    CHECK_INT(LINE(KEY("b"), AT(3)), 8);
    CHECK_INT(LINE(KEY("g")), 10);
}

static void keys_may_be_escaped(void)
{
    CHECK_INT(LINE(KEY("b"), AT(2), KEY("d\"e")), 7);
    CHECK_INT(LINE(KEY("f\n")), 9);
    CHECK_INT(LINE(KEY("")), 10);
    CHECK_INT(LINE(KEY("f")), 0);
    CHECK_INT(LINE(KEY("u0066\n")), 0);
}

static void what_is_not_there_has_no_line(void)
{
    CHECK_INT(LINE(KEY("z")), 0);
    CHECK_INT(LINE(AT(0)), 0);
    CHECK_INT(LINE(KEY("b"), AT(4)), 0);
    CHECK_INT(LINE(KEY("b"), KEY("c")), 0);
    CHECK_INT(LINE(KEY("g"), AT(0)), 0);
    CHECK_INT(LINE(KEY("a"), AT(0)), 0);
}

static void elements_are_walked_one_by_one(void)
{
    static const int lines[] = {4, 4, 5, 8};
    struct json_place p = json_place_root(text, sizeof text - 1);
    int n = 0;
    CHECK(json_place_member(p, "b", &p));
    for (bool more = json_place_first(p, &p); more; more = json_place_next(&p))
        CHECK(n < 4 && p.line == lines[n++]);
    CHECK_INT(n, 4);
}

/* Any beginning of a text, in memory of just its size (a memory checker watches), and deep nesting. */
static void any_text_is_walked_safely(void)
{
    for (size_t n = 0; n < sizeof text; n++) {
        char *part = mem_alloc(n + 1);
        memcpy(part, text, n);
        part = mem_resize(part, n ? n : 1, 1);
        json_line(part, n, STEPS(KEY("b"), AT(3)));
        json_line(part, n, STEPS(KEY("zz")));
        free(part);
    }
    enum { DEPTH = 1000000 };
    char *deep = mem_alloc(DEPTH + 4);
    memcpy(deep, "[\n", 2);
    memset(deep + 2, '[', DEPTH);
    CHECK_INT(json_line(deep, DEPTH + 2, STEPS(AT(1))), 0);
    CHECK_INT(json_line(deep, DEPTH + 2, STEPS(AT(0))), 2);
    free(deep);
}

static const struct test tests[] = {
    {"a_path_leads_to_the_line_of_its_value", a_path_leads_to_the_line_of_its_value},
    {"keys_may_be_escaped", keys_may_be_escaped},
    {"what_is_not_there_has_no_line", what_is_not_there_has_no_line},
    {"elements_are_walked_one_by_one", elements_are_walked_one_by_one},
    {"any_text_is_walked_safely", any_text_is_walked_safely},
};

TEST_MAIN(tests)
