/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "cli/options.h"

#include "base/mem.h"
#include "cli/command.h"
#include "cli/registered.h"

#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_KEY = 256 }; /* of options without a letter: this and their place */

struct parsing {
    const struct command_line *line;
    char *into;
    bool *given; /* by place in the table */
    size_t n_arguments;
    int verb; /* -1: none so far */
};

void words_add(struct words *w, const char *word)
{
    w->list = mem_resize(w->list, w->n + 1, sizeof w->list[0]);
    w->list[w->n++] = word;
}

const char *option_choice(const char *choices, size_t i, size_t *length)
{
    for (; i > 0 && choices != NULL; i--) {
        choices = strchr(choices, '|');
        choices = choices != NULL ? choices + 1 : NULL;
    }
    *length = choices != NULL ? strcspn(choices, "|") : 0;
    return choices;
}

const struct command_option *option_find(const struct command_option *options, const char *name, size_t n)
{
    for (const struct command_option *x = options; x->help != NULL; x++)
        if (x->name != NULL && strncmp(x->name, name, n) == 0 && x->name[n] == '\0')
            return x;
    return NULL;
}

bool option_belongs(const struct command_option *x, int verb)
{
    return x->verbs == 0 || (verb >= 0 && (x->verbs & VERB(verb)) != 0);
}

static bool is_choice(const struct command_option *x)
{
    return x->arg != NULL && strchr(x->arg, '|') != NULL && x->values == NULL && x->type != OPTION_WORDS;
}

static const struct command_option *verbs_of(const struct command_line *line)
{
    for (const struct command_option *x = line->options; x->help != NULL; x++)
        if (x->name == NULL)
            return is_choice(x) ? x : NULL;
    return NULL;
}

static void add_choices(struct text *t, const char *choices, unsigned only)
{
    size_t length = 0;
    const char *word, *before = "";
    for (size_t i = 0; (word = option_choice(choices, i, &length)) != NULL; i++)
        if ((only & VERB(i)) != 0) {
            text_addf(t, "%s%.*s", before, (int)length, word);
            before = ", ";
        }
}

/* ---- values ---- */

static size_t choose(struct argp_state *state, const struct command_option *x, const char *arg)
{
    size_t length = 0;
    const char *word;
    for (size_t i = 0; (word = option_choice(x->arg, i, &length)) != NULL; i++)
        if (strlen(arg) == length && strncmp(arg, word, length) == 0)
            return i;
    struct text known = {0};
    add_choices(&known, x->arg, ~0u);
    if (x->name != NULL)
        argp_error(state, "--%s '%s' is unknown; known: %s", x->name, arg, text_str(&known));
    else
        argp_error(state, "unknown '%s'; known: %s", arg, text_str(&known));
    return 0;
}

static void check_range(struct argp_state *state, const struct command_option *x, const char *arg, double value,
                        int n_digits)
{
    if ((value < x->min || value > x->max) && !(x->or_zero && value == 0))
        argp_error(state, "--%s %s is out of range: it must be %sbetween %.*g and %.*g", x->name, arg,
                   x->or_zero ? "0, or " : "", n_digits, x->min, n_digits, x->max);
}

static double number(struct argp_state *state, const struct command_option *x, const char *arg)
{
    double value = 0;
    if (!text_to_double(arg, &value))
        argp_error(state, "--%s '%s' is not a finite number", x->name, arg);
    check_range(state, x, arg, value, 6);
    return x->convert != NULL ? x->convert(value) : value;
}

static long integer(struct argp_state *state, const struct command_option *x, const char *arg)
{
    long value = 0;
    if (!text_to_whole(arg, &value))
        argp_error(state, "--%s '%s' is not a whole number", x->name, arg);
    check_range(state, x, arg, (double)value, 19);
    return value;
}

static void parse_other(struct argp_state *state, const struct command_option *x, const char *arg, void *field)
{
    struct err e = {0};
    if (x->parse(arg, field, &e) != ERR_NONE)
        argp_error(state, "--%s %s", x->name, e.text);
}

/* A name of a file is never empty, and neither is an argument. */
static const char *text(struct argp_state *state, const struct command_option *x, const char *arg)
{
    if (arg[0] == '\0' && x->name == NULL)
        argp_error(state, "%s is missing: an argument is empty", x->help);
    if (arg[0] == '\0' && x->values != NULL)
        argp_error(state, "--%s is empty", x->name);
    if (!x->dash && strcmp(arg, "-") == 0 && x->values != NULL && strchr(x->values, '*') != NULL)
        argp_error(state, "%s%s takes the name of a file, not '-'", x->name != NULL ? "--" : "",
                   x->name != NULL ? x->name : x->arg);
    if (is_choice(x))
        choose(state, x, arg);
    return x->shipped ? command_input(arg) : arg;
}

