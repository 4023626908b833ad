/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* From a table of options to a filled struct: parsing (by argp, of glibc), range and type checks, help, and messages
   for what is wrong. The struct is known only by the offsets and types of the table (OPTION_AT), so every value is
   stored through a pointer of the type that the table's entry has.

   Words: a `verb` is a word of the first argument where that is a choice ("save" of `iasim baseline save`); an option
   may belong to some verbs only. A usage error prints and exits here, within argp, so what was allocated until then is
   not freed. */
#include "cli/options.h"

#include "base/mem.h"
#include "base/nearest.h"
#include "base/steps.h"
#include "cli/command.h"
#include "cli/input_file.h"
#include "cli/registered.h"
#include "cli/run_options.h"

#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* argp takes a key that is a printable character as the letter of the option. Keys from 256 on are none: USAGE_KEY, and
   FIRST_KEY plus the place in the table for options without a letter. */
enum { HELP_KEY = 'h', QUESTION_KEY = '?', USAGE_KEY = 256, FIRST_KEY };

struct parsing {
    const struct command_option *options;
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
    /* After the last word `choices` is NULL, so that a caller's loop over i ends there. */
    for (; i > 0 && choices != NULL; i--) {
        choices = strchr(choices, '|');
        choices = choices != NULL ? choices + 1 : NULL;
    }
    *length = choices != NULL ? strcspn(choices, "|") : 0;
    return choices;
}

size_t option_count(const struct command_option *options)
{
    size_t n = 0;
    while (options[n].help != NULL)
        n++;
    return n;
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

/* A '|' in `arg` makes a closed list of words, except where the option takes several words or completes other values:
   "FILE.c|sleep" of --tasks only shows the two forms that a value may have. */
static bool is_choice(const struct command_option *x)
{
    return x->arg != NULL && strchr(x->arg, '|') != NULL && x->values == NULL && x->type != OPTION_WORDS;
}

/* Only the first argument can hold verbs; if it is a file there are none. */
static const struct command_option *verbs_of(const struct command_option *options)
{
    for (const struct command_option *x = options; x->help != NULL; x++)
        if (x->name == NULL)
            return is_choice(x) ? x : NULL;
    return NULL;
}

/* `only` has a bit for each word (VERB): those that are listed. */
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

/* argp_error does not return; neither does argp_failure with a status. So values are valid after these checks. */
static size_t choose(struct argp_state *state, const struct command_option *x, const char *arg)
{
    int i = text_choice(x->arg, arg);
    if (i >= 0)
        return (size_t)i;
    struct text known = {0};
    add_choices(&known, x->arg, ~0u);
    struct hint hint = hint_among(arg, text_str(&known), NULL);
    if (x->name != NULL)
        argp_error(state, "--%s '%s' is unknown%s", x->name, arg, hint.text);
    else
        argp_error(state, "unknown '%s'%s", arg, hint.text);
    return 0;
}

/* n_digits: as many as the bounds need to be shown whole, 6 for real numbers, 19 for integers such as seeds. */
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
        argp_error(state, "--%s '%s' is not a finite number%s", x->name, arg, hint_unit(arg, x->arg).text);
    check_range(state, x, arg, value, 6);
    return x->convert != NULL ? x->convert(value) : value;
}

static long integer(struct argp_state *state, const struct command_option *x, const char *arg)
{
    long value = 0;
    if (!text_to_whole(arg, &value))
        argp_error(state, "--%s '%s' is not a whole number%s", x->name, arg, hint_unit(arg, x->arg).text);
    check_range(state, x, arg, (double)value, 19);
    return value;
}

/* The option's own reader; its sentence completes "--NAME ". */
static void parse_other(struct argp_state *state, const struct command_option *x, const char *arg, void *field)
{
    struct err e = {0};
    if (x->parse(arg, field, &e) != ERR_NONE)
        argp_error(state, "--%s %s", x->name, e.text);
}

/* The path behind a file's name. A mistake in a file is reported without "Try --help" (argp_failure, not argp_error):
   the usage of the command would not help. */
