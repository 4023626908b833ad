/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Task graphs ([S] 3.1): tasks with work, edges with data, no cycles. Readers and generators build a graph task by
   task, then seal it; after that it is plain data for schedulers. Tasks and edges keep the order in which they were
   added, which breaks ties everywhere. */
#ifndef IASIM_DAG_DAG_H
#define IASIM_DAG_DAG_H

#include "base/api.h"
#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>

typedef int task_id; /* index in the tasks of struct dag; -1: no task */
typedef int edge_id;

struct task {
    char *name;
    double work_flop; /* 0: the task only waits for others */
    int line;         /* in the file; 0: not from a file */
};

struct edge {
    task_id src, dst;
    double size_bytes; /* 0: dst waits for src, but receives no data */
    int line;
};

struct dag {
    char *source; /* the file or generator that it comes from; for messages and results */
    struct task *tasks;
    int n_tasks;
    struct edge *edges;
    int n_edges;
    bool has_run_times; /* the file gives times: works are these times the reference speed (format.h) */
    /* Set by dag_seal. The edges that enter task t are in[in_start[t]] to in[in_start[t + 1] - 1], in the order in
       which they were added; likewise the edges that leave it. */
    edge_id *in, *out;
    int *in_start, *out_start;
    task_id *order; /* all tasks, each after its predecessors; where there is a choice, the first in the file */
    struct name_index *index;
    size_t tasks_capacity, edges_capacity;
};

/* Initialises a graph. `source` is copied. */
IASIM_API void dag_init(struct dag *g, const char *source);
IASIM_API void dag_clear(struct dag *g);

/* Errors: ERR_INPUT, with `line`: an empty or repeated name, work that is negative or not finite. `id` may be NULL. */
IASIM_API enum err_code dag_add_task(struct dag *g, const char *name, double work_flop, int line, task_id *id,
                                     struct err *e);
/* Errors: ERR_INPUT, with `line`: a size that is negative or not finite, an edge from a task to itself. Two edges
   between the same tasks are found by dag_seal. */
IASIM_API enum err_code dag_add_edge(struct dag *g, task_id src, task_id dst, double size_bytes, int line,
                                     struct err *e);
IASIM_API task_id dag_task_id(const struct dag *g, const char *name); /* -1: no such task */

/* Call after the last edge; a second call changes nothing. Errors: ERR_INPUT: no tasks; two edges between the same
   tasks (with the line of the second); a cycle (the message names its tasks, beginning with the first in the file); a
   sum of work or of sizes that is not finite. Time: linear in tasks and edges. */
IASIM_API enum err_code dag_seal(struct dag *g, struct err *e);

/* Multiplies the size of every edge by `factor`. */
IASIM_API void dag_scale_edges(struct dag *g, double factor);

IASIM_API double dag_work_flop(const struct dag *g);    /* of all tasks */
IASIM_API double dag_volume_bytes(const struct dag *g); /* of all edges */

#endif
