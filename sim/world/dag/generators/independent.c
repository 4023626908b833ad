/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "dag/generators/build.h"

static const struct param params[] = {
    {"tasks", PARAM_INTEGER, "tasks", "10", 1, BUILD_MAX_TASKS, NULL, "number of tasks"},
    BUILD_WORK_PARAM,
    BUILD_HETEROGENEITY_PARAM("0"),
    {0},
};

static enum err_code generate(const struct param_set *ps, struct random_stream *random, struct dag *out, struct err *e)
{
    (void)e;
    int n = (int)param_integer(ps, "tasks");
    for (int i = 0; i < n; i++)
        build_task(out, 1, "task_%d", i);
    build_costs(out, ps, random);
    return ERR_NONE;
}

extern const struct dag_generator dag_generator_independent;
const struct dag_generator dag_generator_independent = {
    .name = "independent",
    .summary = "tasks without edges",
    .source = "",
    .params = params,
    .generate = generate,
};
