/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* At an instant: everything that ends at it ends; the policy is called once with all of that; then everything starts
   that can (doc/model.md, Online). Where messages take the processors, a host with data on their way begins nothing
   before the rates of this instant are known, because a receive that is due goes before a task (online_messages.c).

   Time: a constant for each task and message and what SimGrid and the policy take; with `prefetch` or ready tasks first
   also what is looked at of a queue. */
#include "engine/online_run.h"

#include "base/instant.h"
#include "base/mem.h"
#include "engine/online_state.h"
#include "engine/replay_steps.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- what happens ---- */

static void add_event(struct online *o, enum runtime_event_kind kind, int job, work_id w, host_id h)
{
    MEM_GROW(o->events, o->n_events, o->events_capacity);
    o->events[o->n_events++] = (struct runtime_event){kind, job, w, h};
}

static int by_job_and_task(const void *a, const void *b)
{
    const struct runtime_event *x = a, *y = b;
    if (x->job != y->job)
        return x->job < y->job ? -1 : 1;
    if (x->work != y->work)
        return x->work < y->work ? -1 : 1;
    return (x->kind > y->kind) - (x->kind < y->kind);
}

void online_set_alarm(struct online *o, enum alarm kind, struct copy *c, double date_s)
{
    heap_add(&o->alarms,
             (struct heap_entry){.key = date_s, .number = o->n_alarms++ * N_ALARMS + (long)kind, .item = c});
    engine_wake_at(o->engine, date_s);
}

void online_touch(struct online *o, host_id h)
{
    if (o->hosts[h].is_touched)
        return;
    o->hosts[h].is_touched = true;
    o->touched[o->n_touched++] = h;
}

static void fail(struct online *o, host_id h, const char *what)
{
    if (o->failure.code == ERR_NONE)
        err_set_at(&o->failure, ERR_INPUT, o->runtime->machine->source, 0,
                   "%s failed at %.9g s: host '%s' or a link that it needs is down", what, engine_now_s(o->engine),
                   o->runtime->machine->hosts[h].name);
}

static void fail_work(struct online *o, work_id w, host_id h)
{
    const struct runtime *r = o->runtime;
    const struct runtime_job *j = &r->jobs[r->works[w].job];
    char *what = mem_format("task '%.100s' of job '%.100s'", j->problem.dag->tasks[runtime_task(r, w)].name, j->name);
    fail(o, h, what);
    free(what);
}

void online_fail_copy(struct online *o, const struct copy *c)
{
    const struct runtime *r = o->runtime;
    const struct runtime_job *j = &r->jobs[runtime_job_of_data(r, c->out.data)];
    const struct dag *g = j->problem.dag;
    const struct edge *edge = &g->edges[c->out.data - j->first_data];
    char *what = mem_format("the transfer %.100s -> %.100s of job '%.100s' to '%.100s'", g->tasks[edge->src].name,
                            g->tasks[edge->dst].name, j->name, r->machine->hosts[c->out.dst].name);
    fail(o, c->out.src, what);
    free(what);
}

/* ---- processors ---- */

/* A processor that is held by a message anyway is not charged for rates, too. */
static double charged_so_far_s(const struct online *o, host_id h)
{
    return engine_host_use(o->engine, h).charged_s;
}

bool online_occupy(struct online *o, host_id h, const void *by)
{
    if (!engine_host_is_up(o->engine, h)) {
        fail(o, h, "a message");
        return false;
    }
    o->hosts[h].occupier = by;
    o->hosts[h].charged_s -= charged_so_far_s(o, h);
    return true;
}

void online_vacate(struct online *o, host_id h)
{
    o->hosts[h].occupier = NULL;
    o->hosts[h].charged_s += charged_so_far_s(o, h);
    online_touch(o, h);
}

/* ---- tasks ---- */

