/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* List scheduling under any cost model ([S] 8.4.1, Algorithms 23 and 24; 8.4.2 for a given allocation). In the order of a
   static list, each task goes where it can start (or finish) first; on every processor it is tried with all its entering
   edges booked, and everything is taken back.

   When the steps of an edge are booked, with its origin or with its destination:

                 send                           links         recv
       direct    origin, provisionally          destination   destination     Algorithm 23
       entering  destination                    destination   destination     8.3.1
       alloc1    origin                         destination   destination     8.3.2, the allocation being given
       alloc2    origin                         origin        destination
       alloc3    origin                         origin        origin

   Cost: tasks and edges times hosts, each booking as timeline.h says. A try ends as soon as the data come too late for
   this host to be better than the best so far; ties go to the first host, so that changes no result. */
#include "base/mem.h"
#include "plan/draft.h"
#include "schedulers/priority.h"
#include "schedulers/scheduler.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct param params[] = {
    {"technique", PARAM_CHOICE, "", "end", 0, 0, "end|insertion",
     "after the latest finish on a processor or link, or in the first gap that is long enough"},
    {"approach", PARAM_CHOICE, "", NULL, 0, 0, "direct|entering|alloc1|alloc2|alloc3",
     "when an edge is booked on source, links and destination; direct, or alloc1 when an allocation is given"},
    {"minimize", PARAM_CHOICE, "", "start", 0, 0, "start|finish",
     "what of a task decides where it goes, unless an allocation is given"},
    {"compact", PARAM_CHOICE, "", "on", 0, 0, "on|off", "eliminate gaps at the end, keeping the order"},
    {"priority", PARAM_CHOICE, "", NULL, 0, 0, PRIORITY_CHOICES,
     "the order of the list; bottom_level, or that of the order that is given"},
    {0},
};

enum moment { NEVER, WITH_ORIGIN, WITH_DESTINATION };

static const struct approach {
    const char *name;
    enum moment send, links, recv;
    bool is_provisional, needs_allocation;
} approaches[] = {
    {"direct", WITH_ORIGIN, WITH_DESTINATION, WITH_DESTINATION, true, false},
    {"entering", WITH_DESTINATION, WITH_DESTINATION, WITH_DESTINATION, false, false},
    {"alloc1", WITH_ORIGIN, WITH_DESTINATION, WITH_DESTINATION, false, true},
    {"alloc2", WITH_ORIGIN, WITH_ORIGIN, WITH_DESTINATION, false, true},
    {"alloc3", WITH_ORIGIN, WITH_ORIGIN, WITH_ORIGIN, false, true},
};

struct listing {
    const struct problem *p;
    const struct approach *approach;
    bool minimizes_finish;
    const host_id *allocation; /* NULL: none is given */
    const task_id *order;
    edge_id *entering, *leaving; /* as dag's in and out, but by place of the other end in the list */
    struct schedule *s;
    struct draft *d;
    double *ready_s; /* [host]: where nothing is booked but tasks */
};

/* ---- edges in the order of the list ---- */

static void order_edges(struct listing *x)
{
    const struct dag *g = x->p->dag;
    size_t n = (size_t)g->n_tasks;
    int *n_in = mem_zalloc(n, sizeof *n_in), *n_out = mem_zalloc(n, sizeof *n_out);
    x->entering = mem_alloc(((size_t)g->n_edges + 1) * sizeof *x->entering);
    x->leaving = mem_alloc(((size_t)g->n_edges + 1) * sizeof *x->leaving);
    for (int k = 0; k < g->n_tasks; k++) {
        task_id t = x->order[k];
        for (int i = g->out_start[t]; i < g->out_start[t + 1]; i++) {
            task_id dst = g->edges[g->out[i]].dst;
            x->entering[g->in_start[dst] + n_in[dst]++] = g->out[i];
        }
        for (int i = g->in_start[t]; i < g->in_start[t + 1]; i++) {
            task_id src = g->edges[g->in[i]].src;
            x->leaving[g->out_start[src] + n_out[src]++] = g->in[i];
        }
    }
    free(n_out);
    free(n_in);
}

