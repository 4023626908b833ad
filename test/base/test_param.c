/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "base/param.h"

#include "check.h"

static const struct param params[] = {
    {"chunk", PARAM_NUMBER, "MB", "0", 0, 100, NULL, "a number"},
    {"count", PARAM_INTEGER, "", NULL, 1, 9, NULL, "a whole number without default"},
    {"prune", PARAM_CHOICE, "", "off", 0, 0, "on|off", "a choice"},
    {"file", PARAM_TEXT, "", NULL, 0, 0, NULL, "any text"},
    {0},
};

static void a_value_is_the_default_until_given(void)
{
    struct param_set *ps = param_set_create(params);
    struct err e = {0};
    CHECK(param_number(ps, "chunk") == 0);
    CHECK(!param_has(ps, "count"));
    CHECK(!param_is_on(ps, "prune"));
    CHECK_OK(param_set_value(ps, "x", "chunk", "0.5", &e), e);
    CHECK_OK(param_set_value(ps, "x", "count", "9", &e), e);
    CHECK_OK(param_set_value(ps, "x", "prune", "on", &e), e);
    CHECK(param_number(ps, "chunk") == 0.5);
    CHECK_INT(param_integer(ps, "count"), 9);
    CHECK(param_is_on(ps, "prune"));
    param_set_free(ps);
}

static void check_refused(const char *name, const char *value, const char *text)
{
    struct param_set *ps = param_set_create(params);
    struct err e = {0};
    CHECK(param_set_value(ps, "policy p", name, value, &e) == ERR_INPUT);
    CHECK_TEXT(e.text, text);
    CHECK(param_number(ps, "chunk") == 0); /* the old value stays */
    param_set_free(ps);
}

static void a_wrong_value_is_refused_and_the_old_one_stays(void)
{
    check_refused("chunk", "1x",
                  "policy p: parameter chunk is '1x', which is not a finite number; write the number without a unit");
    check_refused("chunk", "1MB",
                  "policy p: parameter chunk is '1MB', which is not a finite number; the unit is MB: write 1");
    check_refused("chunk", "nan", "policy p: parameter chunk is 'nan', which is not a finite number");
    check_refused("chunk", "0x10", "policy p: parameter chunk is '0x10', which is not a finite number");
    check_refused("chunk", "", "policy p: parameter chunk is '', which is not a finite number");
    check_refused("chunk", "100.5", "policy p: parameter chunk is 100.5; it must be between 0 and 100 MB");
    check_refused("count", "2.5", "policy p: parameter count is '2.5', which is not a whole number");
    check_refused("count", "0", "policy p: parameter count is 0; it must be between 1 and 9");
    check_refused("prune", "o", "policy p: unknown prune 'o'; known: on|off");
    check_refused("prune", "", "policy p: unknown prune ''; known: on|off");
    check_refused("chunks", "1",
                  "policy p has no parameter 'chunks'; known: chunk, count, prune, file; did you mean 'chunk'?");
}

static void a_whole_number_may_have_an_exponent(void)
{
    struct param_set *ps = param_set_create(params);
    struct err e = {0};
    CHECK_OK(param_set_value(ps, "policy p", "count", "0.8e1", &e), e);
    CHECK_INT(param_integer(ps, "count"), 8);
    param_set_free(ps);
    check_refused("count", "1e1", "policy p: parameter count is 1e1; it must be between 1 and 9");
    check_refused("count", "1e-1", "policy p: parameter count is '1e-1', which is not a whole number");
}

static void a_spec_is_a_name_with_values(void)
{
    struct spec s;
    struct err e = {0};
    CHECK_OK(spec_parse(&s, "ia_multi", &e), e);
    CHECK_TEXT(s.name, "ia_multi");
    CHECK_INT(s.n, 0);
    spec_clear(&s);
    CHECK_OK(spec_parse(&s, "list[technique=end,compact=on]", &e), e);
    CHECK_TEXT(s.name, "list");
    CHECK_INT(s.n, 2);
    CHECK_TEXT(s.keys[1], "compact");
    CHECK_TEXT(s.values[0], "end");
    spec_clear(&s);
}

static void check_bad_spec(const char *text, const char *message)
{
    struct spec s;
    struct err e = {0};
    CHECK(spec_parse(&s, text, &e) == ERR_INPUT);
    CHECK_TEXT(e.text, message);
}

static void what_is_no_spec_is_refused(void)
{
    check_bad_spec("", "'': a name is missing");
    check_bad_spec("[a=1]", "'[a=1]': a name is missing");
    check_bad_spec("p[a=1", "'p[a=1' is not of the form name[parameter=value,...]");
    check_bad_spec("p[]", "'p[]' is not of the form name[parameter=value,...]");
    check_bad_spec("p[a=1]x", "'p[a=1]x' is not of the form name[parameter=value,...]");
    check_bad_spec("p[a]", "'p[a]': 'a' is not of the form name=value");
    check_bad_spec("p[=1]", "'p[=1]': '=1' is not of the form name=value");
    check_bad_spec("p[a=1,]", "'p[a=1,]': '' is not of the form name=value");
    check_bad_spec("p[a=1,a=2]", "'p[a=1,a=2]': parameter a is given twice");
}

static const struct test tests[] = {
    {"a_value_is_the_default_until_given", a_value_is_the_default_until_given},
    {"a_wrong_value_is_refused_and_the_old_one_stays", a_wrong_value_is_refused_and_the_old_one_stays},
    {"a whole number may have an exponent", a_whole_number_may_have_an_exponent},
    {"a_spec_is_a_name_with_values", a_spec_is_a_name_with_values},
    {"what_is_no_spec_is_refused", what_is_no_spec_is_refused},
};
TEST_MAIN(tests)
