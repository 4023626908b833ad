/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A schedule under construction. Most schedulers need only these functions, under any cost model:

       struct draft *d = draft_create(out, TECHNIQUE_INSERTION);
       for each task t, after its predecessors:
           draft_try(d, t, h) on the hosts that are candidates, or draft_choose_host(d, t, DRAFT_LEAST_FINISH);
           draft_place(d, t, the best of them);
       draft_free(d);
       return schedule_compact(out, e);

   Search algorithms set marks and roll back to them. A scheduler that decides itself when an edge is booked calls the
   steps one by one: an edge between two hosts needs is_remote in the schedule, then draft_send, draft_links and
   draft_recv, in this order. Each step books on timelines and writes its span into the schedule.

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

   If the model aligns the involvement of the processors with the links ([S] 8.2.1), an edge is booked in one step, by
   draft_links: with the destination in place of direct and alloc1, with the origin in place of alloc2.

   The entering edges of a task are booked in the order in which their origins were placed, unless another one is asked
   for ([S] 7.4.1, 8.3.1); its leaving edges in the order of their destinations in the list, or in the order of the file
   if there is no list. All steps of an edge come before the steps of the next edge. */
#ifndef IASIM_PLAN_DRAFT_H
#define IASIM_PLAN_DRAFT_H

#include "base/api.h"
#include "plan/schedule.h"
#include "plan/timeline.h"

struct draft;

enum approach { APPROACH_DIRECT, APPROACH_ENTERING, APPROACH_ALLOC1, APPROACH_ALLOC2, APPROACH_ALLOC3 };
#define APPROACH_CHOICES "direct|entering|alloc1|alloc2|alloc3"
IASIM_API enum approach draft_approach(const char *name); /* `name` must be one of APPROACH_CHOICES */

/* What the entering edges of a task are sorted by: when their origins were placed; when these finish; falling or rising
   bytes; their place in the file. Ties are in the order of placement. */
enum edge_order { EDGE_ORDER_PLACED, EDGE_ORDER_FINISH, EDGE_ORDER_LARGEST, EDGE_ORDER_SMALLEST, EDGE_ORDER_FILE };
#define EDGE_ORDER_CHOICES "placed|finish|largest|smallest|file"
IASIM_API enum edge_order draft_edge_order(const char *name); /* `name` must be one of EDGE_ORDER_CHOICES */

struct draft_options {
    enum technique technique;
    enum approach approach;
    const task_id *list;        /* all tasks in the order of placement, read only by draft_create_by; NULL: unknown */
    const host_id *allocation;  /* [task], borrowed: the host of each task. Required by alloc1, alloc2 and alloc3 */
    enum edge_order edge_order; /* of entering edges */
};

/* `s`, as schedule_init leaves it, is borrowed and will be filled. draft_create uses `direct` without a list. */
IASIM_API struct draft *draft_create(struct schedule *s, enum technique technique);
IASIM_API struct draft *draft_create_by(struct schedule *s, const struct draft_options *how);
IASIM_API void draft_free(struct draft *d);
/* Makes draft and schedule empty again; marks become invalid. The allocation may have changed. Allocates no memory, so
   a search that makes many schedules of one problem should reset one draft. */
IASIM_API void draft_reset(struct draft *d);

/* Whether `t` is not yet placed but all its predecessors are. Time: constant. */
IASIM_API bool draft_is_ready(const struct draft *d, task_id t);

/* When the ready task `t` would start and finish on `h` (est and eft). Books its entering edges one after the other, as
   early as their origins, the links and the processors allow, then the task when all its data have arrived; then undoes
   all this. All predecessors must have been placed by draft_place. Both dates are INFINITY if the task may not run
   there. Time: one booking (timeline.h) per step of each entering edge. */
IASIM_API struct span draft_try(struct draft *d, task_id t, host_id h);
/* Whether anything that a try of this task on this host looks at may have changed since there were so many changes, if
   the task has been ready since; if not, draft_try returns what it returned then. The number grows with every placement
   and rollback; a reset begins anew. Time: at most one comparison for each link of the entering edges. */
IASIM_API uint64_t draft_n_changes(const struct draft *d);
IASIM_API bool draft_try_has_changed(const struct draft *d, task_id t, host_id h, uint64_t since);
/* The same for a task that need not be ready: edges from tasks that are not placed yet are left out. */
IASIM_API struct span draft_try_early(struct draft *d, task_id t, host_id h);
/* Books the same permanently, then the steps of t's leaving edges that belong to their origin. Under `direct`, if the
   model occupies processors, these are provisional sends for the longest of all first links. They become exact when the
   destinations are placed; call schedule_compact at the end to close the gaps. The task must be allowed to run on `h`.
   Returns the finish of t. */
IASIM_API double draft_place(struct draft *d, task_id t, host_id h);
/* The same for a task that need not be ready, which a rollback must take back before its predecessors are placed: edges
   from tasks that are not placed yet are left out. */
IASIM_API double draft_place_early(struct draft *d, task_id t, host_id h);

/* The host on which the ready task `t` may run and starts or finishes first, compared as in base/choose.h; ties go to
   the first host. Same result as draft_try on all hosts, but a try ends as soon as it cannot be the best. The second
   function is for a task that need not be ready, as in draft_try_early. */
enum draft_least { DRAFT_LEAST_START, DRAFT_LEAST_FINISH };
IASIM_API host_id draft_choose_host(struct draft *d, task_id t, enum draft_least least);
IASIM_API host_id draft_choose_host_early(struct draft *d, task_id t, enum draft_least least);
/* The host where the finish of the ready task plus ahead_s[host] is least. */
IASIM_API host_id draft_choose_host_ahead(struct draft *d, task_id t, const double *ahead_s);

/* draft_rollback undoes everything since the mark. Marks nest: the mark stays valid, later marks become invalid. Time:
   linear in what is undone. Memory: from the first mark to the next reset, every change is recorded. */
struct draft_mark {
    size_t timelines, n_cuts, n_links;
    int n_placed;
};
IASIM_API struct draft_mark draft_mark(struct draft *d);
IASIM_API void draft_rollback(struct draft *d, struct draft_mark mark);

/* When the last booking of any kind on the processor of `h` ends; 0: there is none. */
IASIM_API double draft_end_s(const struct draft *d, host_id h);

/* When `t` could start on `h` if its data are ready at `ready_s`; and booking it there. */
IASIM_API double draft_fit_task(const struct draft *d, task_id t, host_id h, double ready_s);
IASIM_API void draft_task(struct draft *d, task_id t, host_id h, double ready_s);

/* Books the source processor. The length is known only with the first link; before that the longest of all first links
   is used (Definition 8.7), and corrected or removed later. */
IASIM_API void draft_send(struct draft *d, edge_id e, host_id src, host_id dst);
IASIM_API void draft_provisional_send(struct draft *d, edge_id e, host_id src);
IASIM_API void draft_shorten_send(struct draft *d, edge_id e, host_id src, host_id dst);
IASIM_API void draft_remove_send(struct draft *d, edge_id e, host_id src);

IASIM_API void draft_links(struct draft *d, edge_id e, host_id src, host_id dst);

/* Books the destination processor, if the model occupies processors; returns when the data are ready for the task. */
IASIM_API double draft_recv(struct draft *d, edge_id e, host_id src, host_id dst);

#endif
