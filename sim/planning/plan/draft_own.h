/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the files of a draft share. */
#ifndef IASIM_PLAN_DRAFT_OWN_H
#define IASIM_PLAN_DRAFT_OWN_H

#include "plan/draft.h"

struct approach_steps { /* true: the step is booked with the origin; false: with the destination */
    const char *name;
    bool send, links, recv;
};

struct draft {
    struct schedule *s;
    enum technique technique;
    enum approach approach;
    struct approach_steps with_origin;
    const host_id *allocation;
    struct timelines *timelines; /* of all resources, numbered as in problem.h */
    link_id *first_links;        /* by which data can leave host h: first_links[first_start[h]] ... */
    size_t *first_start;
    task_id *placed; /* in this order */
    int n_placed;
    edge_id *entering; /* like the dag's `in`, in the order in which the origins were placed */
    int *n_entering;   /* [task]: how many of these there are so far */
    enum edge_order edge_order;
    struct sorted_edge {
        double key;
        int at; /* among `entering` */
        edge_id edge;
    } * sorted;       /* of the task that is being placed; NULL: `entering` has the order */
    edge_id *leaving; /* like the dag's `out`, in the order of the destinations in the list */
    struct cut {
        edge_id edge;
        double finish_s; /* before its send was shortened */
    } * cuts;            /* since the first mark */
    size_t n_cuts, cuts_capacity;
    bool is_marked, is_trying;
    struct span *tried; /* in a try: spans of the current edge on its links */
    double *ready_s;    /* [host]: of the current task: when its data are ready there, or what a host is worth */
    struct draft_bounds *bounds; /* NULL: the model has formulas of its own, or books nothing but tasks */
};

/* Books an edge between two hosts in one step, so that the involvement of the processors is at the time of the first
   and the last link; writes its spans on links. */
void draft_align(struct draft *d, edge_id e, host_id src, host_id dst, struct span *spans);

/* When a task that need not be ready would start there. If that is not before `enough_s`, it may be any date from
   `enough_s` on. */
double draft_try_start(struct draft *d, task_id t, host_id h, double enough_s);

#endif
