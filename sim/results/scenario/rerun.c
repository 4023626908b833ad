/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Command lines as text that a person can paste into a shell. What is written here is also read back, from a
   database, so the quoting and next_word must agree: rerun_read understands what rerun_add_word writes, and not the
   whole language of the shell. */
#include "scenario/rerun.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

/* Characters that no shell treats specially within a word. '~' and '{' are not among them, though they are harmless
   in most places. */
static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./,:@%";

void rerun_add_word(struct text *out, const char *word)
{
    /* An empty word must be quoted, or it would vanish. */
    if (word[0] != '\0' && word[strspn(word, plain)] == '\0') {
        text_addf(out, "%s", word);
        return;
    }
    text_addf(out, "'");
    for (const char *at = word; *at != '\0'; at++)
        /* Within single quotes nothing is special but the quote itself: the quotes are closed, an escaped quote is
           written, and they are opened again. */
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

/* The next word as a shell reads it, of a line that rerun_add_word wrote; NULL: none is left. Fresh. */
static char *next_word(const char **at)
{
    struct text word = {0};
    bool is_quoted = false;
    while (**at == ' ')
        *at += 1;
    if (**at == '\0')
        return NULL;
    /* A word may be made of quoted and unquoted parts, as 'it'\''s' is. */
    for (; **at != '\0' && (is_quoted || **at != ' '); *at += 1) {
        if (**at == '\'')
            is_quoted = !is_quoted;
        else if (!is_quoted && **at == '\\' && (*at)[1] != '\0')
            text_add(&word, ++*at, 1);
        else
            text_add(&word, *at, 1);
    }
    return text_take(&word);
}

bool rerun_read(const char *line, struct rerun_line *out)
{
    char *word, *before = NULL;
    *out = (struct rerun_line){0};
    for (; (word = next_word(&line)) != NULL; free(before), before = word) {
        if (before != NULL && strcmp(before, "--set") == 0) {
            MEM_GROW(out->sets, out->n_sets, out->capacity);
            out->sets[out->n_sets++] = mem_strdup(word);
        } else if (before != NULL && strcmp(before, "run") == 0 && out->scenario == NULL) {
            /* The first word after `run`; a value that happens to be "run" comes later. */
            out->scenario = mem_strdup(word);
        }
    }
    /* Also without a scenario `out` has been filled as far as it went. */
    free(before);
    return out->scenario != NULL;
}

void rerun_line_clear(struct rerun_line *l)
{
    for (size_t i = 0; i < l->n_sets; i++)
        free(l->sets[i]);
    free(l->sets);
    free(l->scenario);
}

/* Whether `value` is the item, or a number that is the item or within the range "low:high". */
static bool is_item(const char *item, const char *value)
{
    double x, low, high;
    char *copy = mem_strdup(item), *rest = copy, *first = strsep(&rest, ":");
    bool is_number = text_to_double(value, &x) && text_to_double(first, &low);
    /* As numbers, since "1e3" in the command is "1000" in the point. */
    bool is_same = strcmp(item, value) == 0 || (is_number && rest == NULL && low == x);
    /* The step of a range is not checked: the value comes from a point of this sweep, so it is one of the range's. */
    if (is_number && rest != NULL && text_to_double(strsep(&rest, ":"), &high))
        is_same = low <= x && x <= high;
    free(copy);
    return is_same;
}

static bool is_among(const char *items, const char *value)
{
    bool found = false;
    for (const char *at = items, *end; !found && at != NULL; at = *end != '\0' ? end + 1 : NULL) {
        end = text_item_end(at);
        char *item = mem_format("%.*s", (int)(end - at), at);
        found = is_item(item, value);
        free(item);
    }
    return found;
}

/* "policy=bwc,fcfs" becomes "policy=bwc" where that is the point's value. The line for one point need not list the
   whole sweep, and the key stays the same. */
static void add_set(struct text *out, const struct rerun_point *p, const char *set)
{
    const char *equals = strchr(set, '=');
    char *name = equals != NULL ? mem_format("%.*s", (int)(equals - set), set) : NULL, *one = NULL;
    const char *value = name != NULL && p->value != NULL ? p->value(p->self, name) : NULL;
    /* A value that is not in the list (it was replaced by a later --set) leaves the list as it is: the line is then
       longer, but right. */
    if (value != NULL && is_among(equals + 1, value))
        one = mem_format("%s=%s", name, value);
    rerun_add_word(out, one != NULL ? one : set);
    free(one);
    free(name);
}

char *rerun_point(const char *scenario, const struct rerun_point *p)
{
    struct text out = {0};
    char *word;
    bool is_set = false;
    while ((word = next_word(&scenario)) != NULL) {
        text_addf(&out, "%s", out.size > 0 ? " " : "");
        if (is_set)
            add_set(&out, p, word);
        else
            rerun_add_word(&out, word);
        is_set = strcmp(word, "--set") == 0;
        free(word);
    }
    text_addf(&out, " --only %.*s", RERUN_KEY_DIGITS, p->key);
    if (p->replication > 0)
        text_addf(&out, "/%ld", p->replication);
    return text_take(&out);
}
