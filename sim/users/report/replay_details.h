/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What `iasim replay --json --details` adds: who slowed whom down, what links carry, and chains. */
#ifndef IASIM_REPORT_REPLAY_DETAILS_H
#define IASIM_REPORT_REPLAY_DETAILS_H

#include "explain/explain.h"

#include <jansson.h>

/* To the objects of `tasks` and `edges`, which are in the order of their numbers:
     task   "stolen": [{"edge", "direction": "send"|"receive", "s"}], what each flow took of the processor meanwhile; "before"
     edge   "before" in "send", "transfer" and "recv" of a remote one
   "before" is what precedes it on the critical chain that ends with it: {"task"} or {"edge", "part"}, or null. Edges are "A -> B".
   Names that JSON cannot hold: json_bytes.h. */
void replay_details_add(json_t *tasks, json_t *edges, const struct replay_record *record,
                        const struct replay_result *result, const struct world_model *world);

/* [{"link", "carries": [{"edge", "from_s", "to_s", "bytes_per_s"}]}], by date: at a constant rate each; links that carry nothing
   are left out. The caller's. */
json_t *replay_details_links(const struct replay_record *record);

#endif
