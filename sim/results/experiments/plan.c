/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A schedule of a task graph, as planned ([S] 8.4), as a point of a sweep. Simulates nothing. */
#include "experiments/graph_point.h"
#include "experiments/overrides.h"

static const struct param params[] = {GRAPH_POINT_PARAMS, OVERRIDE_OCCUPATION_PARAMS, {0}};

static const struct metric metrics[] = {GRAPH_POINT_METRICS, {0}};

static enum err_code run(const struct point *p, double *out, struct err *e)
{
    struct graph_point g;
    enum err_code code = graph_point_init(&g, p, out, e);
    graph_point_clear(&g);
    return code;
}

static const char *const optional_params[] = {GRAPH_POINT_OPTIONAL, OVERRIDE_OCCUPATION_NAMES, NULL};
static const char *const shared_params[] = {"platform", OVERRIDE_OCCUPATION_NAMES, NULL};

extern const struct experiment experiment_plan;
const struct experiment experiment_plan = {
    .name = "plan",
    .summary = "a task graph scheduled under a cost model: the plan",
    .source = "[S] 8.4",
    .results_version = 2,
    .params = params,
    .metrics = metrics,
    .optional_params = optional_params,
    .shared_params = shared_params,
    GRAPH_POINT_EXPERIMENT,
    .run = run,
};