static void store(struct argp_state *state, const struct command_option *x, char *arg)
{
    struct parsing *p = state->input;
    void *field = p->into + x->at;
    if (x->parse != NULL) {
        parse_other(state, x, arg, field);
        return;
    }
    switch (x->type) {
    case OPTION_FLAG:
        *(bool *)field = x->arg == NULL || choose(state, x, arg) > 0;
        break;
    case OPTION_TEXT:
        *(const char **)field = text(state, x, arg);
        break;
    case OPTION_NUMBER:
        *(double *)field = number(state, x, arg);
        break;
    case OPTION_INT:
        *(int *)field = (int)integer(state, x, arg);
        break;
    case OPTION_LONG:
        *(long *)field = integer(state, x, arg);
        break;
    case OPTION_UINT64:
        *(uint64_t *)field = (uint64_t)integer(state, x, arg);
        break;
    case OPTION_CHOICE:
        *(unsigned *)field = (unsigned)(choose(state, x, arg) + (size_t)x->min);
        break;
    case OPTION_WORDS:
        words_add(field, text(state, x, arg));
        break;
    case OPTION_REST:
        *(char ***)field = &state->argv[state->next - 1];
        state->next = state->argc;
        break;
    case OPTION_OTHER:
        break; /* has parse */
    }
}

/* ---- arguments ---- */

/* "SCENARIO [R.db]", or a line for each verb: "info GRAPH\nconvert IN OUT". */
static void add_arguments(struct text *t, const struct command_line *line, int verb)
{
    size_t length = 0;
    const char *before = "", *word;
    for (const struct command_option *x = line->options; x->help != NULL; x++) {
        if (x->name != NULL || (verb >= 0 && !option_belongs(x, verb)))
            continue;
        if (verb >= 0 && x == verbs_of(line)) {
            word = option_choice(x->arg, (size_t)verb, &length);
            text_addf(t, "%s%.*s", before, (int)length, word);
        } else {
            text_addf(t, x->required ? "%s%s%s" : "%s[%s%s]", before, x->arg, x->type == OPTION_WORDS ? "..." : "");
        }
        before = " ";
    }
}

static void add_usage(struct text *t, const struct command_line *line)
{
    const struct command_option *verbs = verbs_of(line);
    size_t length = 0;
    if (verbs == NULL)
        add_arguments(t, line, -1);
    for (int v = 0; verbs != NULL && option_choice(verbs->arg, (size_t)v, &length) != NULL; v++) {
        text_addf(t, "%s", v ? "\n" : "");
        add_arguments(t, line, v);
    }
}

static void take_argument(struct argp_state *state, char *arg)
{
    struct parsing *p = state->input;
    size_t n = 0;
    for (const struct command_option *x = p->line->options; x->help != NULL; x++) {
        if (x->name != NULL || !option_belongs(x, p->verb) || (n++ < p->n_arguments && x->type != OPTION_WORDS))
            continue;
        p->n_arguments++;
        p->given[x - p->line->options] = true;
        store(state, x, arg);
        if (x == verbs_of(p->line))
            p->verb = (int)choose(state, x, arg);
        return;
    }
    struct text usage = {0};
    add_arguments(&usage, p->line, p->verb);
    argp_error(state,
               usage.size > 0 ? "unexpected '%s': the arguments are %s" : "unexpected '%s': it takes no arguments", arg,
               text_str(&usage));
}

static void check_owner(struct argp_state *state, const struct command_option *x)
{
    struct parsing *p = state->input;
    const struct command_option *verbs = verbs_of(p->line);
    if (option_belongs(x, p->verb))
        return;
    struct text known = {0};
    size_t length = 0;
    const char *verb = option_choice(verbs->arg, (size_t)p->verb, &length);
    add_choices(&known, verbs->arg, x->verbs);
    argp_error(state, "%.*s has no --%s; it belongs to: %s", (int)length, verb, x->name, text_str(&known));
}

static void refuse_missing(struct argp_state *state, const struct command_option *x)
{
    struct text known = {0};
    if (is_choice(x))
        add_choices(&known, x->arg, ~0u);
    else if (x->values != NULL)
        registered_add_names(x->values, &known);
    const char *known_are = known.size > 0 ? "; known: " : "";
    if (x->name != NULL)
        argp_error(state, "option --%s is missing%s%s", x->name, known_are, text_str(&known));
    else
        argp_error(state, "%s is missing%s%s", x->help, known_are, text_str(&known));
}

