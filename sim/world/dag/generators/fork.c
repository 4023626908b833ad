/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "dag/generators/build.h"

static const struct param params[] = {
    {"branches", PARAM_INTEGER, "tasks", "10", 1, BUILD_MAX_TASKS - 1, NULL, "tasks that follow the first one"},
    BUILD_COST_PARAMS("0"),
};

static enum err_code generate(const struct param_set *ps, struct random_stream *random, struct dag *out, struct err *e)
{
    (void)e;
    long n = param_integer(ps, "branches");
    task_id fork = build_task(out, 1, "fork");
    for (long i = 0; i < n; i++)
        build_edge(out, fork, build_task(out, 1, "task_%ld", i), 1);
    build_costs(out, ps, random);
    return ERR_NONE;
}

extern const struct dag_generator dag_generator_fork;
const struct dag_generator dag_generator_fork = {
    .name = "fork",
    .summary = "one task, then many: branches + 1 tasks",
    .source = "[S] 8.3.1",
    .params = params,
    .generate = generate,
};
