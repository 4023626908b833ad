/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A worker of the pool and what passes between it and the dispatcher. Internal to this folder. */
#ifndef IASIM_SWEEP_WORKER_H
#define IASIM_SWEEP_WORKER_H

#include "sweep/pool.h"

/* Messages have no padding, so that nothing uninitialised is sent. */
struct worker_job {
    uint64_t turn;
    uint32_t alone;    /* 1: in a process of its own, whatever the experiment needs */
    uint16_t n_deaths; /* of workers that had it under way */
    uint16_t is_last;  /* 1: this worker gets no other after it, so it may be left as it is */
};

enum worker_word {
    WORKER_READY,   /* once, when it has prepared what is shared */
    WORKER_REFUSED, /* instead, when it could not: its last word */
    WORKER_RESULT,
};

struct worker_message {
    enum worker_word word;
    uint32_t failed; /* an enum err_code; unless it is ERR_NONE, `text` is the error */
    uint64_t turn;   /* of a result */
    double seconds;  /* that it took */
    uint32_t n_metrics, text_size;
    double metrics[RUN_MAX_METRICS];
    char text[1400];
};

/* Of a whole message without the unused rest of its text. */
size_t worker_message_size(const struct worker_message *m);

/* Makes what the points with combination number `shared` of the shared parameters have in common. */
enum err_code worker_prepare(const struct scenario *s, uint64_t shared, void **out, struct err *e);

/* The life of a worker, in its process: prepares, works until its socket is closed. */
_Noreturn void worker_live(const struct scenario *s, uint64_t shared, int socket);

#endif
