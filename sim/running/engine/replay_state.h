/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A replay while it is carried out, and what replay.c, hops.c and replay_rendezvous.c ask of each other.
   Not installed. */
#ifndef IASIM_ENGINE_REPLAY_STATE_H
#define IASIM_ENGINE_REPLAY_STATE_H

#include "engine/replay_record.h"
#include "engine/step_timers.h"

struct replay {
    struct replay_plan plan;
    struct engine *engine;
    const struct world_model *world;
    struct step_timers timers;
    int *pending;   /* [step]: steps it still waits for; the engine's tags point here */
    step_id *ready; /* each comes in once, by the order of becoming ready */
    int n_ready, n_begun;
    unsigned char *progress; /* [edge]: of its receive */
    edge_id *early;          /* receives that may begin in this instant, before their last byte is there */
    size_t n_early, early_capacity;
    bool has_started_transfer;  /* since `decide` was called */
    double decided_s;           /* when `decide` was last called */
    struct engine_comm **comms; /* [edge], in `fluid` */
    step_id *occupier;          /* [host]: the send or receive that it is busy with */
    double *charged_s;          /* [host]: by the rates of flows, while a send or receive held the processor anyway */
    struct hops *hops;          /* in `exclusive` */
    struct rendezvous *rendezvous; /* NULL: another kind of waiting */
    struct replay_result *out;
    struct replay_record *record; /* NULL: nothing is recorded */
    int n_tasks_done;
    double wake_s; /* the next call that the engine has been asked for; INFINITY: none */
    struct err failure;
};

void replay_satisfy(struct replay *r, step_id s);                         /* one less to wait for */
void replay_recv_due_at(struct replay *r, edge_id e, double last_byte_s); /* as things look now */
void replay_arrived(struct replay *r, edge_id e);
void replay_fail(struct replay *r, step_id s);
void replay_note_rate(struct replay *r, step_id hop, double bytes_per_s); /* for the record */

void replay_end_message(struct replay *r, step_id s); /* a send or receive lets its processor go */

/* replay_rendezvous.c: messages that need both ends. A send or receive begins, the list of a host ends, a transfer
   arrives, the timer of a step is due. */
struct rendezvous *rendezvous_create(const struct replay_plan *p);
void rendezvous_free(struct rendezvous *x);
void rendezvous_enter(struct replay *r, step_id s);
void rendezvous_end_list(struct replay *r, host_id h);
void rendezvous_arrived(struct replay *r, edge_id e);
void rendezvous_timer(struct replay *r, step_id s);
bool rendezvous_go_on(struct replay *r, double now_s); /* in this instant; whether anything has happened */
void rendezvous_settle(struct replay *r);              /* then: what moves, and what stands still */

/* hops.c: transfers that have links for themselves. */
struct hops *hops_create(const struct replay_plan *p);
void hops_free(struct hops *x);
void hops_begin(struct replay *r, step_id hop);
void hops_timer(struct replay *r, step_id hop);
bool hops_grant(struct replay *r); /* links to those who came first; whether any was */
void hops_host_down(struct replay *r, host_id h);
void hops_link_changed(struct replay *r, link_id l);
void hops_retime(struct replay *r); /* after changes of links */
bool hops_are_in_progress(const struct hops *x);
edge_id hops_find_stopped(const struct replay *r, link_id *link); /* one that stands still; -1: none */

#endif