static void ready(struct online *o, work_id w)
{
    struct runtime_work *x = &o->runtime->works[w];
    if (x->state == WORK_UNKNOWN && !o->runtime->jobs[x->job].is_released)
        return;
    if (x->state == WORK_UNKNOWN)
        x->state = WORK_KNOWN;
    add_event(o, EVENT_READY, x->job, w, -1);
}

/* One less that a task in a queue waits for. */
static void satisfy(struct online *o, work_id w)
{
    if (--o->works[w].n_missing == 0)
        online_touch(o, o->runtime->works[w].host);
}

void messages_there(struct online *o, struct copy *c)
{
    work_id w = runtime_destination(o->runtime, c->out.data);
    const struct runtime_work *x = &o->runtime->works[w];
    if (x->state == WORK_QUEUED && x->host == c->out.dst)
        satisfy(o, w);
}

static void end_work(struct online *o, work_id w)
{
    struct runtime *r = o->runtime;
    struct runtime_work *x = &r->works[w];
    struct runtime_job *j = &r->jobs[x->job];
    const struct dag *g = j->problem.dag;
    task_id t = runtime_task(r, w);
    x->state = WORK_ENDED;
    x->finish_s = engine_now_s(o->engine);
    if (r->hosts[x->host].running == w)
        r->hosts[x->host].running = -1;
    if (o->hosts[x->host].occupier == &o->works[w])
        o->hosts[x->host].occupier = NULL;
    online_touch(o, x->host);
    o->n_works_ended++;
    if (--j->n_left == 0)
        o->out->jobs[x->job].finish_s = x->finish_s;
    add_event(o, EVENT_ENDED, x->job, w, x->host);
    for (int i = g->out_start[t]; i < g->out_start[t + 1]; i++) {
        edge_id e = g->out[i];
        work_id v = j->first_work + g->edges[e].dst;
        if (--r->works[v].n_before == 0)
            ready(o, v);
        if (r->works[v].state != WORK_QUEUED)
            continue;
        if (r->works[v].host == x->host)
            satisfy(o, v);
        else if (o->works[v].is_fetched)
            messages_ask(o, j->first_data + e, r->works[v].host);
    }
}

/* What an execution there really takes. */
static double work_flop(const struct online *o, work_id w, host_id h)
{
    const struct problem *p = runtime_problem(o->runtime, w);
    task_id t = runtime_task(o->runtime, w);
    double flop = problem_compute_flop(p, t, h);
    if (o->options->noise == NULL)
        return flop;
    struct noise_source work =
        noise_source_of(o->options->noise, NOISE_WORK, p->machine->hosts[h].name, p->dag->tasks[t].name, NULL);
    return flop * noise_draw(&work, (uint64_t)o->runtime->works[w].job) / o->rate_ratio[h];
}

/* Without work it ends at once: what follows from it belongs to this instant. */
static void begin_work(struct online *o, work_id w)
{
    struct runtime *r = o->runtime;
    struct runtime_work *x = &r->works[w];
    host_id h = x->host;
    double flop = work_flop(o, w, h), now_s = engine_now_s(o->engine);
    runtime_unlink(r, w);
    x->state = WORK_STARTED;
    x->start_s = now_s;
    if (isnan(o->out->jobs[x->job].start_s))
        o->out->jobs[x->job].start_s = now_s;
    if (!engine_host_is_up(o->engine, h)) {
        fail_work(o, w, h);
        return;
    }
    if (!(flop > 0)) {
        end_work(o, w);
        return;
    }
    o->hosts[h].occupier = &o->works[w];
    r->hosts[h].running = w;
    r->hosts[h].until_s = now_s + runtime_compute_s(r, w, h);
    engine_exec_start(o->engine, h, flop, &o->works[w]);
}

/* ---- queues ---- */

