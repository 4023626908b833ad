/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Each job is planned when it is released, on the hosts as they are: behind what they have. The plan is then followed,
   processor by processor, whatever happens. */
#include "base/mem.h"
#include "runtime/runtime_policy.h"
#include "schedulers/scheduler.h"

#include <math.h>
#include <stdlib.h>

static const struct param params[] = {
    {"scheduler", PARAM_TEXT, "", "heft", 0, 0, NULL, "what plans a job; `iasim list schedulers` lists them"},
    RUNTIME_PARAM_MODEL,
    {0},
};

struct planner {
    struct scheduler_choice scheduler;
};

static void end(void *state)
{
    struct planner *x = state;
    if (x != NULL)
        scheduler_choice_clear(&x->scheduler);
    free(x);
}

static enum err_code begin(const struct runtime *r, const struct param_set *ps, void **state, struct err *e)
{
    (void)r;
    struct planner *x = mem_zalloc(1, sizeof *x);
    *state = x;
    return scheduler_choose(param_text(ps, "scheduler"), &x->scheduler, e);
}

struct planned {
    struct planned_task at;
    int rank; /* in the graph's topological order */
    task_id task;
};

static int by_host_and_date(const void *a, const void *b)
{
    const struct planned *x = a, *y = b;
    if (x->at.host != y->at.host)
        return x->at.host < y->at.host ? -1 : 1;
    if (x->at.span.start_s != y->at.span.start_s)
        return x->at.span.start_s < y->at.span.start_s ? -1 : 1;
    if (x->at.span.finish_s != y->at.span.finish_s)
        return x->at.span.finish_s < y->at.span.finish_s ? -1 : 1;
    return x->rank - y->rank;
}

static void put(struct runtime *r, int job, struct schedule *s)
{
    const struct dag *g = s->problem.dag;
    struct planned *list = mem_alloc((size_t)g->n_tasks * sizeof *list);
    for (int i = 0; i < g->n_tasks; i++)
        list[i] = (struct planned){s->tasks[g->order[i]], i, g->order[i]};
    qsort(list, (size_t)g->n_tasks, sizeof *list, by_host_and_date);
    for (int i = 0; i < g->n_tasks; i++)
        runtime_put(r, r->jobs[job].first_work + list[i].task, list[i].at.host, -1);
    free(list);
    runtime_follow(r, job, s);
}

static enum err_code plan(struct planner *x, struct runtime *r, int job, struct err *e)
{
    size_t n_hosts = r->machine->n_hosts;
    double *busy_until_s = mem_alloc(n_hosts * sizeof *busy_until_s);
    for (size_t h = 0; h < n_hosts; h++)
        busy_until_s[h] = runtime_free_s(r, (host_id)h) - r->now_s;
    struct problem p = r->jobs[job].problem;
    p.busy_until_s = busy_until_s;
    struct schedule *s = mem_zalloc(1, sizeof *s);
    enum err_code code = scheduler_plan(&x->scheduler, &p, NULL, s, e);
    free(busy_until_s);
    if (code != ERR_NONE) {
        free(s);
        return code;
    }
    s->problem.busy_until_s = NULL;
    put(r, job, s);
    return ERR_NONE;
}

static enum err_code decide(void *state, struct runtime *r, const struct runtime_event *events, size_t n, struct err *e)
{
    enum err_code code = ERR_NONE;
    for (size_t i = 0; i < n && code == ERR_NONE; i++)
        if (events[i].kind == EVENT_RELEASED)
            code = plan(state, r, events[i].job, e);
    return code;
}

extern const struct runtime_policy runtime_policy_static;
const struct runtime_policy runtime_policy_static = {
    .name = "static",
    .summary = "each job is planned when it comes, behind what the hosts have, and the plan is followed",
    .source = "iasim",
    .params = params,
    .plans_jobs = true,
    .begin = begin,
    .end = end,
    .decide = decide,
};
