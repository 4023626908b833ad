/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What `iasim replay --json --details` adds: who slowed whom down, what links carry, and chains. */
#ifndef IASIM_REPORT_REPLAY_DETAILS_H
#define IASIM_REPORT_REPLAY_DETAILS_H

#include "explain/explain.h"
#include "report/json_stream.h"

#include <jansson.h>

struct replay_details {
    const struct replay_plan *plan;
    struct explain_tasks taken;
    int *before;
};

void replay_details_find(struct replay_details *d, const struct replay_record *record,
                         const struct replay_result *result, const struct world_model *world);
void replay_details_clear(struct replay_details *d);

/* To the object of a task or of a remote edge:
     task   "stolen": [{"edge", "direction": "send"|"receive", "s"}], what each flow took of the processor meanwhile;
            "before"
     edge   "before" in "send", "transfer" and "recv"
   "before" is what precedes it on the critical chain that ends with it: {"task"} or {"edge", "part"}, or null. Edges
   are "A -> B". Names that JSON cannot hold: json_bytes.h. */
void replay_details_task(const struct replay_details *d, task_id t, json_t *task);
void replay_details_edge(const struct replay_details *d, edge_id e, json_t *edge);

/* "links": [{"link", "carries": [{"edge", "from_s", "to_s", "bytes_per_s"}]}], by date: at a constant rate each; links
   that carry nothing are left out. */
void replay_details_links(const struct replay_record *record, struct json_stream *to);

#endif
