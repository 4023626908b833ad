/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A schedule file while it is checked: what was read of it, and what was found wrong. What the model of a file books is
   read off the model; how long the overhead and involvement of the machine last, and all dates, are computed here anew.
   A model's own formulas are taken as it has them.

   Internal to the validator: check_read.c takes a file as it stands, check.c and check_edges.c judge it. What could not be
   read is marked, named once, and left out of all other judgements: one mistake is one violation where possible. */
#ifndef IASIM_PLAN_CHECKED_FILE_H
#define IASIM_PLAN_CHECKED_FILE_H

#include "base/json_source.h"
#include "models/cost/cost.h"
#include "plan/check.h"
#include "plan/dates.h"

#include <stdbool.h>

/* X(name, meaning, source): the order of check_conditions. */
#define CHECK_CONDITIONS(X)                                                                                            \
    X(entry, "every part of the file has its fields, of their types", "SPEC 6")                                        \
    X(model, "the model is known, and so are its parameters", "[S] 4.1, 7.1, 8.2")                                     \
    X(task, "every task of the graph is there once, and no other", "[S] 4.1")                                          \
    X(edge, "every edge of the graph is there once, and no other", "[S] 7.1")                                          \
    X(host, "every host is on the platform", "[S] 4.1")                                                                \
    X(time, "every time is a number, and not negative", "[S] 4.1")                                                     \
    X(duration, "a task takes work / speed, a send o_s + i_s, a receive o_r + i_r, a link bytes / bandwidth",          \
      "[S] 4.1, 7.1, (8.1), (8.2), (8.12), (8.13)")                                                                    \
    X(processor, "a processor does one thing at a time: a task, a send or a receive", "[S] Condition 4.1, 8.2.1")      \
    X(port, "a port of a host takes one message at a time, from the start of its send or receive", "[S] 8.1.3")        \
    X(link, "a link carries one edge at a time, unless it is a FATPIPE", "[S] 7.1, SPEC 5")                            \
    X(local, "an edge is local when its tasks are on one host, and only then", "[S] 4.1")                              \
    X(parts, "an edge has the parts that the model asks for: links, a send and a receive", "SPEC 6")                   \
    X(endpoint, "a send is on the host of the edge's origin, a receive on that of its destination", "[S] 8.2.1")       \
    X(route, "an edge passes the links of the platform's route, in order and direction", "[S] 7.1, SPEC 5")            \
    X(send_start, "a send starts when its task has finished, or later", "[S] (8.3)")                                   \
    X(first_link,                                                                                                      \
      "an edge is on its first link when the overhead of its send (without sends: its task) has finished, "            \
      "or later",                                                                                                      \
      "[S] (8.4), Condition 7.3")                                                                                      \
    X(next_link,                                                                                                       \
      "on each further link an edge starts and finishes no earlier than on the one before, and its latency",           \
      "[S] 7.1, SPEC 5")                                                                                               \
    X(recv_start, "a receive starts i_r before the last byte is there, or later", "[S] (8.5)")                         \
    X(precedence, "a task starts when the data of all edges that enter it are there, or later", "[S] 4.1, (8.16)")     \
    X(length, "length_s is the latest finish of a task", "[S] 4.1")

enum check_id {
#define X(name, meaning, source) CHECK_##name,
    CHECK_CONDITIONS(X)
#undef X
};

struct check_item { /* something with a place, a start and a finish: a task, a send, a receive, an edge on a link */
    size_t place;   /* of its { in the file, bytes: its order and its line */
    bool is_there, is_timed;
    double start_s, finish_s; /* if timed */
    int id;                   /* host or link; -1: not known */
};

struct check_edge {
    bool is_there, has_flag, is_local, has_links;
    size_t place;
    struct check_item send, recv;
    size_t first_link, n_links;  /* in struct check's links */
    double port_s[N_DIRECTIONS]; /* that its send and its receive take of the ports of their hosts */
};

struct check_finding {
    size_t place, number; /* number: in the order found */
    struct violation violation;
};

struct check {
    const struct dag *dag;
    const struct machine *machine;
    const char *path;
    struct json_source *source;
    struct err *e;
    const struct cost_model *model; /* NULL: unknown */
    struct check_item *tasks;       /* [task] */
    struct check_edge *edges;       /* [edge] */
    struct check_item *links;
    size_t n_links, links_capacity;
    bool has_length;
    double length_s;   /* as the file says */
    char **link_names; /* [link]: "l", of split-duplex links "l up" and "l down" */
    struct check_finding *findings;
    size_t n_findings, findings_capacity;
};

/* A violation at a place of the file. */
void check_find(struct check *c, enum check_id condition, size_t place, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Names may hold any bytes: what is not text becomes \xNN. Fresh memory. */
char *check_printable(const char *text);

/* Fills tasks, edges, links; finds what can be seen without costs: fields, names, times that are none. Errors:
   ERR_PARSE. */
enum err_code check_read(struct check *c);

/* All that concerns single edges, and when tasks may start; and which links they are on. */
void check_judge_edges(struct check *c);

/* Exclusive use of processors and links. */
void check_judge_resources(struct check *c);

static inline double check_length_s(const struct check_item *item)
{
    return item->finish_s - item->start_s;
}

#endif
