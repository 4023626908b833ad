/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "scenario/rerun.h"

#include "base/mem.h"

#include <string.h>

static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./,:@%";

void rerun_add_word(struct text *out, const char *word)
{
    if (word[0] != '\0' && word[strspn(word, plain)] == '\0') {
        text_addf(out, "%s", word);
        return;
    }
    text_addf(out, "'");
    for (const char *at = word; *at != '\0'; at++)
        if (*at == '\'')
            text_addf(out, "'\\''");
        else
            text_addf(out, "%c", *at);
    text_addf(out, "'");
}

void rerun_add_option(struct text *out, const char *option, const char *value)
{
    text_addf(out, " %s ", option);
    rerun_add_word(out, value);
}

void rerun_add_scenario(struct text *out, const char *program, const struct rerun_words *w)
{
    rerun_add_word(out, program);
    for (size_t i = 0; i < w->n_plugins; i++)
        rerun_add_option(out, "--plugin", w->plugins[i]);
    rerun_add_option(out, "run", w->scenario);
    for (size_t i = 0; i < w->n_sets; i++)
        rerun_add_option(out, "--set", w->sets[i]);
}

char *rerun_scenario(const struct rerun_words *w)
{
    struct text out = {0};
    rerun_add_scenario(&out, "iasim", w);
    return text_take(&out);
}

char *rerun_point(const char *scenario, const char *key, long replication)
{
    return mem_format("%s --only %s/%ld", scenario, key, replication);
}