/* The data of a task that is now in a queue may move, if they are not there. */
static void fetch(struct online *o, work_id w)
{
    const struct runtime *r = o->runtime;
    const struct runtime_work *x = &r->works[w];
    const struct runtime_job *j = &r->jobs[x->job];
    const struct dag *g = j->problem.dag;
    task_id t = runtime_task(r, w);
    if (o->works[w].is_fetched)
        return;
    o->works[w].is_fetched = true;
    for (int i = g->in_start[t]; i < g->in_start[t + 1]; i++) {
        const struct runtime_work *from = &r->works[j->first_work + g->edges[g->in[i]].src];
        if (from->state == WORK_ENDED && from->host != x->host)
            messages_ask(o, j->first_data + g->in[i], x->host);
    }
}

static void fetch_first(struct online *o, host_id h)
{
    work_id w = runtime_first(o->runtime, h);
    for (long i = 0; w >= 0 && i < o->options->prefetch; i++, w = runtime_behind(o->runtime, w))
        fetch(o, w);
}

static void count_missing(struct online *o, work_id w)
{
    const struct runtime *r = o->runtime;
    const struct runtime_job *j = &r->jobs[r->works[w].job];
    const struct dag *g = j->problem.dag;
    task_id t = runtime_task(r, w);
    o->works[w].n_missing = 0;
    for (int i = g->in_start[t]; i < g->in_start[t + 1]; i++) {
        const struct runtime_work *from = &r->works[j->first_work + g->edges[g->in[i]].src];
        bool is_there =
            from->state == WORK_ENDED &&
            (from->host == r->works[w].host || messages_are_there(o, j->first_data + g->in[i], r->works[w].host));
        o->works[w].n_missing += !is_there;
    }
}

/* A task is in another queue, or in none. */
static void moved(struct online *o, const struct runtime_action *a)
{
    const struct runtime *r = o->runtime;
    work_id w = a->work;
    host_id host = r->works[w].host;
    if (a->from_host >= 0)
        online_touch(o, a->from_host);
    if (a->from_host >= 0) { /* a schedule that it followed no longer says when its messages have their turn */
        const struct runtime_job *j = &r->jobs[r->works[w].job];
        const struct dag *g = j->problem.dag;
        task_id t = runtime_task(r, w);
        o->out->n_moves += a->from_host != host;
        o->works[w].is_placeless = false;
        for (int i = g->in_start[t]; i < g->in_start[t + 1]; i++)
            messages_unfollow(o, j->first_data + g->in[i]);
        for (int i = g->out_start[t]; i < g->out_start[t + 1]; i++)
            messages_unfollow(o, j->first_data + g->out[i]);
    }
    if (host < 0)
        return;
    if (a->from_host != host) {
        o->works[w].is_fetched = false;
        count_missing(o, w);
    }
    online_touch(o, host);
    if (o->options->prefetch == 0)
        fetch(o, w);
}

/* The order of a schedule for a processor, as a replay takes it: its sends and receives come into the queue before the
   next task of that order. */
static enum err_code follow(struct online *o, int job, const struct schedule *s, struct err *e)
{
    struct runtime *r = o->runtime;
    const struct runtime_job *j = &r->jobs[job];
    struct replay_options how = {.world = o->options->world};
    struct replay_plan plan = {0};
    bool has_places = false; /* for messages */
    enum err_code code = replay_plan_init(&plan, s, &how, e);
    for (size_t h = 0; code == ERR_NONE && h < r->machine->n_hosts; h++) {
        step_id last = plan.first[h];
        while (last >= 0 && plan.after[last] >= 0)
            last = plan.after[last];
        /* other jobs may have come behind this one */
        step_id last_task = last;
        while (last_task >= 0 && step_kind(&plan, last_task) != STEP_TASK)
            last_task = plan.before[last_task];
        item_id behind = last_task >= 0 ? r->next[j->first_work + last_task] : -1;
        for (step_id step = last; step >= 0; step = plan.before[step]) {
            if (step_kind(&plan, step) == STEP_TASK) {
                behind = j->first_work + step;
                continue;
            }
            data_id d = j->first_data + step_edge(&plan, step);
            item_id i = r->n_works + 2 * d + (step_kind(&plan, step) == STEP_SEND ? 0 : 1);
            runtime_link(r, i, (host_id)h, behind);
            behind = i;
            has_places = true;
        }
        online_touch(o, (host_id)h);
    }
    for (task_id t = 0; code == ERR_NONE && t < plan.dag->n_tasks; t++)
        if (!step_has_place(&plan, t))
            o->works[j->first_work + t].is_placeless = o->has_placeless = true;
    /* A send that has its turn before it has been asked for would hold its processor until then, perhaps for ever. */
    for (task_id t = 0; code == ERR_NONE && has_places && t < plan.dag->n_tasks; t++)
        fetch(o, j->first_work + t);
    replay_plan_clear(&plan);
    return code;
}

