/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What a shell may offer for the last word of a command line. It reads the same tables as the parser (options.h), so an
   option or a registered thing is completed as soon as it exists. The words so far are walked leniently: a mistake in
   them is not reported, it only makes the offer less exact. `iasim --complete WORDS` prints the result; the scripts of
   install/ pass it on. */
#include "cli/complete.h"

#include "base/mem.h"
#include "base/param.h"
#include "cli/command.h"
#include "cli/registered.h"
#include "cli/run_options.h"
#include "models/noise.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

/* The word that is completed. */
struct word {
    struct text *out;
    /* A candidate is a whole word, so it repeats what stands before the completed part. */
    const char *prefix; /* of the word, that all candidates have: "--model=" */
    size_t n_prefix;
    const char *typed; /* what follows */
};

/* `before` is the part of the typed word that stays ("list[technique="). A candidate that does not begin with what was
   typed is dropped here, so callers offer everything. */
static void offer(const struct word *w, const char *before, int n_before, const char *candidate, int n,
                  const char *after)
{
    struct text t = {0};
    text_addf(&t, "%.*s%.*s%s", n_before, before, n, candidate, after);
    if (strncmp(text_str(&t), w->typed, strlen(w->typed)) == 0)
        text_addf(w->out, "%.*s%s\n", (int)w->n_prefix, w->prefix, text_str(&t));
    text_clear(&t);
}

static void offer_word(const struct word *w, const char *candidate)
{
    offer(w, "", 0, candidate, (int)strlen(candidate), "");
}

static void offer_choices(const struct word *w, const char *before, int n_before, const char *choices)
{
    size_t length = 0;
    const char *choice;
    for (size_t i = 0; (choice = option_choice(choices, i, &length)) != NULL; i++)
        offer(w, before, n_before, choice, (int)length, "");
}

/* Inside "name[a=1,b": the parameter's name or, after its '=', its value where that is one of a few words. A number
   cannot be guessed. */
static void offer_parameters(const struct word *w, const struct registered *x)
{
    const char *piece = strchr(w->typed, '[') + 1, *comma = strrchr(w->typed, ',');
    if (comma != NULL)
        piece = comma + 1;
    const char *equals = strchr(piece, '=');
    for (size_t i = 0; i < param_count(x->params); i++) {
        const struct param *p = &x->params[i];
        if (equals == NULL)
            offer(w, w->typed, (int)(piece - w->typed), p->name, (int)strlen(p->name), "=");
        else if (p->type == PARAM_CHOICE && strlen(p->name) == (size_t)(equals - piece) &&
                 strncmp(p->name, piece, strlen(p->name)) == 0)
            offer_choices(w, w->typed, (int)(equals + 1 - w->typed), p->choices);
    }
}

static void offer_registered(const struct word *w, const char *kind)
{
    struct registered x;
    /* Before the '[' names are offered, after it parameters of the one that is named. */
    size_t n_name = strcspn(w->typed, "[");
    for (size_t i = 0; registered_find(kind, i, &x); i++) {
        bool is_named = strlen(x.name) == n_name && strncmp(x.name, w->typed, n_name) == 0;
        if (w->typed[n_name] == '[') {
            if (is_named)
                offer_parameters(w, &x);
            continue;
        }
        offer_word(w, x.name);
        /* Whole already: "list" is offered as it is, and "list[" as a way on. */
        if (is_named && x.params != NULL)
            offer(w, "", 0, x.name, (int)n_name, "[");
    }
}

/* Inside "work=0.1,s": the next kind. What follows its '=' is a number. */
static void offer_noise(const struct word *w)
{
    const char *comma = strrchr(w->typed, ','), *piece = comma != NULL ? comma + 1 : w->typed;
    for (int k = 0; k < N_NOISE_KINDS; k++)
        offer(w, w->typed, (int)(piece - w->typed), noise_kind_names[k], (int)strlen(noise_kind_names[k]), "=");
}

static int not_hidden(const struct dirent *x)
{
    return x->d_name[0] != '.' && strcmp(x->d_name, "README.md") != 0;
}

/* What comes with iasim in a folder. Files are offered by their path ("platforms/star-8.xml"), which says where they
   come from; a scenario is a folder, and its name alone is what commands take. */
static void offer_shipped(const struct word *w, const char *folder)
{
    struct dirent **list = NULL;
    char *path = command_data_path(folder);
    int n = scandir(path, &list, not_hidden, alphasort);
    for (int i = 0; i < n; i++) {
        bool is_file = strchr(list[i]->d_name, '.') != NULL;
        if (is_file)
            offer(w, folder, (int)strlen(folder), list[i]->d_name, (int)strlen(list[i]->d_name), "");
        else
            offer_word(w, list[i]->d_name);
        free(list[i]);
    }
    free(list);
    free(path);
}

static void offer_kinds(const struct word *w)
{
    for (const struct registered_kind *k = registered_kinds; k->name != NULL; k++)
        offer_word(w, k->name);
}

/* `values` as in struct command_option: file patterns, folders and kinds, between blanks. Patterns go into one line,
   which the shell's script expands (complete.h). */