static const char *input(struct argp_state *state, const struct command_option *x, const char *arg)
{
    struct err e = {0};
    char line[2048];
    const char *path = x->shipped ? input_file(x->values, arg, &e) : arg;
    /* Only arguments and shipped files are looked into here. Where several may be given, the command judges each by
       itself: one bad file must not keep `iasim platform check` from the others. */
    if (path != NULL && (x->shipped || x->name == NULL) && (x->type == OPTION_TEXT || x->type == OPTION_PARAM))
        input_file_check(x->values, path, &e);
    if (e.code != ERR_NONE)
        argp_failure(state, err_exit_status(e.code), 0, "%s%s%s%s", x->name != NULL ? "--" : "",
                     x->name != NULL ? x->name : "", x->name != NULL ? " " : "", err_describe(&e, line, sizeof line));
    return path;
}

/* A text as it is stored. An empty one is refused where it can only be a mistake (an unset variable in a script):
   arguments and file names are never empty, other options may be. */
static const char *text(struct argp_state *state, const struct command_option *x, const char *arg)
{
    if (arg[0] == '\0' && x->name == NULL)
        argp_error(state, "%s is missing: an argument is empty", x->help);
    if (arg[0] == '\0' && x->values != NULL)
        argp_error(state, "--%s is empty", x->name);
    /* Without this "-" would become a file of that name in the current folder. */
    if (!x->dash && strcmp(arg, "-") == 0 && x->values != NULL && strchr(x->values, '*') != NULL)
        argp_error(state, "%s%s takes the name of a file, not '-'", x->name != NULL ? "--" : "",
                   x->name != NULL ? x->name : x->arg);
    if (is_choice(x))
        choose(state, x, arg);
    return input(state, x, arg);
}

/* A parameter is kept as text, as in a scenario, because keys and results are made of the text. The conversions are
   only checks here; they give the messages that other options have, with the option's name in place of the
   parameter's. */
static void store_param(struct argp_state *state, const struct command_option *x, const char *arg,
                        struct param_set *params)
{
    struct err e = {0};
    enum param_type type = x->row->is.type;
    if (type == PARAM_NUMBER || (type == PARAM_STEPS && !steps_are_in(arg)))
        number(state, x, arg);
    else if (type == PARAM_INTEGER)
        integer(state, x, arg);
    else if (type != PARAM_STEPS)
        arg = text(state, x, arg);
    if (run_options_take(x->row, params, arg, &e) != ERR_NONE)
        argp_error(state, "--%s: %s", x->name, e.text);
}

/* The casts are safe because OPTION_AT derives the entry's type from the field's type. */
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
        /* A bool with words ("reference|all") is whether the second one was chosen. */
        *(bool *)field = x->arg == NULL || choose(state, x, arg) > 0;
        break;
    case OPTION_TEXT:
        *(const char **)field = text(state, x, arg);
        break;
    case OPTION_NUMBER:
        *(double *)field = number(state, x, arg);
        break;
    /* check_range has compared with the table's bounds, which fit an int. */
    case OPTION_INT:
        *(int *)field = (int)integer(state, x, arg);
        break;
    case OPTION_LONG:
        *(long *)field = integer(state, x, arg);
        break;
    /* Read as a long, so the table's maximum is below 2^63. */
    case OPTION_UINT64:
        *(uint64_t *)field = (uint64_t)integer(state, x, arg);
        break;
    /* enum fields count as unsigned, which is how gcc and clang represent an enum without negative values. `min` is the
       number of the first word where 0 means that nothing was chosen. */
    case OPTION_CHOICE:
        *(unsigned *)field = (unsigned)(choose(state, x, arg) + (size_t)x->min);
        break;
    case OPTION_WORDS:
        words_add(field, text(state, x, arg));
        break;
    /* The argument and all words after it go to a program, options too. argp is told that it has seen them all. */
    case OPTION_REST:
        *(char ***)field = &state->argv[state->next - 1];
        state->next = state->argc;
        break;
    case OPTION_PARAM:
        store_param(state, x, arg, *(struct param_set **)field);
        break;
    case OPTION_OTHER:
        break; /* has parse */
    }
}

/* ---- arguments ---- */

/* "SCENARIO [R.db]", or a line for each verb: "info GRAPH\nconvert IN OUT", because the arguments depend on it. `verb`
   -1: there are no verbs, or none is known, so all arguments count. */
