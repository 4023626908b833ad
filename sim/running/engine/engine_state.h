/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The engine's own structures, shared by engine.c, processor.c, occupation.c and snapshot.c. Not installed. */
#ifndef IASIM_ENGINE_ENGINE_STATE_H
#define IASIM_ENGINE_ENGINE_STATE_H

#include "base/heap.h"
#include "engine/bridge.h"
#include "engine/engine.h"

struct engine_exec {
    host_id host;
    enum engine_end end; /* of those that are over at their start: no work, or the host is down */
    void *tag;
};

/* The way of a transfer. In worlds that do not occupy processors it is only COMM_FLOWING. */
enum comm_stage {
    COMM_WAITS_TO_SEND, /* for the sender's processor, or for its overhead to be over */
    COMM_FLOWING,
    COMM_ARRIVED, /* the last byte is there, the receiver's processor not done with it */
    COMM_OVER,    /* reported; kept only until its timers have passed */
};

struct engine_comm {
    struct bridge_comm *bridge;  /* while flowing */
    host_id hosts[N_DIRECTIONS]; /* sender, receiver */
    size_t places[N_DIRECTIONS]; /* in the flows of each, while flowing */
    enum comm_stage stage;
    double bytes, limit_bytes_per_s, rate_bytes_per_s; /* the limit is infinite if it has none */
    void *tag;
    /* Worlds that occupy processors (occupation.c): */
    double overhead_s[N_DIRECTIONS], involvement_s[N_DIRECTIONS];
    double arrived_s, recv_start_s; /* NAN: not yet */
    bool has_asked_to_receive;
    long recv_timer;          /* number of the timer that counts; earlier ones are stale. 0: none */
    unsigned n_timers;        /* set and not passed */
    struct engine_comm *next; /* in the queue for a processor: it waits for one at a time */
};

struct engine_load { /* a transfer of the client's own, which is a flow of one of its two hosts */
    struct engine_comm comm;
    enum direction direction;
};

struct host_state {
    struct world_flow *flows;     /* through this host */
    struct engine_comm **flow_of; /* whose they are */
    size_t n_flows, flows_capacity;
    double factor_ratio, flop_per_s; /* of one core, since since_s; flop_per_s -1: not known yet */
    double recv_share_ratio;         /* of what is stolen, since then; 0 unless the client asks for it */
    double since_s;
    double speed_ratio; /* of engine_scale_speed */
    struct engine_use use;
    bool is_dirty;
    /* processor.c: */
    struct heap execs;      /* of struct engine_exec, by what done_flop is when they are over */
    double done_flop;       /* by each execution since the host was last idle, until since_s */
    double each_flop_per_s; /* for each execution since then */
    bool has_new_first;     /* in execs, since the date of its end was found */
    int place;              /* in the engine's ends; -1: not there */
    /* occupation.c: */
    struct engine_comm *occupier;                     /* NULL: the processor is free to compute */
    struct engine_comm *first_waiting, *last_waiting; /* for the processor */
};

enum timer_kind {
    TIMER_CLIENT,
    TIMER_GRANT, /* a processor may be given to the next in its queue */
    TIMER_OVERHEAD_OVER,
    TIMER_SEND_OVER,
    TIMER_RECV_DUE,
    TIMER_RECV_OVER,
};

struct timer {
    double date_s;
    long number; /* order of setting: breaks ties */
    enum timer_kind kind;
    struct engine_comm *comm; /* or NULL */
    host_id host;             /* of TIMER_GRANT */
};

struct engine {
    struct machine machine;
    const struct world_model *world;
    const struct engine_client *client;
    struct host_state *hosts;
    host_id *dirty;
    size_t n_dirty;
    struct heap timers; /* of struct timer, by date */
    long n_timers_set;
    struct over_comm { /* over at their start: to be reported */
        struct engine_comm *comm;
        enum engine_end end;
    } * over_comms;
    size_t n_over_comms, over_comms_capacity;
    struct engine_exec **over_execs; /* over at their start: to be reported */
    size_t n_over_execs, over_execs_capacity;
    host_id *late_grants; /* processors to be given away last in this instant (occupation.c) */
    size_t n_late_grants, late_grants_capacity;
    size_t n_execs, n_comms; /* alive */
    long n_execs_started;
    struct heap ends; /* of hosts, by the date at which their first execution ends */
    struct engine_progress progress;
    unsigned long n_instants;
    double now_s;
    bool client_is_due; /* something has ended, or it asked to be called */
    bool client_waits;  /* for an event of a profile */
    bool is_stuck;
};

long engine_set_timer(struct engine *engine, struct timer t); /* returns the number it is given */
void engine_start_flow(struct engine *engine, struct engine_comm *c);
void engine_end_comm(struct engine *engine, struct engine_comm *c, enum engine_end end);
void engine_free_comm(struct engine_comm *c); /* now, or once its timers have passed */

/* processor.c. The time since the last change is accounted for before anything that it depends on changes: flows,
   executions, the speed. Hosts that are touched get their new speed before time passes. */
void engine_touch(struct engine *engine, host_id h);
void processor_account(struct engine *engine, host_id h);
void processor_change(struct engine *engine, host_id h); /* both */
void processors_settle(struct engine *engine);
double processors_next_s(const struct engine *engine); /* the date at which an execution ends; INFINITY: none does */
void processors_end_due(struct engine *engine);
void processor_failed(struct engine *engine, host_id h);
void engine_end_exec(struct engine *engine, struct engine_exec *x, enum engine_end end);

/* occupation.c: what a world that occupies processors does at each step of a transfer. */
void occupation_start(struct engine *engine, struct engine_comm *c);
void occupation_rate_changed(struct engine *engine, struct engine_comm *c);
void occupation_arrived(struct engine *engine, struct engine_comm *c);
void occupation_failed(struct engine *engine, struct engine_comm *c);
void occupation_timer(struct engine *engine, const struct timer *t);
/* Once the network has been solved with all that starts in this instant. Whether a processor may have been given
   away. */
bool occupation_grant_late(struct engine *engine);

/* snapshot.c: the machine as the bridge has loaded it. Errors: ERR_INPUT for bad properties, with their line. */
struct platform_xml;
enum err_code snapshot_take(struct machine *m, const struct platform_xml *xml, const char *path, struct err *e);

#endif