static void offer_values(const struct word *w, const struct command_option *x)
{
    char *copy = mem_strdup(x->values != NULL ? x->values : ""), *rest = NULL;
    struct text patterns = {0};
    for (char *one = strtok_r(copy, " ", &rest); one != NULL; one = strtok_r(NULL, " ", &rest)) {
        size_t n = strlen(one);
        if (strchr(one, '*') != NULL)
            text_addf(&patterns, " %s", one);
        else if (strcmp(one, "/") == 0)
            text_addf(w->out, ":folders\n");
        else if (one[n - 1] == '/')
            offer_shipped(w, one);
        else if (strcmp(one, "kinds") == 0)
            offer_kinds(w);
        else if (strcmp(one, "noise") == 0)
            offer_noise(w);
        else
            offer_registered(w, one);
    }
    if (patterns.size > 0)
        text_addf(w->out, ":files%s\n", text_str(&patterns));
    /* Without `values` "a|b|c" is a closed list of words. */
    if (x->values == NULL && x->arg != NULL && strchr(x->arg, '|') != NULL)
        offer_choices(w, "", 0, x->arg);
    text_clear(&patterns);
    free(copy);
}

/* ---- the command line so far ---- */

struct line {
    const struct command_option *options, *awaits; /* the option whose value is next; NULL: none */
    bool *given;
    int verb, n_arguments;
};

/* As take_argument of options.c counts them: only those of the verb, and the last one for ever if it takes several. */
static const struct command_option *next_argument(const struct line *l)
{
    int n = 0;
    for (const struct command_option *x = l->options; x->help != NULL; x++)
        if (x->name == NULL && option_belongs(x, l->verb) && (n++ >= l->n_arguments || x->type == OPTION_WORDS))
            return x;
    return NULL;
}

/* Only a lone letter awaits a value in the next word; "-jp" and "-p4" are left to the parser. */
static const struct command_option *option_of(const struct line *l, const char *word)
{
    if (strncmp(word, "--", 2) == 0)
        return option_find(l->options, word + 2, strcspn(word + 2, "="));
    for (const struct command_option *x = l->options; x->help != NULL; x++)
        if (word[0] == '-' && x->letter != 0 && word[1] == x->letter && word[2] == '\0')
            return x;
    return NULL;
}

/* What a word before the last one is: the value of the option before it, an option, or an argument. The first argument
   may be a verb, which decides what the others are. */
static void take(struct line *l, const char *word)
{
    const struct command_option *x = option_of(l, word), *argument = next_argument(l);
    size_t length = 0;
    const char *choice;
    if (l->awaits != NULL) {
        l->awaits = NULL;
    } else if (x != NULL) {
        /* "--out=FILE" has its value already. */
        l->given[x - l->options] = true;
        l->awaits = x->arg != NULL && strchr(word, '=') == NULL ? x : NULL;
    } else if (word[0] != '-') {
        for (size_t i = 0; argument != NULL && l->n_arguments == 0 && argument->values == NULL &&
                           (choice = option_choice(argument->arg, i, &length)) != NULL;
             i++)
            if (strlen(word) == length && strncmp(choice, word, length) == 0)
                l->verb = (int)i;
        l->n_arguments++;
    }
}

/* Not those that have been given, unless they may be repeated, nor those of other verbs. */
static void offer_options(const struct line *l, const struct word *w)
{
    for (const struct command_option *x = l->options; x->help != NULL; x++)
        if (x->name != NULL && (!l->given[x - l->options] || x->type == OPTION_WORDS) &&
            (l->verb < 0 || option_belongs(x, l->verb)))
            offer(w, "--", 2, x->name, (int)strlen(x->name), "");
    offer_word(w, "--help");
}

static void complete_in(const struct command *command, struct text *out, const char *const *words, int n)
{
    const char *last = words[n - 1], *equals = strchr(last, '=');
    const struct command_option *options = run_options_of(command);
    struct line l = {.options = options, .given = mem_zalloc(option_count(options) + 1, sizeof(bool)), .verb = -1};
    struct word w = {.out = out, .prefix = "", .typed = last};
    for (int i = 0; i + 1 < n; i++)
        take(&l, words[i]);
    const struct command_option *x = l.awaits;
    if (x == NULL && strncmp(last, "--", 2) == 0 && equals != NULL) {
        x = option_of(&l, last);
        /* "--model=cl": only "cl" is completed, "--model=" stays in front of each candidate. */
        w = (struct word){out, last, (size_t)(equals + 1 - last), equals + 1};
    } else if (x == NULL && last[0] == '-') {
        offer_options(&l, &w);
    } else if (x == NULL) {
        x = next_argument(&l);
    }
    if (x != NULL)
        offer_values(&w, x);
    free(l.given);
}

/* The words before the last one may choose another command. */
static const struct command *command_meant(const struct command *c, const char *const *words, int n)
{
    const struct command *other = c->instead != NULL ? c->instead(n - 1, (char **)words) : NULL;
    return other != NULL ? other : c;
}

void complete(struct text *out, const char *const *words, int n)
{
    const struct word w = {.out = out, .prefix = "", .typed = n > 0 ? words[n - 1] : ""};
    for (size_t i = 0; n > 1 && commands[i] != NULL; i++)
        if (strcmp(commands[i]->name, words[0]) == 0)
            complete_in(command_meant(commands[i], words, n), out, words + 1, n - 1);
    for (size_t i = 0; n <= 1 && commands[i] != NULL; i++)
        offer_word(&w, commands[i]->name);
    /* In place of a command the program's own options. */
    if (n <= 1 && w.typed[0] == '-')
        offer_choices(&w, "", 0, "--help|--plugin|--version");
}
