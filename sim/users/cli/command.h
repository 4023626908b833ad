/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Commands of the program: one file each, registered by a line in commands.def. */
#ifndef IASIM_CLI_COMMAND_H
#define IASIM_CLI_COMMAND_H

#include "base/err.h"
#include "cli/options.h"

#include <jansson.h>
#include <stdbool.h>

struct command {
    const char *name, *summary;
    const struct command_line *usage; /* what it takes */
    /* argv[0] is "iasim NAME". Results go to stdout, talk to stderr. Returns ERR_NONE, or a code with `e` filled;
       ERR_NO with an empty e->text when the answer is no and has been printed. */
    enum err_code (*run)(int argc, char **argv, struct err *e);
    /* Loads a platform itself: it runs in a guarded child process, since SimGrid may abort (engine/guard.h). */
    bool simulates;
    /* OPTIONAL. The command to run in place of this one for these words (as for `run`); NULL: this one. */
    const struct command *(*instead)(int argc, char **argv);
    bool has_progress; /* it shows how far it is; of the others main shows how long they have been running */
};

extern const struct command *const commands[]; /* ends with NULL; the order of commands.def */

/* Prints a result and drops the reference: indented, keys in the order they were set, numbers with 17 digits. */
void command_print_json(json_t *root);

/* The files that come with the program (scenarios, platforms, deployments): `path` itself if it exists, else below
   the data folder ($IASIM_DATA, the checkout the program was built from, or PREFIX/share/iasim). Fresh memory. */
char *command_data_path(const char *path);

/* Runs a script of analysis/ with a Python that has matplotlib (base/interpreter.h); `args` end with NULL. False when
 * there is no Python, or the script failed and printed why. */
bool command_run_script(const char *script, const char *const *args);

/* The file of a scenario given by file, folder or shipped name; *path is fresh. Errors: ERR_IO when there is none. */
enum err_code command_scenario_path(const char *given, char **path, struct err *e);

/* Shows how far a run on `engine` is, on a terminal, once it has taken a second. */
struct engine;
void command_show_progress(struct engine *engine);

#endif
