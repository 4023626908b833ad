/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The options that a command has from the rows of a kind of run (runs/run.h), and what it does with them: the same
   as a sweep does with one of its points. */
#ifndef IASIM_CLI_RUN_OPTIONS_H
#define IASIM_CLI_RUN_OPTIONS_H

#include "cli/options.h"
#include "runs/run.h"

/* For the options of a command whose row `noise` is the kind's. */
#define OPTION_SEED(of) OPTION_SEED_OF(of, "of --noise: the same seed gives the same noise (default 1)")
#define OPTION_SEED_OF(of, help)                                                                                       \
    {                                                                                                                  \
        "seed", 's', "S", help, OPTION_AT(of, given.seed), .max = 9223372036854774784.0                                \
    }

/* For commands that carry out the schedule of a file: what kinds of run have to make one. */
#define REPLAY_WITHOUT "generator instance ccr unrelated scheduler model"

/* What a command has been given for its kind of run: the first field of its options. */
struct run_given {
    const struct run_kind *kind;
    struct param_set *params;
    uint64_t seed;      /* of OPTION_SEED */
    struct point point; /* of run_given_begin */
};

void run_given_init(struct run_given *g, const struct run_kind *kind);

/* Makes `point`: everything is checked, and what a sweep's points share is prepared, until run_given_clear. Errors:
   ERR_INPUT for a seed without noise, those of run_begin. */
enum err_code run_given_begin(struct run_given *g, struct err *e);
void run_given_clear(struct run_given *g);

/* The options of a command: those of its kind's rows, then its own. They stay. */
struct command;
const struct command_option *run_options_of(const struct command *command);

/* Takes the value of a row's option from the command line. Errors: ERR_USAGE; e->text completes "--NAME ". */
enum err_code run_options_take(const struct run_param *row, struct param_set *params, const char *value, struct err *e);

/* Prints a warning such as that of world_warning as a line on stderr, and frees it; NULL: nothing. */
void run_options_warn(char *warning);

/* Prints which speed is assumed for a graph that gives run times; nothing of other graphs, and where another speed is
 * given. */
struct dag;
void run_options_say_speed(const struct dag *g, double flop_per_s);

#endif
