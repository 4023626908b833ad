/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "runtime/runtime_fair.h"

#include "base/choose.h"
#include "base/mem.h"
#include "plan/draft.h"
#include "runtime/runtime_batch.h"
#include "runtime/runtime_rest.h"
#include "schedulers/core.h"
#include "schedulers/priority.h"

#include <math.h>
#include <stdlib.h>

struct fair {
    struct span *own;     /* [work]: in the schedule of its job alone, from its release */
    double *own_length_s; /* [job]; NAN: not planned yet */
};

/* One planning. */
struct common {
    struct fair *fair;
    struct runtime_rest rest;
    struct schedule *schedule;
    enum fair_rule rule;
    task_id **next, **last; /* [job]: of its tasks in the list, what is not placed yet */
    double *slowdown;       /* [job] */
    task_id *lists;
};

enum err_code runtime_fair_begin(const struct runtime *r, const struct param_set *ps, void **state, struct err *e)
{
    (void)ps, (void)e;
    struct fair *x = mem_alloc(sizeof *x);
    x->own = mem_alloc(((size_t)r->n_works + 1) * sizeof *x->own);
    x->own_length_s = mem_alloc((size_t)r->n_jobs * sizeof *x->own_length_s);
    for (int j = 0; j < r->n_jobs; j++)
        x->own_length_s[j] = NAN;
    *state = x;
    return ERR_NONE;
}

void runtime_fair_end(void *state)
{
    struct fair *x = state;
    if (x != NULL) {
        free(x->own);
        free(x->own_length_s);
    }
    free(x);
}

static enum err_code plan_alone(struct fair *x, const struct runtime *r, int job, struct err *e)
{
    const struct runtime_job *j = &r->jobs[job];
    struct schedule s;
    enum err_code code = runtime_plan_alone(r, job, &s, e);
    if (code != ERR_NONE)
        return code;
    for (task_id t = 0; t < j->problem.dag->n_tasks; t++)
        x->own[j->first_work + t] = s.tasks[t].span;
    x->own_length_s[job] = schedule_length_s(&s);
    schedule_clear(&s);
    return ERR_NONE;
}

/* From what of it has started; 0: nothing has. */
static double slowdown_so_far(const struct fair *x, const struct runtime *r, int job)
{
    const struct runtime_job *j = &r->jobs[job];
    double own_s = 0, slowdown = 0;
    for (task_id t = 0; t < j->problem.dag->n_tasks; t++) {
        const struct runtime_work *w = &r->works[j->first_work + t];
        if ((w->state != WORK_STARTED && w->state != WORK_ENDED) || x->own[j->first_work + t].finish_s < own_s)
            continue;
        double finish_s = w->state == WORK_ENDED ? w->finish_s : fmax(r->now_s, r->hosts[w->host].until_s);
        own_s = x->own[j->first_work + t].finish_s;
        slowdown = finish_s > j->release_s ? own_s / (finish_s - j->release_s) : 1;
    }
    return slowdown;
}

/* The part of its own schedule that a job has done by a date, in seconds of that schedule. */
static double own_progress_s(const struct common *c, int job, double date_s)
{
    const struct runtime *r = c->rest.runtime;
    const struct runtime_job *j = &r->jobs[job];
    double progress_s = 0;
    for (task_id t = 0; t < j->problem.dag->n_tasks; t++) {
        const struct runtime_work *w = &r->works[j->first_work + t];
        const struct span *own = &c->fair->own[j->first_work + t];
        if (w->state != WORK_STARTED && w->state != WORK_ENDED)
            continue;
        double finish_s = w->state == WORK_ENDED ? w->finish_s : fmax(r->now_s, r->hosts[w->host].until_s);
        double part =
            date_s >= finish_s || !(finish_s > w->start_s) ? 1 : (date_s - w->start_s) / (finish_s - w->start_s);
        progress_s = fmax(progress_s, own->start_s + part * (own->finish_s - own->start_s));
    }
    return progress_s;
}

static void update_by_concurrent(struct common *c, double date_s)
{
    struct runtime *r = c->rest.runtime;
    for (int j = 0; j < r->n_jobs; j++) {
        if (c->next[j] == c->last[j])
            continue;
        c->slowdown[j] = own_progress_s(c, j, date_s);
    }
    for (int i = 0; i < c->rest.n; i++) {
        const struct planned_task *p = &c->schedule->tasks[i];
        work_id w = c->rest.works[i];
        int j = r->works[w].job;
        double start_s = r->now_s + p->span.start_s, finish_s = r->now_s + p->span.finish_s;
        if (p->host < 0 || start_s > date_s || c->next[j] == c->last[j])
            continue;
        double part = date_s >= finish_s || !(finish_s > start_s) ? 1 : (date_s - start_s) / (finish_s - start_s);
        const struct span *own = &c->fair->own[w];
        c->slowdown[j] = fmax(c->slowdown[j], own->start_s + part * (own->finish_s - own->start_s));
    }
    for (int j = 0; j < r->n_jobs; j++)
        if (c->next[j] != c->last[j])
            c->slowdown[j] = date_s > r->jobs[j].release_s ? c->slowdown[j] / (date_s - r->jobs[j].release_s) : 1;
}