static void add_arguments(struct text *t, const struct command_option *options, int verb)
{
    size_t length = 0;
    const char *before = "", *word;
    for (const struct command_option *x = options; x->help != NULL; x++) {
        if (x->name != NULL || (verb >= 0 && !option_belongs(x, verb)))
            continue;
        if (verb >= 0 && x == verbs_of(options)) {
            word = option_choice(x->arg, (size_t)verb, &length);
            text_addf(t, "%s%.*s", before, (int)length, word);
        } else {
            text_addf(t, x->required ? "%s%s%s" : "%s[%s%s]", before, x->arg, x->type == OPTION_WORDS ? "..." : "");
        }
        before = " ";
    }
}

static void add_usage(struct text *t, const struct command_option *options)
{
    const struct command_option *verbs = verbs_of(options);
    size_t length = 0;
    if (verbs == NULL)
        add_arguments(t, options, -1);
    for (int v = 0; verbs != NULL && option_choice(verbs->arg, (size_t)v, &length) != NULL; v++) {
        text_addf(t, "%s", v ? "\n" : "");
        add_arguments(t, options, v);
    }
}

/* The n-th word that is no option goes to the n-th argument that belongs to the verb. One that takes several stays open
   to all that follow, so it must be the last of the table. */
static void take_argument(struct argp_state *state, char *arg)
{
    struct parsing *p = state->input;
    size_t n = 0;
    for (const struct command_option *x = p->options; x->help != NULL; x++) {
        if (x->name != NULL || !option_belongs(x, p->verb) || (n++ < p->n_arguments && x->type != OPTION_WORDS))
            continue;
        p->n_arguments++;
        p->given[x - p->options] = true;
        store(state, x, arg);
        /* From here on options and arguments of other verbs are not the user's. */
        if (x == verbs_of(p->options))
            p->verb = (int)choose(state, x, arg);
        return;
    }
    struct text usage = {0};
    add_arguments(&usage, p->options, p->verb);
    argp_error(state,
               usage.size > 0 ? "unexpected '%s': the arguments are %s" : "unexpected '%s': it takes no arguments", arg,
               text_str(&usage));
}

/* At the end, not when the option is met: it may precede the verb, as in `iasim graph --seed 1 generate`. */
static void check_owner(struct argp_state *state, const struct command_option *x)
{
    struct parsing *p = state->input;
    const struct command_option *verbs = verbs_of(p->options);
    /* Without a verb nothing can be said of its options; that it is missing is said next. */
    if (p->verb < 0 || option_belongs(x, p->verb))
        return;
    struct text known = {0};
    size_t length = 0;
    const char *verb = option_choice(verbs->arg, (size_t)p->verb, &length);
    add_choices(&known, verbs->arg, x->verbs);
    argp_error(state, "%.*s has no --%s; it belongs to: %s", (int)length, verb, x->name, text_str(&known));
}

/* A single missing choice or name is worth a list of what it may be; more than one would be a page. */
static void refuse_missing_one(struct argp_state *state, const struct command_option *x)
{
    struct text known = {0};
    if (is_choice(x))
        add_choices(&known, x->arg, ~0u);
    else if (x->values != NULL)
        registered_add_names(x->values, &known);
    struct hint hint = {""};
    if (known.size > 0)
        hint = hint_among("", text_str(&known), x->values);
    if (x->name != NULL)
        argp_error(state, "option --%s is missing%s", x->name, hint.text);
    else
        argp_error(state, "%s is missing%s", x->help, hint.text);
}

static bool is_missing(const struct parsing *p, const struct command_option *x)
{
    return x->required && !p->given[x - p->options] && option_belongs(x, p->verb);
}

/* All that are missing, in one message, so that nobody has to find out one by one. */
static void refuse_missing(struct argp_state *state)
{
    const struct parsing *p = state->input;
    const struct command_option *only = NULL;
    struct text list = {0};
    size_t n = 0;
    /* While the verb is missing, what else is required is unknown: it is then reported alone. */
    for (const struct command_option *x = p->options; x->help != NULL && (n == 0 || only != verbs_of(p->options)); x++)
        if (is_missing(p, x)) { /* without what is to be done, nothing can be said of the rest */
            only = x;
            text_addf(&list, "%s%s%s%s%s", n++ > 0 ? ", " : "", x->name != NULL ? "--" : "",
                      x->name != NULL ? x->name : "", x->name != NULL ? " " : "", x->arg);
        }
    if (n == 1)
        refuse_missing_one(state, only);
    else if (n > 1)
        argp_error(state, "missing: %s", text_str(&list));
    text_clear(&list);
}

