/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "dag/generators/build.h"

#include <stdlib.h>
#include <string.h>

static const struct param params[] = {
    {"tasks", PARAM_INTEGER, "tasks", "31", 1, BUILD_MAX_TASKS, NULL, "number of tasks"},
    {"degree", PARAM_INTEGER, "tasks", "2", 1, BUILD_MAX_TASKS, NULL, "most children of a task; 1: a chain"},
    {"shape", PARAM_CHOICE, "", "complete", 0, 0, "complete|random",
     "complete: level by level from the root; random: from the root on, each task draws its place where there is room"},
    BUILD_COST_PARAMS("0"),
};

static enum err_code generate(const struct param_set *ps, struct random_stream *random, struct dag *out, struct err *e)
{
    (void)e;
    int n = (int)param_integer(ps, "tasks");
    bool is_random = strcmp(param_text(ps, "shape"), "random") == 0;
    int *parents = build_tree(n, (int)param_integer(ps, "degree"), is_random ? random : NULL);
    for (int i = 0; i < n; i++)
        build_task(out, 1, "task_%d", i);
    for (int i = 1; i < n; i++)
        build_edge(out, parents[i], i, 1);
    build_costs(out, ps, random);
    free(parents);
    return ERR_NONE;
}

extern const struct dag_generator dag_generator_out_tree;
const struct dag_generator dag_generator_out_tree = {
    .name = "out_tree",
    .summary = "a tree: data go from the first task to the leaves",
    .source = "",
    .params = params,
    .generate = generate,
};
