/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "runs/online_outcome.h"

#include "base/isolate.h"
#include "base/mem.h"
#include "dag/dag_generate.h"
#include "dag/format.h"
#include "workload/workload.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- jobs ---- */

static enum err_code make_graph(struct online_outcome *x, const struct workload_group *g, long k, struct dag *out,
                                struct err *e)
{
    enum err_code code = g->graph != NULL ? dag_read(g->graph, NULL, NULL, out, e)
                                          : dag_generate(g->generator, g->seed + (uint64_t)k, out, e);
    return code == ERR_NONE && g->ccr > 0 ? dag_set_ccr(out, &x->machine->routes, g->ccr, e) : code;
}

static char *name_of(const struct workload_group *g, long k, int job)
{
    if (g->name == NULL)
        return mem_format("job%d", job + 1);
    return g->count > 1 ? mem_format("%s-%ld", g->name, k + 1) : mem_strdup(g->name);
}

/* What the jobs of a group take on all hosts together. */
static double work_s(const struct online_outcome *x, int first, long n)
{
    const struct machine *m = x->machine->routes.machine;
    double work_flop = 0, flop_per_s = 0;
    for (long k = 0; k < n; k++)
        work_flop += dag_work_flop(&x->dags[first + k]);
    for (size_t h = 0; h < m->n_hosts; h++)
        flop_per_s += m->hosts[h].speed_flop_per_s;
    return work_flop / flop_per_s;
}

static enum err_code release_group(struct online_outcome *x, const struct workload_group *g, int first,
                                   const struct cost_model *model, struct err *e)
{
    struct release_rule rule = {.size = 1};
    double *dates_s = mem_alloc((size_t)g->count * sizeof *dates_s);
    enum err_code code = release_parse(g->arrival != NULL ? g->arrival : "at_once", NULL, &rule, e);
    if (code == ERR_NONE)
        code = release_dates(&rule, g->count, work_s(x, first, g->count), g->seed, dates_s, e);
    for (long k = 0; k < g->count && code == ERR_NONE; k++) {
        double release_s = g->release_s + dates_s[k];
        x->jobs[first + k] = (struct runtime_job){.name = x->names[first + k],
                                                  .problem = {.dag = &x->dags[first + k],
                                                              .machine = x->machine->routes.machine,
                                                              .routes = &x->machine->routes,
                                                              .model = model},
                                                  .release_s = release_s,
                                                  .weight = g->weight,
                                                  .deadline_s = fmin(g->deadline_s, release_s + g->within_s)};
        code = problem_check_times(&x->jobs[first + k].problem, e);
    }
    release_clear(&rule);
    free(dates_s);
    return code;
}

static enum err_code make_jobs(struct online_outcome *x, const struct workload *w, const struct cost_model *model,
                               struct err *e)
{
    long n = 0, n_tasks = 0, n_edges = 0;
    enum err_code code = ERR_NONE;
    for (size_t i = 0; i < w->n_groups; i++)
        n += w->groups[i].count;
    x->dags = mem_zalloc((size_t)n, sizeof *x->dags);
    x->names = mem_zalloc((size_t)n, sizeof(char *));
    x->jobs = mem_zalloc((size_t)n, sizeof *x->jobs);
    for (size_t i = 0; i < w->n_groups && code == ERR_NONE; i++) {
        const struct workload_group *g = &w->groups[i];
        int first = x->n_jobs;
        for (long k = 0; k < g->count && code == ERR_NONE; k++) {
            code = make_graph(x, g, k, &x->dags[x->n_jobs], e);
            if (code != ERR_NONE)
                break;
            x->names[x->n_jobs] = name_of(g, k, x->n_jobs);
            n_tasks += x->dags[x->n_jobs].n_tasks;
            n_edges += x->dags[x->n_jobs++].n_edges;
            if (n_tasks + 2 * n_edges > INT_MAX)
                code = err_set(e, ERR_INPUT, "the workload is too large: more than %d tasks and messages", INT_MAX);
        }
        if (code == ERR_NONE)
            code = release_group(x, g, first, model, e);
    }
    return code;
}

