/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A farm of actors while it runs: what its nodes hold and have asked for. All actors run in one thread, one at a
   time. */
#ifndef IASIM_ACTORS_FARM_STATE_H
#define IASIM_ACTORS_FARM_STATE_H

#include "actors/actors.h"
#include "actors/turns.h"
#include "farm/farm_measure.h"
#include "simgrid/instants.h"

#include <simgrid/comm.h>
#include <simgrid/host.h>
#include <simgrid/mailbox.h>

/* The order at one date (doc/model.md, Farms): after all that ends has ended. */
enum farm_phase {
    PHASE_BEGIN,  /* of the run */
    PHASE_ARRIVE, /* transfers that take no time */
    PHASE_WORK,   /* nodes other than the root */
    PHASE_ROOT,
    PHASE_SEND,
};

struct parcel { /* what a message to a child carries: a task, or a part of it */
    long task;
    double bytes;
    bool is_last;
};

struct request {
    double date_s;
    long number; /* 1 for the first of its node */
};

struct farm_run;

struct farm_node {
    struct farm_self self;
    struct farm_run *run;
    struct farm_node *parent, **children; /* in deployment order */
    int n_children;
    sg_host_t host;
    sg_mailbox_t inbox, request_box; /* of parcels; of its requests, at the parent */
    bool has_begun;
    struct turn begin, work, send;
    /* Its tasks. The root's are those that nobody has taken yet. */
    long *held; /* ring of n_buffers, oldest first */
    int first_held;
    long n_held;
    long n_arrived; /* at the root */
    long computing; /* -1: idle */
    double compute_start_s;
    struct actors_node_result *result;
    /* As a parent: */
    int n_sending;
    bool is_limited; /* by the send limit */
    /* As a child: its requests that the parent knows of, and what the parent sends it. */
    struct request *requests; /* ring of n_buffers, oldest first */
    int first_request, n_requests;
    long n_requests_made, n_given; /* requests; tasks that it has got */
    struct request answered;       /* of the task under way */
    long task;                     /* under way to it, or set aside between two chunks; -1: none */
    double task_bytes, missing_bytes;
    double limit_bytes_per_s; /* of what is under way */
    bool is_sent_to;
    double send_start_s;
    struct parcel parcel;
    sg_comm_t comm; /* that carries it; NULL: not yet */
    struct instants_flow *flow;
    sg_sem_t go; /* for the parent's actor that sends to it */
    struct turn arrive, request_arrives;
    int n_requests_arriving;
};

struct farm_run {
    const struct actors_farm *farm;
    struct actors_farm_result *out;
    struct farm_node *nodes;    /* by node_id */
    struct policy_child *known; /* the children of the node that decides, for a policy that looks at the state */
    long n_started;             /* tasks that have begun to be computed */
    bool is_over;               /* or has failed */
    bool is_ending;             /* all actors are being killed */
    bool rates_are_known;       /* the network has been solved at this date, and nothing has changed since */
    double round_s;             /* the date of the last round of turns */
    double instant_s;           /* the first date of this instant */
    unsigned long n_dates;
    struct farm_meter *meter;
    struct farm_measure *measure; /* NULL: the policy does not measure */
    struct turns turns;
};

/* farm_node.c: the code of a node. */
void farm_node_run(struct farm_node *me);
bool farm_node_may_go_on(struct farm_node *me); /* it was stopped by the send limit, and is not any more */

/* farm_actors_run.c: as in struct actors. */
void farm_run_actors(const struct actors_farm *farm, struct actors_farm_result *out);
double farm_date_s(void);
void farm_trace(const struct farm_node *at, enum farm_event event, long task, const struct farm_node *other);
void farm_fail(enum actors_end end, enum farm_run_activity what, const struct farm_node *node);
/* A task begins and ends to be computed: the books. */
void farm_compute_begins(struct farm_node *me, long task);
void farm_compute_ended(struct farm_node *me);
bool farm_compute(struct farm_node *me); /* both, and the execution between them. False: the farm has failed */

#endif
