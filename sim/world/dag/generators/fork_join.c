/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "dag/generators/build.h"

static const struct param params[] = {
    {"branches", PARAM_INTEGER, "tasks", "10", 1, BUILD_MAX_TASKS, NULL, "tasks side by side"},
    {"stages", PARAM_INTEGER, "", "1", 1, BUILD_MAX_TASKS, NULL, "number of forks; each join is also the next fork"},
    BUILD_COST_PARAMS("0"),
};

static enum err_code check(const struct param_set *ps, struct err *e)
{
    /* As doubles: the product of two counts may exceed any integer type. */
    double branches = (double)param_integer(ps, "branches"), stages = (double)param_integer(ps, "stages");
    return build_check_size("fork_join", stages * (branches + 1) + 1, 2 * stages * branches, e);
}

static enum err_code generate(const struct param_set *ps, struct random_stream *random, struct dag *out, struct err *e)
{
    (void)e;
    int branches = (int)param_integer(ps, "branches"), stages = (int)param_integer(ps, "stages");
    task_id fork = build_task(out, 1, "fork");
    for (int s = 0; s < stages; s++) {
        task_id first = out->n_tasks;
        for (int i = 0; i < branches; i++)
            build_edge(out, fork, build_task(out, 1, "task_%d_%d", s, i), 1);
        task_id join = build_task(out, 1, "join_%d", s);
        for (int i = 0; i < branches; i++)
            build_edge(out, first + i, join, 1);
        fork = join;
    }
    build_costs(out, ps, random);
    return ERR_NONE;
}

extern const struct dag_generator dag_generator_fork_join;
const struct dag_generator dag_generator_fork_join = {
    .name = "fork_join",
    .summary = "a sequence of forks and joins: stages * (branches + 1) + 1 tasks, task_STAGE_NUMBER",
    .source = "",
    .params = params,
    .check = check,
    .generate = generate,
};
