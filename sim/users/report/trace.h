/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Traces of replays and farms. The end of the path chooses the format: .wfcommons.json, .json, .paje or .trace;
   anything else is CSV (time_s,host,event,task,peer). One list of events by date goes to all of them but WfCommons
   (trace_format.h). */
#ifndef IASIM_REPORT_TRACE_H
#define IASIM_REPORT_TRACE_H

#include "base/err.h"
#include "engine/replay_record.h"
#include "farm/farm.h"
#include "models/world.h"

/* For the help of commands. */
#define TRACE_HELP                                                                                                     \
    "CSV; for a name that ends in .json a Chrome trace that Perfetto opens; for .paje or .trace a Paje trace"

#define TRACE_RATES_HELP                                                                                               \
    "The rates of links and the speed factors of hosts are in Chrome and Paje traces of the events engine"

struct trace;

/* Whether the format shows the rates of links and the speed factors of hosts, which a replay must have recorded,
   and a farm must be asked for. */
bool trace_shows_rates(const char *path);

/* Writes the trace of a replay in this world; an edge is called "A -> B". `record` is the replay's, or NULL: rates and
   factors are then left out. Errors: ERR_IO; ERR_INPUT for names or dates that WfCommons cannot hold. */
enum err_code trace_write_replay(const char *path, const struct schedule *s, const struct replay_result *r,
                                 const struct replay_record *record, const struct world_model *world, struct err *e);

/* Opens the trace of a farm, which is written during the run. The (bound) tree and the machine outlive the trace;
   without a machine, rates and factors are left out. Errors: ERR_IO; ERR_INPUT for WfCommons, which has only task
   graphs. */
enum err_code trace_open(const char *path, const struct tree *t, const struct machine *machine, struct trace **out,
                         struct err *e);

/* Fit farm_run_options.trace, trace_rate and trace_speed; `self` is the trace. */
void trace_event(void *self, double now_s, node_id node, enum farm_event event, long task, node_id other);
void trace_rate(void *self, double now_s, node_id from, node_id to, double before_bytes_per_s, double bytes_per_s);
void trace_speed(void *self, double now_s, node_id node, double factor_ratio, double flop_per_s);

/* Puts the file in its place, or, if `keep` is false, discards it. Frees the trace, which may be NULL. Errors: ERR_IO
   (a full disk). */
enum err_code trace_close(struct trace *trace, bool keep, struct err *e);

#endif
