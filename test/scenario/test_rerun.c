/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "base/mem.h"
#include "check.h"
#include "scenario/rerun.h"

#include <stdlib.h>
#include <string.h>

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

static const char *value(const void *self, const char *name)
{
    (void)self;
    return strcmp(name, "policy") == 0     ? "ia_multi[chunk=0.5]"
           : strcmp(name, "instance") == 0 ? "7"
           : strcmp(name, "tasks") == 0    ? "5"
           : strcmp(name, "graph") == 0    ? "elsewhere/it's.dot"
                                           : NULL;
}

static void a_command_carries_what_the_point_needs(void)
{
    static const char *const plugins[] = {"./mine.so"};
    static const char *const sets[] = {"policy=bwc,ia_multi[chunk=0.5]", "tasks=5.0", "instance=1:9", "graph=it's.dot",
                                       "seed=3"};
    char *all = rerun_scenario(&(struct rerun_words){plugins, 1, "my scenario", sets, 5});
    struct rerun_point p = {.key = "0123456789abcdef0123456789abcdef", .replication = 3};
    char *whole = rerun_point(all, &p);
    CHECK_TEXT(whole,
               "iasim --plugin ./mine.so run 'my scenario' --set 'policy=bwc,ia_multi[chunk=0.5]' --set tasks=5.0 "
               "--set instance=1:9 --set 'graph=it'\\''s.dot' --set seed=3 --only 0123456789ab/3");
    p.value = value;
    p.replication = 0;
    char *one = rerun_point(all, &p);
    CHECK_TEXT(one, "iasim --plugin ./mine.so run 'my scenario' --set 'policy=ia_multi[chunk=0.5]' --set tasks=5 "
                    "--set instance=7 --set 'graph=it'\\''s.dot' --set seed=3 --only 0123456789ab");
    free(all);
    free(whole);
    free(one);
}

#define TEST(name)                                                                                                     \
    {                                                                                                                  \
#name, name                                                                                                    \
    }
static const struct test tests[] = {
    TEST(a_shell_reads_the_words_back),
    TEST(a_command_carries_what_the_point_needs),
};
TEST_MAIN(tests)
