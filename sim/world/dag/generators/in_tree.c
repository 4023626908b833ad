/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "dag/generators/build.h"

#include <stdlib.h>

static const struct param params[] = {
    BUILD_TREE_PARAMS("the most predecessors of a task; 1: a chain"),
    BUILD_COST_PARAMS("0"),
};

static enum err_code generate(const struct param_set *ps, struct random_stream *random, struct dag *out, struct err *e)
{
    (void)e;
    int n = (int)param_integer(ps, "tasks");
    int *parents = build_tree(ps, random, out);
    for (int i = n - 1; i > 0; i--) /* tree node i is task n - 1 - i: the root is last */
        build_edge(out, n - 1 - i, n - 1 - parents[i], 1);
    build_costs(out, ps, random);
    free(parents);
    return ERR_NONE;
}

extern const struct dag_generator dag_generator_in_tree;
const struct dag_generator dag_generator_in_tree = {
    .name = "in_tree",
    .summary = "a tree: data flow from the leaves to the last task",
    .source = "",
    .params = params,
    .generate = generate,
};
