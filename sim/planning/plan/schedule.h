/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A schedule: where and when each task runs, and when each edge occupies links and processors ([S] 8.2). Plain data:
   schedulers book through draft.h, and schedule_json.h has the file format. */
#ifndef IASIM_PLAN_SCHEDULE_H
#define IASIM_PLAN_SCHEDULE_H

#include "base/api.h"
#include "plan/problem.h"
#include "plan/span.h"

#include <stdbool.h>

struct planned_task {
    host_id host; /* -1: not scheduled yet */
    struct span span;
};

/* An edge between two hosts occupies its source processor (send), the links of the route in order, its destination
   processor (recv). A span of length 0 is only a date and occupies nothing. Local edges have no spans. */
struct planned_edge {
    bool is_remote;
    struct span send,
        recv; /* on the processors, if the model books anything at the hosts; ports begin at the same dates */
    size_t
        first_link; /* its spans begin at links[first_link], one for each link of the route, if the model books links */
};

struct schedule {
    struct problem problem; /* borrowed */
    char *scheduler;        /* "list[technique=end]"; fresh */
    struct planned_task *tasks;
    struct planned_edge *edges;
    struct span *links;
    size_t n_links, links_capacity;
    double lower_bound_s; /* the scheduler has proved that no schedule is shorter; 0: it has proved nothing */
    char *note;           /* what the user should know of how it was made, a line in fresh memory; NULL: nothing */
};

IASIM_API void schedule_init(struct schedule *s, const struct problem *p);
IASIM_API void schedule_clear(struct schedule *s);

/* The links that an edge passes between the hosts of its tasks, and its spans on them. n is 0 for a local edge; the
   spans are NULL if the model does not book links. */
IASIM_API const link_id *schedule_route(const struct schedule *s, edge_id e, size_t *n);
IASIM_API struct span *schedule_link_spans(const struct schedule *s, edge_id e);
/* Allocates the spans of an edge from src to dst; sets first_link. */
IASIM_API struct span *schedule_add_link_spans(struct schedule *s, edge_id e, host_id src, host_id dst);

/* When the data of an edge from src to dst leave, given the finish of its origin and, if something is booked at the
   hosts, its send; and when the last byte arrives at dst, given its spans on the links (NULL: links are not booked). */
IASIM_API double schedule_departure_s(const struct schedule *s, edge_id e, host_id src, host_id dst);
IASIM_API double schedule_last_byte_s(const struct schedule *s, edge_id e, host_id src, host_id dst,
                                      const struct span *spans);

IASIM_API double schedule_length_s(const struct schedule *s); /* the latest finish of a task */

/* When the data of an entering edge are ready for its destination. */
IASIM_API double schedule_arrival_s(const struct schedule *s, edge_id e);

/* The earliest date of an edge on the k-th link of its route (counted from 0), given its spans on the previous links
   ([S] 7.1, cut-through): the later of start_k-1 and finish_k-1 - zeta_k, plus the latency of link k-1. departure_s is
   when the data leave the origin: the start of the send plus o_s, or the finish of the task. */
static inline double schedule_hop_release_s(const struct span *spans, size_t k, double departure_s, double duration_s,
                                            double latency_before_s)
{
    if (k == 0)
        return departure_s;
    double cut_through_s = spans[k - 1].finish_s - duration_s;
    return (spans[k - 1].start_s > cut_through_s ? spans[k - 1].start_s : cut_through_s) + latency_before_s;
}

/* Gap elimination ([S] 8.3.1): hosts, routes and the order on every processor and link stay, and everything gets its
   earliest date. The schedule never becomes longer; a second call changes nothing. Errors: ERR_INPUT if the order has a
   cycle; the message names a task on it. Time: linear in what is booked, plus sorting. */
IASIM_API enum err_code schedule_compact(struct schedule *s, struct err *e);

#endif
