/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Several jobs planned together so that all are slowed down alike [Zhao 2006]. Each job is planned alone, by heft. Then
   the next task of the job with the least slowdown (its own schedule's time over that of the common one) goes where it
   ends first, gaps filled, again and again. Online the same is done whenever jobs come, for all that has not started;
   times count from the release of a job. */
#ifndef IASIM_RUNTIME_RUNTIME_FAIR_H
#define IASIM_RUNTIME_RUNTIME_FAIR_H

#include "runtime/runtime_policy.h"

enum fair_rule {
    FAIR_BY_FINISH,     /* F1: when its last task ends in its own schedule, over when in the common one */
    FAIR_BY_CONCURRENT, /* F2: of each job, how far its own schedule would have come as it has at this date, over it */
};

enum err_code runtime_fair_begin(const struct runtime *r, const struct param_set *ps, void **state, struct err *e);
void runtime_fair_end(void *state);
enum err_code runtime_fair_decide(enum fair_rule rule, void *state, struct runtime *r,
                                  const struct runtime_event *events, size_t n, struct err *e);

#endif