static void check_complete(struct argp_state *state)
{
    struct parsing *p = state->input;
    for (int pass = 0; pass < 2; pass++) /* what does not belong is said first, and arguments before options */
        for (const struct command_option *x = p->line->options; x->help != NULL; x++) {
            bool given = p->given[x - p->line->options];
            if (pass == 0 && x->name == NULL && x->required && !given && option_belongs(x, p->verb))
                refuse_missing(state, x);
            if (pass == 0 && given)
                check_owner(state, x);
            if (pass == 1 && x->required && !given && option_belongs(x, p->verb))
                refuse_missing(state, x);
        }
}

/* ---- argp ---- */

static int key_of(const struct command_line *line, const struct command_option *x)
{
    return x->letter != 0 ? x->letter : FIRST_KEY + (int)(x - line->options);
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct parsing *p = state->input;
    if (key == ARGP_KEY_ARG)
        take_argument(state, arg);
    if (key == ARGP_KEY_END)
        check_complete(state);
    for (const struct command_option *x = p->line->options; x->help != NULL; x++) {
        if (x->name == NULL || key_of(p->line, x) != key)
            continue;
        bool *given = &p->given[x - p->line->options];
        if (*given && x->arg != NULL && x->type != OPTION_WORDS)
            argp_error(state, "--%s was given twice", x->name);
        *given = true;
        store(state, x, arg);
        return 0;
    }
    return key == ARGP_KEY_ARG || key == ARGP_KEY_END ? 0 : ARGP_ERR_UNKNOWN;
}

/* Plugins are loaded before a command sees its words. */
static void refuse_plugin(int argc, char **argv)
{
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (strcmp(argv[i], "--plugin") == 0 || strncmp(argv[i], "--plugin=", strlen("--plugin=")) == 0) {
            fprintf(stderr, "%s: --plugin comes before the command: iasim --plugin FILE %s ...\n", argv[0],
                    argv[0] + strlen("iasim "));
            exit(err_exit_status(ERR_USAGE));
        }
}

/* What follows a program's name is the program's. */
static unsigned argp_flags(const struct command_line *line)
{
    for (const struct command_option *x = line->options; x->help != NULL; x++)
        if (x->type == OPTION_REST)
            return ARGP_IN_ORDER;
    return 0;
}

static size_t count(const struct command_line *line)
{
    size_t n = 0;
    while (line->options[n].help != NULL)
        n++;
    return n;
}

/* The help of each, which begins with the verbs it belongs to; fresh. */
static char *help_of(const struct command_line *line, const struct command_option *x)
{
    struct text t = {0};
    if (x->verbs != 0) {
        add_choices(&t, verbs_of(line)->arg, x->verbs);
        text_addf(&t, ": ");
    }
    text_addf(&t, "%s%s", x->help, x->required ? " (required)" : "");
    return text_take(&t);
}

static struct argp_option *argp_options(const struct command_line *line)
{
    size_t n = 0;
    struct argp_option *list = mem_zalloc(count(line) + 1, sizeof *list);
    for (const struct command_option *x = line->options; x->help != NULL; x++)
        if (x->name != NULL)
            list[n++] = (struct argp_option){x->name, key_of(line, x), x->arg, 0, help_of(line, x), 0};
    return list;
}

static void add_doc(struct text *t, const struct command_line *line)
{
    text_addf(t, "%s\v", line->about);
    if (line->notes != NULL)
        text_addf(t, "%s\n\n", line->notes);
    text_addf(t, "Examples:\n");
    for (const char *at = line->examples; *at != '\0';) {
        size_t n = strcspn(at, "\n");
        text_addf(t, "  %.*s\n", (int)n, at);
        at += n + (at[n] == '\n');
    }
    if (line->more != NULL) {
        text_addf(t, "\n");
        line->more(t);
    }
}

void command_parse(const struct command_line *line, int argc, char **argv, void *into)
{
    struct text usage = {0}, doc = {0};
    struct parsing p = {.line = line, .into = into, .given = mem_zalloc(count(line) + 1, sizeof(bool)), .verb = -1};
    struct argp_option *list = argp_options(line);
    add_usage(&usage, line);
    add_doc(&doc, line);
    const struct argp argp = {list, parse, text_str(&usage), text_str(&doc), NULL, NULL, NULL};
    argp_err_exit_status = err_exit_status(ERR_USAGE);
    refuse_plugin(argc, argv);
    argp_parse(&argp, argc, argv, argp_flags(line), NULL, &p);
    for (struct argp_option *x = list; x->name != NULL; x++)
        free((char *)x->doc);
    free(list);
    free(p.given);
    text_clear(&usage);
    text_clear(&doc);
}
