/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Explaining a replay. A process simulates once (engine/engine.h). So children of this one, which has loaded the
   platform, find out what is on the chain, and simulate the what-ifs; then this process carries the schedule out
   itself. */
#ifndef IASIM_CLI_STUDY_H
#define IASIM_CLI_STUDY_H

#include "explain/what_if.h"

enum { STUDY_WHAT_IFS = 5 }; /* unless the user says how many */

struct study_answers { /* what the children have found, in memory that they share */
    size_t n_what_ifs, n_left_out;
    struct what_if what_ifs[N_WHAT_IF_KINDS + 3 * WHAT_IF_MOST]; /* best first */
    double alone_bytes_per_s[];                                  /* [edge]; 0: it is not needed */
};

struct study {
    struct engine *engine;
    const struct schedule *schedule;
    const struct replay_options *how;
    int n_each; /* what-ifs of so many hosts, links and edges; 0: none at all */
    struct study_answers *answers;
    size_t size;
    struct what_if *what_if; /* for the child that simulates it */
};

/* Sends the children; what they cannot do is left out of the answers. `x` is to be closed in any case. Errors:
   ERR_INTERNAL. */
enum err_code study_ask(struct study *x, struct err *e);

struct study_found {
    struct replay_result result;
    struct replay_record record;
    struct explanation explanation;
};

/* Then, in this process or in a child: runs the replay and finds the chain. `out` is cleared by the caller, even after
   an error. Errors: those of replay_run. */
enum err_code study_explain(const struct study *x, struct study_found *out, struct err *e);
void study_found_clear(struct study_found *f);

void study_close(struct study *x);

#endif
