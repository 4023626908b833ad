/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* One run of a scenario, found by its key: the same process, limits and figures as in the sweep. */
#ifndef IASIM_SWEEP_ONLY_H
#define IASIM_SWEEP_ONLY_H

#include "scenario/turn.h"
#include "sweep/sweep_run.h"

enum { ONLY_MIN_DIGITS = 6 };

/* "KEY" or "KEY/REPLICATION": which turn it is. KEY may be cut short to the first ONLY_MIN_DIGITS digits or more as
   long as one point alone begins so; REPLICATION may be left out where there is but one. Looks at every point, without
   memory. Errors: ERR_INPUT (no key, unknown, not unique, no such replication). */
enum err_code only_find(const struct scenario *s, const char *which, uint64_t *turn, struct err *e);

struct only_result {
    char key[DIGEST_HEX_SIZE];
    struct turn turn;
    double metrics[RUN_MAX_METRICS]; /* in the experiment's order; NAN: no such figure */
    char *error;                     /* NULL: it worked; fresh */
};

/* Runs it as `options` say, into options->database unless that is NULL. Errors: those of run_scenario; on
   ERR_INTERRUPTED it may have finished (key is not empty) or not. */
enum err_code only_run(const struct scenario *s, uint64_t turn, const struct run_options *options,
                       struct only_result *out, struct err *e);
void only_result_clear(struct only_result *r);

#endif