/* ---- a task on a host ---- */

static void remove_local_sends(struct listing *x, task_id t, host_id h)
{
    const struct dag *g = x->p->dag;
    for (int i = g->in_start[t]; i < g->in_start[t + 1]; i++)
        if (x->s->tasks[g->edges[x->entering[i]].src].host == h)
            draft_remove_send(x->d, x->entering[i], h);
}

/* Books what is booked with the destination; returns when the data of the edge are there. */
static double enter(struct listing *x, edge_id e, host_id src, host_id dst, bool for_good)
{
    if (x->approach->is_provisional && for_good)
        draft_shorten_send(x->d, e, src, dst);
    if (x->approach->send == WITH_DESTINATION)
        draft_send(x->d, e, src, dst);
    if (x->approach->links == WITH_DESTINATION)
        draft_links(x->d, e, src, dst);
    if (x->approach->recv == WITH_DESTINATION)
        return draft_recv(x->d, e, src, dst);
    return schedule_arrival_s(x->s, e);
}

/* Returns when all data are there, or a date after which it does not matter any more. */
static double enter_all(struct listing *x, task_id t, host_id h, double enough_s, bool for_good)
{
    const struct dag *g = x->p->dag;
    double ready_s = 0;
    for (int i = g->in_start[t]; i < g->in_start[t + 1] && ready_s < enough_s; i++) {
        edge_id e = x->entering[i];
        const struct planned_task *origin = &x->s->tasks[g->edges[e].src];
        if (for_good)
            x->s->edges[e].is_remote = origin->host != h;
        double arrival_s = origin->host == h ? origin->span.finish_s : enter(x, e, origin->host, h, for_good);
        ready_s = fmax(ready_s, arrival_s);
    }
    return ready_s;
}

static void leave_all(struct listing *x, task_id t, host_id h)
{
    const struct dag *g = x->p->dag;
    for (int i = g->out_start[t]; i < g->out_start[t + 1] && x->approach->send == WITH_ORIGIN; i++) {
        edge_id e = x->leaving[i];
        if (x->approach->is_provisional) {
            draft_provisional_send(x->d, e, h);
            continue;
        }
        host_id dst = x->allocation[g->edges[e].dst];
        x->s->edges[e].is_remote = dst != h;
        if (dst == h)
            continue;
        draft_send(x->d, e, h, dst);
        if (x->approach->links == WITH_ORIGIN)
            draft_links(x->d, e, h, dst);
        if (x->approach->recv == WITH_ORIGIN)
            draft_recv(x->d, e, h, dst);
    }
}

static void place(struct listing *x, task_id t, host_id h)
{
    if (x->approach->is_provisional)
        remove_local_sends(x, t, h);
    x->s->tasks[t].host = h; /* where edges booked with their origins arrive */
    draft_task(x->d, t, h, enter_all(x, t, h, INFINITY, true));
    leave_all(x, t, h);
}

/* ---- which host ---- */

static double try_host(struct listing *x, task_id t, host_id h, double best_s)
{
    double duration_s = x->minimizes_finish ? problem_compute_s(x->p, t, h) : 0;
    draft_mark(x->d);
    if (x->approach->is_provisional)
        remove_local_sends(x, t, h);
    double ready_s = enter_all(x, t, h, best_s - duration_s, false);
    double start_s = ready_s + duration_s < best_s ? draft_fit_task(x->d, t, h, ready_s) : ready_s;
    draft_rollback(x->d);
    return start_s + duration_s;
}

