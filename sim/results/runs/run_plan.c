/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A schedule of a task graph, as planned ([S] 8.4), as a point of a sweep. Simulates nothing. */
#include "runs/graph_rows.h"

static const struct run_param rows[] = {
    GRAPH_ROWS,
    GRAPH_FILE_ROWS,
    OCCUPATION_ROWS(0),
    {.is = {0}},
};

static const struct metric metrics[] = {GRAPH_METRICS, {0}};

static enum err_code run(const struct point *p, double *out, struct err *e)
{
    struct graph_point g;
    enum err_code code = graph_point_init(&g, p, out, e);
    graph_point_clear(&g);
    return code;
}

const struct run_kind run_plan = {
    .name = "plan",
    .summary = "a task graph scheduled under a cost model: the plan",
    .source = "[S] 8.4",
    .results_version = 2,
    GRAPH_KIND,
};
