/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Commands of the program: one file each, registered by a line in commands.def. */
#ifndef IASIM_CLI_COMMAND_H
#define IASIM_CLI_COMMAND_H

#include "base/err.h"

#include <argp.h>
#include <jansson.h>
#include <stdbool.h>

struct command {
    const char *name, *summary;
    /* argv[0] is "iasim NAME". Results go to stdout, talk to stderr. Returns ERR_NONE, or a code with `e` filled;
       ERR_NO with an empty e->text when the answer is no and has been printed. */
    enum err_code (*run)(int argc, char **argv, struct err *e);
    /* Loads a platform itself: it runs in a guarded child process, since SimGrid may abort (engine/guard.h). */
    bool simulates;
};

extern const struct command *const commands[]; /* ends with NULL; the order of commands.def */

/* Parses with argp. --help prints and exits 0; a usage error prints one message and exits 2 (the one place below
   main that exits: it is argp's way, and nothing has been done yet). Every `doc` ends with an example after a \v. */
void command_parse(const struct argp *argp, int argc, char **argv, void *input);

/* Option arguments that are numbers between min and max; anything else is a usage error. */
double command_number(struct argp_state *state, const char *option, const char *arg, double min, double max);
long command_integer(struct argp_state *state, const char *option, const char *arg, long min, long max);

/* A parser's case for ARGP_KEY_END: a usage error when a required option was not given. */
void command_require(struct argp_state *state, const char *option, bool given);

/* Prints a result and drops the reference: indented, keys in the order they were set, numbers with 17 digits. */
void command_print_json(json_t *root);

/* The files that come with the program (scenarios, platforms, deployments): `path` itself if it exists, else below
   the data folder ($IASIM_DATA, the checkout the program was built from, or PREFIX/share/iasim). Fresh memory. */
char *command_data_path(const char *path);
/* The same for an option's argument: it lives until the program ends, as arguments do. */
const char *command_input(const char *path);

/* The file of a scenario given by file, folder or shipped name; *path is fresh. Errors: ERR_IO when there is none. */
enum err_code command_scenario_path(const char *given, char **path, struct err *e);

#endif