static void check_complete(struct argp_state *state)
{
    struct parsing *p = state->input;
    for (const struct command_option *x = p->options; x->help != NULL; x++)
        if (p->given[x - p->options])
            check_owner(state, x); /* what does not belong is said first */
    refuse_missing(state);
}

/* ---- argp ---- */

static int key_of(const struct command_option *options, const struct command_option *x)
{
    return x->letter != 0 ? x->letter : FIRST_KEY + (int)(x - options);
}

/* argp's callback, for each option and argument, and once more at the end. argp's own help options are off
   (ARGP_NO_HELP), because they lack -h. */
static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct parsing *p = state->input;
    if (key == ARGP_KEY_ARG)
        take_argument(state, arg);
    if (key == ARGP_KEY_END)
        check_complete(state);
    if (key == HELP_KEY || key == QUESTION_KEY)
        /* Exits with status 0. */
        argp_state_help(state, stdout, ARGP_HELP_STD_HELP);
    if (key == USAGE_KEY)
        argp_state_help(state, stdout, ARGP_HELP_USAGE | ARGP_HELP_EXIT_OK);
    for (const struct command_option *x = p->options; x->help != NULL; x++) {
        if (x->name == NULL || key_of(p->options, x) != key)
            continue;
        bool *given = &p->given[x - p->options];
        /* Else the last of two values would win silently. A flag may be repeated. */
        if (*given && x->arg != NULL && x->type != OPTION_WORDS)
            argp_error(state, "--%s was given twice", x->name);
        *given = true;
        store(state, x, arg);
        return 0;
    }
    /* ARGP_ERR_UNKNOWN is argp's word for a key that is not handled, such as ARGP_KEY_INIT: no error. */
    return key == ARGP_KEY_ARG || key == ARGP_KEY_END ? 0 : ARGP_ERR_UNKNOWN;
}

/* --plugin behind the command would be an unknown option. Plugins are loaded before a command sees its words, because
   they add the names that the command's options accept. */
static void refuse_plugin(int argc, char **argv)
{
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (strcmp(argv[i], "--plugin") == 0 || strncmp(argv[i], "--plugin=", strlen("--plugin=")) == 0) {
            fprintf(stderr, "%s: --plugin comes before the command: iasim --plugin FILE %s ...\n", argv[0],
                    argv[0] + strlen("iasim "));
            exit(err_exit_status(ERR_USAGE));
        }
}

/* ---- unknown options ---- */

/* An option that begins with the `n` letters of `name`, since getopt_long accepts abbreviations; NULL: none. Of several
   the first: whether an abbreviation is ambiguous argp finds out itself. */
static const struct argp_option *option_begins(const struct argp_option *list, const char *name, size_t n)
{
    for (; list->name != NULL; list++)
        if (strncmp(list->name, name, n) == 0)
            return list;
    return NULL;
}

/* Whether the value of these letters, "-jp", is the next word. */
static bool letters_await(const struct argp_option *list, const char *letters)
{
    /* A letter that takes a value ends the word: what follows it in the word is the value ("-p4"). */
    for (; *letters != '\0'; letters++)
        for (const struct argp_option *x = list; x->name != NULL; x++)
            if (x->key == *letters && x->arg != NULL)
                return letters[1] == '\0';
    return false;
}

static void refuse_option(const char *command, const struct argp_option *list, const char *word)
{
    struct nearest best = {.wanted = word + 2};
    for (; list->name != NULL; list++)
        nearest_offer(&best, list->name, strlen(list->name));
    fprintf(stderr, "%s: unknown option '%s'; ", command, word);
    if (best.name != NULL)
        fprintf(stderr, "did you mean '--%s'? ", best.name);
    fprintf(stderr, "`%s --help` shows all\n", command);
    exit(err_exit_status(ERR_USAGE));
}

/* argp would refuse an unknown option itself, but cannot suggest the nearest name. So the words are walked once as argp
   will walk them, values skipped, looking only for long options that nothing begins with. */
