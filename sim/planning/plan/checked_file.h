/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A schedule file while it is checked: what was read from it, and its violations. The cost model defines which
   resources are booked; the durations of overhead and involvement and all dates are recomputed independently. Formulas
   of a model's own are taken from the model.

   Internal to the validator: check_read.c reads a file as it is, check.c and check_edges.c check it. Parts that cannot
   be read are marked, reported once and skipped by all other checks, so that one mistake is one violation where
   possible. */
#ifndef IASIM_PLAN_CHECKED_FILE_H
#define IASIM_PLAN_CHECKED_FILE_H

#include "base/json_source.h"
#include "models/cost/cost.h"
#include "plan/check.h"
#include "plan/dates.h"

#include <stdbool.h>

/* X(name, meaning, source): the order of check_conditions. */
#define CHECK_CONDITIONS(X)                                                                                            \
    X(entry, "every part of the file has its fields, with the right types", "doc/model.md, Files")                     \
    X(model, "the model and its parameters are known", "[S] 4.1, 7.1, 8.2")                                            \
    X(task, "every task of the graph appears once, and no other task", "[S] 4.1")                                      \
    X(edge, "every edge of the graph appears once, and no other edge", "[S] 7.1")                                      \
    X(host, "every host is on the platform, and its tasks may run there", "[S] 4.1")                                   \
    X(time, "every time is a number, and not negative", "[S] 4.1")                                                     \
    X(duration,                                                                                                        \
      "a task takes work / speed or its given time, a send o_s + i_s, a receive o_r + i_r, a link bytes / bandwidth",  \
      "[S] 4.1, 7.1, (8.1), (8.2), (8.12), (8.13)")                                                                    \
    X(processor, "a processor does one thing at a time: a task, a send or a receive", "[S] Condition 4.1, 8.2.1")      \
    X(port, "a port of a host takes one message at a time, from the start of its send or receive", "[S] 8.1.3")        \
    X(link, "a link carries one edge at a time, unless it is a FATPIPE", "[S] 7.1; doc/model.md, Beliefs")             \
    X(local, "an edge is local if and only if its tasks are on one host", "[S] 4.1")                                   \
    X(parts, "an edge has the parts that the model books: links, a send and a receive", "doc/model.md, Files")         \
    X(endpoint, "a send is on the host of the edge's origin, a receive on the host of its destination", "[S] 8.2.1")   \
    X(route, "an edge passes the links of the platform's route, in order and direction",                               \
      "[S] 7.1; doc/model.md, Beliefs")                                                                                \
    X(send_start, "a send starts no earlier than its task finishes", "[S] (8.3)")                                      \
    X(first_link,                                                                                                      \
      "an edge starts on its first link no earlier than the overhead of its send (without sends: its task) "           \
      "finishes",                                                                                                      \
      "[S] (8.4), Condition 7.3")                                                                                      \
    X(next_link,                                                                                                       \
      "on each further link an edge starts and finishes no earlier than on the previous link, plus its latency",       \
      "[S] 7.1; doc/model.md, Beliefs")                                                                                \
    X(recv_start, "a receive starts no earlier than i_r before the last byte arrives", "[S] (8.5)")                    \
    X(aligned, "where involvement is aligned, i_s starts with the first link, and i_r ends with the last byte",        \
      "[S] 8.2.1")                                                                                                     \
    X(precedence, "a task starts no earlier than the data of all its entering edges arrive", "[S] 4.1, (8.16)")        \
    X(length, "length_s is the latest finish of a task", "[S] 4.1")

enum check_id {
#define X(name, meaning, source) CHECK_##name,
    CHECK_CONDITIONS(X)
#undef X
};

struct check_item { /* anything with a place, a start and a finish: a task, a send, a receive, an edge on a link */
    size_t place;   /* of its { in the file, bytes: its order and its line */
    bool is_there, is_timed;
    double start_s, finish_s; /* if is_timed */
    int id;                   /* host or link; -1: unknown */
};

struct check_edge {
    bool is_there, has_flag, is_local, has_links;
    size_t place;
    struct check_item send, recv;
    size_t first_link, n_links; /* in struct check's links */
    double port_s
        [N_DIRECTIONS]; /* how long its send and its receive occupy the ports of their hosts, from their start on, */
    double port_before_s[N_DIRECTIONS]; /* and before it */
};

struct check_finding {
    size_t place, number; /* number: in the order of discovery */
    struct violation violation;
};

struct check {
    const struct dag *dag;
    const struct machine *machine;
    const struct task_costs *costs; /* NULL: work / speed */
    const char *path;
    struct json_source *source;
    struct err *e;
    const struct cost_model *model; /* NULL: unknown */
    struct check_item *tasks;       /* [task] */
    struct check_edge *edges;       /* [edge] */
    struct check_item *links;
    size_t n_links, links_capacity;
    bool has_length;
    double length_s;   /* as given in the file */
    char **link_names; /* [link]: "l", of split-duplex links "l up" and "l down" */
    struct check_finding *findings;
    size_t n_findings, findings_capacity;
};

/* Records a violation at a place of the file. */
void check_find(struct check *c, enum check_id condition, size_t place, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* A fresh string. Names may contain any bytes: those that are not text become \xNN. */
char *check_printable(const char *text);

/* Fills tasks, edges and links; finds what can be seen without costs: bad fields, names and times. Errors:
   ERR_PARSE. */
enum err_code check_read(struct check *c);

/* Checks single edges and when tasks may start; records which links the edges use. */
void check_judge_edges(struct check *c);

/* Checks the exclusive use of processors and links. */
void check_judge_resources(struct check *c);

static inline double check_length_s(const struct check_item *item)
{
    return item->finish_s - item->start_s;
}

#endif
