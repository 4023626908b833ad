/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A schedule in the making. Most schedulers need only these, under any cost model:

       struct draft *d = draft_create(out, TECHNIQUE_INSERTION);
       for each task t, after its predecessors:
           draft_try(d, t, h) on the hosts that are candidates, or draft_choose_host(d, t, DRAFT_LEAST_FINISH);
           draft_place(d, t, the best of them);
       draft_free(d);
       return schedule_compact(out, e);

   Those that search mark where they are and go back there. Those that decide themselves when an edge is booked take its
   steps one by one: an edge between two hosts needs is_remote in the schedule, draft_send, draft_links and draft_recv, in
   this order. Each books on timelines and puts the span into the schedule.

       source processor       |-o_s-|---i_s---|                  draft_send
       first link                   |==============|             draft_links
       last link                        |==============|
       destination processor               |---i_r---|-o_r-|     draft_recv

   When the steps are booked, with the origin or with the destination of the edge:

                 send                           links         recv
       direct    origin, provisionally          destination   destination     [S] Algorithm 23
       entering  destination                    destination   destination     [S] 8.3.1
       alloc1    origin                         destination   destination     [S] 8.3.2, where the allocation is given
       alloc2    origin                         origin        destination
       alloc3    origin                         origin        origin

   Edges enter a task in the order in which their origins were placed, and leave it in that of their destinations in the
   list if there is one, else in that of the file. All steps of an edge come before those of the next. */
#ifndef IASIM_PLAN_DRAFT_H
#define IASIM_PLAN_DRAFT_H

#include "base/api.h"
#include "plan/schedule.h"
#include "plan/timeline.h"

struct draft;

enum approach { APPROACH_DIRECT, APPROACH_ENTERING, APPROACH_ALLOC1, APPROACH_ALLOC2, APPROACH_ALLOC3 };
#define APPROACH_CHOICES "direct|entering|alloc1|alloc2|alloc3"
IASIM_API enum approach draft_approach(const char *name); /* one of these */

struct draft_options {
    enum technique technique;
    enum approach approach;
    const task_id *list;       /* all tasks as they will be placed, read by draft_create_by alone; NULL: not known */
    const host_id *allocation; /* [task], borrowed: where each will be placed. Needed from alloc1 on */
};

/* `s` is borrowed and filled: it is as schedule_init leaves it. draft_create is by `direct`, without a list. */
IASIM_API struct draft *draft_create(struct schedule *s, enum technique technique);
IASIM_API struct draft *draft_create_by(struct schedule *s, const struct draft_options *how);
IASIM_API void draft_free(struct draft *d);
/* Draft and schedule become empty as they were created; marks are void. The allocation may have changed. Asks for no
   memory: a search that makes many schedules of one problem resets one draft. */
IASIM_API void draft_reset(struct draft *d);

/* Whether `t` is not placed, but all tasks before it are. Time: constant. */
IASIM_API bool draft_is_ready(const struct draft *d, task_id t);

/* When `t`, which is ready, would start and finish on `h` (est and eft): all edges that enter it booked one after the
   other, as early as their origins, the links and the processors allow, then the task as soon as all its data are there.
   Nothing remains booked. All tasks before it have been placed by draft_place.
   Time: the edges that enter t, each as timeline.h says. */
IASIM_API struct span draft_try(struct draft *d, task_id t, host_id h);
/* The same for good, then what is booked with the origin of the edges that leave t; under `direct` and where a model
   occupies processors, room for their sends: the longest of all first links. It is exact once their destinations are
   placed: schedule_compact at the end closes the gaps that this leaves. Returns the finish of t. */
IASIM_API double draft_place(struct draft *d, task_id t, host_id h);

/* The host on which `t`, which is ready, starts or finishes first, compared as base/choose.h says; ties go to the first
   host. As draft_try on all, but a try ends as soon as it can no longer be the best. */
enum draft_least { DRAFT_LEAST_START, DRAFT_LEAST_FINISH };
IASIM_API host_id draft_choose_host(struct draft *d, task_id t, enum draft_least least);

/* Rolling back takes back everything since the mark. Marks nest: the mark stays valid, those made after it do not. Time:
   what is taken back. Memory: from the first mark to the next reset, all that is done. */
struct draft_mark {
    size_t timelines, n_cuts, n_links;
    int n_placed;
};
IASIM_API struct draft_mark draft_mark(struct draft *d);
IASIM_API void draft_rollback(struct draft *d, struct draft_mark mark);

/* When `t` could start on `h`, its data being there at `ready_s`; and letting it do so. */
IASIM_API double draft_fit_task(const struct draft *d, task_id t, host_id h, double ready_s);
IASIM_API void draft_task(struct draft *d, task_id t, host_id h, double ready_s);

/* On the source processor. Its length is known once the first link is; before that the longest of all first links is
   taken (Definition 8.7), and corrected or removed later. */
IASIM_API void draft_send(struct draft *d, edge_id e, host_id src, host_id dst);
IASIM_API void draft_provisional_send(struct draft *d, edge_id e, host_id src);
IASIM_API void draft_shorten_send(struct draft *d, edge_id e, host_id src, host_id dst);
IASIM_API void draft_remove_send(struct draft *d, edge_id e, host_id src);

IASIM_API void draft_links(struct draft *d, edge_id e, host_id src, host_id dst);

/* On the destination processor; returns when the data are there for the task. Does nothing else under models that do not
   occupy processors. */
IASIM_API double draft_recv(struct draft *d, edge_id e, host_id src, host_id dst);

#endif
