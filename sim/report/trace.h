/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Traces of every event: CSV (time_s,host,event,task,peer), or, for a path that ends in .json, Chrome's trace event format,
   which Perfetto opens. There each host is a process, its work is slices, and transfers are asynchronous slices. */
#ifndef IASIM_REPORT_TRACE_H
#define IASIM_REPORT_TRACE_H

#include "base/err.h"
#include "engine/replay.h"
#include "farm/farm.h"

struct trace;

/* Writes the trace of a replay; an edge is called "A -> B". Errors: ERR_IO. */
enum err_code trace_write_replay(const char *path, const struct schedule *s, const struct replay_result *r,
                                 struct err *e);

/* Opens the trace of a farm, which is written during the run. `t` outlives the trace. Errors: ERR_IO. */
enum err_code trace_open(const char *path, const struct tree *t, struct trace **out, struct err *e);

/* Fits farm_run_options.trace; `self` is the trace. */
void trace_event(void *self, double now_s, node_id node, enum farm_event event, long task, node_id other);

/* Puts the file in its place, or, if `keep` is false, discards it. Frees the trace, which may be NULL. Errors: ERR_IO (a full
   disk). */
enum err_code trace_close(struct trace *trace, bool keep, struct err *e);

#endif
