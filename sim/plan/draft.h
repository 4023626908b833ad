/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A schedule in the making. Most schedulers need only these, under any cost model:

       struct draft *d = draft_create(out, TECHNIQUE_INSERTION);
       for each task t, after its predecessors:
           draft_try(d, t, h) on the hosts that are candidates; draft_place(d, t, the best of them);
       draft_free(d);
       return schedule_compact(out, e);

   Others decide themselves when each step of an edge is booked (SPEC section 5). Every step books on timelines, and puts
   the span into the schedule; after draft_mark the bookings can be taken back, and the next try overwrites the spans. An
   edge between two hosts needs is_remote in the schedule, draft_send, draft_links and draft_recv, in this order:

       source processor       |-o_s-|---i_s---|                  draft_send
       first link                   |==============|             draft_links
       last link                        |==============|
       destination processor               |---i_r---|-o_r-|     draft_recv                                     */
#ifndef IASIM_PLAN_DRAFT_H
#define IASIM_PLAN_DRAFT_H

#include "plan/schedule.h"
#include "plan/timeline.h"

struct draft;

/* `s` is borrowed and filled. */
struct draft *draft_create(struct schedule *s, enum technique technique);
void draft_free(struct draft *d);

/* Whether `t` is not placed, but all tasks before it are. */
bool draft_is_ready(const struct draft *d, task_id t);

/* When `t`, which is ready, would finish on `h`: all edges that enter it booked one after the other, in the order of the
   file, as early as their origins, the links and the processors allow, then the task as soon as all its data are there
   ([S] Algorithm 23: the approach `direct`). Nothing remains booked. All tasks before it have been placed by draft_place.
   Time: the edges that enter t, each as timeline.h says. */
double draft_try(struct draft *d, task_id t, host_id h);
/* The same for good; and where a model occupies processors, room for the sends of all edges that leave t. It is exact
   once their destinations are placed: schedule_compact at the end closes the gaps that this leaves. */
double draft_place(struct draft *d, task_id t, host_id h);

/* Tries: everything since the mark is taken back. Marks do not nest. */
void draft_mark(struct draft *d);
void draft_rollback(struct draft *d);

/* When `t` could start on `h`, its data being there at `ready_s`; and letting it do so. */
double draft_fit_task(const struct draft *d, task_id t, host_id h, double ready_s);
void draft_task(struct draft *d, task_id t, host_id h, double ready_s);

/* On the source processor. Its length is known once the first link is; before that the longest of all first links is
   taken (Definition 8.7), and corrected or removed later. */
void draft_send(struct draft *d, edge_id e, host_id src, host_id dst);
void draft_provisional_send(struct draft *d, edge_id e, host_id src);
void draft_shorten_send(struct draft *d, edge_id e, host_id src, host_id dst);
void draft_remove_send(struct draft *d, edge_id e, host_id src);

void draft_links(struct draft *d, edge_id e, host_id src, host_id dst);

/* On the destination processor; returns when the data are there for the task. Does nothing else under models that do not
   occupy processors. */
double draft_recv(struct draft *d, edge_id e, host_id src, host_id dst);

#endif
