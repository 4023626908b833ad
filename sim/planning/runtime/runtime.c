/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Queues are lists through arrays, so a policy puts, moves and takes back in constant time. Each change is also kept as
   an action: decisions that take time are undone when they have been made, and made again when they take effect. */
#include "runtime/runtime.h"

#include "base/mem.h"

#include <math.h>
#include <stdlib.h>

static void init_jobs(struct runtime *r)
{
    for (int j = 0; j < r->n_jobs; j++) {
        struct runtime_job *job = &r->jobs[j];
        job->first_work = r->n_works;
        job->first_data = r->n_data;
        job->is_released = false;
        job->n_left = job->problem.dag->n_tasks;
        r->n_works += job->problem.dag->n_tasks;
        r->n_data += job->problem.dag->n_edges;
    }
}

void runtime_init(struct runtime *r, const struct machine *m, const struct route_table *routes,
                  struct runtime_job *jobs, int n_jobs)
{
    *r = (struct runtime){.machine = m, .routes = routes, .jobs = jobs, .n_jobs = n_jobs, .call_at_s = INFINITY};
    init_jobs(r);
    size_t n_works = (size_t)r->n_works, n_items = n_works + 2 * (size_t)r->n_data;
    r->works = mem_alloc((n_works + 1) * sizeof *r->works);
    r->looked_at = mem_zalloc(n_works + 1, sizeof *r->looked_at);
    r->hosts = mem_alloc(m->n_hosts * sizeof *r->hosts);
    r->next = mem_alloc((n_items + 1) * sizeof *r->next);
    r->previous = mem_alloc((n_items + 1) * sizeof *r->previous);
    r->queue_of = mem_alloc((n_items + 1) * sizeof *r->queue_of);
    for (size_t i = 0; i < n_items; i++)
        r->next[i] = r->previous[i] = r->queue_of[i] = -1;
    for (size_t h = 0; h < m->n_hosts; h++)
        r->hosts[h] = (struct runtime_host){.first = -1, .last = -1, .running = -1};
    for (int j = 0; j < n_jobs; j++) {
        const struct dag *g = jobs[j].problem.dag;
        for (task_id t = 0; t < g->n_tasks; t++)
            r->works[jobs[j].first_work + t] = (struct runtime_work){
                .job = j, .host = -1, .n_before = g->in_start[t + 1] - g->in_start[t], .start_s = NAN, .finish_s = NAN};
    }
}

void runtime_clear(struct runtime *r)
{
    runtime_end_actions(r);
    runtime_traffic_free(r);
    free(r->actions);
    free(r->works);
    free(r->looked_at);
    free(r->hosts);
    free(r->next);
    free(r->previous);
    free(r->queue_of);
    *r = (struct runtime){0};
}

enum err_code runtime_believe(struct runtime *r, const struct param_set *params, struct err *e)
{
    const struct cost_model *model;
    if (!param_is_known(params, "model") || !param_has(params, "model"))
        return ERR_NONE;
    enum err_code code = cost_model_find(param_text(params, "model"), &model, e);
    for (int j = 0; j < r->n_jobs && code == ERR_NONE; j++) {
        r->jobs[j].problem.model = model;
        code = problem_check_times(&r->jobs[j].problem, e);
    }
    return code;
}

void runtime_look_at(struct runtime *r, work_id w)
{
    if (r->looked_at[w] == r->n_calls)
        return;
    r->looked_at[w] = r->n_calls;
    r->n_looked_at++;
}

int runtime_job_of_data(const struct runtime *r, data_id d)
{
    int low = 0, high = r->n_jobs; /* jobs without edges share a first number: the last of them has the edge */
    while (high - low > 1) {
        int middle = low + (high - low) / 2;
        if (r->jobs[middle].first_data <= d)
            low = middle;
        else
            high = middle;
    }
    return low;
}

work_id runtime_source(const struct runtime *r, data_id d)
{
    const struct runtime_job *j = &r->jobs[runtime_job_of_data(r, d)];
    return j->first_work + j->problem.dag->edges[d - j->first_data].src;
}

work_id runtime_destination(const struct runtime *r, data_id d)
{
    const struct runtime_job *j = &r->jobs[runtime_job_of_data(r, d)];
    return j->first_work + j->problem.dag->edges[d - j->first_data].dst;
}

/* ---- queues ---- */

static bool is_work(const struct runtime *r, item_id i)
{
    return i < r->n_works;
}

/* From an item on, in its queue. */
static work_id work_from(const struct runtime *r, item_id i)
{
    while (i >= 0 && !is_work(r, i))
        i = r->next[i];
    return i;
}

work_id runtime_first(const struct runtime *r, host_id h)
{
    return work_from(r, r->hosts[h].first);
}

