/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A replay of actors while it runs. What each host and each link does, one after the other, are the steps of
   engine/replay_steps.h. All actors run in one thread, one at a time; they block in semaphores until what they wait
   for may have happened, and look again. */
#ifndef IASIM_ACTORS_ACTORS_REPLAY_H
#define IASIM_ACTORS_ACTORS_REPLAY_H

#include "actors/replay_object.h"
#include "engine/hop_dates.h"
#include "simgrid/instants.h"
#include "simgrid/one_sided.h"

#include <simgrid/actor.h>
#include <simgrid/semaphore.h>

struct replay_run;

struct sleeper { /* an actor that waits for something */
    sg_sem_t sem;
    bool is_waiting;
};

struct replay_host {
    struct replay_run *run;
    host_id id;
    sg_host_t host;
    step_id at; /* what it does, or does next; -1: it has done all */
    bool is_acting;
    bool asks;                    /* to begin to receive before the last byte is there */
    bool may_receive;             /* it has asked, and the rates of this instant allow it */
    bool wants_to_work, may_work; /* of a call, where messages need both ends: it has asked; it has leave */
    int n_moving;                 /* such messages of its own that are under way */
    struct sleeper sleeper;
};

struct replay_task {
    struct replay_run *run;
    int n_missing; /* entering edges whose data are not there */
    bool is_done;
};

struct replay_edge {
    struct replay_run *run;
    bool has_arrived;
    bool has_port[N_DIRECTIONS]; /* those before it are done with the port of its host */
    double due_s;                /* when its receive may begin, as things look now; INFINITY: not known */
    struct one_sided flow;
    bool is_offered; /* its send is over, and it needs its destination */
    double rate_bytes_per_s;
    int place; /* in those under way */
};

enum hop_state { HOP_BEFORE, HOP_RELEASED, HOP_GOES, HOP_OVER };

struct replay_hop { /* a link of a transfer, while links are exclusive; each has an actor */
    struct replay_run *run;
    step_id step;
    edge_id edge;
    enum hop_state state;
    link_id link_id;
    sg_link_t link;
    double released_s;
    struct hop_dates dates;
    void *loads[N_DIRECTIONS];
    bool may_go; /* the link has been given to it: first come, first served */
    struct sleeper sleeper;
    int place; /* in those alive; -1: not there */
};

struct taken_port { /* that another message waits for */
    step_id next;
    double until_s;
};

struct replay_run {
    const struct actors_replay *given;
    const struct replay_plan *plan;
    struct replay_result *out;
    struct actors_replay_end *end;
    struct replay_host *hosts;
    struct replay_task *tasks;
    struct replay_edge *edges;
    struct replay_hop *hops; /* [step - first_hop[0]]; none for an edge without links */
    task_id *ready;          /* tasks without a place that may run; a queue of all that ever came */
    int n_ready, n_ready_run, n_done;
    bool is_running_ready, has_begun, is_over;
    edge_id *leaving; /* a queue of all that ever left: to be started */
    int n_leaving, n_leaving_started;
    edge_id *offered; /* not yet leaving */
    int n_offered;
    edge_id *under_way;
    int n_under_way;
    host_id *asking; /* hosts that ask */
    int n_asking;
    struct taken_port *taken; /* of two for each host */
    int n_taken;
    struct replay_hop **alive;
    int n_alive;
    sg_link_t *links;          /* [link] */
    struct replay_hop **owner; /* [link]: the hop that has it; NULL: none */
    struct replay_hop **first; /* [link]: NULL; while links are given, the hop that comes first */
    double instant_s;
    bool was_woken; /* someone, since no actor can go on */
    unsigned long n_dates;
};

/* replay_host.c: what hosts do. */
void replay_host(int argc, char **argv); /* the actor */
bool replay_may_act(const struct replay_host *h);
bool replay_waits_to_receive(const struct replay_host *h, edge_id e);
bool replay_is_due(const struct replay_run *r, edge_id e);
void replay_task_ready(struct replay_run *r, task_id t); /* all its data are there */
void replay_start_transfer(struct replay_run *r, edge_id e);
void replay_arrive(struct replay_run *r, edge_id e); /* the last byte of an edge is there */
/* What takes no time of the processor: at once, if its data are there and the port is its own. */
void replay_pass_end(struct replay_run *r, edge_id e, enum direction dir);

/* replay_meet.c: messages that need both ends. */
void replay_meet_call(struct replay_host *me, struct span *span); /* a send or receive, in the actor of its host */
void replay_meet_arrived(struct replay_run *r, edge_id e);
/* When no actor can go on: transfers that can start leave, then calls begin their work; whether there were any. */
bool replay_meet_start(struct replay_run *r);
bool replay_meet_work(struct replay_run *r);

/* replay_ports.c: a port is taken by one message after the other. */
void replay_take_port(struct replay_run *r, step_id s, double until_s); /* has_port */
/* When no actor can go on: the next ones get the ports that are free by now. */
void replay_ports_look(struct replay_run *r);
double replay_ports_next_s(void *run); /* when one will be; INFINITY: none */

/* replay_links.c: exclusive links. */
void replay_links_carry(struct replay_run *r, edge_id e);
/* When no actor can go on; whether one was woken. */
bool replay_links_look(struct replay_run *r, bool has_changed); /* the platform */
bool replay_links_give(struct replay_run *r);                   /* all that come for them in this instant are known */

/* replay_run.c: as in struct actors. */
void replay_run_actors(const struct actors_replay *given, struct replay_result *out, struct actors_replay_end *end);

double replay_date_s(void);
void replay_begin(struct replay_run *r); /* in the first actor */
void replay_under_way(struct replay_run *r, edge_id e);
void replay_not_under_way(struct replay_run *r, edge_id e);
void replay_set_due(struct replay_run *r, edge_id e, double last_byte_s); /* as things look now */
bool replay_wake_host(struct replay_run *r, host_id h); /* what it waits for may have come. Whether it waited */
void replay_spawn(struct replay_run *r, const char *name, host_id h, void (*run)(int argc, char **argv), void *data);
/* Blocks the actor of the sleeper until it is woken, or until the date. */
void sleeper_wait(struct sleeper *s, double until_s);
bool sleeper_wake(struct sleeper *s); /* whether it waited */

/* The first failure is what the run ends with. */
void replay_fail(struct replay_run *r, step_id s);            /* its host is down */
void replay_fail_transfer(struct replay_run *r, edge_id e);   /* a host or a link is */
void replay_refuse_standing(struct replay_run *r, task_id t); /* if its host has no speed at the moment */
/* When an actor is ended (sg_actor_on_exit): if its host went down, what it did has failed. */
void replay_host_failed(int has_failed, void *host);
void replay_task_failed(int has_failed, void *task);
void replay_transfer_failed(int has_failed, void *edge);

static inline task_id task_of(const struct replay_task *t)
{
    return (task_id)(t - t->run->tasks);
}
static inline edge_id edge_of(const struct replay_edge *x)
{
    return (edge_id)(x - x->run->edges);
}
static inline enum direction end_of(const struct replay_plan *p, step_id s) /* of a send or receive */
{
    return step_kind(p, s) == STEP_SEND ? DIR_SEND : DIR_RECV;
}
static inline const link_id *links_of(const struct replay_run *r, edge_id e, size_t *n)
{
    return r->given->route(r->plan->schedule, e, n);
}

#endif
