/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Results to report on, open to be read: a scenario with its database, or a database alone. */
#ifndef IASIM_CLI_RESULTS_INPUT_H
#define IASIM_CLI_RESULTS_INPUT_H

#include "cli/options.h"
#include "store/store.h"

struct results_input {
    struct scenario scenario;
    char *database;
    struct store *store; /* NULL: the scenario of the database cannot be read; `why` has the reason */
    struct err why;
};

/* `sets` may be NULL. `database` NULL: NAME.db of the scenario, here. Clear `in` even after an error. Errors: those of
   scenario_read and store_open_read. */
enum err_code results_input_open(struct results_input *in, const char *scenario, const struct words *sets,
                                 const char *database, struct err *e);

/* The scenario and its --set are taken from the command that the database records. Errors: ERR_IO, ERR_INPUT for a
   database that does not hold results. */
enum err_code results_input_open_alone(struct results_input *in, const char *database, struct err *e);

void results_input_close(struct results_input *in);

#endif
