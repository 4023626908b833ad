/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The options that a command has from the rows of a kind of run (runs/run.h), and what it does with them: the same
   as a sweep does with one of its points. */
#ifndef IASIM_CLI_RUN_OPTIONS_H
#define IASIM_CLI_RUN_OPTIONS_H

#include "cli/options.h"
#include "runs/run.h"

/* For the options of a command whose row `noise` is the kind's; the default of its field is NO_SEED. */
#define NO_SEED UINT64_MAX
#define OPTION_SEED(of, field)                                                                                         \
    {                                                                                                                  \
        "seed", 's', "S", "of --noise: the same seed gives the same noise (default 1)", OPTION_AT(of, field),          \
            .max = 9223372036854774784.0                                                                               \
    }

/* For commands that carry out the schedule of a file: what kinds of run have to make one. */
#define REPLAY_WITHOUT "generator instance ccr unrelated scheduler model"

/* The line with the options of its run before its own; itself where it has no run. It stays. */
const struct command_line *run_options_add(const struct command_line *line);

/* Takes the value of a row's option from the command line. Errors: ERR_USAGE; e->text completes "--NAME ". */
enum err_code run_options_take(const struct run_param *row, struct param_set *params, const char *value, struct err *e);

/* What the command has been given, as a point: everything is checked, and what a sweep's points share is prepared.
   Errors: ERR_INPUT for a seed without noise, those of run_begin. */
enum err_code run_options_point(const struct run_kind *k, const struct param_set *params, uint64_t seed,
                                struct point *out, struct err *e);

/* Prints a warning such as that of world_warning as a line on stderr, and frees it; NULL: nothing. */
void run_options_warn(char *warning);

/* Prints which speed is assumed for a graph that gives run times; nothing of other graphs, and where another speed is
 * given. */
struct dag;
void run_options_say_speed(const struct dag *g, double flop_per_s);

#endif
