/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The paper's measurement of interference ([K] 2, 2.2) on the simulated machine. A host computes atomic tasks
   one after another, alone at first; then it also sends messages to, and receives messages from, other hosts,
   while other traffic loads their links so that the transfer rates vary. Rates are averaged over regular
   intervals: each gives a point (send rate, receive rate, compute rate over the highest compute rate), for a
   fit (models/fits).

       computing  |--task--|--task--|----task----|---task---|------task------|...    a task's rate is 1 / its duration
       messages                     |===========|===========|=====|=================|
       load                                           |== other hosts ==|
       points     |      0      |      1      |      2      |      3      |      4      |

   As in the paper the compute rate is known only from when tasks end: an interval's is that of the tasks that
   end in it (their number over the time they took), and one in which none ends gives no point. So the
   computing that is averaged lies up to a task earlier than the transfers, and where the transfer rate has
   changed in between, the points leave the line: that is their whole spread, since bytes are exact and
   nothing else is random. The longer the intervals are in terms of tasks, the smaller it is.

   Differs from the paper: there the load is "additional communications involving Lab0", which interfere, too,
   and by rates of their own. Here it passes between the peer and a third host: it takes bandwidth, and no
   processor time of the measured host, so that the points belong to the measured peers alone. */
#ifndef IASIM_ENGINE_MEASURE_H
#define IASIM_ENGINE_MEASURE_H

#include "base/err.h"
#include "base/random.h"
#include "engine/engine.h"

#include <stdbool.h>
#include <stddef.h>

struct measure_peer {
    host_id host;
    enum direction direction; /* as the measured host sees it: DIR_SEND to this peer */
};

/* A part of the experiment in which the same peers communicate: those from first_peer on. */
struct measure_phase {
    long n_intervals;
    size_t first_peer, n_peers; /* 0 of them: computing alone */
    bool is_loaded;
};

struct measure_options {
    host_id host;
    const struct measure_peer *peers;
    size_t n_peers;
    const struct measure_phase *phases;
    size_t n_phases;
    double message_bytes, task_flop, interval_s;
    int max_load; /* streams of other traffic for each peer, at most: their number changes at random */
    struct random_stream random;
    /* OPTIONAL. After each interval. */
    void (*progress)(void *self, long n_done, long n_total);
    void *progress_self;
    const struct world_model *world;
};

enum { MEASURE_MAX_LOAD = 100 };

/* Errors, also of the next: ERR_INPUT for a name that is not a host of the platform. */
enum err_code measure_find_host(const struct machine *m, const char *name, host_id *out, struct err *e);

/* Adds the hosts of `names`, between commas or blanks, to a growing list of peers. */
enum err_code measure_add_peers(const struct machine *m, const char *names, enum direction dir,
                                struct measure_peer **peers, size_t *n_peers, struct err *e);

struct measure_point {
    double start_s;
    size_t phase;
    double rate_bytes_per_s[N_DIRECTIONS]; /* of all peers together */
    const double *peer_bytes_per_s;        /* of each peer, in the order of the options */
    double compute_ratio;
};

struct measure_result {
    struct measure_point *points;
    size_t n_points;
    double max_tasks_per_s;   /* the highest of all points: its compute_ratio is 1 */
    double *peer_bytes_per_s; /* of all points: where theirs are */
};

/* Once per process (engine.h). Errors: ERR_INPUT for a peer that is the host itself or has no route to it, a
   peer that no third host can load, a host or link that fails while it is used; those of engine_run. */
enum err_code measure_run(struct engine *engine, const struct measure_options *options, struct measure_result *out,
                          struct err *e);
void measure_result_clear(struct measure_result *r);

#endif
