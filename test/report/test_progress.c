/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "check.h"
#include "report/progress.h"

static void the_line_tells_how_far_it_is(void)
{
    char line[200];
    const struct progress_counts half = {.n_total = 120, .n_before = 20, .n_done = 40};
    CHECK_TEXT(progress_line(&half, 10, 80, line, sizeof line), "[############............] 60/120  4/s  0:15 left");
    const struct progress_counts failed = {.n_total = 100000, .n_done = 10, .n_failed = 3};
    CHECK_TEXT(progress_line(&failed, 10, 80, line, sizeof line),
               "[........................] 10/100000  1/s  27:46:30 left  3 failed");
    const struct progress_counts whole = {.n_total = 5, .n_done = 5};
    CHECK_TEXT(progress_line(&whole, 1, 80, line, sizeof line), "[########################] 5/5  5/s  0:00 left");
}

static void nothing_done_is_no_rate(void)
{
    char line[200];
    const struct progress_counts none = {.n_total = 5};
    CHECK_TEXT(progress_line(&none, 0, 80, line, sizeof line), "[........................] 0/5  0/s  ? left");
    const struct progress_counts empty = {0};
    CHECK_TEXT(progress_line(&empty, 1, 80, line, sizeof line), "[########################] 0/0  0/s  ? left");
}

static void a_narrow_terminal_gets_a_short_line(void)
{
    char line[200];
    const struct progress_counts none = {.n_total = 5};
    CHECK_TEXT(progress_line(&none, 0, 10, line, sizeof line), "[.........");
}

static void a_file_gets_nothing(void)
{
    FILE *f = tmpfile();
    struct progress p;
    progress_init(&p, f, false);
    progress_show(&p, &(struct progress_counts){.n_total = 5, .n_done = 3});
    progress_end(&p);
    CHECK_INT(ftell(f), 0);
    fclose(f);
}

static const struct test tests[] = {
    {"the line tells how far it is", the_line_tells_how_far_it_is},
    {"nothing done is no rate", nothing_done_is_no_rate},
    {"a narrow terminal gets a short line", a_narrow_terminal_gets_a_short_line},
    {"a file gets nothing", a_file_gets_nothing},
};
TEST_MAIN(tests)
