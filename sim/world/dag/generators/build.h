/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the generators share. A generator adds tasks and edges with weights that follow from its structure (all 1 if
   they do not), then turns the weights into costs: the mean weight becomes the mean given by the parameters, and a
   separate draw spreads each cost around it. The structure therefore does not depend on the cost parameters. Only
   additions, multiplications and divisions are used, which round alike on every machine. */
#ifndef IASIM_DAG_GENERATORS_BUILD_H
#define IASIM_DAG_GENERATORS_BUILD_H

#include "dag/dag_generate.h"

/* Such a graph needs about 2 GB of memory, including names. */
enum { BUILD_MAX_TASKS = 10000000, BUILD_MAX_EDGES = 30000000 };

#define BUILD_WORK_PARAM                                                                                               \
    {                                                                                                                  \
        "work_flop", PARAM_NUMBER, "flop", "1e9", 0, 1e18, NULL, "mean work of a task"                                 \
    }
#define BUILD_SIZE_PARAM                                                                                               \
    {                                                                                                                  \
        "size_bytes", PARAM_NUMBER, "bytes", "1e6", 0, 1e15, NULL, "mean size of an edge"                              \
    }
#define BUILD_HETEROGENEITY_PARAM(usual)                                                                               \
    {                                                                                                                  \
        "heterogeneity", PARAM_NUMBER, "", usual, 0, 1, NULL,                                                          \
            "each work and size is multiplied by a number drawn uniformly from 1 - this to 1 + this"                   \
    }
#define BUILD_TREE_PARAMS(degree_means)                                                                                \
    {"tasks", PARAM_INTEGER, "tasks", "31", 1, BUILD_MAX_TASKS, NULL, "number of tasks"},                              \
        {"degree", PARAM_INTEGER, "tasks", "2", 1, BUILD_MAX_TASKS, NULL, degree_means},                               \
    {                                                                                                                  \
        "shape", PARAM_CHOICE, "", "complete", 0, 0, "complete|random",                                                \
            "complete: level by level from the root; random: beginning at the root, each task is placed at random "    \
            "where there is room"                                                                                      \
    }
/* The last entries of a generator's list of parameters. */
#define BUILD_COST_PARAMS(usual_heterogeneity)                                                                         \
    BUILD_WORK_PARAM, BUILD_SIZE_PARAM, BUILD_HETEROGENEITY_PARAM(usual_heterogeneity),                                \
    {                                                                                                                  \
        0                                                                                                              \
    }

/* No errors: the generators only use valid names and numbers. */
task_id build_task(struct dag *g, double weight, const char *name_format, ...) __attribute__((format(printf, 3, 4)));
void build_edge(struct dag *g, task_id src, task_id dst, double weight);
/* Call after the last edge: turns weights into costs. Draws for all tasks, then for all edges. */
void build_costs(struct dag *g, const struct param_set *params, struct random_stream *random);

/* Errors: ERR_INPUT for more than the above. Counts are doubles because they may exceed any integer type. */
enum err_code build_check_size(const char *generator, double n_tasks, double n_edges, struct err *e);

/* Adds the tasks task_0, ... of a tree by BUILD_TREE_PARAMS; no edges. Tree nodes are numbered from the root 0:
   parents[0] is -1, parents[i] < i. No node has more than `degree` children. Complete: filled level by level. Random:
   each new node draws its parent from those that have room, all equally likely. The caller frees the result. */
int *build_tree(const struct param_set *ps, struct random_stream *random, struct dag *out);

#endif
