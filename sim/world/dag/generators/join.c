/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "dag/generators/build.h"

static const struct param params[] = {
    {"branches", PARAM_INTEGER, "tasks", "10", 1, BUILD_MAX_TASKS - 1, NULL, "tasks before the last one"},
    BUILD_COST_PARAMS("0"),
};

static enum err_code generate(const struct param_set *ps, struct random_stream *random, struct dag *out, struct err *e)
{
    (void)e;
    int n = (int)param_integer(ps, "branches");
    for (int i = 0; i < n; i++)
        build_task(out, 1, "task_%d", i);
    task_id join = build_task(out, 1, "join");
    for (task_id i = 0; i < n; i++)
        build_edge(out, i, join, 1);
    build_costs(out, ps, random);
    return ERR_NONE;
}

extern const struct dag_generator dag_generator_join;
const struct dag_generator dag_generator_join = {
    .name = "join",
    .summary = "many tasks, then one: branches + 1 tasks",
    .source = "[S] 8.3.1",
    .params = params,
    .generate = generate,
};
