/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What made a replay as long as it was: the critical chain from 0 to the makespan, as segments that follow each other
   without holes.

   The chain is walked backwards from the task that ends last. Whatever ended last of what an item waited for is before
   it on the chain: the data of its predecessors, or an item that its processor, port or link has to take before it.
   Where both ended in one instant, the data count.

   Within a task, and within a transfer, segments are shares of its time, put one after the other: when a flow takes 30
   % of a processor for 10 s, 3 s are slowed by it. Costs of communication keep their names whoever has them. Computing,
   or a transfer on an exclusive link, of an item whose data the next item does not need is `waiting` as soon as the
   next item has its own data: that stood ready and waited behind it. Where messages need both ends, computing of the
   one that comes last is `other_end` from when the message was ready but for it. */
#ifndef IASIM_EXPLAIN_EXPLAIN_H
#define IASIM_EXPLAIN_EXPLAIN_H

#include "engine/replay_record.h"
#include "models/world.h"

enum explain_cause {
    CAUSE_COMPUTING, /* at the platform's speed */
    CAUSE_SLOWED_BY_SEND,
    CAUSE_SLOWED_BY_RECEIVE,
    CAUSE_SLOW_HOST, /* the host was below the platform's speed: a profile, or noise */
    CAUSE_OVERHEAD_SEND,
    CAUSE_OVERHEAD_RECEIVE,
    CAUSE_INVOLVEMENT_SEND,
    CAUSE_INVOLVEMENT_RECEIVE,
    CAUSE_LATENCY,
    CAUSE_TRANSFER,  /* at the rate that it has alone */
    CAUSE_SHARING,   /* slower than alone */
    CAUSE_SLOW_LINK, /* a link was below the platform's bandwidth: a profile */
    CAUSE_WAITING,
    CAUSE_PORT,        /* the port was taken */
    CAUSE_OTHER_END,   /* a message waited for its source or destination, which computed */
    CAUSE_UNEXPLAINED, /* a hole in the chain: there should be none */
    N_CAUSES
};

extern const char *const explain_cause_names[N_CAUSES];     /* as in JSON: "slowed_by_send" */
extern const char *const explain_cause_sentences[N_CAUSES]; /* for people: "computing slowed by sends" */

struct explain_item { /* a task or an edge; the other is -1 */
    task_id task;
    edge_id edge;
};

struct explain_segment {
    double from_s, to_s;
    enum explain_cause cause;
    host_id host; /* -1 where it is none; likewise */
    link_id link;
    struct explain_item item; /* what proceeded, or waited */
    size_t first_with,
        n_with; /* in `with`: the flows that slowed it down or shared with it, what it waited behind, or for */
};

struct explanation {
    const struct replay_plan *plan; /* of the record */
    double makespan_s;
    struct explain_segment *segments; /* by date; from_s of one is to_s of the one before */
    size_t n, capacity;
    struct explain_item *with;
    size_t n_with, with_capacity;
    double *sums_s; /* of causes, then of hosts, then of links (explain_first_sum) */
};

enum explain_kind { BY_CAUSE, BY_HOST, BY_LINK, N_EXPLAIN_KINDS };

/* Where the sums of a kind begin; N_EXPLAIN_KINDS: how many there are in all. */
size_t explain_first_sum(const struct machine *m, enum explain_kind kind);

/* `alone_bytes_per_s` [edge] is the rate of a transfer that has the network to itself (alone.h); NULL, or 0 or NAN for
   an edge: the bandwidth of its slowest link. The record must outlive the explanation. Time: a few passes over the
   graph, and for each item of the chain the changes of rate of the transfers that are there at its time. */
void explain_find(const struct replay_record *record, const struct replay_result *result,
                  const struct world_model *world, const double *alone_bytes_per_s, struct explanation *out);
void explanation_clear(struct explanation *x);

/* For each step of the replay's plan: what is before it on the chain that ends with it. [2 * step] is for the chain
   that has the step to its end, [2 * step + 1] for one that has no part of it, because something waited for its port;
   the value is such a number, too, or -1: the step began at 0, or is one of a local edge. The chain of the makespan is
   the one that ends with the task that ends last. Fresh memory. Time: that of a pass over the graph. */
int *explain_before(const struct replay_record *record, const struct replay_result *result,
                    const struct world_model *world);

/* What flows took of the processor while it worked on a task. */
struct explain_taken {
    edge_id edge;
    enum direction direction; /* DIR_SEND: the task's host sends the data */
    double taken_s;
};

/* Of task t: list[start[t]] to list[start[t + 1] - 1], sends first; slow_s[t] as CAUSE_SLOW_HOST. */
struct explain_tasks {
    struct explain_taken *list;
    size_t *start, capacity;
    double *slow_s;
};

/* Time: for each task the changes of rate of the flows of its host meanwhile. */
void explain_tasks_find(const struct replay_record *record, const struct replay_result *result,
                        const struct world_model *world, struct explain_tasks *out);
void explain_tasks_clear(struct explain_tasks *x);

/* "A", or "A -> B"; fresh memory. */
char *explain_item_name(const struct dag *g, struct explain_item item);

#endif