/* The jobs of the command line, or of a scenario: one group. */
static enum err_code one_group(const struct param_set *ps, struct workload *out, struct err *e)
{
    bool has_graph = param_has(ps, "graph"), has_generator = param_has(ps, "generator");
    if (has_graph == has_generator)
        return err_set(e, ERR_INPUT, "jobs come from a workload, or all from one graph or one generator: give one");
    struct workload_group *g = mem_zalloc(1, sizeof *g);
    *g = (struct workload_group){.graph = has_graph ? mem_strdup(param_text(ps, "graph")) : NULL,
                                 .generator = has_generator ? mem_strdup(param_text(ps, "generator")) : NULL,
                                 .ccr = param_number(ps, "ccr"),
                                 .seed = (uint64_t)param_integer(ps, "instance"),
                                 .count = param_integer(ps, "jobs"),
                                 .arrival = param_has(ps, "arrival") ? mem_strdup(param_text(ps, "arrival")) : NULL,
                                 .weight = 1,
                                 .deadline_s = INFINITY,
                                 .within_s = param_has(ps, "within") ? param_number(ps, "within") : INFINITY};
    *out = (struct workload){.groups = g, .n_groups = 1, .capacity = 1};
    return ERR_NONE;
}

/* ---- a run ---- */

static enum err_code read_how(struct online_outcome *x, const struct point *p, struct err *e)
{
    const struct param_set *ps = p->params;
    const char *prefetch = param_text(ps, "prefetch");
    x->how = (struct online_options){.policy = &x->policy,
                                     .noise = row_noise(p, &x->noise),
                                     .decision_s = param_number(ps, "decision_time"),
                                     .decision_task_s = param_number(ps, "decision_time_task")};
    if (strcmp(prefetch, "all") != 0)
        text_to_long(prefetch, &x->how.prefetch); /* its row has checked it */
    enum err_code code = world_find_of_networks(param_text(ps, "world"), &x->how.world, e);
    if (code == ERR_NONE)
        code = runtime_policy_choose(param_text(ps, "policy"), &x->policy, e);
    if (code == ERR_NONE && x->policy.policy->plans_jobs && row_is(ps, "reveal", "task"))
        code = err_set(e, ERR_INPUT, "policy %s plans whole jobs: it needs reveal 'job', not 'task'", x->policy.text);
    if (code == ERR_NONE)
        x->how.takes_ready_first =
            param_has(ps, "order") ? row_is(ps, "order", "ready") : x->policy.policy->takes_ready_first;
    return code;
}

static void start_runtime(struct online_outcome *x, const struct point *p)
{
    runtime_init(&x->runtime, x->machine->routes.machine, &x->machine->routes, x->jobs, x->n_jobs);
    x->runtime.reveals_tasks = row_is(p->params, "reveal", "task");
    random_init(&x->runtime.random, (uint64_t)param_integer(p->params, "policy_seed"), 0);
}

enum err_code online_outcome_init(struct online_outcome *out, const struct point *p, struct err *e)
{
    const struct param_set *ps = p->params;
    const struct cost_model *model = NULL;
    struct workload workload = {0};
    *out = (struct online_outcome){.machine = p->shared};
    enum err_code code = read_how(out, p, e);
    if (code == ERR_NONE)
        code = cost_model_find(param_text(ps, "model"), &model, e);
    if (code == ERR_NONE)
        code = param_has(ps, "workload") ? workload_read(param_text(ps, "workload"), &workload, e)
                                         : one_group(ps, &workload, e);
    if (code == ERR_NONE)
        code = make_jobs(out, &workload, model, e);
    if (code == ERR_NONE)
        start_runtime(out, p);
    workload_clear(&workload);
    return code;
}

/* ---- jobs alone ---- */

