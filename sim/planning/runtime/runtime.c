/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Queues are lists through arrays, so a policy puts, moves and takes back in constant time. Each change is also kept as
   an action: decisions that take time are undone when they have been made, and made again when they take effect. */
#include "runtime/runtime.h"

#include "base/choose.h"
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
    free(r->actions);
    free(r->works);
    free(r->looked_at);
    free(r->hosts);
    free(r->next);
    free(r->previous);
    free(r->queue_of);
    *r = (struct runtime){0};
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

/* ---- estimates ---- */

double runtime_compute_s(const struct runtime *r, work_id w, host_id h)
{
    return problem_compute_s(runtime_problem(r, w), runtime_task(r, w), h);
}

double runtime_free_s(const struct runtime *r, host_id h)
{
    const struct runtime_host *x = &r->hosts[h];
    double from_s = x->running >= 0 ? fmax(r->now_s, x->until_s) : r->now_s;
    return from_s + x->queued_s;
}

static void look_at(struct runtime *r, work_id w)
{
    if (r->looked_at[w] == r->n_calls)
        return;
    r->looked_at[w] = r->n_calls;
    r->n_looked_at++;
}

/* From the end of its origin to where the data are ready for the task, if no other message is in the way. */
static double message_s(const struct problem *p, edge_id e, host_id src, host_id dst)
{
    size_t at = (size_t)src * p->machine->n_hosts + (size_t)dst;
    double bytes = p->dag->edges[e].size_bytes;
    double way_s = p->routes->latency_s[at] + bytes / p->routes->slowest_bytes_per_s[at];
    if (p->model->transit_s != NULL)
        way_s = p->model->transit_s(p->model, p->machine, src, dst, bytes);
    struct cost_end send = problem_end(p, e, src, dst, DIR_SEND), recv = problem_end(p, e, src, dst, DIR_RECV);
    /* the receiver is involved while data arrive, and for i_r at least ([S] 8.2) */
    return send.overhead_s + fmax(way_s, recv.involvement_s) + recv.overhead_s;
}

double runtime_data_s(struct runtime *r, work_id w, host_id h)
{
    const struct problem *p = runtime_problem(r, w);
    const struct runtime_job *j = &r->jobs[r->works[w].job];
    const struct dag *g = p->dag;
    task_id t = runtime_task(r, w);
    double data_s = 0;
    look_at(r, w);
    for (int i = g->in_start[t]; i < g->in_start[t + 1]; i++) {
        edge_id e = g->in[i];
        const struct runtime_work *from = &r->works[j->first_work + g->edges[e].src];
        if (from->state != WORK_ENDED || from->host == h)
            continue;
        double there_s = r->data_there_s(r, j->first_data + e, h);
        data_s = fmax(data_s, isnan(there_s) ? r->now_s + message_s(p, e, from->host, h) : there_s);
    }
    return fmax(data_s, r->now_s);
}

double runtime_finish_s(struct runtime *r, work_id w, host_id h)
{
    look_at(r, w);
    return fmax(runtime_free_s(r, h), runtime_data_s(r, w, h)) + runtime_compute_s(r, w, h);
}

host_id runtime_best_host(struct runtime *r, work_id w, bool counts_data)
{
    host_id best = -1;
    double least_s = INFINITY;
    look_at(r, w);
    for (host_id h = 0; h < (host_id)r->machine->n_hosts; h++) {
        if (!isfinite(runtime_compute_s(r, w, h)))
            continue;
        double end_s = counts_data ? runtime_finish_s(r, w, h) : runtime_free_s(r, h) + runtime_compute_s(r, w, h);
        end_s = choose_rounded(end_s);
        if (best < 0 || end_s < least_s) {
            best = h;
            least_s = end_s;
        }
    }
    return best;
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
    look_at(r, w);
    if (before == w || (x->host == h && before >= 0 && r->next[w] == before))
        return; /* it is there */
    work_id from_before = x->host >= 0 ? runtime_behind(r, w) : -1;
    *add_action(r) = (struct runtime_action){ACTION_PUT, w, h, x->host, before, from_before, 0, NULL};
    move(r, w, h, before);
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
