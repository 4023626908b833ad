/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What all searches have in common: when they end, and what the user sees meanwhile. A search ends after a number of
   steps, when its time is over, or when the user stops it (Ctrl-C), and returns the best that it has found. Only the
   number of steps has a default, so that the same input gives the same schedule; a limit in seconds is the user's own
   choice. */
#ifndef IASIM_SCHEDULERS_SEARCH_H
#define IASIM_SCHEDULERS_SEARCH_H

#include "base/param.h"
#include "schedulers/scheduler.h"

#include <stdint.h>

/* Entry of a scheduler's table of parameters. */
#define SEARCH_PARAM_SECONDS                                                                                           \
    {                                                                                                                  \
        "seconds", PARAM_NUMBER, "s", NULL, 1e-3, 1e9, NULL,                                                           \
            "ends the search after this time with the best found so far; then the result depends on the machine"       \
    }

struct search {
    const char *steps; /* what the user sees them called: "evaluations" */
    const struct search_watch *watch;
    double end_s, next_show_s, last_look_s; /* of the clock */
    uint64_t n_max, n_steps, n_steps_to_look, stride;
    bool is_over, is_stopped; /* stopped: by the user or by the clock, before its end */
};

/* `params` has `seconds`; n_max 0: no limit. */
void search_begin(struct search *s, const char *steps, uint64_t n_max, const struct param_set *params,
                  const struct scheduler_inputs *in);

/* Before each step: whether the search goes on. best_s: the shortest length so far; bound_s: no schedule is shorter
   than this (0: not known). Time: a few nanoseconds; it seldom looks at the clock. */
bool search_step(struct search *s, double best_s, double bound_s);

#endif
