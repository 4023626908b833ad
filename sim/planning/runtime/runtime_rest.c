/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "runtime/runtime_rest.h"

#include "base/mem.h"
#include "schedulers/scheduler.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static bool is_left(const struct runtime *r, work_id w)
{
    return r->works[w].state == WORK_KNOWN || r->works[w].state == WORK_QUEUED;
}

/* Of all works those that are left; the whole job, if they are one. */
static void find_works(struct runtime_rest *x)
{
    const struct runtime *r = x->runtime;
    int n_jobs = 0;
    x->works = mem_alloc(((size_t)r->n_works + 1) * sizeof *x->works);
    x->whole_job = -1;
    for (int j = 0; j < r->n_jobs; j++) {
        const struct runtime_job *job = &r->jobs[j];
        int before = x->n;
        for (task_id t = 0; t < job->problem.dag->n_tasks && job->is_released && job->n_left > 0; t++)
            if (is_left(r, job->first_work + t))
                x->works[x->n++] = job->first_work + t;
        if (x->n == before)
            continue;
        x->whole_job = n_jobs++ == 0 && x->n == job->problem.dag->n_tasks ? j : -1;
    }
}

static enum err_code add_edges(struct runtime_rest *x, const task_id *task_of, struct err *e)
{
    const struct runtime *r = x->runtime;
    enum err_code code = ERR_NONE;
    for (int i = 0; i < x->n; i++) {
        work_id w = x->works[i];
        const struct runtime_job *j = &r->jobs[r->works[w].job];
        const struct dag *g = j->problem.dag;
        if (i > 0 && r->works[x->works[i - 1]].job == r->works[w].job)
            continue; /* a job's edges in the order of its graph, which breaks ties */
        for (edge_id k = 0; k < g->n_edges && code == ERR_NONE; k++) {
            const struct edge *edge = &g->edges[k];
            if (is_left(r, j->first_work + edge->src) && is_left(r, j->first_work + edge->dst))
                code = dag_add_edge(&x->made, task_of[j->first_work + edge->src], task_of[j->first_work + edge->dst],
                                    edge->size_bytes, 0, e);
        }
    }
    return code;
}

static enum err_code make_graph(struct runtime_rest *x, struct err *e)
{
    const struct runtime *r = x->runtime;
    task_id *task_of = mem_alloc(((size_t)r->n_works + 1) * sizeof *task_of);
    enum err_code code = ERR_NONE;
    dag_init(&x->made, "what is left");
    for (int i = 0; i < x->n && code == ERR_NONE; i++) {
        work_id w = x->works[i];
        char name[24];
        snprintf(name, sizeof name, "%d", w);
        code = dag_add_task(&x->made, name, runtime_problem(r, w)->dag->tasks[runtime_task(r, w)].work_flop, 0,
                            &task_of[w], e);
    }
    if (code == ERR_NONE)
        code = add_edges(x, task_of, e);
    free(task_of);
    return code == ERR_NONE ? dag_seal(&x->made, e) : code;
}

static void find_dates(struct runtime_rest *x)
{
    struct runtime *r = x->runtime;
    size_t n_hosts = r->machine->n_hosts;
    x->busy_until_s = mem_alloc(n_hosts * sizeof *x->busy_until_s);
    for (size_t h = 0; h < n_hosts; h++)
        x->busy_until_s[h] = runtime_idle_s(r, (host_id)h) - r->now_s;
    x->problem.busy_until_s = x->busy_until_s;
    if (x->whole_job >= 0)
        return; /* all its data are its own */
    x->data_s = mem_alloc((size_t)x->n * n_hosts * sizeof *x->data_s);
    for (int i = 0; i < x->n; i++)
        for (size_t h = 0; h < n_hosts; h++)
            x->data_s[(size_t)i * n_hosts + h] = runtime_arrival_s(r, x->works[i], (host_id)h) - r->now_s;
    x->problem.data_s = x->data_s;
}

enum err_code runtime_rest_init(struct runtime_rest *x, struct runtime *r, struct err *e)
{
    *x = (struct runtime_rest){.runtime = r};
    find_works(x);
    if (x->n == 0)
        return ERR_NONE;
    x->problem = *runtime_problem(r, x->works[0]);
    if (x->whole_job < 0) {
        enum err_code code = make_graph(x, e);
        if (code != ERR_NONE)
            return code;
        x->problem.dag = &x->made;
    }
    find_dates(x);
    return ERR_NONE;
}

void runtime_rest_clear(struct runtime_rest *x)
{
    dag_clear(&x->made);
    free(x->works);
    free(x->busy_until_s);
    free(x->data_s);
    free(x->sequence);
    *x = (struct runtime_rest){0};
}

struct planned {
    struct span span;
    int rank; /* in the graph's topological order */
    task_id task;
};

static int by_date(const void *a, const void *b)
{
    const struct planned *x = a, *y = b;
    if (x->span.start_s != y->span.start_s)
        return x->span.start_s < y->span.start_s ? -1 : 1;
    if (x->span.finish_s != y->span.finish_s)
        return x->span.finish_s < y->span.finish_s ? -1 : 1;
    return x->rank - y->rank;
}

static void find_sequence(struct runtime_rest *x, const struct schedule *s)
{
    struct planned *list = mem_alloc((size_t)x->n * sizeof *list);
    x->sequence = mem_alloc((size_t)x->n * sizeof *x->sequence);
    for (int i = 0; i < x->n; i++) {
        task_id t = s->problem.dag->order[i];
        list[i] = (struct planned){s->tasks[t].span, i, t};
    }
    qsort(list, (size_t)x->n, sizeof *list, by_date);
    for (int i = 0; i < x->n; i++)
        x->sequence[i] = list[i].task;
    free(list);
}

void runtime_rest_put(struct runtime_rest *x, struct schedule *s)
{
    find_sequence(x, s);
    for (int i = 0; i < x->n; i++)
        runtime_put(x->runtime, x->works[x->sequence[i]], s->tasks[x->sequence[i]].host, -1);
    if (x->whole_job >= 0) {
        s->problem.busy_until_s = NULL;
        runtime_follow(x->runtime, x->whole_job, s);
        return;
    }
    schedule_clear(s);
    free(s);
}

enum err_code runtime_plan_alone(const struct runtime *r, int job, struct schedule *out, struct err *e)
{
    struct scheduler_choice heft;
    enum err_code code = scheduler_choose("heft", &heft, e);
    if (code != ERR_NONE)
        return code;
    code = scheduler_plan(&heft, &r->jobs[job].problem, NULL, out, e);
    scheduler_choice_clear(&heft);
    return code;
}
