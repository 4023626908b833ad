/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* How long a schedule in the making will be at least, once gaps are eliminated: so that a scheduler may give up what
   will not be shorter than its limit (struct scheduler_limit). */
#ifndef IASIM_SCHEDULERS_OUTLOOK_H
#define IASIM_SCHEDULERS_OUTLOOK_H

#include "schedulers/scheduler.h"

struct outlook;

/* Both are borrowed. NULL for a limit that is NULL: then nothing is ever too long. */
struct outlook *outlook_create(const struct schedule *s, const struct scheduler_limit *limit);
void outlook_free(struct outlook *o);

/* Call after a task has been placed, each after its predecessors. Time: one step for each entering edge. */
void outlook_place(struct outlook *o, task_id t);
bool outlook_is_too_long(const struct outlook *o);

#endif
