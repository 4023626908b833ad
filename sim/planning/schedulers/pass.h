/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* How long a schedule becomes that one pass of list scheduling makes with a given allocation ([S] 8.4.2, phase 2): for
   searches, which ask thousands of times a second. A pass belongs to one problem, one list, one approach and one
   technique; after it has been created, evaluations allocate no memory except that its log of changes may grow.

       struct pass *pass = pass_create(p, &(struct draft_options){TECHNIQUE_END, APPROACH_ALLOC1, .list = list});
       for each allocation:
           if (pass_length_below_s(pass, allocation, best_s) < best_s) ...
       pass_write(pass, best_allocation, out);
       pass_free(pass);
       return schedule_compact(out, e);

   The result does not depend on what was evaluated before: it is, to the last bit, the length of the schedule that
   pass_write makes. With the technique `end`, an evaluation keeps what the one before it has made, up to the first
   place in the list that their difference affects: it is fastest if one allocation follows another that is nearly the
   same.

   Under alloc1, alloc2, alloc3 and entering, that schedule has no gaps: compaction changes nothing. Under direct, sends
   are booked provisionally for the longest first link and compaction may shorten the schedule, so lengths are upper
   bounds. */
#ifndef IASIM_SCHEDULERS_PASS_H
#define IASIM_SCHEDULERS_PASS_H

#include "plan/draft.h"

struct pass;

/* `how` must have a list, which is borrowed; its allocation is not read. The problem is borrowed. */
struct pass *pass_create(const struct problem *p, const struct draft_options *how);
void pass_free(struct pass *pass);

/* The length in seconds. Every task must be allowed on its host. */
double pass_length_s(struct pass *pass, const host_id *allocation);
/* The same if it is less than bound_s, else INFINITY; it ends as soon as the tasks placed, together with the
   computation that must follow them, show that the length is not less. */
double pass_length_below_s(struct pass *pass, const host_id *allocation, double bound_s);

/* Makes the schedule in `out`, which must be empty. The caller compacts it. */
void pass_write(const struct pass *pass, const host_id *allocation, struct schedule *out);

#endif