static void check_options(const struct command_option *options, const struct argp_option *list, int argc, char **argv)
{
    bool has_rest = false;
    for (const struct command_option *x = options; x->help != NULL; x++)
        has_rest = has_rest || x->type == OPTION_REST;
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
        const char *word = argv[i];
        if (word[0] == '-' && word[1] == '-') {
            size_t n = strcspn(word + 2, "=");
            const struct argp_option *x = option_begins(list, word + 2, n);
            if (x == NULL)
                refuse_option(argv[0], list, word);
            /* "--out FILE" has its value in the next word, which may begin with dashes; "--out=FILE" has it in this
               one. */
            i += x != NULL && x->arg != NULL && word[2 + n] == '\0';
        } else if (word[0] == '-' && word[1] != '\0') {
            i += letters_await(list, word + 1);
        } else if (has_rest) {
            return; /* what follows a program's name is the program's */
        }
    }
}

/* The help of each, which begins with the verbs it belongs to; fresh. */
static char *help_of(const struct command_option *options, const struct command_option *x)
{
    struct text t = {0};
    if (x->verbs != 0) {
        add_choices(&t, verbs_of(options)->arg, x->verbs);
        text_addf(&t, ": ");
    }
    text_addf(&t, "%s%s", x->help, x->required ? " (required)" : "");
    return text_take(&t);
}

static struct argp_option *argp_options(const struct command_option *options)
{
    size_t n = 0;
    /* Besides the table's options: --help, --usage, -?, and the end. */
    struct argp_option *list = mem_zalloc(option_count(options) + 4, sizeof *list);
    for (const struct command_option *x = options; x->help != NULL; x++)
        /* Arguments are not argp's to list: add_usage shows them. */
        if (x->name != NULL)
            list[n++] = (struct argp_option){x->name, key_of(options, x), x->arg, 0, help_of(options, x), 0};
    /* Group -1 is listed last, after the command's own options. */
    list[n++] = (struct argp_option){"help", HELP_KEY, NULL, 0, mem_strdup("show this help"), -1};
    list[n++] = (struct argp_option){"usage", USAGE_KEY, NULL, 0, mem_strdup("show the options in short"), -1};
    list[n++] = (struct argp_option){NULL, QUESTION_KEY, NULL, OPTION_HIDDEN, NULL, -1};
    return list;
}

/* argp puts the list of options where the "\v" is: `about` comes above it, the rest below. It breaks lines of more than
   79 columns, so examples, which are to be copied, have at most 77 (command.h) and are indented by two. */
static void add_doc(struct text *t, const struct command *c)
{
    text_addf(t, "%s\v", c->about);
    if (c->notes != NULL)
        text_addf(t, "%s\n\n", c->notes);
    text_addf(t, "Examples:\n");
    for (const char *at = c->examples; *at != '\0';) {
        size_t n = strcspn(at, "\n");
        text_addf(t, "  %.*s\n", (int)n, at);
        at += n + (at[n] == '\n');
    }
    if (c->more != NULL) {
        text_addf(t, "\n");
        c->more(t);
    }
}

void command_parse(const struct command *command, int argc, char **argv, void *into)
{
    const struct command_option *options = run_options_of(command);
    struct text usage = {0}, doc = {0};
    struct parsing p = {options, into, mem_zalloc(option_count(options) + 1, sizeof(bool)), .verb = -1};
    struct argp_option *list = argp_options(options);
    add_usage(&usage, options);
    add_doc(&doc, command);
    const struct argp argp = {list, parse, text_str(&usage), text_str(&doc), NULL, NULL, NULL};
    argp_err_exit_status = err_exit_status(ERR_USAGE);
    /* Both before argp_parse, whose own messages for these words are poorer. */
    refuse_plugin(argc, argv);
    check_options(options, list, argc, argv);
    /* In order, whatever POSIXLY_CORRECT says: options may follow arguments. By default argp would move all options
       before the arguments; the words of an OPTION_REST, which are a program's, must stay as they are. */
    argp_parse(&argp, argc, argv, ARGP_IN_ORDER | ARGP_NO_HELP, NULL, &p);
    for (struct argp_option *x = list; x->name != NULL; x++)
        free((char *)x->doc);
    free(list);
    free(p.given);
    text_clear(&usage);
    text_clear(&doc);
}
