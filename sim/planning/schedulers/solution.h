/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* An allocation of the tasks to hosts and a list, which a search changes step by step, and the length of the schedule
   that one pass of list scheduling makes of them: by alloc1 with insertion ([S] 8.4.2). The length is, to the last bit,
   that of plan/draft.h, but it costs a fifth of the time, because nothing but the length is made: times are looked up
   in tables, and what occupies a processor or link is a short array of intervals.

       struct solution *x = solution_create(p);
       solution_set(x, list, allocation);
       solution_move(x, t, h);                                and solution_shift, any number of changes
       if (solution_length_below_s(x, limit_s) <= limit_s)
           solution_keep(x);
       else
           solution_take_back(x);
       solution_write(x, out);

   A limit saves time twice. All that occupies a processor or link takes its time one after the other, so a solution is
   too long if that sum is, which is known without a pass; and a pass ends when a task finishes too late for the
   computation that must follow it. */
#ifndef IASIM_SCHEDULERS_SOLUTION_H
#define IASIM_SCHEDULERS_SOLUTION_H

#include "plan/schedule.h"

struct solution;

/* The problem is borrowed. Until solution_set is called, nothing else may be. */
struct solution *solution_create(const struct problem *p);
void solution_free(struct solution *x);

/* Both are copied. Each task must come after its predecessors, and be allowed on its host. */
void solution_set(struct solution *x, const task_id *list, const host_id *allocation);
const task_id *solution_list(const struct solution *x);
const host_id *solution_allocation(const struct solution *x); /* [task] */
int solution_place(const struct solution *x, task_id t);      /* in the list */

/* Moves a task to a host where it may run. */
void solution_move(struct solution *x, task_id t, host_id h);
/* Moves a task to another place of the list, within the places between its predecessors and its successors. */
void solution_shift(struct solution *x, task_id t, int place);
void solution_range(const struct solution *x, task_id t, int *first, int *last); /* these places */

/* Ends a step: what has been changed since the last one stays, or is undone. */
void solution_keep(struct solution *x);
void solution_take_back(struct solution *x);

/* The length in seconds if it is at most `limit_s`, else INFINITY. n_placed (may be NULL): the tasks that the pass
   placed, a measure of its time. */
double solution_length_below_s(struct solution *x, double limit_s, int *n_placed);

/* Makes the schedule in `out`, which must be empty. It has no gaps. */
void solution_write(const struct solution *x, struct schedule *out);

#endif
