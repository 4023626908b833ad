/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A schedule as the actors of a replay follow it (doc/model.md, Replay): what each host does, one after the other, and in
   which order each link carries what. Plain data; it does not change while it is followed. Not installed. */
#ifndef IASIM_ACTORS_REPLAY_SCRIPT_H
#define IASIM_ACTORS_REPLAY_SCRIPT_H

#include "engine/amounts.h"
#include "engine/replay.h"

enum act_kind { ACT_COMPUTE, ACT_SEND, ACT_RECEIVE };

struct act {
    enum act_kind kind;
    int id; /* task or edge */
};

struct script_edge { /* of a remote edge; else all 0 */
    const link_id *links;
    int n_links;
    int first_hop; /* one for each link, if they are exclusive and it has bytes to carry */
    bool has_hops;
    bool is_near;               /* its route takes no time */
    double latency_s;           /* of its route */
    bool has_act[N_DIRECTIONS]; /* else it is sent, or received, when its data are there */
    double overhead_s[N_DIRECTIONS], involvement_s[N_DIRECTIONS], port_s[N_DIRECTIONS];
    edge_id port_before[N_DIRECTIONS], port_after[N_DIRECTIONS]; /* on the port of its host; -1: none */
    double transit_s;                                            /* where the world says how long data are under way */
};

struct script {
    const struct schedule *schedule;
    const struct dag *dag;
    const struct machine *machine;
    struct amounts amounts;
    bool is_active, is_exclusive;
    bool has_transit; /* data are under way for times of the world's own, and use no links */
    bool is_ordered;  /* the schedule has dates for links: they are kept */
    struct act *acts;
    int *first_act; /* [host]; [n_hosts] is their number */
    bool *has_act;  /* [task]: else it runs when its data are there */
    bool *is_used;  /* [host]: it has a task */
    struct script_edge *edges;
    int n_hops;
    edge_id *edge_of; /* [hop] */
    int *before;      /* [hop]: on its link; -1: none */
};

/* Errors: ERR_INPUT for a schedule without a route, or that is too large, for noise of an unknown host, and for properties of hosts
   that make no sense to the world. script_clear in either case. */
enum err_code script_init(struct script *x, const struct schedule *s, const struct replay_options *options,
                          struct err *e);
void script_clear(struct script *x);

#endif