work_id runtime_behind(const struct runtime *r, work_id w)
{
    return work_from(r, r->next[w]);
}

work_id runtime_last(const struct runtime *r, host_id h)
{
    item_id i = r->hosts[h].last;
    while (i >= 0 && !is_work(r, i))
        i = r->previous[i];
    return i;
}

void runtime_unlink(struct runtime *r, item_id i)
{
    struct runtime_host *x = &r->hosts[r->queue_of[i]];
    *(r->previous[i] >= 0 ? &r->next[r->previous[i]] : &x->first) = r->next[i];
    *(r->next[i] >= 0 ? &r->previous[r->next[i]] : &x->last) = r->previous[i];
    if (is_work(r, i)) {
        x->n_queued--;
        /* an empty queue takes no time: what sums leave of rounding is gone */
        x->queued_s = x->n_queued > 0 ? x->queued_s - runtime_compute_s(r, i, r->queue_of[i]) : 0;
    }
    r->next[i] = r->previous[i] = r->queue_of[i] = -1;
}

void runtime_link(struct runtime *r, item_id i, host_id h, item_id before)
{
    struct runtime_host *x = &r->hosts[h];
    item_id after = before >= 0 ? r->previous[before] : x->last;
    r->queue_of[i] = h;
    r->next[i] = before;
    r->previous[i] = after;
    *(after >= 0 ? &r->next[after] : &x->first) = i;
    *(before >= 0 ? &r->previous[before] : &x->last) = i;
    if (is_work(r, i)) {
        x->n_queued++;
        x->queued_s += runtime_compute_s(r, i, h);
    }
}

/* ---- actions ---- */

static struct runtime_action *add_action(struct runtime *r)
{
    MEM_GROW(r->actions, r->n_actions, r->actions_capacity);
    return &r->actions[r->n_actions++];
}

/* `host` -1: out of all queues. */
static void move(struct runtime *r, work_id w, host_id host, work_id before)
{
    struct runtime_work *x = &r->works[w];
    if (x->host >= 0)
        runtime_unlink(r, w);
    if (host >= 0)
        runtime_link(r, w, host, before);
    x->host = host;
    x->state = host >= 0 ? WORK_QUEUED : WORK_KNOWN;
}

void runtime_put(struct runtime *r, work_id w, host_id h, work_id before)
{
    struct runtime_work *x = &r->works[w];
    if (x->state != WORK_KNOWN && x->state != WORK_QUEUED)
        return; /* it has started, or nobody knows of it yet */
    runtime_look_at(r, w);
    if (before == w || (x->host == h && before >= 0 && r->next[w] == before))
        return; /* it is there */
    work_id from_before = x->host >= 0 ? runtime_behind(r, w) : -1;
    *add_action(r) = (struct runtime_action){ACTION_PUT, w, h, x->host, before, from_before, 0, NULL};
    move(r, w, h, before);
    runtime_traffic_moved(r, w);
}

void runtime_take_back(struct runtime *r, work_id w)
{
    if (r->works[w].host >= 0)
        runtime_put(r, w, -1, -1);
}

void runtime_follow(struct runtime *r, int job, struct schedule *s)
{
    *add_action(r) = (struct runtime_action){.kind = ACTION_FOLLOW, .job = job, .schedule = s, .work = -1};
}

void runtime_call_at(struct runtime *r, double date_s)
{
    r->call_at_s = fmin(r->call_at_s, fmax(date_s, r->now_s));
}

void runtime_begin_call(struct runtime *r)
{
    r->n_calls++;
    r->n_looked_at = 0;
}

void runtime_end_actions(struct runtime *r)
{
    for (size_t i = 0; i < r->n_actions; i++)
        if (r->actions[i].schedule != NULL) {
            schedule_clear(r->actions[i].schedule);
            free(r->actions[i].schedule);
        }
    r->n_actions = 0;
}

void runtime_undo_actions(struct runtime *r)
{
    for (size_t i = r->n_actions; i-- > 0;)
        if (r->actions[i].kind == ACTION_PUT)
            move(r, r->actions[i].work, r->actions[i].from_host, r->actions[i].from_before);
}

bool runtime_redo_action(struct runtime *r, const struct runtime_action *a)
{
    const struct runtime_work *x = &r->works[a->work];
    if (x->state != WORK_KNOWN && x->state != WORK_QUEUED)
        return false;
    /* what should have been behind it has started: it is first now */
    bool is_there = a->before >= 0 && r->queue_of[a->before] == a->host;
    work_id before = a->before < 0 ? -1 : is_there ? a->before : runtime_first(r, a->host);
    if (a->host < 0 && x->host < 0)
        return false;
    move(r, a->work, a->host, before == a->work ? runtime_behind(r, a->work) : before);
    return true;
}
