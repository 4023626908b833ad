/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A schedule names the graph and the platform that it was planned for: commands that take schedules need no others, and
   say so where they are given others. */
#ifndef IASIM_CLI_SCHEDULE_INPUTS_H
#define IASIM_CLI_SCHEDULE_INPUTS_H

#include "base/err.h"
#include "base/param.h"

/* Fills what is NULL with the path that the schedules name, which lives until the program ends. Of what is given, it
   prints a warning for each schedule that names another file, unless both files hold the same. Errors: those of reading
   a schedule; ERR_INPUT for schedules that name different files where none is given, and for a file that is not
   there. */
enum err_code schedule_inputs(const char *const *schedules, int n, const char **platform, const char **graph,
                              struct err *e);

/* The same for the parameters `platform` and `graph`. */
enum err_code schedule_inputs_set(struct param_set *params, const char *const *schedules, int n, struct err *e);

#endif
