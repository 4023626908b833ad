/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A row of `width` cells, computed again in each of `steps` steps. cell_s_i follows cell_s-1_i, and in addition

       three_point   the neighbours i - 1 and i + 1 of step s - 1: (steps - 1) (3 width - 2) edges, steps deep,
                     width wide
       wavefront     cell_s_i-1 of its own step: a grid, 2 width steps - width - steps edges,
                     width + steps - 1 deep, min(width, steps) wide (a diamond when both are equal)  */
#include "dag/generators/build.h"

#include <string.h>

static const struct param params[] = {
    {"width", PARAM_INTEGER, "", "8", 1, BUILD_MAX_TASKS, NULL, "cells in a row"},
    {"steps", PARAM_INTEGER, "", "8", 1, BUILD_MAX_TASKS, NULL, "how many times each cell is computed"},
    {"pattern", PARAM_CHOICE, "", "wavefront", 0, 0, "wavefront|three_point",
     "a cell depends on itself in the previous step, and: wavefront, on its left neighbour in this step; three_point, "
     "on both neighbours in the previous step"},
    BUILD_COST_PARAMS("0"),
};

static enum err_code check(const struct param_set *ps, struct err *e)
{
    return build_check_size("stencil", (double)param_integer(ps, "width") * (double)param_integer(ps, "steps"), 0, e);
}

static enum err_code generate(const struct param_set *ps, struct random_stream *random, struct dag *out, struct err *e)
{
    (void)e; /* there are at most three times as many edges as tasks */
    int width = (int)param_integer(ps, "width"), steps = (int)param_integer(ps, "steps");
    bool is_wave = strcmp(param_text(ps, "pattern"), "wavefront") == 0;
    for (int s = 0; s < steps; s++)
        for (int i = 0; i < width; i++) {
            task_id t = build_task(out, 1, "cell_%d_%d", s, i);
            /* In the order of the sources: left, own, right neighbour. The order of edges is part of the graph,
               because it breaks ties. */
            if (s > 0 && !is_wave && i > 0)
                build_edge(out, t - width - 1, t, 1);
            if (s > 0)
                build_edge(out, t - width, t, 1);
            if (s > 0 && !is_wave && i + 1 < width)
                build_edge(out, t - width + 1, t, 1);
            if (is_wave && i > 0)
                build_edge(out, t - 1, t, 1);
        }
    build_costs(out, ps, random);
    return ERR_NONE;
}

extern const struct dag_generator dag_generator_stencil;
const struct dag_generator dag_generator_stencil = {
    .name = "stencil",
    .summary = "a row of cells over time, a wavefront or three-point stencil: cell_STEP_NUMBER",
    .source = "",
    .params = params,
    .check = check,
    .generate = generate,
};
