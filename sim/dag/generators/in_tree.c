/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "dag/generators/build.h"

#include <stdlib.h>
#include <string.h>

static const struct param params[] = {
    {"tasks", PARAM_INTEGER, "tasks", "31", 1, BUILD_MAX_TASKS, NULL, "number of tasks"},
    {"degree", PARAM_INTEGER, "tasks", "2", 1, BUILD_MAX_TASKS, NULL, "most tasks that one follows; 1: a chain"},
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
    for (int i = n - 1; i > 0; i--) /* tree node i is task n - 1 - i: the root is last */
        build_edge(out, n - 1 - i, n - 1 - parents[i], 1);
    build_costs(out, ps, random);
    free(parents);
    return ERR_NONE;
}

extern const struct dag_generator dag_generator_in_tree;
const struct dag_generator dag_generator_in_tree = {
    .name = "in_tree",
    .summary = "a tree: data go from the leaves to the last task",
    .source = "",
    .params = params,
    .generate = generate,
};
