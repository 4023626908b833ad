/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "check.h"
#include "report/progress.h"

static void the_line_shows_counts_rate_and_time(void)
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

static void without_a_finished_run_there_is_no_rate(void)
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
    progress_init(&p, f, PROGRESS_AUTO);
    progress_show(&p, &(struct progress_counts){.n_total = 5, .n_done = 3});
    progress_end(&p);
    CHECK_INT(ftell(f), 0);
    fclose(f);
}

static void json_has_the_same_figures(void)
{
    char line[300];
    const struct progress_counts half = {.n_total = 120, .n_before = 20, .n_done = 40, .n_failed = 3};
    CHECK_TEXT(progress_json(&half, 10, line, sizeof line),
               "{\"done\": 60, \"total\": 120, \"passed\": 20, \"failed\": 3, \"rate_per_s\": 4, \"elapsed_s\": 10, "
               "\"remaining_s\": 15}");
    const struct progress_counts none = {.n_total = 5};
    CHECK_CONTAINS(progress_json(&none, 0, line, sizeof line),
                   "\"rate_per_s\": 0, \"elapsed_s\": 0, \"remaining_s\": null}");
    const struct progress_counts from_before = {.n_total = 5, .n_before = 5};
    CHECK_CONTAINS(progress_json(&from_before, 2, line, sizeof line), "\"remaining_s\": 0}");
    const struct progress_counts most = {UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX};
    CHECK_CONTAINS(progress_json(&most, 1e-300, line, sizeof line), "}");
}

static void a_file_gets_json_or_a_bar_if_asked(void)
{
    char text[600] = "";
    for (int json = 0; json < 2; json++) {
        FILE *f = tmpfile();
        struct progress p;
        progress_init(&p, f, json ? PROGRESS_JSON : PROGRESS_BAR);
        for (uint64_t i = 1; i <= 1000; i++) /* at once: far more often than it is drawn */
            progress_show(&p, &(struct progress_counts){.n_total = 1000, .n_done = i});
        progress_end(&p);
        rewind(f);
        text[fread(text, 1, sizeof text - 1, f)] = '\0';
        CHECK(feof(f));
        fclose(f);
        if (!json)
            CHECK_CONTAINS(text, "] 1/1000");
        CHECK(strchr(text, '\033') == NULL);
        if (json)
            CHECK_CONTAINS(text, "{\"done\": 1,");
        if (json)
            CHECK_CONTAINS(strrchr(text, '{'), "{\"done\": 1000, \"total\": 1000,");
    }
}

static void progress_can_be_turned_off(void)
{
    FILE *f = tmpfile();
    struct progress p;
    progress_init(&p, f, PROGRESS_NONE);
    progress_show(&p, &(struct progress_counts){.n_total = 5, .n_done = 3});
    progress_end(&p);
    CHECK_INT(ftell(f), 0);
    fclose(f);
}

static const struct test tests[] = {
    {"JSON has the same figures", json_has_the_same_figures},
    {"a file gets json or a bar if asked", a_file_gets_json_or_a_bar_if_asked},
    {"progress can be turned off", progress_can_be_turned_off},
    {"the line shows counts, rate and time", the_line_shows_counts_rate_and_time},
    {"without a finished run there is no rate", without_a_finished_run_there_is_no_rate},
    {"a narrow terminal gets a short line", a_narrow_terminal_gets_a_short_line},
    {"a file gets nothing", a_file_gets_nothing},
};
TEST_MAIN(tests)