struct alone {
    const struct online_outcome *x;
    const struct point *p;
    const struct runtime_policy_choice *policy;
    double *response_s; /* [job], shared with the child */
    int job;
};

static enum err_code run_alone(void *self, struct err *e)
{
    const struct alone *a = self;
    struct runtime_job job = a->x->jobs[a->job];
    struct runtime r;
    struct online_result result = {0};
    struct online_options how = a->x->how;
    job.release_s = 0;
    how.noise = NULL; /* what it takes is what was estimated */
    how.policy = a->policy;
    how.takes_ready_first = false;
    how.decision_s = how.decision_task_s = 0;
    runtime_init(&r, a->x->runtime.machine, a->x->runtime.routes, &job, 1);
    enum err_code code = online_run(a->x->machine->engine, &r, &how, &result, e);
    if (code == ERR_NONE)
        a->response_s[a->job] = result.makespan_s;
    online_result_clear(&result);
    runtime_clear(&r);
    return code;
}

static enum err_code find_alone(struct online_outcome *x, const struct point *p, struct err *e)
{
    size_t size = (size_t)x->n_jobs * sizeof(double);
    struct runtime_policy_choice heft = {0};
    struct alone a = {x, p, &x->policy, isolate_shared(size), 0};
    if (a.response_s == NULL)
        return err_set(e, ERR_INTERNAL, "out of memory");
    enum err_code code = ERR_NONE;
    if (strcmp(x->policy.policy->name, "static") != 0) {
        code = runtime_policy_choose("static", &heft, e);
        a.policy = &heft;
    }
    for (; a.job < x->n_jobs && code == ERR_NONE; a.job++)
        code = isolate_run(run_alone, &a, e);
    for (int j = 0; j < x->n_jobs && code == ERR_NONE; j++)
        x->figures[j].alone_s = a.response_s[j];
    runtime_policy_choice_clear(&heft);
    isolate_unshare(a.response_s, size);
    return code;
}

static double ratio(double x, double y)
{
    return y > 0 ? x / y : NAN;
}

static void fill_figures(struct online_outcome *x)
{
    for (int j = 0; j < x->n_jobs; j++) {
        const struct runtime_job *job = &x->jobs[j];
        const struct online_job *ran = &x->result.jobs[j];
        struct online_figures *f = &x->figures[j];
        double bound_s = fmax(problem_critical_path_s(&job->problem), problem_work_bound_s(&job->problem));
        f->wait_s = ran->start_s - job->release_s;
        f->response_s = ran->finish_s - job->release_s;
        f->stretch_ratio = ratio(f->response_s, f->alone_s);
        f->slowdown_ratio = ratio(f->response_s, bound_s);
        f->tardiness_s = isfinite(job->deadline_s) ? fmax(0, ran->finish_s - job->deadline_s) : NAN;
    }
}

enum err_code online_outcome_run(struct online_outcome *x, const struct point *p, struct err *e)
{
    x->figures = mem_alloc((size_t)x->n_jobs * sizeof *x->figures);
    for (int j = 0; j < x->n_jobs; j++)
        x->figures[j] = (struct online_figures){NAN, NAN, NAN, NAN, NAN, NAN};
    enum err_code code = row_is(p->params, "stretch", "on") ? find_alone(x, p, e) : ERR_NONE;
    if (code == ERR_NONE)
        code = online_run(x->machine->engine, &x->runtime, &x->how, &x->result, e);
    if (code == ERR_NONE)
        fill_figures(x);
    return foreign_judge(code, e);
}

void online_outcome_clear(struct online_outcome *x)
{
    online_result_clear(&x->result);
    runtime_clear(&x->runtime);
    runtime_policy_choice_clear(&x->policy);
    noise_clear(&x->noise);
    for (int j = 0; j < x->n_jobs; j++) {
        dag_clear(&x->dags[j]);
        free(x->names[j]);
    }
    free(x->dags);
    free(x->names);
    free(x->jobs);
    free(x->figures);
}
