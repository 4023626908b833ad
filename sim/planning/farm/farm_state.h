/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The inside of a farm, for its two files: farm.c is the protocol, farm_next.c decides which child is served. */
#ifndef IASIM_FARM_FARM_STATE_H
#define IASIM_FARM_FARM_STATE_H

#include "base/heap.h"
#include "farm/farm.h"
#include "farm/farm_measure.h"

struct request {
    double date_s;
    long number; /* 1 for the first of its child */
};

struct child_state {          /* of a node, as its parent sees it */
    struct request *requests; /* unanswered: a ring of n_buffers */
    int first_request, n_requests;
    long n_requests_made;
    double priority;
    int place;                  /* among the children of its parent */
    bool is_pruned, is_waiting; /* in one of its parent's heaps */
    /* The task that is being sent to the child: */
    long task;                                  /* -1: no task */
    double bytes, remaining_bytes, piece_bytes; /* the piece: what is under way */
    struct request answered;
    long n_given; /* tasks that are there */
    void *send;   /* the chunk under way; NULL: no send, or paused between two chunks */
    double send_start_s;
};

/* What a policy with `bounds` is shown of a node's children: kept, and brought up to date where something has
   changed. */
struct shown {
    struct policy_child *children;
    double (*bounds)[2]; /* by child */
    struct policy_group *groups;
    struct policy_note note;
    int group_size, n_groups;
    double task_s; /* that the bounds are of */
    bool held;     /* whether the node had a task to give */
    int *changed;  /* children, by place */
    int n_changed;
    bool *is_changed, is_ready;
};

struct node_state {
    long *held; /* ring of n_buffers: tasks, oldest first. The root has a counter instead */
    int first_held, n_held;
    long computing; /* -1: idle */
    double compute_start_s;
    struct heap asking, paused; /* children to which it could send; empty if the policy looks at the state */
    struct shown *shown;        /* NULL: the policy has no bounds, or the node no children */
    node_id *sending_to;        /* children with a chunk under way */
    int n_sending;
    bool must_start, must_send, is_limited; /* what farm_decide must look at; is_limited: by the send limit */
    struct farm_node_result result;
};

struct id_list {
    node_id *ids;
    int n;
};

struct farm {
    const struct tree *tree;
    struct farm_app app;
    const struct policy *policy;
    struct policy_view view;
    struct policy_child *known; /* the children of the node that decides, for a policy that looks at the state */
    bool multi_port;
    double chunk_bytes; /* INFINITY: whole tasks */
    bool prunes;
    const struct farm_ops *ops;
    struct node_state *nodes;
    struct child_state *children;        /* by node */
    struct id_list starters, senders;    /* nodes with must_start, must_send */
    struct id_list limited;              /* nodes with is_limited */
    long n_arrived, n_taken, n_computed; /* at the root, from the root, anywhere */
    double *completions_s, *ends_s;      /* ends_s: by task, where they arrive one by one; else NULL */
    struct farm_meter *meter;
    struct farm_measure *measure; /* NULL: the policy does not measure */
    bool has_begun;
    double decided_s;     /* the date of the last decision */
    bool rates_are_known; /* the network has been solved at this date, and nothing has changed since */
};

long farm_n_held(const struct farm *f, node_id n); /* the root's are those that have arrived */
bool farm_holds_task(const struct farm *f, node_id n);

/* farm_next.c */
/* Adds a node to a list unless `is_listed` says that it is there. */
void farm_list_node(struct id_list *list, node_id n, bool *is_listed);
void farm_receive_request(struct farm *f, double now_s, node_id child);
/* The parent looks at a child again: it can now be served, or something has ended. */
void farm_offer(struct farm *f, node_id child);
/* The child that n serves next, and how fast; -1: none. */
struct policy_send farm_next(struct farm *f, double now_s, node_id n);
/* Something has changed that policies look at: of a child. */
void farm_touch(struct farm *f, node_id child);
struct shown *farm_shown_create(int n_children);
void farm_shown_free(struct shown *x);
/* That child is served now. */
void farm_take_turn(struct farm *f, node_id n, node_id child);

#endif