static void take_effect(struct online *o, bool has_been_undone)
{
    struct runtime *r = o->runtime;
    for (size_t i = 0; i < r->n_actions && o->failure.code == ERR_NONE; i++) {
        struct runtime_action *a = &r->actions[i];
        if (a->kind == ACTION_FOLLOW) {
            follow(o, a->job, a->schedule, &o->failure);
        } else {
            if (has_been_undone) {
                a->from_host = r->works[a->work].host;
                if (!runtime_redo_action(r, a))
                    continue;
            }
            if (r->works[a->work].host == a->host) /* else a later one of this call has moved it on */
                moved(o, a);
            else if (a->from_host >= 0)
                online_touch(o, a->from_host);
        }
    }
    runtime_end_actions(r);
    o->effect_s = INFINITY;
}

/* ---- what starts ---- */

static bool is_startable(const struct online *o, work_id w)
{
    return o->works[w].n_missing == 0;
}

/* Of the queue of a free host: whether something has begun. */
static bool begin_next(struct online *o, host_id h)
{
    struct runtime *r = o->runtime;
    for (item_id i = r->hosts[h].first; i >= 0; i = r->next[i]) {
        if (i >= r->n_works) {
            if (messages_begin_item(o, h, i))
                return true;
        } else if (is_startable(o, i)) {
            begin_work(o, i);
            return true;
        } else if (o->works[i].is_placeless) {
            continue;
        }
        if (!o->options->takes_ready_first)
            return false;
    }
    return false;
}

/* Tasks that take no time in the schedule that they follow wait for nobody but their data. */
static bool begin_placeless(struct online *o, host_id h)
{
    struct runtime *r = o->runtime;
    for (work_id w = runtime_first(r, h); o->has_placeless && w >= 0; w = runtime_behind(r, w))
        if (o->works[w].is_placeless && is_startable(o, w)) {
            begin_work(o, w);
            return true;
        }
    return false;
}

static bool is_free(const struct online *o, host_id h)
{
    return o->hosts[h].occupier == NULL && o->failure.code == ERR_NONE;
}

