/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Commands of the program: one file each, registered by a line in commands.def. */
#ifndef IASIM_CLI_COMMAND_H
#define IASIM_CLI_COMMAND_H

#include "base/err.h"
#include "cli/options.h"
#include "runs/run.h"
#include "scenario/rerun.h"
#include "scenario/scenario.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

struct command {
    const char *name, *summary;
    /* ---- what it takes ---- */
    size_t size;          /* of the struct that its options go to */
    const void *defaults; /* such a struct; NULL: all zero */
    const struct command_option *options;
    /* OPTIONAL. A kind of run whose parameters are options, too; the struct then begins with a struct run_given. */
    const struct run_kind *kind;
    const char *without; /* parameters, between blanks, for which it has no option; NULL: for all it has */
    const char *asks;    /* those that it must be given, though a scenario need not; NULL: none */
    const char *planned; /* those that its arguments, which are schedules, name where they are not given; NULL: none */
    const char *about;   /* what the command does; above the options */
    const char *notes;   /* OPTIONAL. Below them */
    /* For a shell, at most 77 columns: commands that work one after the other in an empty folder, # comments. */
    const char *examples;
    void (*more)(struct text *out); /* OPTIONAL. Adds to the end of the help */
    /* ---- what it does ---- */
    /* Results go to stdout, talk to stderr. Lists of words among the options are freed afterwards. Returns ERR_NONE, or
       a code with `e` filled; ERR_NO with an empty e->text when the answer is no and has been printed. */
    enum err_code (*run)(void *options, struct err *e);
    /* Loads a platform itself: it runs in a guarded child process, since SimGrid may abort (engine/guard.h). */
    bool simulates;
    bool has_progress; /* it shows how far it is; of the others main shows how long they have been running */
    /* OPTIONAL. The command to run in place of this one for these words (as for command_call); NULL: this one. */
    const struct command *(*instead)(int argc, char **argv);
    /* OPTIONAL. Takes words that are not for command_parse out, into the options; returns how many are left. */
    int (*before)(int argc, char **argv, void *options);
};

#define COMMAND(name) extern const struct command command_##name;
#include "cli/commands.def"
#undef COMMAND
extern const struct command *const commands[]; /* ends with NULL; the order of commands.def */

/* argv[0] is "iasim NAME". Reads the words, checks the files that are named, runs the command. Errors: those of `run`
   and outputs_check. */
enum err_code command_call(const struct command *c, int argc, char **argv, struct err *e);

/* Prints a result and drops the reference: indented, keys in the order they were set, numbers with 17 digits. */
void command_print_json(json_t *root);
void command_write_json(json_t *root, FILE *out);

/* The files that come with the program (scenarios, platforms, deployments): `path` itself if it exists, else below
   the data folder ($IASIM_DATA, the checkout the program was built from, or PREFIX/share/iasim). Fresh memory. */
char *command_data_path(const char *path);

/* Runs a script of analysis/ with a Python that has matplotlib (base/interpreter.h); `args` end with NULL. False when
 * there is no Python, or the script failed and printed why. */
bool command_run_script(const char *script, const char *const *args);

/* The file of a scenario given by file, folder or shipped name; *path is fresh. Errors: ERR_IO when there is none. */
enum err_code command_scenario_path(const char *given, char **path, struct err *e);

/* Reads it, with values in place of some of its own. Errors: those of scenario_read, too. */
enum err_code command_read_scenario(const char *given, const struct words *sets, struct scenario *out, struct err *e);

/* What `iasim run` is given for these points: with the plugins that are loaded. */
struct rerun_words command_rerun_words(const char *scenario, const struct words *sets);

/* Shows how far a run on `engine` is, on a terminal, once it has taken a second. */
struct engine;
void command_show_progress(struct engine *engine);

#endif
