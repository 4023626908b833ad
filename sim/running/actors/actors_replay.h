/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A replay of actors while it runs. All actors run in one thread, one at a time; they block in semaphores until what they
   wait for may have happened, and look again. */
#ifndef IASIM_ACTORS_ACTORS_REPLAY_H
#define IASIM_ACTORS_ACTORS_REPLAY_H

#include "actors/replay_object.h"
#include "engine/hop_dates.h"
#include "simgrid/instants.h"
#include "simgrid/one_sided.h"

#include <simgrid/actor.h>
#include <simgrid/semaphore.h>

struct sleeper { /* an actor that waits for something */
    sg_sem_t sem;
    bool is_waiting;
};

struct replay_host {
    host_id id;
    sg_host_t host;
    int at, end; /* its acts */
    bool is_acting;
    bool asks;        /* to begin to receive before the last byte is there */
    bool may_receive; /* it has asked, and the rates of this instant allow it */
    struct sleeper sleeper;
};

struct replay_edge {
    bool has_left, has_arrived, is_received;
    bool has_port[N_DIRECTIONS]; /* those before it are done with the port of its host */
    double due_s;                /* when its receive may begin, as things look now; INFINITY: not known */
    struct one_sided flow;
    double rate_bytes_per_s;
    int place; /* in those under way */
};

enum hop_state { HOP_BEFORE, HOP_RELEASED, HOP_GOES, HOP_OVER };

struct replay_hop { /* a link of a transfer, while links are exclusive; each has an actor */
    int id;
    edge_id edge;
    int k; /* of the route */
    enum hop_state state;
    sg_link_t link;
    double released_s;
    struct hop_dates dates;
    void *loads[N_DIRECTIONS];
    bool may_go; /* the link has been given to it: first come, first served */
    struct sleeper sleeper;
    int place; /* in those alive; -1: not there */
};

struct taken_port { /* that another message waits for */
    edge_id next;
    enum direction dir;
    double until_s;
};

struct replay_run {
    const struct actors_replay *given;
    const struct script *script;
    struct replay_result *out;
    struct actors_replay_end *end;
    struct replay_host *hosts;
    struct replay_edge *edges;
    struct replay_hop *hops;
    int *n_missing; /* [task]: entering edges whose data are not there */
    bool *is_done;  /* [task] */
    task_id *ready; /* tasks without a place that may run; a queue of all that ever came */
    int n_ready, n_ready_run, n_done;
    bool is_running_ready, has_begun, is_over;
    edge_id *leaving; /* a queue of all that ever left: to be started */
    int n_leaving, n_leaving_started;
    edge_id *under_way;
    int n_under_way;
    host_id *asking; /* hosts that ask */
    int n_asking;
    struct taken_port *taken; /* of two for each host */
    int n_taken;
    int *alive; /* hops */
    int n_alive;
    sg_link_t *links; /* [link] */
    int *owner;       /* [link]: the hop that has it; -1: none */
    int *first;       /* [link]: -1; while links are given, the hop that comes first */
    double instant_s;
    bool was_woken; /* someone, since no actor can go on */
    unsigned long n_dates;
};

extern struct replay_run replay_now; /* one in a process */

/* replay_host.c: what hosts do. */
void replay_host(int argc, char **argv); /* the actor */
bool replay_may_act(const struct replay_host *h);
bool replay_waits_to_receive(const struct replay_host *h, edge_id e);
bool replay_is_due(edge_id e);
void replay_task_ready(task_id t); /* all its data are there */
void replay_start_transfer(edge_id e);
void replay_arrive(edge_id e); /* the last byte of an edge is there */
/* What takes no time of the processor: at once, if its data are there and the port is its own. */
void replay_pass_end(edge_id e, enum direction dir);

/* replay_ports.c: a port is taken by one message after the other, in the order of the script. */
void replay_take_port(edge_id e, enum direction dir, double until_s); /* has_port */
/* When no actor can go on: the next ones get the ports that are free by now. */
void replay_ports_look(void);
double replay_ports_next_s(void); /* when one will be; INFINITY: none */

/* replay_links.c: exclusive links. */
void replay_links_carry(edge_id e);
/* When no actor can go on; whether one was woken. */
bool replay_links_look(bool has_changed); /* the platform */
bool replay_links_give(void);             /* links; all that come for them in this instant are known */

/* replay_run.c: as in struct actors and struct instants. */
void replay_run_actors(const struct actors_replay *given, struct replay_result *out, struct actors_replay_end *end);
enum instant replay_quiet(double now_s, double next_s);
void replay_stuck(void);

double replay_date_s(void);
void replay_begin(void); /* in the first actor */
void replay_under_way(edge_id e);
void replay_not_under_way(edge_id e);
void replay_set_due(edge_id e, double last_byte_s); /* as things look now */
bool replay_wake_host(host_id h);                   /* what it waits for may have come. Whether it waited */
void replay_spawn(const char *name, host_id h, void (*run)(int argc, char **argv), void *data);
/* Blocks the actor of the sleeper until it is woken, or until the date. */
void sleeper_wait(struct sleeper *s, double until_s);
bool sleeper_wake(struct sleeper *s); /* whether it waited */

/* The first failure is what the run ends with. */
void replay_fail(struct act act);                  /* its host is down */
void replay_fail_transfer(edge_id e);              /* a host or a link is */
void replay_refuse_standing(host_id h, task_id t); /* if the host has no speed at the moment */
/* When an actor is ended (sg_actor_on_exit): if its host went down, what it did has failed. */
void replay_host_failed(int has_failed, void *host);
void replay_task_failed(int has_failed, void *n_missing);
void replay_transfer_failed(int has_failed, void *edge);

/* replay_stuck.c: what waits for what. */
void replay_explain_stuck(struct actors_replay_end *out);

static inline host_id replay_end_of(edge_id e, enum direction dir)
{
    const struct script *x = replay_now.script;
    const struct edge *edge = &x->dag->edges[e];
    return x->schedule->tasks[dir == DIR_SEND ? edge->src : edge->dst].host;
}

#endif
