/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Runs the points of a scenario in local processes.

       dispatcher (this process; never loads SimGrid)
         |- worker: has prepared what its points share (loaded a platform)
         |    `- child: one point, when the experiment needs a process for each
         `- worker ...

   A worker receives the number of a turn and answers with its result, one message each way over a socket that
   keeps messages whole. A worker serves one value of the shared parameter; when that changes, another takes
   its place. A child that crashes costs its point; a worker that dies is replaced, and what it was given is
   run again, each point in a process of its own. The dispatcher looks how long the point under way in each worker
   has taken: one that takes too long is ended with its worker, and the others that it was given are given out again.
   Nothing here grows with the number of points. */
#ifndef IASIM_SWEEP_POOL_H
#define IASIM_SWEEP_POOL_H

#include "scenario/scenario.h"

/* Where the user gives none and a scenario uses plugins: an endless loop in one must not hold up the rest. */
enum { POOL_PLUGIN_TIME_LIMIT_S = 60 };

struct pool_options {
    int n_jobs;          /* workers at a time; 0: one for each processor */
    double time_limit_s; /* of one point; 0: none, or the one of plugins */
};

struct pool_result {
    uint64_t turn;
    const char *error;     /* NULL: it worked */
    const double *metrics; /* in the experiment's order; NAN: no such figure, and all of them after an error */
};

enum pool_supply {
    POOL_TURN,  /* there is one */
    POOL_LATER, /* looking for one takes a while: ask again soon */
    POOL_END,   /* no turn is left */
};

/* Called in the dispatcher. An error of a callback ends everything at once and is what pool_run returns. */
struct pool_client {
    void *self;
    /* The number of the next turn to take. */
    enum err_code (*next)(void *self, uint64_t *turn, enum pool_supply *supply, struct err *e);
    enum err_code (*done)(void *self, const struct pool_result *result, struct err *e);
    /* After each batch of results, and at least four times a second. */
    enum err_code (*pause)(void *self, struct err *e);
};

/* SIGINT and SIGTERM end it in good order: points under way are finished and reported, then ERR_INTERRUPTED is
   returned. A second signal drops what runs. A shared value that cannot be prepared fails its points; when none can be,
   nothing is reported and the first one's error is returned. Other errors: those of the client; ERR_INTERNAL when no
   process can be started. */
enum err_code pool_run(const struct scenario *s, const struct pool_options *options, const struct pool_client *client,
                       struct err *e);

#endif