static int by_number(const void *a, const void *b)
{
    const host_id *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* Hosts by their number, so that nothing depends on what has touched them first. A host that waits for rates is touched
   again, for the next round. */
static void start_all(struct online *o)
{
    for (size_t k = 0; k < o->n_touched && o->options->prefetch > 0; k++)
        fetch_first(o, o->touched[k]);
    messages_send_asked(o); /* sends go before tasks: what is wanted now is asked for before anything starts */
    size_t n = o->n_touched;
    host_id *list = mem_alloc((n + 1) * sizeof *list);
    memcpy(list, o->touched, n * sizeof *list);
    qsort(list, n, sizeof *list, by_number);
    o->n_touched = 0;
    for (size_t k = 0; k < n; k++)
        o->hosts[list[k]].is_touched = false;
    for (size_t k = 0; k < n && o->failure.code == ERR_NONE; k++) {
        host_id h = list[k];
        while (begin_placeless(o, h))
            continue;
        while (is_free(o, h) && !o->hosts[h].is_touched && (messages_begin(o, h) || begin_next(o, h)))
            continue;
    }
    /* what has started has let others come forward */
    for (size_t k = 0; k < n && o->options->prefetch > 0; k++)
        fetch_first(o, list[k]);
    free(list);
    messages_send_asked(o);
}

/* ---- decisions ---- */

static void release(struct online *o, int job)
{
    struct runtime *r = o->runtime;
    struct runtime_job *j = &r->jobs[job];
    j->is_released = true;
    add_event(o, EVENT_RELEASED, job, -1, -1);
    for (task_id t = 0; t < j->problem.dag->n_tasks; t++) {
        struct runtime_work *x = &r->works[j->first_work + t];
        if (!r->reveals_tasks)
            x->state = WORK_KNOWN;
        if (x->n_before == 0)
            ready(o, j->first_work + t);
    }
}

static void call_policy(struct online *o, double now_s)
{
    struct runtime *r = o->runtime;
    if (o->n_events == 0 || isfinite(o->effect_s))
        return;
    qsort(o->events, o->n_events, sizeof *o->events, by_job_and_task);
    r->now_s = now_s;
    r->call_at_s = INFINITY;
    runtime_begin_call(r);
    o->options->policy->policy->decide(o->policy, r, o->events, o->n_events, &o->failure);
    o->n_events = 0;
    o->out->n_calls++;
    if (isfinite(r->call_at_s))
        online_set_alarm(o, ALARM_CALL, NULL, fmax(r->call_at_s, now_s));
    double takes_s = o->options->decision_s + o->options->decision_task_s * r->n_looked_at;
    if (takes_s > 0) {
        runtime_undo_actions(r);
        o->effect_s = now_s + takes_s;
        engine_wake_at(o->engine, o->effect_s);
    } else {
        take_effect(o, false);
    }
}

static void take_alarms(struct online *o, double now_s)
{
    const struct heap_entry *first = heap_first(&o->alarms);
    for (; first != NULL && instant_has_come(first->key, now_s); first = heap_first(&o->alarms)) {
        struct heap_entry a = heap_take(&o->alarms);
        enum alarm kind = (enum alarm)(a.number % N_ALARMS);
        if (kind == ALARM_CALL)
            add_event(o, EVENT_CALLED, -1, -1, -1);
        else
            messages_alarm(o, kind, a.item, a.key);
    }
    const struct runtime *r = o->runtime;
    while (o->n_released < r->n_jobs && instant_has_come(r->jobs[o->releases[o->n_released]].release_s, now_s))
        release(o, o->releases[o->n_released++]);
    if (instant_has_come(o->effect_s, now_s))
        take_effect(o, true);
}

/* Until nothing more happens in this instant but what waits for rates. */
static void go_on(struct online *o, double now_s)
{
    bool goes_on = true;
    while (goes_on && o->failure.code == ERR_NONE) {
        take_alarms(o, now_s);
        call_policy(o, now_s);
        start_all(o);
        const struct heap_entry *first = heap_first(&o->alarms);
        goes_on = (o->n_events > 0 && !isfinite(o->effect_s)) ||
                  (first != NULL && instant_has_come(first->key, now_s)) || (o->n_touched > 0 && !o->waits_for_rates) ||
                  o->n_asked > 0;
    }
}

static bool decide(void *self, double now_s)
{
    struct online *o = self;
    bool are_rates_known = now_s == o->decided_s;
    o->decided_s = now_s;
    o->has_started_transfer = o->waits_for_rates = o->are_rates_known = false;
    go_on(o, now_s);
    if (o->waits_for_rates && are_rates_known && !o->has_started_transfer && o->failure.code == ERR_NONE) {
        o->are_rates_known = true;
        o->waits_for_rates = false;
        start_all(o);
        o->are_rates_known = false;
        go_on(o, now_s);
    }
    return o->failure.code == ERR_NONE && o->waits_for_rates;
}

/* ---- what the engine calls ---- */

static void on_ended(void *self, void *tag, enum engine_end end)
{
    struct online *o = self;
    if (*(const enum online_tag *)tag == TAG_COPY) {
        if (end == ENGINE_FAILED)
            online_fail_copy(o, tag);
        else
            messages_ended(o, tag);
        return;
    }
    work_id w = (work_id)((struct online_work *)tag - o->works);
    if (end == ENGINE_FAILED)
        fail_work(o, w, o->runtime->works[w].host);
    else
        end_work(o, w);
}

static void on_rate_changed(void *self, void *tag)
{
    if (*(const enum online_tag *)tag == TAG_COPY)
        messages_rate_changed(self, tag);
}

static void on_host_changed(void *self, host_id h)
{
    struct online *o = self;
    if (!engine_host_is_up(o->engine, h) && o->hosts[h].occupier != NULL)
        fail(o, h, "what it did");
    online_touch(o, h);
}

static void count(void *self, uint64_t *n_done, uint64_t *n_total)
{
    const struct online *o = self;
    *n_done = (uint64_t)o->n_works_ended;
    *n_total = (uint64_t)o->runtime->n_works;
}

/* ---- a run ---- */

static const struct runtime_job *job_at(const struct runtime *r, const int *x)
{
    return &r->jobs[*x];
}

static int by_release(const void *a, const void *b, void *runtime)
{
    const struct runtime_job *x = job_at(runtime, a), *y = job_at(runtime, b);
    if (x->release_s != y->release_s)
        return x->release_s < y->release_s ? -1 : 1;
    return (x > y) - (x < y);
}

static enum err_code begin(struct online *o, struct err *e)
{
    struct runtime *r = o->runtime;
    size_t n_works = (size_t)r->n_works, n_hosts = r->machine->n_hosts, n_jobs = (size_t)r->n_jobs;
    r->engine = o;
    r->data_there_s = messages_there_s;
    r->add_flows = messages_add_flows;
    o->works = mem_zalloc(n_works + 1, sizeof *o->works);
    o->hosts = mem_zalloc(n_hosts, sizeof *o->hosts);
    o->touched = mem_alloc(n_hosts * sizeof *o->touched);
    o->copies_of = mem_zalloc((size_t)r->n_data + 1, sizeof(struct copy *));
    o->releases = mem_alloc((n_jobs + 1) * sizeof *o->releases);
    o->rate_ratio = mem_alloc(n_hosts * sizeof *o->rate_ratio);
    o->effect_s = INFINITY;
    o->decided_s = -1;
    for (size_t h = 0; h < n_hosts; h++)
        o->rate_ratio[h] = noise_rate_ratio(o->options->noise, r->machine->hosts[h].name);
    for (size_t w = 0; w < n_works; w++)
        o->works[w].tag = TAG_WORK;
    for (int j = 0; j < r->n_jobs; j++) {
        o->releases[j] = j;
        o->out->jobs[j] = (struct online_job){NAN, NAN};
    }
    qsort_r(o->releases, n_jobs, sizeof *o->releases, by_release, r);
    for (int j = 0; j < r->n_jobs; j++)
        engine_wake_at(o->engine, r->jobs[j].release_s);
    const struct runtime_policy *policy = o->options->policy->policy;
    enum err_code code = runtime_believe(r, o->options->policy->params, e);
    if (code == ERR_NONE && policy->begin != NULL)
        code = policy->begin(r, o->options->policy->params, &o->policy, e);
    return code;
}

static void take_results(struct online *o)
{
    const struct runtime *r = o->runtime;
    struct online_result *x = o->out;
    for (work_id w = 0; w < r->n_works; w++) {
        x->works[w] = (struct span){r->works[w].start_s, r->works[w].finish_s};
        x->hosts[w] = r->works[w].host;
        x->makespan_s = fmax(x->makespan_s, r->works[w].finish_s);
    }
    x->copies = mem_alloc((o->n_copies + 1) * sizeof *x->copies);
    x->n_copies = o->n_copies;
    for (size_t i = 0; i < o->n_copies; i++) {
        struct online_copy *c = &o->copies[i]->out;
        c->is_used = r->works[runtime_destination(r, c->data)].host == c->dst;
        x->moved_bytes += c->bytes;
        x->wasted_bytes += c->is_used ? 0 : c->bytes;
        x->copies[i] = *c;
    }
    for (size_t h = 0; h < r->machine->n_hosts; h++) {
        x->use[h] = engine_host_use(o->engine, (host_id)h);
        x->use[h].charged_s -= o->hosts[h].charged_s;
    }
}

static void end(struct online *o)
{
    const struct runtime_policy *policy = o->options->policy->policy;
    if (policy->end != NULL)
        policy->end(o->policy);
    for (data_id d = 0; d < o->runtime->n_data; d++)
        for (struct copy *c = o->copies_of[d], *next; c != NULL; c = next) {
            next = c->next_of_data;
            free(c);
        }
    free(o->copies_of);
    free(o->copies);
    free(o->asked);
    free(o->open);
    free(o->works);
    free(o->hosts);
    free(o->touched);
    free(o->releases);
    free(o->rate_ratio);
    free(o->events);
    heap_clear(&o->alarms);
}

/* A policy has left a task in no queue, or behind one that waits for it. */
static enum err_code refuse_stuck(const struct online *o, struct err *e)
{
    const struct runtime *r = o->runtime;
    work_id w = 0;
    while (w < r->n_works && (r->works[w].state == WORK_ENDED || r->works[w].state == WORK_STARTED))
        w++;
    if (w == r->n_works)
        return err_set(e, ERR_INTERNAL, "the run stopped after %d of %d tasks", o->n_works_ended, r->n_works);
    const struct runtime_job *j = &r->jobs[r->works[w].job];
    bool is_queued = r->works[w].state == WORK_QUEUED;
    return err_set(
        e, ERR_INPUT, "policy %s: after %d of %d tasks nothing more can start: task '%.100s' of job '%.100s' is %s%s%s",
        o->options->policy->text, o->n_works_ended, r->n_works, j->problem.dag->tasks[runtime_task(r, w)].name, j->name,
        is_queued ? "in the queue of '" : "in no queue", is_queued ? r->machine->hosts[r->works[w].host].name : "",
        is_queued ? "', where it waits for data or for a task that never starts" : "");
}

static void result_init(struct online_result *x, const struct runtime *r)
{
    *x = (struct online_result){.works = mem_alloc(((size_t)r->n_works + 1) * sizeof *x->works),
                                .hosts = mem_alloc(((size_t)r->n_works + 1) * sizeof *x->hosts),
                                .jobs = mem_alloc(((size_t)r->n_jobs + 1) * sizeof *x->jobs),
                                .use = mem_zalloc(r->machine->n_hosts, sizeof *x->use)};
}

enum err_code online_run(struct engine *engine, struct runtime *r, const struct online_options *options,
                         struct online_result *out, struct err *e)
{
    struct online o = {.engine = engine, .runtime = r, .options = options, .out = out};
    struct world_model world = *options->world;
    world.charges = NULL; /* that is done here */
    struct engine_client client = {.self = &o,
                                   .ended = on_ended,
                                   .decide = decide,
                                   .count = count,
                                   .rate_changed = on_rate_changed,
                                   .host_changed = on_host_changed};
    *out = (struct online_result){0};
    enum err_code code = noise_check_hosts(options->noise, r->machine, e);
    if (code != ERR_NONE)
        return code;
    result_init(out, r);
    code = begin(&o, e);
    if (code == ERR_NONE)
        code = engine_run(engine, &world, &client, e);
    if (code == ERR_NONE && o.failure.code == ERR_NONE && o.n_works_ended < r->n_works)
        code = refuse_stuck(&o, e);
    if (o.failure.code != ERR_NONE) {
        code = o.failure.code;
        if (e != NULL)
            *e = o.failure;
    }
    if (code == ERR_NONE)
        take_results(&o);
    else
        online_result_clear(out);
    end(&o);
    return code;
}

void online_result_clear(struct online_result *x)
{
    free(x->works);
    free(x->hosts);
    free(x->jobs);
    free(x->copies);
    free(x->use);
    *x = (struct online_result){0};
}
