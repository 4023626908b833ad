/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Work stealing, as StarPU's: a ready task goes into the queue of the host that has released it, and a host with
   nothing to do takes the last task of another queue. */
#ifndef IASIM_RUNTIME_RUNTIME_STEAL_H
#define IASIM_RUNTIME_RUNTIME_STEAL_H

#include "runtime/runtime.h"

struct runtime_steal {
    host_id next; /* for tasks that no host has released: one after the other */
};

void runtime_push_ready(struct runtime_steal *x, struct runtime *r, const struct runtime_event *events, size_t n);

/* The last task of a queue that another host may take; -1: none. A host that does nothing keeps its first task. */
work_id runtime_stealable(const struct runtime *r, host_id from, host_id to);

/* Each host with nothing to do, in their order, takes a task where `victim` says (-1: nowhere), which must have one. */
void runtime_steal_all(struct runtime *r, host_id (*victim)(void *self, struct runtime *r, host_id to), void *self);

#endif
