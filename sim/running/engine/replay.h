/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Replay: the simulated machine carries a schedule out (doc/model.md, Replay). */
#ifndef IASIM_ENGINE_REPLAY_H
#define IASIM_ENGINE_REPLAY_H

#include "engine/engine.h"
#include "models/noise.h"
#include "plan/schedule.h"

enum replay_links {
    REPLAY_FLUID,     /* SimGrid shares bandwidth */
    REPLAY_EXCLUSIVE, /* a link carries one transfer at a time, in the schedule's order */
};

enum replay_waiting {
    REPLAY_PASSIVE,    /* a send ends without its data; a receive begins when they are due */
    REPLAY_ACTIVE,     /* communication blocks ([S] 8.4.3): both hold their processor until the last byte has arrived */
    REPLAY_RENDEZVOUS, /* large messages wait for each other ([White 1999]): replay_rendezvous.c */
};

enum replay_progress {                  /* what moves the data of a rendezvous, once its destination waits for them */
                       REPLAY_CALLS,    /* a call of the source, which then lasts until the transfer has ended */
                       REPLAY_HARDWARE, /* nothing more is needed */
                       REPLAY_POLLS,    /* calls of the source: whenever it is in none, the transfer stands still */
};

struct replay_record; /* replay_record.h */

struct replay_options {
    const struct world_model *world;
    enum replay_links links;
    enum replay_waiting waiting;
    enum replay_progress progress; /* of a rendezvous */
    double eager_bytes;            /* a message of at most so many goes without one */
    const struct noise *noise;     /* NULL: none */
    const char *schedule_path;     /* for messages; NULL: the schedule is not in a file */
    bool is_program;               /* a processor does one thing after the other, even what takes it no time */
    struct replay_record *record;  /* NULL: nothing is recorded; else empty, filled by a replay without errors */
};

struct replayed_edge {    /* of a remote edge; NAN in a local one */
    struct span send;     /* on the source processor, from when it is reached; a date when it takes no time */
    struct span transfer; /* from its start on the first link to its last byte at the destination */
    struct span recv;
};

struct replayed_host { /* together they are the makespan */
    double busy_s;     /* computing, but for what was stolen meanwhile */
    double stolen_s;   /* taken by communication, whether there was something to compute or not */
    double idle_s;
};

struct replay_result {
    struct span *tasks; /* [task] */
    struct replayed_edge *edges;
    struct replayed_host *hosts;
    double makespan_s; /* latest finish of a task */
    size_t n_tasks, n_edges, n_hosts;
};

/* Call once per process (engine.h); s->problem.machine is the engine's. Errors: ERR_INPUT when the order waits for
   itself (the circle is named), a host or link fails while it is used, a deadlock, noise of an unknown host; then
   *out needs no clearing. */
enum err_code replay_run(struct engine *engine, const struct schedule *s, const struct replay_options *options,
                         struct replay_result *out, struct err *e);
void replay_result_clear(struct replay_result *r);

#endif