/* Where messages occupy nothing: all hosts at once, edge by edge. */
static void find_ready_everywhere(struct listing *x, task_id t)
{
    const struct dag *g = x->p->dag;
    size_t n_hosts = x->p->machine->n_hosts;
    memset(x->ready_s, 0, n_hosts * sizeof *x->ready_s);
    for (int i = g->in_start[t]; i < g->in_start[t + 1]; i++) {
        const struct edge *edge = &g->edges[x->entering[i]];
        const struct planned_task *origin = &x->s->tasks[edge->src];
        const double *restrict slowest = x->p->routes->slowest_bytes_per_s + (size_t)origin->host * n_hosts;
        const double *restrict latency_s = x->p->routes->latency_s + (size_t)origin->host * n_hosts;
        double *restrict ready_s = x->ready_s, departure_s = origin->span.finish_s, bytes = edge->size_bytes;
        for (size_t h = 0; h < n_hosts; h++) { /* to itself: infinitely fast, without latency */
            double arrival_s = departure_s + bytes / slowest[h] + latency_s[h];
            ready_s[h] = arrival_s > ready_s[h] ? arrival_s : ready_s[h];
        }
    }
}

static host_id choose_host(struct listing *x, task_id t)
{
    host_id best = -1;
    double best_s = INFINITY;
    bool is_simple = cost_is_plain_delay(x->p->model);
    if (is_simple)
        find_ready_everywhere(x, t);
    for (host_id h = 0; h < (host_id)x->p->machine->n_hosts; h++) {
        double date_s = is_simple ? draft_fit_task(x->d, t, h, x->ready_s[h]) +
                                        (x->minimizes_finish ? problem_compute_s(x->p, t, h) : 0)
                                  : try_host(x, t, h, best_s);
        if (best < 0 || date_s < best_s) {
            best = h;
            best_s = date_s;
        }
    }
    return best;
}

/* ---- the whole ---- */

static enum err_code find_approach(const struct param_set *ps, const struct scheduler_inputs *in,
                                   const struct approach **out, struct err *e)
{
    const char *name = param_text(ps, "approach");
    if (name == NULL)
        name = in->allocation != NULL ? "alloc1" : "direct";
    *out = approaches;
    while (strcmp((*out)->name, name) != 0)
        (*out)++;
    if ((*out)->needs_allocation && in->allocation == NULL)
        return err_set(e, ERR_INPUT, "list[approach=%s] needs an allocation of tasks to hosts (--allocation)", name);
    return ERR_NONE;
}

static enum err_code plan(const struct problem *p, const struct param_set *ps, const struct scheduler_inputs *in,
                          struct schedule *out, struct err *e)
{
    struct listing x = {.p = p, .s = out, .allocation = in->allocation, .order = in->order};
    task_id *made = NULL;
    const char *priority = param_text(ps, "priority");
    enum err_code code = find_approach(ps, in, &x.approach, e);
    if (code == ERR_NONE && in->order != NULL && priority != NULL)
        code = err_set(e, ERR_INPUT, "list[priority=%s] contradicts the order that is given (--order)", priority);
    if (code != ERR_NONE)
        return code;
    x.minimizes_finish = strcmp(param_text(ps, "minimize"), "finish") == 0;
    if (x.order == NULL)
        x.order = made = priority_list(p, priority != NULL ? priority : "bottom_level");
    order_edges(&x);
    x.d = draft_create(out, strcmp(param_text(ps, "technique"), "end") == 0 ? TECHNIQUE_END : TECHNIQUE_INSERTION);
    x.ready_s = mem_alloc(p->machine->n_hosts * sizeof *x.ready_s);
    for (int k = 0; k < p->dag->n_tasks; k++) {
        task_id t = x.order[k];
        place(&x, t, x.allocation != NULL ? x.allocation[t] : choose_host(&x, t));
    }
    if (param_is_on(ps, "compact"))
        code = schedule_compact(out, e);
    free(x.ready_s);
    draft_free(x.d);
    free(x.leaving);
    free(x.entering);
    free(made);
    return code;
}

extern const struct scheduler scheduler_list;
const struct scheduler scheduler_list = {
    .name = "list",
    .summary = "list scheduling: in the order of a list, each task goes where it can start first",
    .source = "[S] 8.4.1, Algorithms 23 and 24",
    .params = params,
    .plan = plan,
};
