/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* An online run while it goes on: what online_run.c and online_messages.c ask of each other. Not installed. */
#ifndef IASIM_ENGINE_ONLINE_STATE_H
#define IASIM_ENGINE_ONLINE_STATE_H

#include "base/heap.h"
#include "engine/online_run.h"

enum copy_stage {
    COPY_ASKED,   /* its send has not begun */
    COPY_SENDING, /* its send has; its data have not left */
    COPY_MOVING,
    COPY_ARRIVED, /* the last byte is there */
    COPY_THERE,   /* and its receive is over */
};

/* What the engine's tags point to: the first field says which. */
enum online_tag { TAG_WORK, TAG_COPY };

struct copy {
    enum online_tag tag;
    enum copy_stage stage;
    long number; /* in the order of asking */
    struct online_copy out;
    struct cost_end ends[N_DIRECTIONS]; /* what it takes of the processors */
    struct engine_comm *comm;
    double last_byte_s; /* when it should be there, as rates are; NAN: not known yet */
    double due_s;       /* when what remains takes i_r at most */
    bool has_recv_begun;
    struct copy *next_of_data; /* another copy of the same data */
    struct copy *next_at_host; /* a send or receive that its host has to do */
    size_t at_open;            /* its place among those that are not there yet */
};

struct copy_list {
    struct copy *first, *last;
};

struct online_host {
    const void *occupier;     /* the tag of the task, or the copy whose send or receive it does; NULL: it is free */
    struct copy_list to_send; /* in the order of asking; those of a schedule that is followed are in the queue */
    struct copy_list to_recv; /* whose receive takes the processor and has not begun */
    double charged_s;         /* by flows while a send or receive held it anyway */
    bool is_touched;
};

struct online_work {
    enum online_tag tag;
    int n_missing;     /* data that are not at the host of its queue */
    bool is_fetched;   /* its data may move */
    bool is_placeless; /* it follows a schedule in which it takes no time: it waits for its data alone */
};

struct online {
    struct engine *engine;
    struct runtime *runtime;
    const struct online_options *options;
    struct online_result *out;
    void *policy;
    struct online_work *works;
    struct online_host *hosts;
    struct copy **copies_of; /* [data] */
    struct copy **copies;    /* by number */
    size_t n_copies, copies_capacity;
    struct copy **open; /* asked for, and not there yet */
    size_t n_open, open_capacity;
    struct copy **asked; /* in this instant */
    size_t n_asked, asked_capacity;
    double *rate_ratio; /* [host]: of noise */

    int *releases; /* jobs by date */
    int n_released;
    struct heap alarms;
    long n_alarms;
    struct runtime_event *events; /* that the policy has not seen */
    size_t n_events, events_capacity;
    double effect_s; /* when what was decided takes effect; INFINITY: nothing is being decided */
    host_id *touched;
    size_t n_touched;
    double decided_s;
    bool are_rates_known, has_started_transfer, waits_for_rates;
    int n_works_ended;
    bool has_placeless; /* some task is: queues are searched for them */
    struct err failure;
};

enum alarm { ALARM_LEAVE, ALARM_SEND_ENDS, ALARM_DUE, ALARM_RECV_ENDS, ALARM_CALL, N_ALARMS };
void online_set_alarm(struct online *o, enum alarm kind, struct copy *c, double date_s);

void online_touch(struct online *o, host_id h); /* something may start there */
/* The processor is taken. False: the host is down, and the run has failed. */
bool online_occupy(struct online *o, host_id h, const void *by);
void online_vacate(struct online *o, host_id h);
void online_fail_copy(struct online *o, const struct copy *c);

/* online_messages.c */
double messages_there_s(const struct runtime *r, data_id d, host_id h); /* runtime.h, data_there_s */
void messages_add_flows(struct runtime *r);                             /* runtime.h, add_flows */
bool messages_are_there(const struct online *o, data_id d, host_id h);
void messages_ask(struct online *o, data_id d, host_id dst); /* unless it has been asked for */
void messages_send_asked(struct online *o);                  /* what this instant has asked for, in order */
void messages_alarm(struct online *o, enum alarm kind, struct copy *c, double date_s);
void messages_ended(struct online *o, struct copy *c);
void messages_rate_changed(struct online *o, struct copy *c);
/* Whether a send or receive begins on a free host before its next task, or may when rates are known. */
bool messages_begin(struct online *o, host_id h);
/* The item of a queue that follows a schedule: begins if it can. */
bool messages_begin_item(struct online *o, host_id h, item_id i);
void messages_there(struct online *o, struct copy *c); /* online_run.c: its task has one less to wait for */
/* An item leaves its queue because its task has been moved. */
void messages_unfollow(struct online *o, data_id d);

#endif
