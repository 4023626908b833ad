/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A worker of the pool and what passes between it and the dispatcher. Internal to this folder. */
#ifndef IASIM_SCENARIO_WORKER_H
#define IASIM_SCENARIO_WORKER_H

#include "scenario/pool.h"

/* Messages have no padding, so that nothing uninitialised is sent. */
struct worker_job {
    uint64_t turn;
    uint64_t isolated; /* 1: in a process of its own */
};

enum worker_word {
    WORKER_READY,   /* once, when it has prepared what is shared */
    WORKER_REFUSED, /* instead, when it could not: its last word */
    WORKER_RESULT,
};

struct worker_message {
    enum worker_word word;
    uint32_t failed; /* 1: `text` is the error */
    uint64_t turn;   /* of a result */
    uint32_t n_metrics, text_size;
    double metrics[POOL_MAX_METRICS];
    char text[1400];
};

/* Of a whole message without the unused rest of its text. */
size_t worker_message_size(const struct worker_message *m);

/* The life of a worker, in its process: prepares, works until its socket is closed. */
_Noreturn void worker_live(const struct scenario *s, size_t shared, double time_limit_s, int socket);

#endif
