/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the makespan would be on another machine: each change is simulated, the schedule's order kept, with everything
   else as it was. */
#ifndef IASIM_EXPLAIN_WHAT_IF_H
#define IASIM_EXPLAIN_WHAT_IF_H

#include "explain/explain.h"

enum what_if_kind {
    WITHOUT_INTERFERENCE,
    WITHOUT_CONTENTION, /* every link is a FATPIPE */
    WITHOUT_OVERHEADS,
    WITHOUT_INVOLVEMENT,
    WITHOUT_PORTS,
    FASTER_HOST, /* twice */
    WIDER_LINK,  /* twice, and both directions of a split-duplex link */
    LOCAL_EDGE,  /* its destination has the data as soon as its origin is done */
    N_WHAT_IF_KINDS
};

struct what_if {
    enum what_if_kind kind;
    int id;            /* of the host, link or edge */
    double makespan_s; /* NAN: not simulated, or it could not be carried out, and then */
    char error[256];   /* says why; else "" */
};

enum { WHAT_IF_MOST = 100 }; /* of hosts, of links and of edges */

/* Those that make sense for the world and for what is on the chain: the `n_each` hosts, links and edges with the
   largest sums there. Fresh memory; *n_left_out counts the hosts, links and edges of the chain that were left out. */
struct what_if *what_if_choose(const struct explanation *x, const struct world_model *world, int n_each, size_t *n,
                               size_t *n_left_out);

/* Simulates it on a platform that has been loaded (once per process, engine.h). Errors: those of replay_run. */
enum err_code what_if_replay(struct engine *engine, const struct schedule *s, const struct replay_options *options,
                             struct what_if *w, struct err *e);

/* Best first; those without a makespan last. */
void what_if_sort(struct what_if *list, size_t n);

/* "host h twice as fast"; fresh memory. */
char *what_if_name(const struct schedule *s, const struct what_if *w);

/* Both are one direction of a split-duplex link, or the same. */
bool what_if_is_same_link(const struct machine *m, link_id a, link_id b);

#endif
