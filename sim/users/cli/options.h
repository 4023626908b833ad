/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What a command takes, in one table of options and arguments. Parsing, checking, --help and the completion of
   words in a shell all read it. */
#ifndef IASIM_CLI_OPTIONS_H
#define IASIM_CLI_OPTIONS_H

#include "base/err.h"
#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct run_param;

/* Of an option that may be given several times: what was given, in order. Begins as {0}; the list is freed by the
   command, the texts are borrowed. */
struct words {
    const char **list;
    size_t n;
};

void words_add(struct words *w, const char *word);

enum option_type {
    OPTION_TEXT,
    OPTION_FLAG,
    OPTION_NUMBER,
    OPTION_INT,
    OPTION_LONG,
    OPTION_UINT64,
    OPTION_CHOICE,
    OPTION_WORDS,
    OPTION_REST,
    OPTION_PARAM, /* a row of a kind of run: the value of a parameter */
    OPTION_OTHER
};

/* Where an option's value goes: a field of the command's struct, whose type says what the value may be. A bool is a
   flag, or with an `arg` the choice of its second word; an enum is a choice; struct words takes several; char ** the
   argument and all words after it, as they are, options too; a field of another type needs `parse`. */
#define OPTION_AT(of, field)                                                                                           \
    .at = offsetof(of, field), .type = _Generic(((of *)NULL)->field, bool                                              \
                                                : OPTION_FLAG, const char *                                            \
                                                : OPTION_TEXT, double                                                  \
                                                : OPTION_NUMBER, int                                                   \
                                                : OPTION_INT, long                                                     \
                                                : OPTION_LONG, uint64_t                                                \
                                                : OPTION_UINT64, unsigned                                              \
                                                : OPTION_CHOICE, struct words                                          \
                                                : OPTION_WORDS, char **                                               \
                                                : OPTION_REST, default                                                \
                                                : OPTION_OTHER)

/* A list of these ends with one whose help is NULL. An option that is not in struct words may be given once. */
struct command_option {
    const char *name; /* NULL: an argument, taken in the order of the list */
    int letter;       /* 0: none */
    const char *arg;  /* what the help calls the value; "a|b|c": one of these words; NULL: a flag */
    const char *help; /* of an argument: what it is, as in "a scenario is missing" */
    size_t at;        /* with the type: OPTION_AT */
    enum option_type type;
    bool required;
    bool dash;    /* a file for which "-" stands for standard input or output */
    bool shipped; /* a file that is also looked for among those that come with iasim (input_file) */
    bool output;  /* a file to write: none of the inputs, nor another output (outputs.h) */
    bool prefix;  /* what names of files to write begin with: itself no file */
    const char
        *values; /* for completion: file names "*.xml *.dot", "/" any folder, "platforms/" what comes with iasim there,
                           "kinds", "noise", a kind (registered.h) */
    double min, max; /* of numbers, both allowed. Of a choice: min is the number of the first word */
    bool or_zero;    /* 0 is allowed below min */
    /* OPTIONAL. What is stored of a number, in the program's units. */
    double (*convert)(double value);
    /* OPTIONAL. Reads the value into `field` itself; e->text completes "--NAME ". */
    enum err_code (*parse)(const char *arg, void *field, struct err *e);
    const struct run_param *row; /* of OPTION_PARAM */
    unsigned verbs;              /* VERB(v) | ...: belongs to these words of the first argument only; 0: to all */
};

#define VERB(v) (1u << (v))

/* One that several commands have. */
/* clang-format off */
#define OPTION_JSON(of)                                                                                                \
    {"json", 'j', NULL, "print JSON instead of a table", OPTION_AT(of, json)}
/* clang-format on */

struct command;

/* Reads the words after argv[0] into `into`, the options of the command, which hold the defaults. --help prints and
   exits 0; a usage error prints one message and exits 2 (the one place below main that exits: it is argp's way, and
   nothing has been done yet). */
void command_parse(const struct command *command, int argc, char **argv, void *into);

/* The words of "a|b|c" one by one: the i-th and its length, NULL after the last. */
const char *option_choice(const char *choices, size_t i, size_t *length);

size_t option_count(const struct command_option *options);

/* NULL: no option has this name of `n` bytes. */
const struct command_option *option_find(const struct command_option *options, const char *name, size_t n);

/* Whether it belongs to the verb, the number of the first argument's word; -1: not known. */
bool option_belongs(const struct command_option *x, int verb);

#endif
