/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "base/err.h"
#include "check.h"

static void a_message_is_one_line_and_no_command_to_the_terminal(void)
{
    struct err e = {0};
    char line[64];
    err_set_at(&e, ERR_INPUT, "a\nb.dot", 3, "size '%s' is not a number", "5\n\x1b[2J\x7f\xc3\xa9");
    CHECK_TEXT(err_describe(&e, line, sizeof line), "a b.dot:3: size '5  [2J \xc3\xa9' is not a number");
}

static void the_first_error_wins(void)
{
    struct err e = {0};
    err_set(&e, ERR_INPUT, "first");
    CHECK(err_set(&e, ERR_INTERNAL, "second") == ERR_INTERNAL);
    CHECK(e.code == ERR_INPUT);
    CHECK_TEXT(e.text, "first");
}

static const struct test tests[] = {
    {"a message is one line and no command to the terminal", a_message_is_one_line_and_no_command_to_the_terminal},
    {"the first error wins", the_first_error_wins},
};

TEST_MAIN(tests)
