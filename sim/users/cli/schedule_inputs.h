/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A schedule names the graph and the platform that it was planned for: commands that take schedules need no others, and
   say so where they are given others. */
#ifndef IASIM_CLI_SCHEDULE_INPUTS_H
#define IASIM_CLI_SCHEDULE_INPUTS_H

#include "cli/run_options.h"
#include "runs/graph_rows.h"

enum { MOST_SCHEDULES = 2 };

/* Sets the parameters `platform` and `graph`, where they are not given, to the paths that the schedules name, which
   live until the program ends. Of what is given, it prints a warning for each schedule that names another file, unless
   both files hold the same. Errors: those of reading a schedule; ERR_INPUT for schedules that name different files
   where none is given, and for a file that is not there. */
enum err_code schedule_inputs_set(struct param_set *params, const char *const *schedules, int n, struct err *e);

/* Schedules of one graph on one machine, as they were planned. */
struct schedules {
    struct graph_point graph;
    struct problem problems[MOST_SCHEDULES]; /* each with the model of its file */
    struct schedule list[MOST_SCHEDULES];
    int n;
};

/* Begins the run that is given (run_given_begin) and reads the schedules; `paths` has MOST_SCHEDULES, of which NULL is
   none. `out` is closed by the caller, also after errors, and stays where it is. */
enum err_code schedules_open(struct schedules *out, struct run_given *given, const char *const *paths, struct err *e);
void schedules_close(struct schedules *s);

#endif
