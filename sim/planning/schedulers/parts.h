/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Schedulers that run others, which one of their parameters names (`parts` of struct scheduler). */
#ifndef IASIM_SCHEDULERS_PARTS_H
#define IASIM_SCHEDULERS_PARTS_H

#include "schedulers/core.h"

/* Where hosts are unrelated and none may run all tasks, `sequential` is left out, unless there is nothing else: then it
   says why. */
bool parts_leave_out(const struct scheduler_choice *parts, size_t n, size_t i, const struct problem *p);

/* Plans the parts of `whole`, one after the other, and hands each schedule to `take`, which clears it. The searches
   among them have the watch of the call. Errors: ERR_INPUT if an order or an allocation is prescribed; those of
   scheduler_plan, after which no further part is planned. */
enum err_code parts_plan(const struct scheduler *whole, const struct core_call *call,
                         void (*take)(void *self, struct schedule *made), void *self);

/* For `take`: `self` is a schedule, which becomes the shortest (core_keep_shorter). */
void parts_keep_shorter(void *self, struct schedule *made);

#endif
