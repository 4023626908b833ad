/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Traces: every event, as CSV (time_s,host,event,task,peer), or, for a path that ends in .json, in Chrome's trace event
   format, which Perfetto opens: a process for each host; what its processor does as slices, transfers as asynchronous
   slices. */
#ifndef IASIM_REPORT_TRACE_H
#define IASIM_REPORT_TRACE_H

#include "base/err.h"
#include "engine/replay.h"
#include "farm/farm.h"

struct trace;

/* Of a replay, all at once; an edge is called "A -> B". Errors: ERR_IO. */
enum err_code trace_write_replay(const char *path, const struct schedule *s, const struct replay_result *r,
                                 struct err *e);

/* Of a farm, as it goes. `t` outlives the trace. Errors: ERR_IO. */
enum err_code trace_open(const char *path, const struct tree *t, struct trace **out, struct err *e);

/* Fits farm_run_options.trace; `self` is the trace. */
void trace_event(void *self, double now_s, node_id node, enum farm_event event, long task, node_id other);

/* Puts the file in its place; with `keep` false it never appears. Frees. Errors: ERR_IO (a full disk). NULL is fine. */
enum err_code trace_close(struct trace *trace, bool keep, struct err *e);

#endif
