/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What each node of a farm did, and when. Recorded only if farm_run_options ask for it; charts and pages are drawn
   from it. */
#ifndef IASIM_ENGINE_FARM_RECORD_H
#define IASIM_ENGINE_FARM_RECORD_H

#include "farm/farm.h"
#include "plan/span.h"

enum farm_doing {
    FARM_COMPUTES,
    FARM_STARVES, /* idle before its last task, or all the time if it computes nothing */
    FARM_IS_DONE, /* after its last task */
};

enum farm_flow {
    FARM_FLOW_TASK,    /* from the parent */
    FARM_FLOW_REQUEST, /* to the parent; all requests of the node that are under way together */
};

struct farm_stretch { /* a time in which nothing changes, except that a transfer may change its rate */
    node_id node;
    int kind;
    long task; /* counts from 1; -1: of no task */
    struct span span;
    double value;
};

struct farm_stretches { /* by node, then by date */
    struct farm_stretch *list;
    size_t n, capacity;
    size_t *first; /* [node]: its stretches are first[node] to first[node + 1] - 1 */
};

struct farm_record {
    /* enum farm_doing. Those of a node tile 0 to the makespan. Value: how many seconds of it transfers stole. */
    struct farm_stretches doings;
    /* Tasks on their way from its parent to the node, from the start of the send to the end of the receive; a task that
       goes in chunks has a stretch for each. Value: which chunk of its task it is, from 0. */
    struct farm_stretches transfers;
    /* enum farm_flow, at a constant rate. Value: bytes/s, above 0. */
    struct farm_stretches rates;
    /* Value: the share of the node's processor that transfers take, above 0, whether it computes or not. */
    struct farm_stretches charges;
    int n_nodes;
    double makespan_s;
};

void farm_record_clear(struct farm_record *r);

/* For farm_run: NULL records nothing. What happens is reported in the order of its dates. */
struct farm_recorder;
struct farm_recorder *farm_recorder_create(struct farm_record *out, int n_nodes);
void farm_recorder_event(struct farm_recorder *x, double now_s, node_id node, enum farm_event event, long task,
                         node_id other);
void farm_recorder_rate(struct farm_recorder *x, double now_s, node_id node, enum farm_flow flow, double bytes_per_s);
void farm_recorder_charge(struct farm_recorder *x, double now_s, node_id node, double ratio);
/* Frees the recorder; the record is complete. */
void farm_recorder_end(struct farm_recorder *x, double makespan_s);

#endif
