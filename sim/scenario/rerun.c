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

static void add_option(struct text *out, const char *option, const char *value)
{
    text_addf(out, " %s ", option);
    rerun_add_word(out, value);
}

static char *take(struct text *t)
{
    char *s = mem_strdup(text_str(t));
    text_clear(t);
    return s;
}

char *rerun_scenario(const struct rerun_words *w)
{
    struct text out = {0};
    text_addf(&out, "iasim");
    for (size_t i = 0; i < w->n_plugins; i++)
        add_option(&out, "--plugin", w->plugins[i]);
    add_option(&out, "run", w->scenario);
    for (size_t i = 0; i < w->n_sets; i++)
        add_option(&out, "--set", w->sets[i]);
    return take(&out);
}

char *rerun_point(const char *scenario, const char *key, long replication)
{
    return mem_format("%s --only %s/%ld", scenario, key, replication);
}
