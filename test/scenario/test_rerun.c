/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "base/mem.h"
#include "check.h"
#include "scenario/rerun.h"

#include <stdlib.h>

static void a_shell_reads_the_words_back(void)
{
    static const char *const words[] = {"",   "a", "list[technique=end,compact=on]", "it's", "a b", "$HOME", "-x",
                                        "\"", "'"};
    struct text line = {0};
    text_addf(&line, "printf '%%s\\n'");
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        text_addf(&line, " ");
        rerun_add_word(&line, words[i]);
    }
    FILE *shell = popen(text_str(&line), "r");
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        char got[100] = "";
        CHECK(fgets(got, sizeof got, shell) != NULL);
        got[strcspn(got, "\n")] = '\0';
        CHECK_TEXT(got, words[i]);
    }
    CHECK(pclose(shell) == 0);
    text_clear(&line);
}

static void a_point_is_run_again_with_what_the_user_gave(void)
{
    static const char *const plugins[] = {"./mine.so"}, *const sets[] = {"policy=bwc,ia_multi[chunk=0.5]", "tasks=5"};
    char *all = rerun_scenario(&(struct rerun_words){plugins, 1, "smoke", sets, 2});
    char *one = rerun_point(all, "ab12", 3);
    CHECK_TEXT(one, "iasim --plugin ./mine.so run smoke --set 'policy=bwc,ia_multi[chunk=0.5]' --set tasks=5 "
                    "--only ab12/3");
    free(all);
    free(one);
}

#define TEST(name)                                                                                                     \
    {                                                                                                                  \
#name, name                                                                                                    \
    }
static const struct test tests[] = {
    TEST(a_shell_reads_the_words_back),
    TEST(a_point_is_run_again_with_what_the_user_gave),
};
TEST_MAIN(tests)
