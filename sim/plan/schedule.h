/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A schedule: where and when each task runs, and when each edge occupies links and processors ([S] 8.2). Plain data;
   timelines.h is what schedulers book on, schedule_json.h the file format. */
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
   processor (recv). A length of 0 is a date: it occupies nothing. Local edges have none of these. */
struct planned_edge {
    bool is_remote;
    struct span send, recv; /* on the processors, when the model books anything at the hosts; ports from their starts */
    size_t first_link; /* its spans: links[first_link], one for each link of the route, when the model books them */
};

struct schedule {
    struct problem problem; /* borrowed */
    char *scheduler;        /* "list[technique=end]"; fresh */
    struct planned_task *tasks;
    struct planned_edge *edges;
    struct span *links;
    size_t n_links, links_capacity;
};

IASIM_API void schedule_init(struct schedule *s, const struct problem *p);
IASIM_API void schedule_clear(struct schedule *s);

/* The links an edge passes, from the hosts of its tasks, and its spans on them. n is 0 for a local edge, and under a
   model that books no links the spans are NULL. */
IASIM_API const link_id *schedule_route(const struct schedule *s, edge_id e, size_t *n);
IASIM_API struct span *schedule_link_spans(const struct schedule *s, edge_id e);
/* Room for the spans of an edge that goes from src to dst; sets first_link. */
IASIM_API struct span *schedule_add_link_spans(struct schedule *s, edge_id e, host_id src, host_id dst);

/* When the data of an edge from src to dst leave, given the end of its origin and, when something is booked at the hosts,
   its send. And when the last byte is at dst, from its spans on the links; NULL: none are booked. */
IASIM_API double schedule_departure_s(const struct schedule *s, edge_id e, host_id src, host_id dst);
IASIM_API double schedule_last_byte_s(const struct schedule *s, edge_id e, host_id src, host_id dst,
                                      const struct span *spans);

IASIM_API double schedule_length_s(const struct schedule *s); /* latest finish of a task */

/* When the data of an entering edge are there for its destination. */
IASIM_API double schedule_arrival_s(const struct schedule *s, edge_id e);

/* From when an edge may be on the k-th link of its route, counted from 0, given its spans on those before ([S] 7.1,
   cut-through): start_k-1 or finish_k-1 - zeta_k, whichever is later, and the latency of link k-1. departure_s is when
   the data leave the origin: start of the send plus o_s, or the end of the task. */
static inline double schedule_hop_release_s(const struct span *spans, size_t k, double departure_s, double duration_s,
                                            double latency_before_s)
{
    if (k == 0)
        return departure_s;
    double cut_through_s = spans[k - 1].finish_s - duration_s;
    return (spans[k - 1].start_s > cut_through_s ? spans[k - 1].start_s : cut_through_s) + latency_before_s;
}

/* Gap elimination ([S] 8.3.1): hosts, routes and the order on every processor and link stay, everything gets its
   earliest time. Never longer; a second time changes nothing. Errors: ERR_INPUT when the order cannot be kept because
   it waits for itself; the message names who waits. Time: linear in what is booked but for sorting. */
IASIM_API enum err_code schedule_compact(struct schedule *s, struct err *e);

#endif
