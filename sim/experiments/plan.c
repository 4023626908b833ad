/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A schedule of a task graph, as planned ([S] 8.4), as a point of a sweep. Simulates nothing. */
#include "base/isolate.h"
#include "experiments/graph_point.h"

#include <string.h>

static const struct param params[] = {GRAPH_POINT_PARAMS, {0}};

static const struct metric metrics[] = {GRAPH_POINT_METRICS, {0}};

struct job {
    const struct point *p;
    double *metrics;
};

static enum err_code plan(void *self, struct err *e)
{
    const struct job *job = self;
    struct graph_point g;
    enum err_code code = graph_point_init(&g, job->p, job->metrics, e);
    graph_point_clear(&g);
    return code;
}

/* In a process of its own: whatever it does to memory, locale, rounding or its own variables, the points after it do not
   see. */
static enum err_code plan_by_plugin(struct job job, double *out, struct err *e)
{
    size_t size = N_PLAN_METRICS * sizeof *out;
    job.metrics = isolate_shared(size);
    if (job.metrics == NULL)
        return err_set(e, ERR_INTERNAL, "no memory to share with a process");
    enum err_code code = isolate_run_foreign(plan, &job, 0, e);
    if (code == ERR_NONE)
        memcpy(out, job.metrics, size);
    isolate_unshare(job.metrics, size);
    return code;
}

static enum err_code run(const struct point *p, double *out, struct err *e)
{
    struct job job = {p, out};
    bool is_foreign = graph_point_origin("scheduler", param_text(p->params, "scheduler")) != NULL;
    return is_foreign ? plan_by_plugin(job, out, e) : plan(&job, e);
}

extern const struct experiment experiment_plan;
const struct experiment experiment_plan = {
    .name = "plan",
    .summary = "a task graph scheduled under a cost model: the plan",
    .source = "[S] 8.4",
    .results_version = 1,
    .params = params,
    .metrics = metrics,
    .files = graph_point_files,
    .check = graph_point_check,
    .origin = graph_point_origin,
    .check_given = graph_point_check_given,
    .seed_param = "instance",
    .seeded_param = "generator",
    .instance_params = graph_point_instance,
    .shared_params = graph_point_shared,
    .prepare = graph_point_prepare,
    .run = run,
};