static void update(struct common *c, task_id t)
{
    const struct runtime *r = c->rest.runtime;
    work_id w = c->rest.works[t];
    int j = r->works[w].job;
    double date_s = r->now_s + c->schedule->tasks[t].span.finish_s;
    if (c->rule == FAIR_BY_CONCURRENT)
        update_by_concurrent(c, date_s);
    else
        c->slowdown[j] = date_s > r->jobs[j].release_s ? c->fair->own[w].finish_s / (date_s - r->jobs[j].release_s) : 1;
}

/* The least slowdown; of equal ones the longest schedule of its own, then the first. -1: all is placed. */
static int next_job(const struct common *c)
{
    const struct runtime *r = c->rest.runtime;
    const double *own_s = c->fair->own_length_s;
    int best = -1;
    for (int j = 0; j < r->n_jobs; j++) {
        if (c->next[j] == c->last[j])
            continue;
        double value = choose_rounded(c->slowdown[j]), least = best >= 0 ? choose_rounded(c->slowdown[best]) : INFINITY;
        if (best < 0 || value < least || (value == least && choose_rounded(own_s[j]) > choose_rounded(own_s[best])))
            best = j;
    }
    return best;
}

/* The tasks of each job by falling rank. */
static void make_lists(struct common *c, const task_id *list)
{
    struct runtime *r = c->rest.runtime;
    size_t n_jobs = (size_t)r->n_jobs;
    int *n = mem_zalloc(n_jobs + 1, sizeof *n);
    c->next = mem_alloc(2 * n_jobs * sizeof(task_id *));
    c->last = c->next + n_jobs;
    c->lists = mem_alloc((size_t)c->rest.n * sizeof *c->lists);
    c->slowdown = mem_alloc(n_jobs * sizeof *c->slowdown);
    for (int i = 0; i < c->rest.n; i++)
        n[r->works[c->rest.works[i]].job]++;
    task_id *at = c->lists;
    for (int j = 0; j < r->n_jobs; j++) {
        c->next[j] = c->last[j] = at;
        at += n[j];
        c->slowdown[j] = n[j] > 0 ? slowdown_so_far(c->fair, r, j) : 0;
    }
    for (int i = 0; i < c->rest.n; i++)
        *c->last[r->works[c->rest.works[list[i]]].job]++ = list[i];
    free(n);
}

static enum err_code plan(struct common *c, struct err *e)
{
    const struct problem *p = &c->rest.problem;
    schedule_init(c->schedule, p);
    double *level_s = core_bottom_levels(p, "mean", "pairs");
    task_id *list = priority_list_of(p->dag, level_s);
    struct draft_options how = {.technique = TECHNIQUE_INSERTION, .list = list};
    struct draft *d = draft_create_by(c->schedule, &how);
    make_lists(c, list);
    for (int j = next_job(c); j >= 0; j = next_job(c)) {
        task_id t = *c->next[j]++;
        draft_place(d, t, draft_choose_host(d, t, DRAFT_LEAST_FINISH));
        update(c, t);
    }
    draft_free(d);
    free(list);
    free(level_s);
    free(c->next);
    free(c->lists);
    free(c->slowdown);
    return schedule_compact(c->schedule, e);
}

enum err_code runtime_fair_decide(enum fair_rule rule, void *state, struct runtime *r,
                                  const struct runtime_event *events, size_t n, struct err *e)
{
    struct common c = {.fair = state, .rule = rule};
    enum err_code code = ERR_NONE;
    if (!runtime_has_news(r, events, n))
        return ERR_NONE;
    for (size_t i = 0; i < n && code == ERR_NONE; i++)
        if (events[i].kind == EVENT_RELEASED)
            code = plan_alone(c.fair, r, events[i].job, e);
    if (code != ERR_NONE)
        return code;
    code = runtime_rest_init(&c.rest, r, e);
    if (code == ERR_NONE && c.rest.n > 0) {
        c.schedule = mem_zalloc(1, sizeof *c.schedule);
        code = plan(&c, e);
        if (code == ERR_NONE) {
            runtime_rest_put(&c.rest, c.schedule);
        } else {
            schedule_clear(c.schedule);
            free(c.schedule);
        }
    }
    runtime_rest_clear(&c.rest);
    return code;
}
