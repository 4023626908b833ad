/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "dag/generators/build.h"

#include <stdlib.h>

static const struct param params[] = {
    BUILD_TREE_PARAMS("the most successors of a task; 1: a chain"),
    BUILD_COST_PARAMS("0"),
};

static enum err_code generate(const struct param_set *ps, struct random_stream *random, struct dag *out, struct err *e)
{
    (void)e;
    int n = (int)param_integer(ps, "tasks");
    int *parents = build_tree(ps, random, out);
    for (int i = 1; i < n; i++)
        build_edge(out, parents[i], i, 1);
    build_costs(out, ps, random);
    free(parents);
    return ERR_NONE;
}

extern const struct dag_generator dag_generator_out_tree;
const struct dag_generator dag_generator_out_tree = {
    .name = "out_tree",
    .summary = "a tree: data flow from the first task to the leaves",
    .source = "",
    .params = params,
    .generate = generate,
};
